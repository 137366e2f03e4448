#!/usr/bin/env python3
"""Tables that hiera-wrap drafts from a header: draft.py LIBRARY. The header is tests/mpi/libraries/library.h; the expected table was written by hand."""

import os
import subprocess
import sys
import tempfile

import contract

WRAP = os.path.join(contract.TOP, 'collector', 'levels', 'wrap.py')
HEADER = os.path.join(contract.TOP, 'tests', 'mpi', 'libraries', 'library.h')
DRAFT = f"""level demo
library libtest-library.so
include "{HEADER}"

double _Complex lib_complex(double real, float _Complex factor)
long double lib_long(long double value, float half)
Pair lib_swap(- Pair pair)
Many lib_many(int scale, - Many many)
int64_t lib_sum(int8_t a, uint16_t b, int c, unsigned d, long e, uint64_t f, bool g, Colour h, char i, int64_t j)
double lib_mixed(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k, double l, int m,
    double n, int o, double p, int q, double r, int s, double t)
int lib_fails(text path, const int *depth)
int lib_outer(int n)
int lib_inner(int n)
int lib_last(int n)
int lib_apply(int(*function)(int, void *), int n, void *closure)
const char *lib_name(void)
double lib_each(const int shape[3], double(*rows)[4], int(*argument3)(int, void *), Colour way)
double lib_inline(double x)
double lib_solve(const char *side, const char *trans, int n, double *x)
double lib_solve_(const char *side, const char *trans, const int *n, double *x, size_t side_length, size_t trans_length)
float _Complex lib_trace_(const int *n, const char *job, size_t job_length)
float _Complex LIB_TRACE(const int *n, const char *job, size_t job_length)

# Not wrapped:
#   lib_function: returns a pointer to a function, or is declared together with something else
#   lib_variadic: takes a variable number of arguments
"""


def wrap(*arguments):
    return subprocess.run([sys.executable, '-S', WRAP, *arguments], capture_output=True, text=True, check=False)


def normal(text):
    """The lines of a table, with continuation lines joined."""
    return ' '.join(line for line in text.replace('bool ', '_Bool ').splitlines() if not line.startswith('# Drafted')).split()


def check_draft(library, folder):
    made = wrap('--from-header', HEADER, '--library', library, '--level', 'demo', '-o', f'{folder}/x.table')
    text = open(f'{folder}/x.table', encoding='utf-8').read() if made.returncode == 0 else ''
    if normal(text) != normal(DRAFT):
        sys.exit(f'expected:\n{DRAFT}\nactual:\n{text}{made.stderr}')
    print(made.stderr, end='')
    built = wrap(f'{folder}/x.table', '-o', f'{folder}/x.so')
    symbols = contract.dynamic_symbols(f'{folder}/x.so') if built.returncode == 0 else set()
    if len([s for s in symbols if s.lower().startswith('lib_')]) != 18:
        sys.exit(f'the wrappers of the draft: {sorted(symbols)}\n{built.stdout}{built.stderr}')


NOISE = '''#define OUT_FLAG (out_open(), 1)
#define OUT_TRY { out_begin(
#define OUT_WRITE(n) out_write(n)
#define out_close out_close2
int out_open(void); int out_begin(int n); int out_write(int n); int out_close2(int n); int out_name(const char *file_name, const char *buffer, const char **paths);
'''
LEFT = ['int out_write(int n)', 'int out_close2(int n)', 'int out_name(text file_name, const char *buffer, const char **paths)']


