#!/usr/bin/env python3
"""Run one case on one MPI: run.py --mpi NAME --mpirun PATH --library SO --ranks N CASE PROGRAM.

A case is a function of cases/*.py, or the default: run the program and compare its traces with what it expects of them."""

import argparse
import importlib
import os
import signal
import sys
from pathlib import Path

from expect import expectations
from expect.job import Failure, Job, Skip, expect


def trace_has_what_the_program_expects(job):
    result = job.run(settings={'HIERA_FILTER': ''}).good()
    n = expectations.check(result, result.valid(job.ranks))
    print(f'{n} operations as expected')
    return result


def trace_is_matched_too(job):
    result = trace_has_what_the_program_expects(job)
    expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])


CASES = {'expect': trace_has_what_the_program_expects, 'expect_matched': trace_is_matched_too}
for file in sorted((Path(__file__).parent / 'cases').glob('*.py')):
    CASES.update(getattr(importlib.import_module(f'cases.{file.stem}'), 'CASES', {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('--library', default='')
    parser.add_argument('--transform', help='hiera-transform; cases that need it are skipped without')
    parser.add_argument('--hosts', default='', help='library that makes one machine look like several')
    parser.add_argument('--format', default=os.environ.get('HIERA_TEST_FORMAT'), help='spelling of the traces (HIERA_FORMAT)')
    parser.add_argument('--compress', default=os.environ.get('HIERA_TEST_COMPRESS'), help='… compressed (HIERA_COMPRESS)')
    parser.add_argument('--ranks', type=int, default=1)
    parser.add_argument('--timeout', type=int, default=50)
    parser.add_argument('--keep', action='store_true', help='leave the folders of the runs and name them')
    parser.add_argument('case', choices=CASES)
    parser.add_argument('program')
    arguments = parser.parse_args()
    sys.setrecursionlimit(20000)
    for number in (signal.SIGHUP, signal.SIGQUIT):  # what a shell ignores for those in the background, programs inherit
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    job = Job(arguments)
    try:
        CASES[arguments.case](job)
    except Skip as reason:
        print(f'skipped: {reason}')
        return 77
    except Failure as failure:
        print(f'{arguments.case}, {arguments.mpi}, {arguments.ranks} ranks: {failure}')
        return 1
    finally:
        if arguments.keep:
            print('\n'.join(job.folders))
        else:
            job.clean()
    return 0


if __name__ == '__main__':
    sys.exit(main())
