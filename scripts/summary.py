#!/usr/bin/env python3
"""The end of ./run-tests: tests that failed beside others are run once more, alone; then what failed tests wrote, and counts.

Usage: summary.py BUILD. Reads meson's testlog.json there. Fails if a test failed twice, more than a few failed, or none ran."""

import json
import os
import subprocess
import sys

PASSED, SKIPPED = ('OK', 'EXPECTEDFAIL'), ('SKIP',)
FEW = 5  # so many are the machine, perhaps; more are broken code, and a second try would only take time
LINES = 30  # of each failed test: of a long log often only the end is kept


def read(build, name):
    path = os.path.join(build, 'meson-logs', name)
    try:
        with open(path, encoding='utf-8') as file:
            return [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        sys.exit(f'{path} is not there: meson ran no test')


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
    tests = read(build, 'testlog.json')
    bad = failed(tests)
    good_alone = alone(build, bad) if 0 < len(bad) <= FEW else set()
    for test in tests:
        if test['result'] in SKIPPED:
            print(f'skipped: {test["name"]}')
    for test in bad:
        print_failed(test, ' beside other tests, and passed alone' if test['name'] in good_alone else '')
    n_failed = len(bad) - len(good_alone)
    n_passed = sum(test['result'] in PASSED for test in tests) + len(good_alone)
    print(f'{n_passed} passed, {n_failed} failed')
    sys.exit(n_failed > 0 or n_passed == 0)


if __name__ == '__main__':
    main()
