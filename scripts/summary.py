#!/usr/bin/env python3
"""The last line of the tests: counts of meson's testlog.json. Fails if a test failed or none ran."""

import json
import sys

PASSED, SKIPPED = ('OK', 'EXPECTEDFAIL'), ('SKIP',)


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        tests = [json.loads(line) for line in file if line.strip()]
    results = [test['result'] for test in tests]
    passed = sum(r in PASSED for r in results)
    skipped = sum(r in SKIPPED for r in results)
    failed = len(results) - passed - skipped
    for test in tests:
        if test['result'] in SKIPPED:
            print(f'skipped: {test["name"]}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed > 0 or passed == 0)


if __name__ == '__main__':
    main()
