#!/usr/bin/env python3
"""hiera-cc compiles what has assertions, and leaves everything else to the compiler: run.py HIERA_CC [TEST…]

Programs are linked with evaluations.c, which prints where regions begin and end. A stand-in for the compiler records the
words that it gets."""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CC = pathlib.Path(sys.argv[1]).resolve().parent / 'hiera-cc'
CXX = CC.with_name('hiera-c++')
EVALUATIONS = 'evaluations.o'
PLAIN = '#include <stdio.h>\nint main(void) { puts("perfAssertion, hiera assert"); return 0; }\n'
MARKED = 'int main(void)\n{\n    int n = 3;\n#pragma hiera assert $n > 2\n    { n++; }\n    return n - 4;\n}\n'


def run(*words, status=0, **more):
    """Run a command; its output, both streams."""
    env = dict(os.environ, LC_ALL='C', **more.pop('env', {}))
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env, timeout=120, **more)
    if done.returncode != status:
        raise AssertionError(f'{" ".join(map(str, words))}: exit status {done.returncode}, not {status}\n{done.stdout}')
    return done.stdout


def equal(actual, expected, what):
    if actual != expected:
        raise AssertionError(f'{what}: expected\n{expected}\nactual\n{actual}')


def has(text, part):
    if part not in text:
        raise AssertionError(f'expected\n{part}\nin\n{text}')


def write(name, text, executable=False):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if executable:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def recorder(real='cc'):
    """A compiler that writes its words to the file `words`, and is another one."""
    return write('recorder', f'#!/bin/sh\nprintf "%s\\n" "$@" >words\nexec {shutil.which(real)} "$@"\n', True).resolve()


def words():
    return pathlib.Path('words').read_text().split('\n')[:-1]


def runs_as_expected(source, compiler, *flags):
    run(compiler, '-Wall', '-Wextra', '-Wno-unknown-pragmas', '-Werror', *flags, '-c', source, '-o', 'a.o')
    run('c++', *flags[:1], 'a.o', EVALUATIONS, '-o', 'program')
    equal(run('./program'), (HERE / f'{source.name}.txt').read_text(), source.name)


def test_regions_of_c():
    for name in ('accepted.c', 'constants.h'):
        shutil.copy(HERE / name, name)
    for flags in ([], ['-fopenmp', '-O2', '-std=c99']):
        runs_as_expected(pathlib.Path('accepted.c'), CC, *flags)


def test_regions_of_cxx():
    shutil.copy(HERE / 'accepted.cc', 'accepted.cc')
    for flags in (['-pedantic', '-std=c++17'], ['-fopenmp', '-O2', '-std=c++20']):
        runs_as_expected(pathlib.Path('accepted.cc'), CXX, *flags)


def test_refusals():
    for name, compiler, flags in (('refused.c', CC, []), ('refused.cc', CXX, ['-std=c++20'])):
        expected = (HERE / f'{name}.txt').read_text()
        equal(run(compiler, *flags, '-c', name, '-o', '/dev/null', cwd=HERE, status=1), expected, name)
        said = run(compiler, *flags, '-w', '-c', name, '-Wno-error=hiera', '-o', '/dev/null', cwd=HERE)
        if said.count('warning:') < expected.count('error:'):
            raise AssertionError(f'-Wno-error=hiera: {said}')


def test_without_assertions_nothing_changes():
    write('dir/plain.c', PLAIN)
    write('words.txt', '-DA="b c" -O2')
    env = {'HIERA_CC': str(recorder()), 'SOURCE_DATE_EPOCH': '0'}
    for command in (['-c', 'dir/plain.c', '-o', 'a.o'], ['-g', '-O2', '-MMD', '-MF', 'a.d', '-c', 'dir/plain.c'], ['dir/plain.c', '-o', 'a', '-lm'],
                    ['@words.txt', '-c', 'dir/plain.c'], ['-E', 'dir/plain.c'], ['-x', 'c', '-c', 'dir/plain.c', '-DX= \t$'], ['--version']):
        run(CC, *command, env=env)
        equal(words(), command, 'the words')
    for flags in (['-g'], ['-O2', '-fPIC']):
        run('cc', *flags, '-c', 'dir/plain.c', '-o', 'a.o', env=env)
        run(CC, *flags, '-c', 'dir/plain.c', '-o', 'b.o', env=env)
        equal(pathlib.Path('b.o').read_bytes(), pathlib.Path('a.o').read_bytes(), 'the object')


