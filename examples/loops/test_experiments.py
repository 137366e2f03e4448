"""The loops of the experiments: test_experiments.py HIERA_IMAGE HIERA_TRANSFORM EXPERIMENTS"""

import csv
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'mpi'))

from expect import counter  # noqa: E402


def parents(function):
    return [loop['parent'] for loop in function['loops']]


def expect(what, actual, expected):
    if actual != expected:
        sys.exit(f'{what}: expected {expected}, actual {actual}')


def functions(image, program, name):
    text = subprocess.run([image, program, '--function', name, '--format', 'json'], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(text)['functions']


def timed(transform, program, folder):
    env = dict(os.environ, HIERA_LOOPS='third', HIERA_DIR=folder, **counter.SETTINGS)
    subprocess.run([program, 'clock', '1'], check=True, env=env, stdout=subprocess.DEVNULL)
    table = subprocess.run([transform, folder, '--measure', 'loops', '--format', 'csv'], check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(table.splitlines()))


def main():
    image, transform, program = map(os.path.abspath, sys.argv[1:])
    six, = functions(image, program, 'six')
    expect('six loops', parents(six), [None, 1, 2, 2, 4, None])
    child, = functions(image, program, 'child')
    expect('two loops', parents(child), [None, None])
    if not counter.is_steady():
        print('skipped:', counter.NONE)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        rows = timed(transform, program, folder)
    expect('states', [row['state'] for row in rows][1:], ['true', 'true', 'false'])
    expect('iterations', [row['iterations'] for row in rows][1:], ['100', '300000000', '500000'])


main()
