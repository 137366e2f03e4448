#!/usr/bin/env python3
"""A user can work with the installed files alone: installed.py BUILD [MPIFORT]. Installs into a temporary folder, links programs in all
documented ways, and builds and runs a measure of a user with libhiera-graph."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Numbers of edges of traces, counted by hand.
EDGES = {
    'figure4': 'child 11\nnext 7\nmessage 5\ncollective 3\nrequest 0\ntransfer 0\ncompletion 0\nepoch 0\n',
    'traces/one-sided': 'child 8\nnext 6\nmessage 0\ncollective 6\nrequest 0\ntransfer 2\ncompletion 2\nepoch 0\n',
}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f'{shlex.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def install(build, folder):
    """Install below a folder and return the folder of the libraries. The .pc files are adapted to it."""
    run(['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', folder])
    description = next(pathlib.Path(folder).rglob('hiera.pc'))
    prefix = re.search(r'^prefix=(.*)$', description.read_text(), re.M).group(1)
    for path in description.parent.glob('*.pc'):
        path.write_text(path.read_text().replace(f'prefix={prefix}\n', f'prefix={folder}{prefix}\n'))
    return description.parent.parent, pathlib.Path(f'{folder}{prefix}')


def flags(package, lib):
    env = dict(os.environ, PKG_CONFIG_PATH=str(lib / 'pkgconfig'))
    return run(['pkg-config', '--cflags', '--libs', package], env=env).split()


def mpi_names(lib):
    """Those whose <mpi.h> is here: not the ABI, whose MPI the user brings."""
    return [path.stem.removeprefix('hiera-') for path in sorted((lib / 'pkgconfig').glob('hiera-*.pc')) if path.stem not in ('hiera-abi', 'hiera-graph')]


def trace_of(program, folder, lib=None):
    """Run a program and return its trace (without folders of source files) and its output. `lib`: where the loader finds libhiera."""
    # Open MPI would start a daemon for a process that is alone.
    env = dict(os.environ, HIERA_DIR=folder, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_ess_singleton_isolated='1')
    env.pop('LD_LIBRARY_PATH', None)
    if lib:
        env['LD_LIBRARY_PATH'] = str(lib)
    answer = run([program], env=env, timeout=120)
    run(['xmllint', '--noout', '--valid', f'{folder}/trace0.xml'])
    return re.sub('file="[^"]*/', 'file="', pathlib.Path(folder, 'trace0.xml').read_text()), answer  # without folders


def check(program, folder, place, lib=None):
    trace, _ = trace_of(program, folder, lib)
    for part in (f'operation="barrier" {place}', 'operation="work"', 'args="n=1"'):
        if part not in trace:
            sys.exit(f'{folder}: the trace lacks {part}:\n{trace}')


def fortran(mpifort, top, lib, prefix):
    """With the installed module, and with a module compiled from the installed source."""
    program, source = f'{top}/app', HERE / 'installed_app.f90'
    run([mpifort, '-g', '-O0', source, '-o', program, *flags('hiera', lib)])
    check(program, f'{top}/fortran', 'file="installed_app.f90" line="8"')
    run([mpifort, '-g', '-O0', prefix / 'include' / 'hiera.f90', source, '-o', program, f'-L{lib}', '-lhiera'], cwd=top)
    check(program, f'{top}/fortran-source', 'file="installed_app.f90" line="8"', lib)


CXX_LINE = 'file="installed_app.cc" line="9"'


def plus_plus(top, lib):
    """With compilers that are not wrappers of MPI. mpi.h has calls of MPI's old C++ bindings, which need a library of their own."""
    for compiler in filter(shutil.which, ('g++', 'clang++')):
        run([compiler, '-g', '-O0', HERE / 'installed_app.cc', '-o', f'{top}/app', *flags('hiera', lib)])
        check(f'{top}/app', f'{top}/{compiler}', CXX_LINE)


PROJECT = """cmake_minimum_required(VERSION 3.13)
project(app {languages})
find_package({first} REQUIRED)
find_package({second} REQUIRED)
add_executable(app {source})
target_link_libraries(app {libraries})
"""


