#!/usr/bin/env python3
"""junit.py HIERA-TRANSFORM: --format junit writes what readers of JUnit XML expect, with the numbers of --format csv.

ALLOWED is what their schemas have in common (Jenkins' junit-10.xsd and those before it): elements, what may be in them,
attributes that must be there, and attributes that may."""

import csv
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
RULES = ['asserted/rules.txt', 'asserted/deceptive.txt', 'filtered/rules.txt']
OUTCOME = {'ok': [], 'failed': ['failure'], 'unknown': ['error'], 'never': ['error']}
ALLOWED = {
    'testsuites': ({'testsuite'}, set(), {'name', 'tests', 'failures', 'errors', 'time'}),
    'testsuite': ({'testcase'}, {'name', 'tests', 'failures', 'errors'}, {'skipped', 'time', 'file'}),
    'testcase': ({'failure', 'error', 'skipped'}, {'name', 'classname', 'time'}, set()),
    'failure': (set(), {'type', 'message'}, set()),
    'error': (set(), {'type', 'message'}, set()),
}


def run(transform, rules, form):
    trace = pathlib.Path('traces', rules).parent
    command = [transform, trace, '--assert', f'traces/{rules}', '--format', form]
    return subprocess.run(command, cwd=HERE, capture_output=True, timeout=60, check=False)


def structure_of(element):
    """What is wrong with the structure, a sentence each."""
    children, required, optional = ALLOWED.get(element.tag, (set(), set(), set()))
    wrong = [] if element.tag in ALLOWED else [f'<{element.tag}> is no element']
    wrong += [f'<{element.tag}> lacks {name}' for name in required - set(element.attrib)]
    wrong += [f'<{element.tag}> must not have {name}' for name in set(element.attrib) - required - optional]
    wrong += [f'time is {element.get("time")!r}' for _ in [0] if not re.fullmatch(r'\d+\.\d{9}', element.get('time', '0.000000000'))]
    wrong += [f'<{child.tag}> in <{element.tag}>' for child in element if child.tag not in children]
    return wrong + [sentence for child in element for sentence in structure_of(child)]


def numbers_of(suite, tests):
    """Whether the numbers of a suite are those of its tests."""
    counted = {'tests': len(tests), 'failures': len(suite.findall('.//failure')), 'errors': len(suite.findall('.//error'))}
    return [f'<{suite.tag}> has {name}={suite.get(name)}, not {n}' for name, n in counted.items() if suite.get(name) != str(n)]


def compare(test, row):
    """Whether a test says the same as a row."""
    wrong = []
    if test.get('classname') + ':' + row['rule'].rsplit(':', 1)[1] != row['rule'] or test.get('name') != row['assertion'] or test.get('time') != row['time']:
        wrong.append(f'{row["rule"]}: {test.attrib}')
    if [child.tag for child in test] != OUTCOME[row['verdict']]:
        wrong.append(f'{row["rule"]}: {row["verdict"]} is {[child.tag for child in test]}')
    for child in test:
        if child.get('message') != row['why'] or child.get('type') != row['verdict'] or not child.text.startswith(f'{row["rule"]}: {row["assertion"]}\n'):
            wrong.append(f'{row["rule"]}: {child.attrib} {child.text!r}')
    return wrong


def check(transform, rules):
    answer, table = run(transform, rules, 'junit'), run(transform, rules, 'csv')
    top = ElementTree.fromstring(answer.stdout)
    tests, rows = top.findall('.//testcase'), list(csv.DictReader(table.stdout.decode().replace('\ufffe', '\ufffd').splitlines()))
    wrong = structure_of(top) + [sentence for suite in (top, *top) for sentence in numbers_of(suite, suite.findall('.//testcase'))]
    wrong += [sentence for test, row in zip(tests, rows) for sentence in compare(test, row)]
    if len(tests) != len(rows) or answer.returncode != table.returncode:
        wrong.append(f'{len(tests)} tests of {len(rows)} rules; exit status {answer.returncode}, of csv {table.returncode}')
    if (answer.returncode == 0) != (top.get('failures') == top.get('errors') == '0'):
        wrong.append(f'exit status {answer.returncode}, but {top.attrib}')
    for sentence in wrong:
        print(f'{rules}: {sentence}')
    return len(tests), len(wrong)


def main():
    checked = [check(pathlib.Path(sys.argv[1]).resolve(), rules) for rules in RULES]
    tests, wrong = (sum(column) for column in zip(*checked))
    print(f'{tests} tests of {len(RULES)} files, {wrong} wrong')
    sys.exit(1 if wrong or not tests else 0)


if __name__ == '__main__':
    main()
