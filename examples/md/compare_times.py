#!/usr/bin/env python3
"""Print the paper's tables of times beside those of this machine: tables 4 and 5 (plain MPI) and 9 (OOPS).

compare_times.py [--build BUILD] [--turns N]: each turn runs the program on 4 ranks without Hiera and with it, one behind the other. What is
printed is the median of the turns. Times of another machine cannot agree; what can be compared is the part that communication has of the
run, and what recording costs."""

import argparse
import collections
import csv
import glob
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time

import paper

HERE = os.path.dirname(os.path.abspath(__file__))
MPIRUN = {'openmpi': 'mpirun.openmpi --oversubscribe', 'mpich': 'mpirun.mpich'}


def program(build, name):
    """The program for the MPI that Hiera was built for first, and the launcher of this MPI."""
    paths = sorted(glob.glob(os.path.join(build, 'examples', 'md', name + '-*')), reverse=True)
    paths = [path for path in paths if os.access(path, os.X_OK) and not os.path.isdir(path) and path.split(name + '-')[1] in MPIRUN]
    if not paths:
        sys.exit(f'{build}: has no {name}; build it first (./run-example)')
    return paths[0], MPIRUN[paths[0].rsplit('-', 1)[1]].split()


def run(build, name, is_traced):
    """Seconds from the launch to the end, and (communication, total) of each rank if it is traced."""
    path, launcher = program(build, name)
    env = dict(os.environ, OMPI_MCA_mpi_yield_when_idle='1', OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    if not is_traced:
        env['HIERA_ENABLED'] = '0'  # md-oops is linked with libhiera
    front = [os.path.join(build, 'collector', 'hiera-run'), '--quiet'] if is_traced else []
    with tempfile.TemporaryDirectory(prefix='hiera-md-') as folder:
        start = time.monotonic()
        subprocess.run([*front, *launcher, '-n', '4', path, os.path.join(HERE, name + '.in')], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        if not is_traced:
            return seconds, []
        out = subprocess.run([os.path.join(build, 'transform', 'cli', 'hiera-transform'), folder, '--measure', 'times', '--format', 'csv'],
                             capture_output=True, text=True, check=True).stdout
    return seconds, [(float(row['communication']), float(row['total'])) for row in csv.DictReader(io.StringIO(out))]


def turns(build, name, n):
    """Medians: seconds without and with Hiera, the ratio of both in a turn, and the times of each rank."""
    results = collections.defaultdict(list)
    for _ in range(n):
        without, _ = run(build, name, False)
        seconds, ranks = run(build, name, True)
        results['without'].append(without)
        results['with'].append(seconds)
        results['ratio'].append(seconds / without)
        results['ranks'].append(ranks)
    ranks = [[statistics.median(one[i] for one in column) for i in (0, 1)] for column in zip(*results['ranks'])]
    return *(statistics.median(results[key]) for key in ('without', 'with', 'ratio')), ranks


def percent(value):
    return f'{100 * value:.1f} %'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--build', default=os.path.join(HERE, '..', '..', 'build'))
    parser.add_argument('--turns', type=int, default=5)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    without, traced, ratio, ranks = turns(build, 'md', options.turns)
    print('Table 4, plain MPI, traced: communication and total of each process, in seconds')
    print(f'{"process":8}{"here":>30}{"paper":>30}')
    for process, ((part, total), (paper_part, paper_total)) in enumerate(zip(ranks, paper.TABLE_4)):
        cells = (f'{a:.4f} of {b:.4f} ({percent(a / b)})' for a, b in ((part, total), (paper_part, paper_total)))
        print(f'{process:<8}' + ''.join(f'{cell:>30}' for cell in cells))
    old, new = (max(column) for column in zip(*paper.TABLE_5))
    print('\nTables 5 and 9: seconds without and with tracing')
    print(f'{"version":12}{"here":>34}{"paper":>34}')
    for version, here, theirs in (('plain MPI', (without, traced, ratio), (old, new, new / old)),
                                  ('OOPS', turns(build, 'md-oops', options.turns)[:3], (*paper.TABLE_9, paper.TABLE_9[1] / paper.TABLE_9[0]))):
        print(f'{version:12}' + ''.join(f'{f"{a:.2f} → {b:.2f} ({percent(c - 1)})":>34}' for a, b, c in (here, theirs)))


if __name__ == '__main__':
    main()
