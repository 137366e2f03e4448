#!/usr/bin/env python3
"""Every function that a library exports is in one of its tables, or in unwrapped-levels.txt with a reason:
levels.py SONAME TABLE... In place of tables there may be the library of wrappers itself. Exit status 77: the library is not installed."""

import os
import re
import sys
from pathlib import Path

import contract

sys.path.insert(0, os.path.join(contract.TOP, 'collector', 'levels'))

import level_table  # noqa: E402


def path_of(soname):
    """Path at which the linker finds the library."""
    for line in contract.run('/sbin/ldconfig', '-p').splitlines():
        if line.strip().startswith(soname + ' '):
            return line.split('=> ')[1]
    return None


def functions_of(path):
    lines = contract.run('nm', '-D', '--defined-only', path).splitlines()
    return {fields[2].split('@')[0] for fields in (line.split() for line in lines) if len(fields) == 3 and fields[1] in 'TWi'}


def exclusions(soname):
    rows = []
    for line in Path(contract.HERE, 'unwrapped-levels.txt').read_text(encoding='utf-8').splitlines():
        if line.strip() and not line.startswith('#'):
            name, pattern, reason = line.split(None, 2)
            if soname.startswith(name):
                rows.append((re.compile(pattern), reason))
    return rows


def main():
    wrappers = [path for path in sys.argv[2:] if path.endswith('.so')]
    soname, tables = sys.argv[1], [level_table.read(path) for path in sys.argv[2:] if path not in wrappers]
    patterns = {p for t in tables for p in t.libraries}
    if tables and not any(Path(soname).match(p) for p in patterns):
        sys.exit(f'{soname} is not one of {" ".join(sorted(patterns))}')
    path = path_of(soname)
    if not path:
        print(f'skipped: {soname} is not installed')
        sys.exit(77)
    there = functions_of(path)
    wrapped = {f.symbol for t in tables for f in t.functions}.union(*map(functions_of, wrappers))
    rules = exclusions(soname)
    excluded = {n for n in there - wrapped if any(p.fullmatch(n) for p, _ in rules)}
    missing = sorted(there - wrapped - excluded)
    for table in tables:
        ours = {f.symbol for f in table.functions}
        print(f'{os.path.basename(table.path)}: {len(ours & there)} of {len(ours)} functions are in {soname}')
    print(f'{len(there & wrapped)} of {len(there)} functions of {soname} are wrapped, {len(excluded)} excluded with a reason')
    parallel = {n for n in there if re.fullmatch(r'p[sdcz]\w+_', n)}
    if parallel:
        print(f'{len(parallel & wrapped)} of {len(parallel)} of ps*, pd*, pc*, pz* are wrapped')
    idle = [p.pattern for p, _ in rules if not any(p.fullmatch(n) for n in there - wrapped)]
    good = contract.complain([f'{n}: exported by {soname}, but neither in a table nor in unwrapped-levels.txt' for n in missing]
                             + [f'unwrapped-levels.txt: {p} excludes nothing of {soname}' for p in idle]
                             + ([] if len(there & wrapped) > 10 else [f'{soname}: hardly anything is wrapped']))
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
