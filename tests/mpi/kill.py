#!/usr/bin/env python3
"""kill -9 at 50 moments: kill.py PROGRAM TRANSFORM. Whenever it comes, hiera-transform reads the trace, says that it was
cut, and finds exactly the calls that stand in it whole. A moment is a size that the file has reached, so that slow
machines are killed in the middle of writing too."""

import os
import random
import re
import subprocess
import sys
import tempfile

MOMENTS = 50
SAID = ('the trace ends here', 'ended without MPI_Finalize')


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def killed_at(program, folder, size):
    """The trace of a program that was killed when its trace was that large."""
    trace = os.path.join(folder, 'trace0.xml')
    env = dict(os.environ, HIERA_DIR=folder, HIERA_BUFFER='64K', OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    with subprocess.Popen([program, 'lots', '100000000'], env=env, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and size_of(trace) < size:
            pass
        if process.poll() is not None:
            sys.exit(f'the program ended by itself, with {process.returncode}')
        process.kill()
    return trace


def check(trace, transform):
    """What is wrong, or None."""
    with open(trace, encoding='utf-8', errors='replace') as file:
        whole = len(re.findall(r'<hieraMPI [^>]*/>', file.read()))
    run = subprocess.run([transform, trace, '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=False)
    rows = [line.split(',') for line in run.stdout.splitlines()]
    calls = sum(int(count) for level, _, count in rows[1:] if level == 'mpi')
    if run.returncode != 0 or calls != whole or not any(words in run.stderr for words in SAID):
        return f'expected exit 0, {whole} calls and a word about the cut, actual exit {run.returncode}, {calls} calls, {run.stderr!r}'
    return None


def main():
    program, transform = map(os.path.abspath, sys.argv[1:])
    moments = random.Random(1)
    failures = 0
    for i in range(MOMENTS):
        with tempfile.TemporaryDirectory() as folder:
            size = moments.randint(1, 3_000_000)
            wrong = check(killed_at(program, folder, size), transform)
            if wrong:
                failures += 1
                print(f'kill {i}, at {size} bytes: {wrong}')
    print(f'{MOMENTS - failures} of {MOMENTS} traces read')
    return failures > 0


if __name__ == '__main__':
    sys.exit(main())
