#!/usr/bin/env python3
"""launched.py HIERA-TRANSFORM MPIRUN: processes that this launcher starts answer as one does, once."""
import pathlib
import subprocess
import sys

import together

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden'
TRACES = GOLDEN / 'traces'
# Processes, arguments: also more processes than traces, broken traces, no trace, wrong use.
ASKED = [(2, [GOLDEN / 'paper', '--measure', 'waits,counts,profile']),
         (3, [TRACES / 'uneven', '--measure', 'summary,statistics,critical-path', '--validate', '--format', 'json']),
         (4, [GOLDEN / 'paper', GOLDEN / 'bad_input', '--measure', 'operations']),
         (2, [TRACES / 'uneven', '--html', '/dev/stdout']),
         (4, [TRACES / 'hang-cycle', GOLDEN / 'bad_input', '--validate']),
         (3, [TRACES / 'uneven', '--measure', 'waits,counts', '--where', 'partner.waiting > 0s or waiting > 1ms', '--validate']),
         (2, [TRACES / 'asserted', '--assert', TRACES / 'asserted' / 'measures.txt', '--format', 'json']),
         (3, [TRACES / 'uneven', '--export', 'chrome:-']),
         (3, [TRACES / 'uneven', '--export', 'paje:-']),
         (2, [GOLDEN / 'figure4', '--measure', 'waits', '--export', 'csv:/dev/null/no-folder']),
         (8, [GOLDEN / 'figure4', '--where', 'operation == "send"', '--measure', 'levels']),
         (2, [TRACES / 'arguments', '--measure', 'waits,counts', '--where', 'partner.count == 2 or not type == "MPI_INT"']),
         (2, [TRACES / 'arguments', '--measure', 'counts', '--where', 'processor.pid == 1001 or count == 1 or has(win_keyval)']),
         (2, [GOLDEN / 'no-such-folder']),
         (3, [GOLDEN / 'figure4', '--measure', 'nosuch'])]


def compare(transform, mpirun, size, arguments):
    command = [transform, *map(str, arguments)]
    expected, actual = together.alone(command), together.launched(mpirun, command, size)
    if actual != expected:
        print(f'{size} processes: {" ".join(command)}\n  expected {expected}\n  actual   {actual}')
    return actual == expected


def names_what_is_missing(transform, mpirun):
    """A library that is not there is said once, with what to do; HIERA_PARALLEL=no makes each process work alone."""
    command = [transform, str(GOLDEN / 'paper'), '--measure', 'counts']
    status, output, message = together.launched(mpirun, command, 2, HIERA_PARALLEL='nosuch')
    by_itself = together.launched(mpirun, command, 2, HIERA_PARALLEL='no')
    good = (status, output) == (2, b'') and b'libhiera-parallel-nosuch.so is not there' in message and b'HIERA_PARALLEL=no' in message
    alone = together.alone(command)
    good = good and by_itself == ('others', [(1, alone)], alone)
    if not good:
        print(f'without the library: {status} {message}; alone: {by_itself}')
    return good


def prints_as_into_a_file(transform, mpirun):
    """Also where the launcher has given process 0 a terminal of its own, whose width nobody has set."""
    command = [transform, str(TRACES / 'uneven'), '--quiet', '--measure', 'waits,critical-path']
    expected, actual = together.alone(command)[1], together.through_launcher(mpirun, command, 2)
    if actual != expected:
        print(f'through the launcher: expected {expected}, actual {actual}')
    return actual == expected


def loads_no_mpi(transform):
    """A single process never loads MPI."""
    command = ['env', '-u', 'PMI_RANK', 'LD_DEBUG=files', transform, str(GOLDEN / 'paper'), '--measure', 'counts']
    loaded = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stderr
    good = 'libhiera-parallel' not in loaded and 'libmpi' not in loaded and 'libglib' in loaded
    if not good:
        print('a single process loads MPI')
    return good


def main():
    transform, mpirun = str(pathlib.Path(sys.argv[1]).absolute()), sys.argv[2]
    good = [compare(transform, mpirun, size, arguments) for size, arguments in ASKED]
    good += [names_what_is_missing(transform, mpirun), prints_as_into_a_file(transform, mpirun), loads_no_mpi(transform)]
    sys.exit(0 if all(good) else 1)


if __name__ == '__main__':
    main()
