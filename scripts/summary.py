#!/usr/bin/env python3
"""The end of ./run-tests: tests that failed beside others are run once more, alone; then what failed tests wrote, and counts.
Each case of a group (tests/mpi/expect/tap.py) counts as a test, and is run once more without the others.

Usage: summary.py BUILD. Reads meson's testlog.json there. Fails if a test failed twice, more than a few failed, none ran, or
a file was left in the tree that git does not know: those that were there before are noted with summary.py BUILD --begin."""

import json
import os
import re
import shlex
import subprocess
import sys

PASSED, SKIPPED = ('OK', 'EXPECTEDFAIL'), ('SKIP',)
FEW = 5  # so many are the machine, perhaps; more are broken code, and a second try would only take time
BEFORE = 'untracked.json'
LINES = 30  # of each failed test: of a long log often only the end is kept


def read(build, name):
    """The tests of a log; for a group, its cases."""
    path = os.path.join(build, 'meson-logs', name)
    try:
        with open(path, encoding='utf-8') as file:
            return [case for line in file if line.strip() for case in cases(json.loads(line))]
    except FileNotFoundError:
        sys.exit(f'{path} is not there: meson ran no test')


def cases(test):
    """Of a group each case, and the group itself if it did not come to its end; else the test."""
    plan, *lines = (test.get('stdout') or '').splitlines() or ['']
    if not re.fullmatch(r'1\.\.[0-9]+', plan):
        return [test]
    said = wrote(test)
    found = []
    for case in filter(None, (re.fullmatch('(not )?ok [0-9]+ - (.*?)( # SKIP.*)?', line) for line in lines)):
        found.append({'name': f'{test["name"].split(" / ")[0]} / {case[2]}', 'group': test['name'], 'stdout': '\n'.join(said.get(case[2], ())),
                      'result': 'FAIL' if case[1] else 'SKIP' if case[3] else 'OK'})
    if len(found) < int(plan[3:]) or test['result'] not in PASSED + SKIPPED and not failed(found):
        found.append({**test, 'result': 'ERROR' if test['result'] in PASSED + SKIPPED else test['result']})
    return found


def wrote(test):
    """What each failed case of a group wrote: {name: lines}."""
    names = {line.split(' - ', 1)[1] for line in test['stdout'].splitlines() if line.startswith('not ok ')}
    said, last = {}, []
    for line in (test.get('stderr') or '').splitlines():
        if line[:-1] in names and line.endswith(':'):
            last = said.setdefault(line[:-1], [])
        else:
            last.append(line)
    return said


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
    print(f'once more, alone: {len(tests)} of the tests', flush=True)
    passed = set()
    for name, group in {test['name']: test.get('group') for test in tests}.items():
        only = [f'--test-args={shlex.quote("--only=" + name.split(" / ")[-1])}'] if group else []
        subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', '--timeout-multiplier', '3', '--logbase', 'againlog', '--quiet', *only,
                        (group or name).split(' / ')[-1]], check=False)
        results = {again['result'] for again in read(build, 'againlog.json') if again['name'] == name or not group}
        if results and results <= set(PASSED):
            passed.add(name)
    return passed


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
    n_good = sum(test['name'] in good_alone for test in bad)
    n_failed = len(bad) - n_good
    n_passed = sum(test['result'] in PASSED for test in tests) + n_good
    print(f'{n_passed} passed, {n_failed} failed')
    sys.exit(n_failed > 0 or n_passed == 0 or len(left) > 0)


if __name__ == '__main__':
    main()
