#!/usr/bin/env python3
"""Run cases with one MPI: run.py --mpi NAME --mpirun PATH --library SO [OPTION…] [-- NAME [OPTION…] CASE PROGRAM]… reports them in TAP, each under its
name; with --only=TEXT those with the text in their names (scripts/run-case TEXT finds them in a build). run.py … --ranks N CASE PROGRAM runs one case.
OPTIONS below has all options; --keep leaves the folders of the runs and names them.

run.py --list --mpi NAME… --there THING… FILE… prints the tests in these files of cases for meson.build. Each line has the MPI, the program, the name,
the suites, the arguments of run.py, the group, and its priority."""

import gc

gc.disable()  # what is imported and elements of traces live as long as we do

import os
import resource
import signal
import sys
import types

from expect import case, tap
from expect.job import Job
from expect.judgement import Failure, Skip

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cases')
FILES = sorted(name for name in os.listdir(CASES) if name.endswith('.py'))


def load(files):
    for file in files:
        __import__('cases.' + os.path.basename(file).removesuffix('.py'))


def defines(file, names):
    with open(os.path.join(CASES, file), 'rb') as source:
        text = source.read()
    return any(f'def {name}('.encode() in text for name in names)


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
    'limit': '180',  # seconds of the case
    'lacks': '',  # what is not installed, so that the program is not built
    'transform': None, 'predict': None,  # cases that need them are skipped without
    'hosts': '',  # library that makes one machine look like several
    'yields': '',  # library that makes waiting ranks of MPICH leave the processor
    'format': os.environ.get('HIERA_TEST_FORMAT'), 'fold': os.environ.get('HIERA_TEST_FOLD'),  # HIERA_FORMAT and its like
    'compress': os.environ.get('HIERA_TEST_COMPRESS'), 'container': os.environ.get('HIERA_TEST_CONTAINER')}


def parse(words, is_kept):
    """The options, and case and program."""
    options = types.SimpleNamespace(**OPTIONS, keep=is_kept)
    words = list(words)
    while words and words[0].startswith('--'):
        name = words.pop(0)[2:]
        if name not in OPTIONS or not words:
            sys.exit(f'--{name}?\n{__doc__}')
        setattr(options, name, words.pop(0))
    if len(words) != 2 or not options.mpi or not options.mpirun:
        sys.exit(__doc__)
    options.case, options.program = words
    options.ranks, options.timeout, options.limit = int(options.ranks), int(options.timeout), int(options.limit)
    return options


def run(arguments):
    """The exit status of one case."""
    if arguments.lacks:
        print(f'skipped: {arguments.lacks} is not installed')
        return tap.SKIPPED
    job = Job(arguments)
    try:
        case.CASES[arguments.case](job)
    except Skip as reason:
        print(f'skipped: {reason}')
        return tap.SKIPPED
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


def main():
    if sys.argv[1:2] == ['--list']:
        return list_tests(sys.argv[2:])
    common, named, is_kept = tap.split(sys.argv[1:])
    named = [(name, parse([*common, *words], is_kept)) for name, *words in named]
    alone = None if '--' in sys.argv else parse(common, is_kept)
    needed = {arguments.case for arguments in [alone] if alone} | {arguments.case for _, arguments in named}
    load(file for file in FILES if defines(file, needed))
    if not needed <= set(case.CASES):
        sys.exit(f'no case {" ".join(needed - set(case.CASES))}')
    sys.setrecursionlimit(20000)
    for number in (signal.SIGHUP, signal.SIGQUIT):  # ignored by shells for background jobs, and inherited by programs
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if alone:
        return run(alone)
    return tap.run([(name, arguments.limit, lambda arguments=arguments: run(arguments)) for name, arguments in named])


if __name__ == '__main__':
    sys.exit(main())
