#!/usr/bin/env python3
"""Count the MPI calls of a program by breakpoints of gdb, without Hiera, and compare them with its traces.

breakpoints.py --mpi NAME --traces FOLDER -n RANKS -- PROGRAM ARGUMENT…

Unlike counter.c this knows nothing of calls in calls: each time a thread comes to the entry of a function of MPI's library, its
return address says who called. So it sees calls in callbacks. It is slow: some thousand calls a second."""

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import counter  # noqa: E402

# Runs inside gdb. A breakpoint whose stop() is false lets the program go on.
IN_GDB = '''
import collections, gdb, os, re
counts = collections.Counter()
class Entry(gdb.Breakpoint):
    def __init__(self, name):
        super().__init__(name, internal=True)
        self.function = name
    def stop(self):
        caller = gdb.newest_frame().older()
        library = os.path.basename(gdb.solib_name(caller.pc()) or '') if caller else ''
        if not re.match('libmpi|libompi|libopen-|mca_', library):
            counts[self.function[1:]] += 1
        return False
gdb.execute('set pagination off')
gdb.execute('set breakpoint pending on')
gdb.execute('set confirm off')
gdb.execute('handle all nostop noprint pass')
gdb.execute('starti')  # a stripped program has no main
for name in os.environ['FUNCTIONS'].split():
    Entry(name)
gdb.execute('continue')
rank = os.environ.get('OMPI_COMM_WORLD_RANK') or os.environ.get('PMI_RANK') or '0'
with open(os.path.join(os.environ['COUNTS'], rank), 'w') as file:
    file.writelines(f'{name} {n}\\n' for name, n in counts.items())
'''


def traced(folder):
    """Calls of all ranks together by operation."""
    out = subprocess.run(['hiera-transform', folder, '--measure', 'counts', '--format', 'csv', '--quiet'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {row['operation']: int(row['count']) for row in csv.DictReader(out.splitlines()) if row['level'] == 'mpi'}


def called(program):
    """The functions of MPI that a program in C names."""
    out = subprocess.run(['nm', '-D', '-u', program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r' (MPI_\w+)', out))


def counted(options):
    names, sums = counter.operations(), collections.Counter()
    functions = sorted(set(names) & called(options.program[0]))
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, 'in_gdb.py')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(IN_GDB)
        os.mkdir(os.path.join(folder, 'counts'))
        env = {**os.environ, 'COUNTS': os.path.join(folder, 'counts'), 'FUNCTIONS': ' '.join('P' + name for name in functions)}
        more = ['--oversubscribe'] if options.mpi == 'openmpi' else []
        subprocess.run([f'mpirun.{options.mpi}', *more, '-n', str(options.n), 'gdb', '-batch', '-x', script, '--args', *options.program], env=env, check=True)
        for rank in os.listdir(env['COUNTS']):
            with open(os.path.join(env['COUNTS'], rank), encoding='utf-8') as file:
                for name, n in re.findall(r'(\w+) (\d+)', file.read()):
                    sums[names[name]] += int(n)
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mpi', choices=('openmpi', 'mpich'), required=True)
    parser.add_argument('--traces', required=True)
    parser.add_argument('-n', type=int, default=2)
    parser.add_argument('program', nargs='+')
    options = parser.parse_args()
    there, seen = traced(options.traces), counted(options)
    other = {name: (seen[name], there.get(name, 0)) for name in seen | there if seen[name] != there.get(name, 0)}
    print(f'{sum(seen.values())} calls counted, {sum(there.values())} in the traces')
    for name, (n, in_traces) in sorted(other.items()):
        print(f'{name}: {n} counted, {in_traces} in the traces')


if __name__ == '__main__':
    main()