def test_errors_behind_a_region_keep_their_line():
    write('dir/wrong.c', '#include "beside.h"\n' + MARKED + 'int wrong = x;\n')
    write('dir/beside.h', '')
    has(run(CC, '-c', 'dir/wrong.c', status=1), "dir/wrong.c:9:13: error: 'x' undeclared")


def test_dependencies_name_the_source():
    write('a dir/marked.c', '#include "beside.h"\n' + MARKED)
    write('a dir/beside.h', '')
    for flags, made in ((['-MD', '-o', 'x.o'], 'x.d'), (['-MMD'], 'marked.d'), (['-MMD', '-MF', 'y.d', '-MT', 'target'], 'y.d'), (['-Wp,-MMD,z.d'], 'z.d')):
        run(CC, *flags, '-c', 'a dir/marked.c')
        told = pathlib.Path(made).read_text().replace('\\\n', '')
        has(told, 'a\\ dir/marked.c ')
        has(told, 'hiera.h')
        if 'hiera-cc-' in told:
            raise AssertionError(told)


def test_debug_information_names_the_source():
    write('dir/marked.c', MARKED)
    run(CC, '-g', '-c', 'dir/marked.c')
    told = run('readelf', '--debug-dump=info,line', 'marked.o')
    has(told, 'dir/marked.c')
    if 'hiera-cc-' in told:
        raise AssertionError(told)


def test_source_from_standard_input_and_response_file():
    write('words.txt', '-x c\n-c "-" -o "a.o" -Wno-error=hiera')
    run(CC, '@words.txt', input=MARKED)
    run(CC, 'a.o', EVALUATIONS, '-o', 'a')
    equal(run('./a'), '4 begins\n<stdin>:4: $n > 2: 4\n', 'the program')
    run(CC, '-x', 'c', '-', '-o', 'a', input=PLAIN)
    run('./a')


def test_the_changed_source_is_kept_on_demand():
    write('dir/marked.c', MARKED)
    pathlib.Path('out').mkdir()
    run(CC, '--hiera-keep-source', '-c', 'dir/marked.c', '-o', 'out/marked.o')
    has(pathlib.Path('out/marked.hiera.c').read_text(), '#line 1 "dir/marked.c"')
    has(pathlib.Path('out/marked.hiera.c').read_text(), '{ HIERA_ASSERT("$n > 2", n);\n    { n++; } }')


def test_no_temporary_file_stays():
    pathlib.Path('temporary').mkdir()
    write('marked.c', MARKED)
    write('refused.c', MARKED.replace('$n', '$m'))
    env = {'TMPDIR': str(pathlib.Path('temporary').resolve())}
    run(CC, '-c', 'marked.c', env=env)
    run(CC, '-c', 'refused.c', env=env, status=1)
    equal(os.listdir('temporary'), [], 'what is left')


def test_a_parser_that_fails_harms_nothing():
    write('marked.c', MARKED)
    shutil.copy(CC, 'hiera-cc')
    env = {'HIERA_CC': str(recorder())}
    for parser in ('kill -SEGV $$', 'kill -ALRM $$', 'exit 3', None):
        if parser:
            write('hiera-cc-parse', f'#!/bin/sh\n{parser}\n', True)
        else:
            pathlib.Path('hiera-cc-parse').unlink()
        if shutil.which('hiera-cc-parse', path='/usr/libexec/hiera:/usr/local/libexec/hiera') and not parser:
            continue
        has(run('./hiera-cc', '-c', 'marked.c', env=env), 'marked.c: warning: hiera-cc ')
        equal(words(), ['-c', 'marked.c'], 'the words')
    write('strange.c', MARKED + '#include "missing.h"\n')
    has(run(CC, '-c', 'strange.c', env=env, status=1), "strange.c: warning: hiera-cc cannot read this file ('missing.h' file not found)")
    equal(words(), ['-c', 'strange.c'], 'the words')


