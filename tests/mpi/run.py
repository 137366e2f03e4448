#!/usr/bin/env python3
"""Run one case with one MPI: run.py --mpi NAME --mpirun PATH --library SO --ranks N CASE PROGRAM.

run.py --list --mpi NAME… --there THING… FILE… prints the tests in these files of cases for meson.build. Each line has the MPI, the program, the name,
the suites, the timeout in seconds, and the arguments of run.py."""

import argparse
import gc
import glob
import importlib
import os
import signal
import sys

from expect import case
from expect.job import Job
from expect.judgement import Failure, Skip

FILES = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cases', '*.py')))


def load(files):
    for file in files:
        importlib.import_module('cases.' + os.path.basename(file).removesuffix('.py'))


def defines(file, words):
    with open(file, encoding='utf-8') as text:
        source = text.read()
    return any(f'def {word}(' in source for word in words)


def list_tests(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument('--mpi', nargs='*', default=[])
    parser.add_argument('--there', nargs='*', default=[])
    parser.add_argument('--every-mpi', action='store_true', help='also cases of the core run with each MPI')
    parser.add_argument('--watched', help='a file that meson runs us again for')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args(arguments)
    unlisted = set(map(os.path.basename, FILES)) - set(map(os.path.basename, options.files))
    if unlisted:
        sys.exit(f'not in meson.build: {" ".join(sorted(unlisted))}')
    load(options.files)
    print('\n'.join(case.lines(options.mpi, options.there, options.every_mpi)))


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('--library', default='')
    parser.add_argument('--transform', help='hiera-transform; cases that need it are skipped without')
    parser.add_argument('--predict', help='hiera-predict, likewise')
    parser.add_argument('--hosts', default='', help='library that makes one machine look like several')
    parser.add_argument('--yields', default='', help='library that makes waiting ranks of MPICH leave the processor')
    parser.add_argument('--format', default=os.environ.get('HIERA_TEST_FORMAT'), help='encoding of the traces (HIERA_FORMAT)')
    parser.add_argument('--fold', default=os.environ.get('HIERA_TEST_FOLD'), help='… with folded loops (HIERA_FOLD)')
    parser.add_argument('--compress', default=os.environ.get('HIERA_TEST_COMPRESS'), help='… compressed (HIERA_COMPRESS)')
    parser.add_argument('--container', default=os.environ.get('HIERA_TEST_CONTAINER'), help='… of so many ranks in one file (HIERA_CONTAINER)')
    parser.add_argument('--ranks', type=int, default=1)
    parser.add_argument('--timeout', type=int, default=100)
    parser.add_argument('--keep', action='store_true', help='leave the folders of the runs and name them')
    parser.add_argument('case', choices=case.CASES)
    parser.add_argument('program')
    return parser.parse_args()


def main():
    if sys.argv[1:2] == ['--list']:
        return list_tests(sys.argv[2:])
    gc.disable()  # elements of traces live as long as we do
    load(file for file in FILES if defines(file, sys.argv[1:]))
    arguments = parse()
    sys.setrecursionlimit(20000)
    for number in (signal.SIGHUP, signal.SIGQUIT):  # ignored by shells for background jobs, and inherited by programs
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