def cmake(top, lib, prefix):
    """find_package(hiera): alone; after find_package(MPI), whose library is linked first; and for an MPI that is not installed."""
    if not shutil.which('cmake') or not shutil.which('g++'):
        return
    ways = {'cmake': ('hiera 1.0', 'hiera', 'hiera::hiera', 0), 'cmake-mpi': ('MPI', 'hiera', 'MPI::MPI_CXX hiera::hiera', 0),
            'cmake-component': ('hiera COMPONENTS ' + mpi_names(lib)[-1], 'hiera', 'hiera::hiera', 0),
            'cmake-other': ('hiera COMPONENTS no-such-mpi', 'hiera', 'hiera::hiera', 1)}
    for way, (first, second, libraries, status) in ways.items():
        folder = pathlib.Path(top, way)
        folder.mkdir()
        languages = 'C CXX' if first == 'MPI' else 'CXX'
        (folder / 'CMakeLists.txt').write_text(PROJECT.format(languages=languages, first=first, second=second, libraries=libraries, source=HERE / 'installed_app.cc'))
        command = ['cmake', '-S', folder, '-B', folder / 'build', '-DCMAKE_BUILD_TYPE=Debug', f'-DCMAKE_PREFIX_PATH={prefix}']
        if status:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0 or 'there is no libhiera for no-such-mpi' not in done.stderr:
                sys.exit(f'{way}: exit {done.returncode}\n{done.stderr}')
            continue
        run(command)
        run(['cmake', '--build', folder / 'build'])
        check(folder / 'build' / 'app', f'{top}/{way}-traces', CXX_LINE)


def mpi_first(top, lib, prefix, mpi):
    """Linked with MPI before Hiera: nothing is different."""
    launcher = shutil.which('mpirun.openmpi') if any('openmpi' in f for f in mpi) else shutil.which('mpirun.mpich')
    if not launcher:
        return
    run(['cc', '-g', HERE / 'installed_app.c', '-o', f'{top}/app', f'-I{prefix}/include', '-Wl,--no-as-needed', *mpi, f'-L{lib}', '-lhiera'])
    env = dict(os.environ, HIERA_DIR=f'{top}/mpi-first', LD_LIBRARY_PATH=str(lib), OMPI_ALLOW_RUN_AS_ROOT='1',
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_rmaps_base_oversubscribe='1')
    done = subprocess.run([launcher, '-n', '2', f'{top}/app'], capture_output=True, text=True, env=env, check=False, timeout=120)
    if done.returncode != 0 or 'MPI calls' in done.stderr:
        sys.exit(f'MPI before Hiera: exit {done.returncode}\n{done.stderr}')
    jobs = set()
    for rank in range(2):
        path = f'{top}/mpi-first/trace{rank}.xml'
        run(['xmllint', '--noout', '--valid', path])
        trace = pathlib.Path(path).read_text()
        if f'rank="P{rank}"' not in trace or 'size="2"' not in trace or trace.count('operation="work"') != 1 or trace.count('operation="barrier"') != 1:
            sys.exit(trace)
        jobs.add(re.search(r'job="(\w+)"', trace).group(1))
    if len(jobs) != 1:
        sys.exit(f'MPI before Hiera: jobs {jobs}')


def references(root, prefix):
    """All files that manual and documents refer to are installed."""
    missing = []
    for page in (prefix / 'share/man').rglob('*.[13]'):
        for path in re.findall(r'(?<![\w/])/[\w./*-]+', page.read_text().replace('\\-', '-').replace('\\fR', ' ')):
            if path.startswith(str(prefix.relative_to(root)), 1) and not list(pathlib.Path(root).glob(path[1:])):
                missing.append(f'{page.name}: {path}')
    documents = list((prefix / 'share/doc/hiera-mpi').rglob('*.md'))
    for document in documents:
        for path in re.findall(r'\]\(([^)#:]+)[^):]*\)', document.read_text()):
            if not (document.parent / path).exists():
                missing.append(f'{document.relative_to(prefix)}: {path}')
    wanted = ['share/doc/hiera-mpi/LICENSE', 'share/man/man3/hiera.3', 'share/man/man3/hiera_begin_at.3', 'share/bash-completion/completions/hiera-run',
              'share/zsh/site-functions/_hiera', 'share/fish/vendor_completions.d/hiera-run.fish']
    missing += [path for path in wanted if not (prefix / path).exists()]
    if missing or len(documents) < 8:
        sys.exit(f'of {len(documents)} documents and the manual these are not installed:\n' + '\n'.join(missing))


def example(top, lib, prefix):
    """The lines of ring.c in the table of the README are those in its trace."""
    documents = prefix / 'share/doc/hiera-mpi'
    shutil.copy(documents / 'docs/ring.c', top)
    run(['cc', '-g', '-O0', 'ring.c', '-o', 'ring', *flags('hiera', lib)], cwd=top)
    trace, _ = trace_of(f'{top}/ring', f'{top}/ring-traces')
    calls = set(re.findall(r'operation="(\w+)" file="ring.c" line="(\d+)"', trace))
    shown = set(re.findall(r'^ *(\w+) ring\.c:(\d+) ', (documents / 'README.md').read_text(), re.M))
    if len(shown) < 7 or calls != shown:
        sys.exit(f'README shows {sorted(shown)} of ring.c, its trace has {sorted(calls)}')


