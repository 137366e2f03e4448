#!/usr/bin/env python3
"""Cost of the levels openmp and threads, counted instead of timed: teams.py LIBHIERA OPENMP THREADS PROGRAM…, one program for each compiler. An empty
parallel region needs a limited number of instructions of the thread that opens it, in a team of one thread and of two, as does a lock that nobody has, and memory
depends on the number of threads alone."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

REGIONS = 1000
# In teams of one thread and of two, a tenth more than the present cost. What OMPT costs LLVM's runtime is in it: 379 of the 936 with one thread.
INSTRUCTIONS = {'teams-gcc': (785, 785), 'teams-clang': (1030, 1260)}
OF_LOCK = 50  # it is tried, and that was the lock
MANY = 200000  # more than are kept until MPI_Init, which this program does not call
THREADS, THREAD_KB = 64, 450  # a thread took 370 kB: its buffer, names, open regions, and the text of its part of the trace


def run(command, libraries, threads, folder, buffer):
    """What the program prints, alone or with libraries preloaded."""
    env = {**os.environ, 'OMP_NUM_THREADS': str(threads), 'OMP_WAIT_POLICY': 'passive', 'GOMP_SPINCOUNT': '0', 'KMP_BLOCKTIME': '0', 'HIERA_DIR': folder, 'HIERA_QUIET': '1', 'HIERA_CLOCK': 'counter',
           'HIERA_BUFFER': buffer, 'LD_PRELOAD': ':'.join(libraries)}
    env.pop('MALLOC_PERTURB_', None)
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def instructions(program, libraries, folder, threads=1, sign=1):
    """Of the main thread for each region, or lock (-1), without the first ones. Who waits sleeps, which takes none."""
    out = os.path.join(folder, 'callgrind')
    valgrind = ['valgrind', '--tool=callgrind', '--separate-threads=yes', f'--callgrind-out-file={out}', '--instr-atstart=no']
    run([*valgrind, program, str(sign * 100), str(sign * REGIONS)], libraries, threads, folder, '64M')  # no buffer is full
    with open(out + '.2-01', encoding='utf-8', errors='replace') as file:
        return int(re.search(r'^totals: (\d+)', file.read(), re.M).group(1)) / REGIONS


def most_kb(program, libraries, threads, folder, *numbers):
    """Memory after each number of regions."""
    return [int(kb) for kb in re.findall(r'^kb (\d+)', run([program, *map(str, numbers)], libraries, threads, folder, '64K'), re.M)]


def check_memory(program, libraries, folder):
    begin, end = most_kb(program, libraries, 1, folder, MANY, MANY)
    (one,), (many,) = (most_kb(program, libraries, threads, folder, 100) for threads in (1, THREADS))
    (one_bare,), (many_bare,) = (most_kb(program, (), threads, folder, 100) for threads in (1, THREADS))
    added = one - one_bare, many - many_bare
    each = (added[1] - added[0]) / (THREADS - 1)
    print(f'memory: {begin} kB after {MANY} regions, {end} kB after twice as many; added to a thread {added[0]} kB, to each of {THREADS - 1} others {each:.0f}')
    return (['memory grows with the number of regions'] if end - begin > 256 else []) + (
        ['threads take too much memory, or nothing was recorded'] if not 10 < each < THREAD_KB else [])


def main():
    hiera, openmp, threads, *programs = map(os.path.abspath, sys.argv[1:])
    libraries, failed = [hiera, openmp], []
    if not shutil.which('valgrind'):
        print('skipped: valgrind is not installed')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            for size, most in enumerate(INSTRUCTIONS[os.path.basename(program)], 1):
                added = instructions(program, libraries, folder, size) - instructions(program, (), folder, size)
                print(f'instructions added to an empty parallel region, {os.path.basename(program)}, {size} threads: {added:.0f} (at most {most})')
                if not 100 < added < most:
                    failed.append('a parallel region takes too many instructions, or none')
        lock = instructions(programs[0], [hiera, threads], folder, sign=-1) - instructions(programs[0], (), folder, sign=-1)
        print(f'instructions added to a lock that nobody has: {lock:.0f} (at most {OF_LOCK})')
        failed += ['a lock takes too many instructions, or is not wrapped'] if not 5 < lock <= OF_LOCK else []
        failed += check_memory(programs[0], libraries, folder)
    sys.exit('\n'.join(failed) or 0)


if __name__ == '__main__':
    main()
