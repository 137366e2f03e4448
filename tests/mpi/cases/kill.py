#!/usr/bin/env python3
"""kill -9 at 50 moments: kill.py PROGRAM TRANSFORM [FORMAT COMPRESS]. Whenever it comes, hiera-transform reads the trace, says that it was
cut, and finds exactly the calls that stand in it whole. A moment is a size that the file has reached, so that slow
machines are killed in the middle of writing too."""

import os
import random
import re
import subprocess
import sys
import tempfile

MOMENTS = 50
PACKED = {'none': ('', ['cat']), 'zstd': ('.zst', ['zstd', '-dc']), 'gzip': ('.gz', ['gzip', '-dc'])}
SAID = ('the trace ends here', 'ended without MPI_Finalize')


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def killed_at(program, folder, size, spelling, compress):
    """The trace of a program that was killed when its trace was that large."""
    trace = os.path.join(folder, 'trace0.xml' + PACKED[compress][0])
    env = dict(os.environ, HIERA_DIR=folder, HIERA_BUFFER='64K', HIERA_FORMAT=spelling, HIERA_COMPRESS=compress, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    with subprocess.Popen([program, 'lots', '100000000'], env=env, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and size_of(trace) < size:
            pass
        if process.poll() is not None:
            sys.exit(f'the program ended by itself, with {process.returncode}')
        process.kill()
    return trace


def check(trace, transform, compress='none'):
    """What is wrong, or None."""
    text = subprocess.run(PACKED[compress][1] + [trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    whole = len(re.findall(rb'<(?:hieraMPI|c) [^>]*/>', text))
    run = subprocess.run([transform, trace, '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=False)
    rows = [line.split(',') for line in run.stdout.splitlines()]
    calls = sum(int(count) for level, _, count in rows[1:] if level == 'mpi')
    if run.returncode != 0 or calls != whole or not any(words in run.stderr for words in SAID):
        return f'expected exit 0, {whole} calls and a word about the cut, actual exit {run.returncode}, {calls} calls, {run.stderr!r}'
    return None


def main():
    program, transform = map(os.path.abspath, sys.argv[1:3])
    spelling, compress = sys.argv[3:] if len(sys.argv) > 3 else ('full', 'none')
    moments = random.Random(1)
    failures = 0
    for i in range(MOMENTS):
        with tempfile.TemporaryDirectory() as folder:
            size = moments.randint(1, 3_000_000 if compress == 'none' else 300_000)
            wrong = check(killed_at(program, folder, size, spelling, compress), transform, compress)
            if wrong:
                failures += 1
                print(f'kill {i}, at {size} bytes: {wrong}')
    print(f'{MOMENTS - failures} of {MOMENTS} traces read')
    return failures > 0


if __name__ == '__main__':
    sys.exit(main())