def plug_in(top, prefix, mpi):
    """The commands of plugins.md, as they are written there, with the program of the other documents."""
    documents = prefix / 'share/doc/hiera-mpi/docs'
    launcher = shutil.which('mpirun.openmpi') if any('openmpi' in f for f in mpi) else shutil.which('mpirun.mpich')
    commands = re.findall(r'^\$ (.*)$', (documents / 'plugins.md').read_text(), re.M)
    if not launcher:
        return
    if len(commands) != 2:
        sys.exit(f'plugins.md has {len(commands)} commands')
    folder = pathlib.Path(top, 'plug-in')
    folder.mkdir()
    (folder / 'mpirun').write_text(f'#!/bin/sh\nexec {launcher} "$@"\n')
    (folder / 'mpirun').chmod(0o755)
    shutil.copy(documents / 'plugin.c', folder)
    shutil.copy(f'{top}/ring', folder)
    env = dict(os.environ, PATH=f'{folder}:{prefix}/bin:{os.environ["PATH"]}', CPATH=f'{prefix}/include', HIERA_TRACE='0', OMPI_ALLOW_RUN_AS_ROOT='1',
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_rmaps_base_oversubscribe='1')
    done = subprocess.run(' && '.join(commands), shell=True, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0 or not re.search(r'^slow: rank 0: wait took [\d.]+ ms \(step > exchange > wait\)$', done.stderr, re.M):
        sys.exit(f'plugins.md: exit {done.returncode}\n{done.stdout}{done.stderr}')


def oops(top, lib, prefix):
    """Linked by pkg-config (shared) and by hand (static). The trace has the call of OOPS with MPI calls inside."""
    mpi = [f for f in flags('hiera', lib) if 'hiera' not in f and str(prefix) not in f]
    ways = {'shared': flags('oops', lib), 'static': [f'-I{prefix}/include', str(lib / 'liboops.a'), str(lib / 'libhiera.a'), *mpi, '-lm']}
    for way, arguments in ways.items():
        folder, source = f'{top}/oops-{way}', HERE / 'installed_oops.c'
        run(['cc', '-g', source, '-o', f'{top}/app', *arguments])
        trace, answer = trace_of(f'{top}/app', folder, lib)
        line = 1 + source.read_text()[:source.read_text().index('oops_topology_sum')].count('\n')
        if answer != '332833500\n' or not re.search(
                rf'method="sum" file="installed_oops.c" line="{line}"[^>]*>\s*<hieraOOPS class="Group" method="sum"[^>]*>\s*'
                r'<hieraMPI operation="allreduce"', trace):
            sys.exit(f'{way}: {answer}{trace}')


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as top:
        lib, prefix = install(build, f'{top}/root')
        references(f'{top}/root', prefix)
        mpi = [f for f in flags('hiera', lib) if 'hiera' not in f and str(prefix) not in f]
        ways = {'pkg-config': flags('hiera', lib), '-lhiera': [f'-I{prefix}/include', f'-L{lib}', '-lhiera', *mpi],
                'static': [f'-I{prefix}/include', str(lib / 'libhiera.a'), *mpi, '-lm']}
        for way, arguments in ways.items():
            run(['cc', '-g', HERE / 'installed_app.c', '-o', f'{top}/app', *arguments])
            check(f'{top}/app', f'{top}/{way}', 'file="installed_app.c" line="9"', lib if way == '-lhiera' else None)
        plus_plus(top, lib)
        cmake(top, lib, prefix)
        if len(sys.argv) > 2:
            fortran(sys.argv[2], top, lib, prefix)
        mpi_first(top, lib, prefix, mpi)
        example(top, lib, prefix)
        plug_in(top, prefix, mpi)
        oops(top, lib, prefix)
        run([prefix / 'bin/hiera-wrap', HERE.parent / 'mpi/libraries/library.table', '-o', f'{top}/level.so', '--', '-I' + str(HERE.parent / 'mpi/libraries')])
        for name in ('hiera/libhiera-level-scalapack.so', 'libhiera-malloc.so'):
            if not (lib / name).exists():
                sys.exit(f'{name} is not installed')
        for path in ('bin/hiera-run', 'share/hiera/trace.dtd', 'share/hiera/visual.xsl', 'share/hiera/visual.css', 'include/hiera.h', 'share/man/man3/oops.3'):
            if not (prefix / path).exists():
                sys.exit(f'{path} is not installed')
        if len(list((prefix / 'share/modulefiles/hiera-mpi').iterdir())) != 1:
            sys.exit('a module file for one version is not installed')
        if (lib / 'pkgconfig' / 'hiera-graph.pc').exists():
            run(['cc', HERE / 'own_measure.c', '-o', f'{top}/measure', *flags('hiera-graph', lib)])
            for traces, edges in EDGES.items():
                answer = run([f'{top}/measure', HERE.parent / 'golden' / traces], env=dict(os.environ, LD_LIBRARY_PATH=str(lib)))
                if answer != edges:
                    sys.exit(f'{traces} has the edges\n{edges}not\n{answer}')


if __name__ == '__main__':
    main()
