#!/usr/bin/env python3
"""Cases of a group are reported one by one, and counted by ./run-tests: test_groups.py SUMMARY. Meson is a stand-in, with which one case passes alone."""

import json
import os
import subprocess
import sys
import tempfile
import time

from expect import tap

MESON = '''#!/bin/sh
case "$*" in
*only=bad*) echo '{"name": "hiera:mpi / many", "result": "OK", "stdout": "1..1\\\\nok 1 - bad"}' ;;
*) echo '{"name": "hiera:mpi / many", "result": "FAIL", "stdout": "1..1\\\\nnot ok 1 - raises"}' ;;
esac >build/meson-logs/againlog.json
'''


def spoil():
    os.environ['SPOILT'] = 'yes'
    os.chdir('/')
    os._exit(0)


def say(text, status):
    print(text)
    return status


def hang():
    with subprocess.Popen(['sleep', '60'], start_new_session=True) as process:
        print(f'sleeps: {process.pid}', flush=True)


CASES = [('spoils', 9, spoil), ('is not spoilt', 9, lambda: 'SPOILT' in os.environ or os.getcwd() == '/'),
         ('bad', 9, lambda: say('it is bad\nnot ok 9 - other', 1)), ('raises', 9, lambda: 1 // 0),
         ('lacks, one', 9, lambda: say('skipped: gcc is not installed', tap.SKIPPED)), ('killed', 9, lambda: os.kill(os.getpid(), 9)),
         ('hangs', 1, hang), ('last', 9, lambda: say('fine', 0))]
REPORT = '''1..8
ok 1 - spoils
ok 2 - is not spoilt
not ok 3 - bad
not ok 4 - raises
ok 5 - lacks, one # SKIP gcc is not installed
# skipped: gcc is not installed
not ok 6 - killed
not ok 7 - hangs
ok 8 - last
# fine
'''


def main():
    if sys.argv[1:] == ['--group']:
        tap.PATIENCE = 1
        return tap.run(CASES)
    group = subprocess.run([sys.executable, __file__, '--group'], capture_output=True, text=True, check=True)
    assert group.stdout == REPORT, group.stdout
    sleeper = group.stderr.rpartition('sleeps: ')[2].split()[0]
    deadline = time.monotonic() + 30  # before the 60 s that it sleeps
    while os.path.exists(f'/proc/{sleeper}'):
        assert time.monotonic() < deadline, f'{sleeper} is still there'
        time.sleep(0.01)
    tests = [{'name': 'hiera:unit / one', 'result': 'OK', 'stdout': 'ok 1 - no group'},
             {'name': 'hiera:mpi / many', 'result': 'FAIL', 'stdout': group.stdout, 'stderr': group.stderr},
             {'name': 'hiera:mpi / ended', 'result': 'OK', 'stdout': '1..3\nok 1 - a\nok 2 - b\n'}]
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, 'build', 'meson-logs'))
        with open(os.path.join(folder, 'build', 'meson-logs', 'testlog.json'), 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(test) + '\n' for test in tests)
        with open(os.path.join(folder, 'meson'), 'w', encoding='utf-8') as file:
            file.write(MESON)
        os.chmod(file.name, 0o755)
        for more in ('--begin',), ():
            summary = subprocess.run([sys.executable, os.path.abspath(sys.argv[1]), 'build', *more], cwd=folder, capture_output=True, text=True, check=False,
                                     env={**os.environ, 'PATH': f'{folder}:{os.environ["PATH"]}'})
    print(group.stderr, summary.stdout, summary.stderr)
    for line in ('FAIL beside other tests, and passed alone: hiera:mpi / bad', '    it is bad', 'FAIL: hiera:mpi / raises',
                 '    ZeroDivisionError: integer division or modulo by zero', 'skipped: hiera:mpi / lacks, one', 'FAIL: hiera:mpi / killed',
                 '    ended by signal 9', 'FAIL: hiera:mpi / hangs', '    not finished after 1 s', 'ERROR: hiera:mpi / ended'):
        assert line in summary.stdout.splitlines(), line
    assert summary.returncode == 1 and summary.stdout.splitlines()[-1] == '7 passed, 4 failed', summary.returncode
    return 0


if __name__ == '__main__':
    sys.exit(main())
