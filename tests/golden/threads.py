#!/usr/bin/env python3
"""threads.py HIERA-TRANSFORM: all measures give the same answers, byte by byte, with any number of threads."""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
THREADS = [1, 2, 3, 8]
COMPARES_RUNS = {'diff'}


def measures_of(transform):
    listed = subprocess.run([transform, '--measure', 'list'], capture_output=True, text=True, timeout=60, check=True)
    return ','.join(name for name in re.findall(r'^([a-z-]+)  ', listed.stdout, re.M) if name not in COMPARES_RUNS)


def answer(transform, asked, trace, threads):
    command = [transform, trace, *asked, '--format', 'csv', '--threads', str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    transform = sys.argv[1]
    different, answers = 0, 0
    for trace in HERE / 'paper', HERE / 'figure4', *sorted((HERE / 'traces').iterdir()):
        for asked in ['--measure', measures_of(transform)], ['--validate']:
            first, *others = [answer(transform, asked, trace, threads) for threads in THREADS]
            answers += len(first[1])
            for threads, other in zip(THREADS[1:], others):
                if other != first:
                    different += 1
                    print(f'{trace.name}: {asked[0]} differs with {threads} threads')
    sys.exit(1 if different > 0 or answers == 0 else 0)


if __name__ == '__main__':
    main()
