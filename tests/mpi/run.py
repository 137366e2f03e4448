#!/usr/bin/env python3
"""Run one case with one MPI: run.py --mpi NAME --mpirun PATH --library SO --ranks N [OPTION…] CASE PROGRAM. OPTIONS below has all options;
--keep leaves the folders of the runs and names them.

run.py --list --mpi NAME… --there THING… FILE… prints the tests in these files of cases for meson.build. Each line has the MPI, the program, the name,
the suites, the timeout in seconds, and the arguments of run.py."""

import gc

gc.disable()  # what is imported and elements of traces live as long as we do

import os
import resource
import signal
import sys
import types

from expect import case
from expect.job import Job
from expect.judgement import Failure, Skip

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cases')
FILES = sorted(name for name in os.listdir(CASES) if name.endswith('.py'))


def load(files):
    for file in files:
        __import__('cases.' + os.path.basename(file).removesuffix('.py'))


def defines(file, name):
    with open(os.path.join(CASES, file), 'rb') as source:
        return f'def {name}('.encode() in source.read()


def list_tests(arguments):
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument('--mpi', nargs='*', default=[])
    parser.add_argument('--there', nargs='*', default=[])
    parser.add_argument('--every-mpi', action='store_true', help='also cases of the core run with each MPI')
    parser.add_argument('--watched', help='a file that meson runs us again for')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args(arguments)
    unlisted = set(FILES) - set(map(os.path.basename, options.files))
    if unlisted:
        sys.exit(f'not in meson.build: {" ".join(sorted(unlisted))}')
    load(options.files)
    print('\n'.join(case.lines(options.mpi, options.there, options.every_mpi)))


# Without argparse, whose import took a tenth of the start of each of 900 tests.
OPTIONS = {
    'mpi': None, 'mpirun': None, 'library': '', 'ranks': '1', 'timeout': '100',
    'transform': None, 'predict': None,  # cases that need them are skipped without
    'hosts': '',  # library that makes one machine look like several
    'yields': '',  # library that makes waiting ranks of MPICH leave the processor
    'format': os.environ.get('HIERA_TEST_FORMAT'), 'fold': os.environ.get('HIERA_TEST_FOLD'),  # HIERA_FORMAT and its like
    'compress': os.environ.get('HIERA_TEST_COMPRESS'), 'container': os.environ.get('HIERA_TEST_CONTAINER'), 'keep': False}


def parse(words):
    """The options, and case and program."""
    options = types.SimpleNamespace(**OPTIONS)
    words = list(words)
    while words and words[0].startswith('--'):
        name = words.pop(0)[2:]
        if name not in OPTIONS or name != 'keep' and not words:
            sys.exit(f'--{name}?\n{__doc__}')
        setattr(options, name, name == 'keep' or words.pop(0))
    if len(words) != 2 or not options.mpi or not options.mpirun:
        sys.exit(__doc__)
    options.case, options.program = words
    options.ranks, options.timeout = int(options.ranks), int(options.timeout)
    return options


def main():
    if sys.argv[1:2] == ['--list']:
        return list_tests(sys.argv[2:])
    arguments = parse(sys.argv[1:])
    load(file for file in FILES if defines(file, arguments.case))
    if arguments.case not in case.CASES:
        sys.exit(f'no case {arguments.case}')
    sys.setrecursionlimit(20000)
    for number in (signal.SIGHUP, signal.SIGQUIT):  # ignored by shells for background jobs, and inherited by programs
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    job = Job(arguments)
    try:
        case.CASES[arguments.case](job)
    except Skip as reason:
        print(f'skipped: {reason}')
        return 77
    except Failure as failure:
        print(f'{arguments.case}, {arguments.mpi}, {arguments.ranks} ranks: {failure}')
        return 1
    finally:
        if arguments.keep:
            print('\n'.join(job.folders))
            job.forget_sessions()
        else:
            job.clean()
    return 0


if __name__ == '__main__':
    sys.exit(main())
