#!/usr/bin/env python3
"""The end of ./run-tests: tests that failed beside others are run once more, alone; then what failed tests wrote, and counts.

Usage: summary.py BUILD. Reads meson's testlog.json there. Fails if a test failed twice, more than a few failed, none ran, or
a file was left in the tree that git does not know: those that were there before are noted with summary.py BUILD --begin."""

import json
import os
import subprocess
import sys

PASSED, SKIPPED = ('OK', 'EXPECTEDFAIL'), ('SKIP',)
FEW = 5  # so many are the machine, perhaps; more are broken code, and a second try would only take time
BEFORE = 'untracked.json'
LINES = 30  # of each failed test: of a long log often only the end is kept


def read(build, name):
    path = os.path.join(build, 'meson-logs', name)
    try:
        with open(path, encoding='utf-8') as file:
            return [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        sys.exit(f'{path} is not there: meson ran no test')


def untracked():
    """Files and folders of the tree that git neither has nor ignores; none where it is not a checkout."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        done = subprocess.run(['git', '-C', top, 'ls-files', '-z', '--others', '--exclude-standard', '--directory'], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return done.stdout.split('\0')[:-1]


def left_behind(build):
    """What the tests left in the tree."""
    with open(os.path.join(build, 'meson-logs', BEFORE), encoding='utf-8') as file:
        before = json.load(file)
    return sorted(set(untracked()) - set(before))


def failed(tests):
    return [test for test in tests if test['result'] not in PASSED + SKIPPED]


def print_failed(test, note):
    print(f'{test["result"]}{note}: {test["name"]}')
    written = (test.get('stdout') or '').splitlines() + (test.get('stderr') or '').splitlines()
    for line in written[-LINES:]:
        print('    ' + line[:1000])


def alone(build, tests):
    """Run tests once more, one at a time. Returns the names of those that passed."""
    names = [test['name'].split(' / ')[-1] for test in tests]
    print(f'once more, alone: {len(names)} of the tests', flush=True)
    subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', '--num-processes', '1', '--timeout-multiplier', '3', '--logbase', 'againlog', '--quiet', *names], check=False)
    return {test['name'] for test in read(build, 'againlog.json') if test['result'] in PASSED}


def main():
    build = sys.argv[1]
    if sys.argv[2:] == ['--begin']:
        with open(os.path.join(build, 'meson-logs', BEFORE), 'w', encoding='utf-8') as file:
            json.dump(untracked(), file)
        return
    tests = read(build, 'testlog.json')
    bad = failed(tests)
    good_alone = alone(build, bad) if 0 < len(bad) <= FEW else set()
    for test in tests:
        if test['result'] in SKIPPED:
            print(f'skipped: {test["name"]}')
    for test in bad:
        print_failed(test, ' beside other tests, and passed alone' if test['name'] in good_alone else '')
    left = left_behind(build)
    for name in left:
        print(f'left in the tree: {name}')
    n_failed = len(bad) - len(good_alone)
    n_passed = sum(test['result'] in PASSED for test in tests) + len(good_alone)
    print(f'{n_passed} passed, {n_failed} failed')
    sys.exit(n_failed > 0 or n_passed == 0 or len(left) > 0)


if __name__ == '__main__':
    main()
