#!/usr/bin/env python3
"""threads.py HIERA-TRANSFORM: all measures, and the page, are the same, byte by byte, with any number of threads."""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from part import part_of  # noqa: E402

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


def page(transform, trace, threads, path):
    path.unlink(missing_ok=True)
    done = answer(transform, ['--html', str(path)], trace, threads)
    return *done, path.read_bytes() if path.exists() else b''


def traces():
    return part_of([HERE / 'paper', HERE / 'figure4', *sorted((HERE / 'traces').iterdir())], 4)


def first_difference(one, other):
    """What differs of two answers: exit status, standard output, standard error, page; from where on."""
    for name, a, b in zip(('exit status', 'output', 'errors', 'page'), one, other):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b))) if hasattr(a, '__len__') else 0
            return f'{name}, from {at} on: {a[at:at + 80]!r} and {b[at:at + 80]!r}' if hasattr(a, '__len__') else f'{name}: {a} and {b}'
    return 'nothing'


def compare_pages(transform, path):
    different, written = 0, 0
    for trace in traces():
        first, *others = [page(transform, trace, threads, path) for threads in (1, 2, 8)]
        written += len(first[3])
        if any(other != first for other in others):
            different += 1
            print(f'{trace.name}: its page differs with the number of threads: {next(first_difference(first, other) for other in others if other != first)}')
    return different + (written == 0)


def main():
    transform = sys.argv[1]
    different, answers = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        different += compare_pages(transform, pathlib.Path(folder, 'page.html'))
    for trace in traces():
        for asked in ['--measure', measures_of(transform)], ['--validate']:
            first, *others = [answer(transform, asked, trace, threads) for threads in THREADS]
            answers += len(first[1])
            for threads, other in zip(THREADS[1:], others):
                if other != first:
                    different += 1
                    print(f'{trace.name}: {asked[0]} differs with {threads} threads: {first_difference(first, other)}')
    sys.exit(1 if different > 0 or answers == 0 else 0)


if __name__ == '__main__':
    main()
