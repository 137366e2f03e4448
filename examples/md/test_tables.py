#!/usr/bin/env python3
"""The example traced on 4 ranks gives tables 1, 2 and 3 of the paper exactly, and its times add up.

test_tables.py MPIRUN PROGRAM HIERA_RUN HIERA_TRANSFORM. The numbers below are the paper's; line numbers are not compared."""

import csv
import io
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

TABLE_1 = [(0, 0, 2396), (1, 0, 2144), (2, 0, 2144), (3, 0, 2144)]

# Operation, file, counts of its lines in any order.
TABLE_2 = {('allgather', 'md.c'): [1, 1], ('allgatherv', 'md.c'): [1, 1, 200, 200], ('broadcast', 'md.c'): [1] * 9,
           ('comm_split', 'md.c'): [1, 1], ('receive', 'auxfmd.c'): [9, 180, 180],
           ('reduce', 'md.c'): [200, 200, 200, 200, 400, 400], ('scan', 'md.c'): [1], ('send', 'auxfmd.c'): [9],
           ('type_commit', 'md.c'): [1], ('type_contiguous', 'md.c'): [1]}

TABLE_3 = [('allgather', 8), ('allgatherv', 1608), ('broadcast', 36), ('comm_split', 8), ('receive', 378),
           ('reduce', 6400), ('scan', 4), ('send', 378), ('type_commit', 4), ('type_contiguous', 4)]


def trace(mpirun, program, hiera_run, folder):
    """Run the example; its traces are in the folder."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    spread = ['--oversubscribe'] if 'openmpi' in os.path.basename(program) else []
    command = [hiera_run, f'--dir={folder}', mpirun, *spread, '-n', '4', program, os.path.join(HERE, 'md.in')]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=250, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')


def rows(transform, folder, *arguments):
    """A measure's answer as tuples, numbers as numbers."""
    out = subprocess.run([transform, folder, '--format', 'csv', *arguments], capture_output=True, text=True, check=True)
    body = list(csv.reader(io.StringIO(out.stdout)))[1:]
    return [tuple(float(c) if '.' in c and c.replace('.', '').isdigit() else int(c) if c.isdigit() else c for c in row)
            for row in body]


def compare(what, expected, actual):
    if expected != actual:
        print(f'{what}:\n  expected {expected}\n  actual   {actual}')
    return expected == actual


def check(transform, folder):
    by_site = {}
    for processor, level, operation, file, _line, count in rows(transform, folder, '--measure', 'operations', '--ranks', '0'):
        assert (processor, level) == (0, 'mpi'), (processor, level)
        by_site.setdefault((operation, file), []).append(count)
    good = [compare('table 1', TABLE_1, rows(transform, folder, '--measure', 'levels')),
            compare('table 2', TABLE_2, {site: sorted(counts) for site, counts in by_site.items()}),
            compare('table 3', TABLE_3, [row[1:] for row in rows(transform, folder, '--measure', 'counts')])]
    for processor, communication, computation, total in rows(transform, folder, '--measure', 'times'):
        good.append(compare(f'times of process {processor}', round(total, 9), round(communication + computation, 9)))
        good.append(compare(f'process {processor} communicates', True, 0 < communication < total))
    validated = subprocess.run([transform, folder, '--validate'], capture_output=True, text=True, check=False)
    good.append(compare('--validate ' + validated.stdout + validated.stderr, 0, validated.returncode))
    return all(good)


def main():
    mpirun = sys.argv[1]
    program, hiera_run, transform = (os.path.abspath(path) for path in sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        trace(mpirun, program, hiera_run, folder)
        sys.exit(0 if check(transform, folder) else 1)


if __name__ == '__main__':
    main()
