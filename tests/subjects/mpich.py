"""MPICH's own test suite, test/mpi of the release that Debian has, built by its own configure."""

import glob
import os
import re
import subprocess

from subject import Case

SOURCE, RELEASE = 'https://github.com/pmodels/mpich', 'v4.0.2'
FLAGS = '-g -O0 -w -DOMPI_OMIT_MPI1_COMPAT_DECLS=0'
# What is not run: the tests of a launcher's or a network's own, and what measures speed.
LEFT_OUT = {'ckpoint', 'ft', 'impls', 'manual', 'perf'}


def fetch(folder, source):
    """The sources with their configure script, as MPICH's autogen.sh prepares them; it would leave out the tests for mpi_f08
    where it is not started by that of MPICH itself."""
    tests = os.path.join(folder, 'test', 'mpi')
    if os.path.exists(os.path.join(tests, 'configure')):
        return tests
    os.makedirs(folder, exist_ok=True)
    repository = os.path.join(folder, 'mpich.git')
    if not os.path.exists(repository):
        subprocess.run(['git', 'clone', '--quiet', '--bare', '--depth=1', '--branch', RELEASE, source or SOURCE, repository], check=True)
    archive = subprocess.run(['git', '--git-dir', repository, 'archive', RELEASE, 'test/mpi', 'confdb', 'maint/version.m4'],
                             stdout=subprocess.PIPE, check=True)
    subprocess.run(['tar', 'x', '-C', folder], input=archive.stdout, check=True)
    subprocess.run('''cp maint/version.m4 test/mpi/ && cp -r confdb test/mpi/ && cp -r confdb test/mpi/dtpools/ &&
                      cd test/mpi && sed -i 's/ -a "$FROM_MPICH" = "yes"//' configure.ac && ./autogen.sh && autoreconf --force --install''', shell=True, cwd=folder, check=True)
    return tests


def experimental(mpi, header):
    """What MPICH's build makes for its tests: the functions that this MPI has as MPIX_NAME alone."""
    declared = subprocess.run([f'mpicc.{mpi}', '-E', '-include', 'mpi.h', '-x', 'c', '/dev/null'], stdout=subprocess.PIPE, text=True, check=True)
    functions = set(re.findall(r'\b(MPIX?_\w+) *\(', declared.stdout))
    os.makedirs(os.path.dirname(header), exist_ok=True)
    with open(header, 'w', encoding='utf-8') as file:
        for name in sorted(functions):
            standard = name.replace('MPIX_', 'MPI_')
            if standard not in functions:
                file.write(f'#define {standard} {name}\n')


def build(folder, source, mpi):
    tests, there = fetch(folder, source), os.path.join(folder, f'build-{mpi}')
    experimental(mpi, os.path.join(there, 'include', 'mtest_mpix.h'))
    if not os.path.exists(os.path.join(there, 'Makefile')):
        compilers = [f'{name}={tool}.{mpi}' for name, tool in
                     (('MPICC', 'mpicc'), ('MPICXX', 'mpicxx'), ('MPIF77', 'mpif77'), ('MPIFC', 'mpifort'), ('MPIFORT', 'mpifort'), ('MPIEXEC', 'mpirun'))]
        fortran = '-g -O0 -w -fallow-argument-mismatch -fallow-invalid-boz'
        more = ['--enable-threads=multiple'] + (['--enable-strictmpi'] if mpi != 'mpich' else [])
        subprocess.run([os.path.join(tests, 'configure'), f'CFLAGS={FLAGS}', f'FFLAGS={fortran}', f'FCFLAGS={fortran}'] + compilers + more,
                       cwd=there, check=True)
    # Some do not compile with every MPI: the others are what is run.
    subprocess.run(['make', '--keep-going', '--silent', f'--jobs={os.cpu_count()}'], cwd=there, check=False)
    return there


def cases(folder, source, mpi):
    there = build(folder, source, mpi)
    for lists in sorted({os.path.dirname(f) for f in glob.glob(os.path.join(there, '**', 'testlist'), recursive=True)} |
                        {os.path.dirname(f).replace(os.path.join(folder, 'test', 'mpi'), there)
                         for f in glob.glob(os.path.join(folder, 'test', 'mpi', '**', 'testlist'), recursive=True)}):
        name = os.path.relpath(lists, there)
        if not LEFT_OUT & set(name.split(os.sep)):
            yield from listed(there, os.path.join(folder, 'test', 'mpi'), name)


def listed(there, tests, name):
    """The tests of one folder: lines `program ranks key=value …`."""
    path = next(p for p in (os.path.join(there, name, 'testlist'), os.path.join(tests, name, 'testlist')) if os.path.exists(p))
    with open(path, encoding='utf-8') as file:
        rows = [line.split('#')[0].split() for line in file]
    seen = set()
    for program, ranks, *keys in (row + ['2'] if len(row) == 1 else row for row in rows if row):
        values = [key.split('=', 1) for key in keys]
        case = Case(' '.join([f'{name}/{program}', ranks] + keys), [os.path.join(there, name, program)] + pick(values, 'arg'), int(ranks),
                    os.path.join(there, name), dict(value.split('=', 1) for value in pick(values, 'env')), pick(values, 'mpiexecarg'))
        if case.name not in seen and os.path.isfile(case.command[0]):
            seen.add(case.name)
            yield case


def pick(values, key):
    return [value[1] for value in values if value[0] == key]
