"""The test programs of mpiP, with the ranks and arguments that its own suite (files *.exp) gives them."""

import os
import re
import subprocess

from subject import Case

SOURCE = 'https://github.com/LLNL/mpiP'
COMPILERS = {'.c': 'mpicc', '.C': 'mpicxx', '.f': 'mpif77'}
TIMINGS = (r'\d+\.\d+(e[+-]\d+)?',)  # clocks and durations that the programs print


def fetch(folder, source):
    if not os.path.exists(folder):
        subprocess.run(['git', 'clone', '--quiet', '--depth=1', source or SOURCE, folder], check=True)
    return os.path.join(folder, 'testing')


def compiled(tests, part, there, mpi):
    """The programs of one folder that compile: some need mpiP's own library, and one file is empty."""
    home = os.path.join(tests, part)
    common = ['mt_common.c', '-pthread'] if part else []
    for source in sorted(set(os.listdir(home)) - {'mt_common.c'}):
        stem, kind = os.path.splitext(source)
        program = os.path.join(there, stem)
        if kind in COMPILERS:
            legacy = ['-std=legacy'] if kind == '.f' else []
            if subprocess.run([f'{COMPILERS[kind]}.{mpi}', '-g', '-w', *legacy, source, *common, '-o', program], cwd=home, check=False).returncode == 0:
                yield stem, program


def setting(expected, name, default):
    """`set NAME VALUE` of an .exp file."""
    if not os.path.exists(expected):
        return default
    with open(expected, encoding='utf-8') as file:
        found = re.search(rf'^set {name} "?([^"\n]*)"?$', file.read(), re.M)
    return found.group(1) if found else default


def cases(folder, source, mpi):
    tests, there = fetch(os.path.join(folder, 'source'), source), os.path.join(folder, f'build-{mpi}')
    os.makedirs(there, exist_ok=True)
    for part in ('', 'mt'):
        for stem, program in compiled(tests, part, there, mpi):
            expected = os.path.join(tests, part, f'{stem}.exp')
            arguments = setting(expected, 'test_args', '').split()
            yield Case(' '.join([stem] + arguments), [program] + arguments, int(setting(expected, 'procs', '2')), os.path.dirname(tests), timings=TIMINGS)
