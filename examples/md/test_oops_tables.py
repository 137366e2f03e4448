#!/usr/bin/env python3
"""The OOPS version traced on 4 ranks has the numbers that README.md explains, and MPI where it belongs: below OOPS.

test_oops_tables.py MPIRUN PROGRAM HIERA_RUN HIERA_TRANSFORM [full]. `full` runs the example as it is, else a short one: MPICH, which
waits busily, takes a minute for 100000 sums where there are fewer cores than ranks."""

import os
import sys
import tempfile
import xml.etree.ElementTree as ET

import paper
from compare_tables import rows, totals
from test_tables import compare, run_traced

HERE = os.path.dirname(os.path.abspath(__file__))
SHORT = dict(particles=20, steps=6, interval=3, density=0.1, temperature=1.44, timestep=0.004, cutoff=2.5, collisions=0, seed=3)

# The example: as table 6, with the depth that the paper does not have; and table 8.
LEVELS = [(0, 0, 101295), (0, 1, 165867), (0, 2, 101282), (0, 3, 66),
          *((process, depth, count) for process in (1, 2, 3) for depth, count in enumerate((101295, 101355, 101282, 66)))]
TOTALS = {
    ('mpi', 'allgather'): 8, ('mpi', 'allgatherv'): 1608, ('mpi', 'allreduce'): 3200, ('mpi', 'broadcast'): 36,
    ('mpi', 'comm_dup'): 4, ('mpi', 'comm_free'): 12, ('mpi', 'comm_split'): 8, ('mpi', 'gatherv'): 240,
    ('mpi', 'reduce'): 400000, ('mpi', 'scatterv'): 16, ('both', 'scan'): 12,
    ('oops', 'broadcast'): 72, ('oops', 'col'): 4, ('oops', 'distributionBlocked'): 4, ('oops', 'free'): 36,
    ('oops', 'gather'): 3712, ('oops', 'group'): 4, ('oops', 'load'): 16, ('oops', 'localSize'): 32788,
    ('oops', 'localToGlobal'): 32000, ('oops', 'row'): 4, ('oops', 'scatter'): 32, ('oops', 'split'): 16, ('oops', 'store'): 240,
    ('oops', 'sum'): 806400, ('oops', 'topologyGrid'): 4, ('oops', 'topologyPipe'): 12, ('oops', 'vector'): 16}

# What differs from table 8, and nothing else does: README.md has the reasons.
DIFFERENT = {('mpi', 'allgatherv'), ('mpi', 'comm_dup'), ('mpi', 'comm_free'), ('mpi', 'comm_split'), ('mpi', 'gatherv'),
             ('mpi', 'scatterv'), ('oops', 'col'), ('oops', 'free'), ('oops', 'group'), ('oops', 'localSize'),
             ('oops', 'localToGlobal'), ('oops', 'row'), ('oops', 'vector')}


def expected_levels(particles, steps, snapshots):
    """Rows of table 6 for 4 ranks with equal blocks, worked out from the program."""
    sums, moves = steps * (particles + 4), 3 * snapshots + 4  # moves: stores and loads
    start = 9 + 1 + 4  # broadcasts, scan, the gathers of counts and ids
    depth_0 = sums + 2 * steps + start + moves + 1 + 1 + 1 + 2 + 4 + 1 + 7  # group, grid, blocks; row, col; vectors; localSize; free
    depth_1 = sums + 2 * steps + start + moves + 3 + 2 + (4 + moves) + 2 + 2  # pipes, splits, localSize, free, comm_dup and _free
    depth_2 = sums + 2 * steps + start + moves + 2 + 2  # Group::split, comm_free of row and column
    depth_3 = moves + 2  # comm_split
    sorting = moves * (2 * particles + 4 + 4)  # process 0: localToGlobal, localSize of each element; of each part, twice
    return [(p, d, n + (sorting if (p, d) == (0, 1) else 0))
            for p in range(4) for d, n in enumerate((depth_0, depth_1, depth_2, depth_3))]


def call(element):
    return element.get('operation') or f"{element.get('class')}::{element.get('method')}"


def chains(path):
    """How often MPI is called below what: (operation, methods around it from the inside, file that calls the outermost)."""
    found, stack = {}, []
    for event, element in ET.iterparse(path, ('start', 'end')):
        if element.tag not in ('hieraMPI', 'hieraOOPS'):
            continue
        if event == 'end':
            stack.pop()
            continue
        stack.append(element)
        if element.tag == 'hieraMPI':
            key = (call(element), *(call(e) for e in stack[-2::-1]), os.path.basename(stack[0].get('file')))
            found[key] = found.get(key, 0) + 1
    return found


def expected_chains(particles, steps, snapshots):
    program = 'md-oops.c'
    return {
        ('comm_dup', 'Group::Group', program): 1,
        ('comm_split', 'Group::split', 'TopologyGrid::split', 'TopologyGrid::TopologyGrid', program): 2,
        ('broadcast', 'Group::bcast', 'TopologyGrid::bcast', program): 9,
        ('scatterv', 'Group::scatter', 'TopologyGrid::scatter', 'Vector::load', program): 4,
        ('scan', 'Group::scan', 'TopologyGrid::scan', program): 1,
        ('allgather', 'Group::gather', 'TopologyPipe::gather', program): 2,
        ('allgatherv', 'Group::gather', 'TopologyPipe::gather', program): 2 + 2 * steps,
        ('reduce', 'Group::sum', 'TopologyPipe::sum', program): steps * particles,
        ('allreduce', 'Group::sum', 'TopologyGrid::sum', program): 4 * steps,
        ('gatherv', 'Group::gather', 'TopologyGrid::gather', 'Vector::store', program): 3 * snapshots,
        ('comm_free', 'Group::free', 'TopologyGrid::free', program): 2,
        ('comm_free', 'Group::free', program): 1}


def check_full(transform, folder):
    found = totals(transform, folder)
    printed = {row[:2]: row[2] for row in paper.TABLE_8}
    differ = {key for key in {**found, **printed} if found.get(key) != printed.get(key)}
    return [compare('levels', LEVELS, rows(transform, folder, '--measure', 'levels')), compare('totals', TOTALS, dict(found)),
            compare('what differs from the paper', DIFFERENT, differ),
            compare('levels, worked out', LEVELS, expected_levels(500, 200, 20))]


def check_short(transform, folder):
    good = [compare('levels', expected_levels(20, 6, 2), rows(transform, folder, '--measure', 'levels'))]
    good += [compare(f'MPI of process {p}', expected_chains(20, 6, 2), chains(f'{folder}/trace{p}.xml')) for p in range(4)]
    return good


def main():
    mpirun = sys.argv[1]
    program, hiera_run, transform = (os.path.abspath(path) for path in sys.argv[2:5])
    full = 'full' in sys.argv[5:]
    with tempfile.TemporaryDirectory() as folder:
        text = ''.join(f'{name} {value}\n' for name, value in SHORT.items())
        if full:
            with open(os.path.join(HERE, 'md-oops.in'), encoding='utf-8') as file:
                text = file.read()
        with open(os.path.join(folder, 'test.in'), 'w', encoding='utf-8') as file:
            file.write(text)
        run_traced(mpirun, program, hiera_run, folder, os.path.join(folder, 'test.in'))
        good = (check_full if full else check_short)(transform, folder)
        sys.exit(0 if all(good) else 1)


if __name__ == '__main__':
    main()
