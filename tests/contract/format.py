#!/usr/bin/env python3
"""All C files are as .clang-format says: format.py CLANG-FORMAT SOURCE. Skipped with another version than 14, which puts some lines otherwise, and outside of a checkout."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

VERSION, AT_ONCE = '14', 200


def main(clang_format, source):
    version = re.search(r'version (\d+)', subprocess.run([clang_format, '--version'], capture_output=True, text=True, check=True).stdout)[1]
    listed = subprocess.run(['git', '-C', source, 'ls-files', '-z', '*.c', '*.h'], capture_output=True, text=True, check=False)
    files = listed.stdout.split('\0')[:-1]
    if version != VERSION or not files:
        print(f'skipped: clang-format {version}, {len(files)} files')
        return 77

    def check(some):
        return subprocess.run([clang_format, '--dry-run', '-Werror', *some], capture_output=True, text=True, check=False, cwd=source).stderr

    with ThreadPoolExecutor(2) as threads:
        wrong = ''.join(threads.map(check, (files[i:i + AT_ONCE] for i in range(0, len(files), AT_ONCE))))
    print(*sorted(set(re.findall(r'^(\S+?):\d+:', wrong, re.M))), sep='\n')
    if wrong:
        print('clang-format -i these files')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