def test_libhiera_stands_before_mpi():
    write('marked.c', MARKED)
    write('plain.c', PLAIN)
    for name in ('marked', 'plain'):
        run(CC, '-c', f'{name}.c')
    write('compiler', '#!/bin/sh\ncase "$1" in -print*) exec cc "$@" ;; esac\nprintf "%s\\n" "$@" >words\n', True)
    env = {'HIERA_CC': str(pathlib.Path('compiler').resolve())}
    run(CC, 'plain.o', '-o', 'a', '-lmpi', '-lm', env=env)
    equal(words(), ['plain.o', '-o', 'a', '-lmpi', '-lm'], 'without assertions')
    if not (CC.parent / '../collector/libhiera.so').exists():
        return
    for command, before in ((['marked.o', '-o', 'a', '-lm', '-lmpi'], '-lmpi'), (['marked.o', '-o', 'a', '-L/nowhere', '-lmpich'], '-lmpich'),
                            (['-o', 'a', 'plain.o', 'marked.o', '/usr/lib/libmpi.so.12'], '/usr/lib/libmpi.so.12'), (['marked.o', '-lm'], '-lm')):
        run(CC, *command, env=env)
        at = next(i for i, word in enumerate(words()) if word.startswith('-lhiera'))
        equal(words()[at + 2], before, 'the word behind')
        equal([word for word in words() if not re.search('hiera|state|collector', word)], command, 'the other words')
    run('ar', 'rcs', 'libmarked.a', 'marked.o')
    run(CC, 'plain.o', '-o', 'a', '-L.', '-lmarked', env=env)
    has(' '.join(words()), '-lhiera')


def test_a_compiler_that_starts_hiera_cc_again_ends():
    write('marked.c', MARKED)
    wrapper = write('mpicc', f'#!/bin/sh\nexec {CC} "$@"\n', True).resolve()
    run(CC, '-c', 'marked.c', env={'HIERA_CC': str(wrapper)})
    pathlib.Path('links').mkdir()
    os.symlink(CC, 'links/cc')
    run('links/cc', '-c', 'marked.c', env={'PATH': f'{pathlib.Path("links").resolve()}:{os.environ["PATH"]}'})


def test_ccache_before_and_behind():
    if not shutil.which('ccache'):
        return
    env = {'CCACHE_DIR': str(pathlib.Path('cache').resolve())}
    for text in (MARKED, MARKED.replace('> 2', '> 1')):
        write('marked.c', text)
        for command, more in ((['ccache', CC], {}), ([CC], {'HIERA_CC': 'ccache cc'})):
            for _ in range(2):
                run(*command, '-c', 'marked.c', '-o', 'a.o', env=dict(env, **more))
            run('cc', 'a.o', EVALUATIONS, '-o', 'a')
            has(run('./a'), text.split('assert ')[1].split('\n')[0])


def test_cmake():
    if not shutil.which('cmake'):
        return
    write('CMakeLists.txt', 'cmake_minimum_required(VERSION 3.16)\nproject(x C CXX)\nadd_executable(a dir/marked.c dir/other.cc)\n'
          f'target_link_libraries(a {pathlib.Path(EVALUATIONS).resolve()})\ntarget_precompile_headers(a PRIVATE <stdio.h>)\n')
    write('dir/marked.c', MARKED)
    write('dir/other.cc', 'int other(int n)\n{\n#pragma hiera assert $n > 2\n    { return n; }\n}\n')
    run('cmake', '-B', 'build', '-DCMAKE_BUILD_TYPE=Debug', '.', env={'CC': str(CC), 'CXX': str(CXX)})
    run('cmake', '--build', 'build')
    has(run('build/a'), 'dir/marked.c:4: $n > 2: 4\n')


def run_tests():
    tests = {name[5:]: function for name, function in globals().items() if name.startswith('test_')}
    chosen, failed, home = sys.argv[2:] or list(tests), 0, os.getcwd()
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            run('cc', '-I', CC.parent / 'include', '-c', HERE / 'evaluations.c')
            try:
                tests[name]()
                print(f'ok {name}')
            except AssertionError as problem:
                failed += 1
                print(f'not ok {name}\n{problem}')
            os.chdir(home)
    print(f'{len(chosen)} tests, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(run_tests())
