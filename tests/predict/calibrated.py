#!/usr/bin/env python3
"""calibrated.py HIERA_PREDICT MPIRUN: calibrate measures two ranks of this MPI, and what it writes is read again."""
import os
import pathlib
import subprocess
import sys
import tempfile

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden'
WORDS = {'latency', 'bandwidth', 'send-overhead', 'receive-overhead', 'gap', 'eager', 'send-copy', 'receive-copy', 'step-overhead', 'reduce', 'progress',
         'request-overhead', 'acknowledgement', 'duplex', 'own-copy'}
failures = []


def check(what, good, seen):
    if not good:
        failures.append(f'{what}: {seen}')


def launch(mpirun, *command, **env):
    words = [mpirun, *(['--oversubscribe'] if 'mpich' not in mpirun else []), '-n', '2', *map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=280,
                          env={**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', **env})


def measures(program, mpirun, folder):
    file = folder / 'network.txt'
    done = launch(mpirun, program, 'calibrate', file, '--turns=1', '--format=csv')
    check('exit status', done.returncode == 0, f'{done.returncode} {done.stderr}')
    tables = done.stdout.split('\n\n')
    check('tables', len(tables) == 3 and tables[1].startswith('collective,bytes,measured,predicted,error'), done.stdout)
    sizes = [row.split(',') for row in tables[0].splitlines()[1:]]
    check('sizes', len(sizes) > 30 and sizes[0][0] == '0' and all(float(row[1]) > 0 for row in sizes), sizes)
    exchanges = [row.split(',') for row in tables[2].splitlines()[1:]]
    check('exchanges', len(exchanges) > 25 and all(float(row[1]) > 0 for row in exchanges), exchanges)
    lines = file.read_text(encoding='utf-8').splitlines()
    words = {line.split('=')[0] for line in lines if line and not line.startswith('#')}
    check('words', WORDS <= words, words)
    check('MPI', any('MPI' in line for line in lines if line.startswith('#')), lines[:5])
    done = subprocess.run([program, f'--network={file},gap=0', GOLDEN / 'figure4'], capture_output=True, text=True, check=False)
    check('read again', done.returncode == 0, done.stderr)


def refuses(program, mpirun, folder):
    done = subprocess.run([program, 'calibrate', folder / 'x'], capture_output=True, text=True, check=False, env={**os.environ, 'HIERA_PARALLEL': 'no'})
    check('alone', done.returncode == 2 and 'write: mpirun -n 2 hiera-predict calibrate FILE' in done.stderr, done.stderr)
    done = subprocess.run([program, 'calibrate', folder / 'x', '--turns=0'], capture_output=True, text=True, check=False)
    check('turns', done.returncode == 2 and '--turns is a number from 1 on' in done.stderr, done.stderr)
    done = launch(mpirun, program, 'calibrate', folder / 'x', HIERA_PARALLEL='nosuch')
    check('no library', done.returncode == 2 and done.stderr.count('libhiera-parallel-nosuch.so is not there') == 1, done.stderr)
    check('no file', not (folder / 'x').exists(), 'it was written')


def main():
    program, mpirun = str(pathlib.Path(sys.argv[1]).absolute()), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        measures(program, mpirun, pathlib.Path(folder))
        refuses(program, mpirun, pathlib.Path(folder))
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