def check_noise(folder):
    """Functions called only by macros are left out, names are recorded as texts, and the compiler flags are kept in the table."""
    os.mkdir(f'{folder}/include')
    with open(f'{folder}/include/out_mpi.h', 'w', encoding='utf-8') as file:
        file.write(NOISE)
    with open(f'{folder}/out.c', 'w', encoding='utf-8') as file:
        file.write('#undef OUT_TRY\nint out_open(void) {return 1;} int out_begin(int n) {return n;} int out_write(int n) {return n;}\n'
                   'int out_close2(int n) {return n;} int out_name(const char *a, const char *b, const char **c) {return a && b && c;}\n')
    contract.run('cc', '-shared', '-fPIC', f'{folder}/out.c', '-o', f'{folder}/libout_mpi.so')
    made = wrap('--from-header', 'out_mpi.h', '--library', f'{folder}/libout_mpi.so', '-o', f'{folder}/out.table', '--', f'-I{folder}/include')
    text = open(f'{folder}/out.table', encoding='utf-8').read() if made.returncode == 0 else made.stderr
    entries = [line for line in text.splitlines() if line.startswith('int ')]
    if entries != LEFT or '#   out_open: called by the macro OUT_FLAG' not in text or f'flags -I{folder}/include' not in text:
        sys.exit(f'expected {LEFT}, actual:\n{text}')
    built = wrap(f'{folder}/out.table', '-o', f'{folder}/out.so')
    if built.returncode != 0:
        sys.exit(f'the flags are wanted again: {built.stderr}')
    missing = wrap('--from-header', 'no_such_header.h', '--library', f'{folder}/libout_mpi.so')
    if 'after --' not in missing.stderr:
        sys.exit(f'no advice on flags: {missing.stderr}')
    os.environ['LIBRARY_PATH'] = folder
    named = wrap('--from-header', 'out_mpi.h', '--library', 'out')
    if named.returncode != 1 or 'no such library; there is out_mpi\n' not in named.stderr:
        sys.exit(f'no library is named instead: {named.stderr}')


WRONG = [('level a\nint f(int n, ...)', ':2: f: takes a variable number of arguments'), ('int f(int n)', ':1: a function before the line `level`'),
         ('level a\nint f(int n)\nint f(int n)', 'f is already in'), ('level a\nvoid *malloc(long n)', 'malloc: wrappers call it themselves'),
         ('level a\nint p{a,b}{c}(int n)', 'braces with different numbers of words'), ('level a\nint f(int n) : so=what', 'unknown fact: so=what'),
         ('level a\nf(int n)', 'f: the result is missing'), ('level a\nlanguage pascal', 'unknown language: pascal'), ('level a\nspelling Name', 'unknown spelling: Name'), ('level a', 'no function'),
         ('level a\nlanguage fortran\nf(real x)', 'f: parameter not understood: real x'), ('level a\nint f(thing)', 'f: parameter not understood: thing'),
         ('level a\nint f(nothing n)', "unknown type name ‘nothing’|unknown type name 'nothing'")]


def check_errors(folder):
    """Mistakes in a table are reported, and no wrapper is made."""
    for i, (text, expected) in enumerate(WRONG):
        path, output = f'{folder}/wrong{i}.table', f'{folder}/wrong{i}.so'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text + '\n')
        made = wrap(path, '-o', output)
        if made.returncode != 1 or not any(part in made.stderr for part in expected.split('|')) or os.path.exists(output):
            sys.exit(f'{text!r}: expected {expected!r}, actual {made.returncode} {made.stderr!r}')
    for arguments, expected in ((['--from-header', 'math.h', '--library', '/no/such.so'], 'no such library'),
                                (['--from-header', 'stdio.h', '--library', path_of_libc()], 'Hiera uses it itself')):
        made = wrap(*arguments)
        if made.returncode != 1 or expected not in made.stderr:
            sys.exit(f'{arguments}: expected {expected!r}, actual {made.returncode} {made.stderr!r}')
    print(f'{len(WRONG) + 2} mistakes are named')


def path_of_libc():
    return next(line.split()[2] for line in contract.run('ldd', sys.executable).splitlines() if line.strip().startswith('libc.so'))


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_draft(sys.argv[1], folder)
        check_noise(folder)
        check_errors(folder)


if __name__ == '__main__':
    main()
