#!/usr/bin/env python3
"""Programs that count how long their two threads idle (threads-that-idle*), beside what hiera-transform says: idle.py RANKS PROGRAM…

Each is run in this folder with so many ranks, and leaves files own.RANK with rows `class,line,thread,seconds,taken`; `taken`: in which line the other thread has what is
waited for, 0 or missing: nowhere. `right`, or what differs. Programs with as many ranks
have to have the same constructs, and the same sentence about their loop but for its numbers.
What differs is tried again, at most twice: a busy machine may take the processor between the program's clock and ours."""
import collections
import csv
import glob
import io
import os
import re
import subprocess
import sys

POINTS = 2.0  # how far shares may differ, in percent of the time of all threads: the machine may take the processor away beside a clock
LEAST = 1.0   # of greater ones the thread has to be the same


def run(command):
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True, timeout=60).stdout


def table(folder, options):
    return list(csv.DictReader(io.StringIO(run(f'hiera-transform {folder} --format csv --measure {options}'))))


def take_own_rows(found, taken):
    for path in glob.glob('own.*'):
        with open(path, encoding='ascii') as file:
            for name, line, thread, time, *place in csv.reader(file):
                found[name, int(line)][int(thread)] += float(time)
                if place and place[0] != '0':
                    taken[name, int(line)] = place[0]
        os.remove(path)


def differences(ranks, program):
    own, taken = collections.defaultdict(lambda: [0.0, 0.0]), {}
    folder = f'{program}.traces'
    take_own_rows(own, {})  # of an earlier run
    own.clear()
    run(f'OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive hiera-run --quiet --dir={folder} --library=$LIBHIERA --level=openmp mpirun -n {ranks} ./{program}')
    take_own_rows(own, taken)
    (whole, _), (useful, _) = own.pop(('all', 0)), own.pop(('useful', 0))
    theirs = {(row['class'], int(row['line'])): row for row in table(folder, 'threads')}
    for key in sorted({*own, *theirs}):
        mine, row = own[key], theirs.get(key, {'share': '0', 'threads': '', 'cause': ''})
        if abs(100 * sum(mine) / whole - float(row['share'])) > POINTS:
            yield f'{program}: {key}: {100 * sum(mine) / whole:.2f} % counted, {row["share"]} % said'
        for thread, time in enumerate(mine):
            if 100 * time / whole > LEAST and row['threads'] and str(thread) not in row['threads'].replace('-', ' ').split():
                yield f'{program}: {key}: thread {thread} idles, not {row["threads"]}'
        if key in taken and not re.search(rf' (?:(?:taken|entered) at |\((?:most of all )?)[^ ]+:{taken[key]}(?:$|[:)])', row['cause']):
            yield f'{program}: {key}: in line {taken[key]}, not: {row["cause"]}'
    efficiency = float(table(folder, 'efficiency')[0]['efficiency'])
    if abs(100 * useful / whole - efficiency) > POINTS:
        yield f'{program}: efficiency: {100 * useful / whole:.2f} % counted, {efficiency} % said'
    if 'errors: 0; warnings: 0; notes: 0' not in run(f'hiera-transform {folder} --validate'):
        yield f'{program}: --validate finds something'


def shape(program):
    """The constructs, and the sentence about the loop."""
    counts = run(f"hiera-transform {program}.traces --measure counts --where 'level == \"openmp\" and operation != \"loop\"' --format csv")  # GCC's static loops call nothing
    sentence = next(row['sentence'] for row in table(f'{program}.traces', 'summary') if row['topic'] == 'Threads' and 'at the end of' in row['sentence'])
    return counts, re.sub(r'^\d\.|[\d.]+ (?:s|ms|µs|%|times)|ranks? [-\d]+', 'N ', sentence)


def main():
    found, shapes = [], {}
    for ranks, program in zip(sys.argv[1::2], sys.argv[2::2]):
        for _ in range(3):
            differing = list(differences(ranks, program))
            if not differing:
                break
        found += differing
        if shapes.setdefault(ranks, shape(program)) != shape(program):
            found.append(f'{program}: {shape(program)}, not {shapes[ranks]}')
    print('\n'.join(found) or 'right')


main()
