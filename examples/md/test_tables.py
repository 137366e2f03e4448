#!/usr/bin/env python3
"""The example traced on 4 ranks gives tables 1, 2 and 3 of the paper exactly, whatever the number of particles, and its times add up.

test_tables.py MPIRUN PROGRAM HIERA_RUN HIERA_TRANSFORM. Line numbers are not compared."""

import os
import re
import subprocess
import sys
import tempfile

import paper
from compare_tables import rows
from test_md import small_example


def run_traced(mpirun, program, hiera_run, folder, input_file):
    """On 4 ranks; the traces are in the folder."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_mpi_yield_when_idle='1')
    spread = ['--oversubscribe'] if 'openmpi' in os.path.basename(program) else []
    command = [hiera_run, f'--dir={folder}', mpirun, *spread, '-n', '4', program, input_file]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=250, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')


def compare(what, expected, actual):
    if expected != actual:
        print(f'{what}:\n  expected {expected}\n  actual   {actual}')
    return expected == actual


def flushed(folder, processor):
    """All time that Hiera took in a process."""
    with open(os.path.join(folder, f'trace{processor}.xml'), encoding='utf-8') as file:
        return round(sum(float(end) - float(begin) for begin, end in re.findall(r'<hieraFlush start_time="([\d.]+)" finish_time="([\d.]+)"', file.read())), 9)


def check(transform, folder):
    by_site, printed = {}, {}
    for _level, operation, file, _line, count in paper.TABLE_2:
        printed.setdefault((operation, file), []).append(count)
    for processor, level, operation, file, _line, count in rows(transform, folder, '--measure', 'operations', '--ranks', '0'):
        assert (processor, level) == (0, 'mpi'), (processor, level)
        by_site.setdefault((operation, file), []).append(count)
    good = [compare('table 1', paper.TABLE_1, rows(transform, folder, '--measure', 'levels')),
            compare('table 2', *({site: sorted(counts) for site, counts in table.items()} for table in (printed, by_site))),
            compare('table 3', paper.TABLE_3, [row[1:] for row in rows(transform, folder, '--measure', 'counts')])]
    for processor, communication, computation, total in rows(transform, folder, '--measure', 'times'):
        of_hiera = round(total - communication - computation, 9)  # in the total alone
        good.append(compare(f'times of process {processor}: {of_hiera} of Hiera itself', True, 0 <= of_hiera <= flushed(folder, processor)))
        good.append(compare(f'process {processor} communicates', True, 0 < communication < total))
    validated = subprocess.run([transform, folder, '--validate'], capture_output=True, text=True, check=False)
    good.append(compare('--validate ' + validated.stdout + validated.stderr, 0, validated.returncode))
    return all(good)


def main():
    mpirun = sys.argv[1]
    program, hiera_run, transform = (os.path.abspath(path) for path in sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'md.in'), 'w', encoding='utf-8') as file:
            file.write(small_example())
        run_traced(mpirun, program, hiera_run, folder, 'md.in')
        sys.exit(0 if check(transform, folder) else 1)


if __name__ == '__main__':
    main()
