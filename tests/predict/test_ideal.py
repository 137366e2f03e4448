#!/usr/bin/env python3
"""Two engines and one ideal network: test_ideal.py HIERA_PREDICT HIERA_TRANSFORM.

The ideal run of `--measure efficiency` is a pass over dependences, that of hiera-predict a simulation. Where they mean the same they say the
same. They do not where partners are not known or calls touch no other rank (as recorded here, nothing there), and where times contradict
dependences (left out there)."""

import csv
import io
import subprocess
import sys

from test_predict import GOLDEN

NETWORK = ['--network=latency=0,bandwidth=unlimited,overhead=0,eager=unlimited', '--collectives=one-step']


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=60)


def transfer_by_simulation(predict, folder, time):
    """T(ideal) / T in hundredths of a percent; None if the simulation has calls that take time."""
    done = run(predict, '--format=csv', *NETWORK, folder)
    if done.returncode != 0 or 'take as long as recorded' in done.stderr:
        return None
    rows = list(csv.DictReader(io.StringIO(done.stdout.split('\n\n')[1])))
    if any(float(row['predicted_mpi']) - float(row['predicted_waiting']) > 1e-8 for row in rows):
        return None
    return 10000 * max(float(row['predicted']) for row in rows) / time if time else 10000


def main():
    predict, transform = sys.argv[1:]
    compared = problems = 0
    for folder in sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}):
        done = run(transform, folder, '--measure', 'efficiency', '--format', 'csv')
        row = next(csv.DictReader(io.StringIO(done.stdout)), None)
        if not row or not row['transfer'] or 'clocks contradict' in (row['remark'] or ''):
            continue
        simulated = transfer_by_simulation(predict, folder, float(row['time']))
        if simulated is None:
            continue
        compared += 1
        if abs(simulated - 100 * float(row['transfer'])) > 0.6:
            problems += 1
            print(f'{folder}: transfer is {row["transfer"]} % by efficiency, {simulated / 100} % by simulation')
    print(f'{compared} folders')
    return 1 if problems or compared < 60 else 0


if __name__ == '__main__':
    sys.exit(main())
