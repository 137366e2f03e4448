#!/usr/bin/env python3
"""Print the paper's tables beside those of a traced run: compare_tables.py HIERA_TRANSFORM mpi|oops FOLDER [--brief].

mpi: tables 1 to 3; oops: tables 6 to 8. --brief: a line for each table. README.md says why numbers differ."""

import collections
import csv
import io
import itertools
import subprocess
import sys

import paper

BRIEF = '--brief' in sys.argv


def rows(transform, folder, *arguments):
    """A measure's answer as tuples, numbers as numbers."""
    out = subprocess.run([transform, folder, '--format', 'csv', *arguments], capture_output=True, text=True, check=True)
    body = list(csv.reader(io.StringIO(out.stdout)))[1:]
    return [tuple(float(c) if '.' in c and c.replace('.', '').isdigit() else int(c) if c.isdigit() else c for c in row)
            for row in body]


def operations(transform, folder, process):
    """Level, operation as the paper spells it, file, line, count."""
    return [(level, paper.spelled(level, operation), file, line, count)
            for _, level, operation, file, line, count in
            rows(transform, folder, '--measure', 'operations', '--ranks', str(process))]


def totals(transform, folder):
    """(level, operation) -> count; the level is `both` where the paper counts both together."""
    together = {operation for level, operation, _ in paper.TABLE_8 if level == 'both'}
    found = collections.Counter()
    for level, operation, count in rows(transform, folder, '--measure', 'counts'):
        name = paper.spelled(level, operation)
        found['both' if name in together else level, name] += count
    return found


def show(title, head, lines, differ=lambda ours, theirs: ours != theirs):
    """Columns as wide as they need; the last two, ours and the paper's, are numbers or -. A row in which they differ has a mark;
    returns whether one has."""
    if BRIEF:
        wrong = sum(1 for line in lines if differ(*line[-2:]))
        print(f"{title.split(' (')[0]}: {f'{wrong} of {len(lines)} rows differ' if wrong else f'all {len(lines)} rows as in the paper'}")
        return wrong > 0
    cells = [[f'{c:,}' if isinstance(c, int) else c for c in line] for line in lines]
    width = [max(len(line[i]) for line in [head, *cells]) for i in range(len(head))]
    marks = [''] + ['  *' if differ(*line[-2:]) else '' for line in lines]
    print(f'\n{title}')
    for line, mark in zip([head, *cells], marks):
        words = [c.rjust(w) if i >= len(head) - 2 else c.ljust(w) for i, (c, w) in enumerate(zip(line, width))]
        print('  '.join(words) + mark)
    return any(marks)


def beside(ours, theirs):
    """Rows of the keys of either: key, our number or -, the paper's or -."""
    return [(*key, ours.get(key, '-'), theirs.get(key, '-')) for key in sorted({**ours, **theirs})]


def depths(title, ours, theirs):
    return show(title, ['process', 'depth', 'ours', "paper's"],
                [(str(p), str(d), a, b) for p, d, a, b in beside({row[:2]: row[2] for row in ours}, {row[:2]: row[2] for row in theirs})])


def place(row):
    return f'{row[2]}:{row[3]}' if row else '-'


def sites(title, ours, theirs):
    """Source lines of an operation, by their order."""
    lines = []
    for key in sorted({row[:2] for row in [*ours, *theirs]}):
        both = ([row for row in table if row[:2] == key] for table in (ours, theirs))
        lines += [(*key, place(own), place(printed), own[4] if own else '-', printed[4] if printed else '-')
                  for own, printed in itertools.zip_longest(*both)]
    return show(title, ['level', 'operation', 'our line', "the paper's line", 'ours', "paper's"], lines)


PROGRAMS = {'md-oops.c', 'molecularDynamicsOOPS.cc', 'Application'}


def by_side(lines):
    """(level, operation, who calls) -> count: the paper's framework has a line per type, ours one. Its load and store, templates,
    stand at their own lines, where others stand at those of their callers."""
    found = collections.Counter()
    for level, operation, file, _line, count in lines:
        program = file in PROGRAMS or operation in ('load', 'store')
        found[level, operation, 'program' if program else 'framework'] += count
    return found


def compare_mpi(transform, folder):
    levels = rows(transform, folder, '--measure', 'levels')
    return [
        depths('Table 1: operations of each process and depth', levels, paper.TABLE_1),
        sites('Table 2: operations of process 0 by source line', operations(transform, folder, 0), paper.TABLE_2),
        show('Table 3: operations of all processes', ['operation', 'ours', "paper's"],
             beside({key[1:]: n for key, n in totals(transform, folder).items()}, {row[:1]: row[1] for row in paper.TABLE_3}))]


def compare_oops(transform, folder):
    levels = rows(transform, folder, '--measure', 'levels')
    return [
        depths('Table 6: operations of each process and depth', levels, paper.TABLE_6),
        show('Table 7: operations of process 2 by the side that calls (what the paper prints is a part of it)',
             ['level', 'operation', 'called by', 'ours', "paper's"],
             beside(by_side(operations(transform, folder, 2)), by_side(paper.TABLE_7)),
             lambda own, printed: printed != '-' and own != printed),
        show('Table 8: operations of all processes', ['level', 'operation', 'ours', "paper's"],
             beside(totals(transform, folder), {row[:2]: row[2] for row in paper.TABLE_8}))]


def main():
    if len(sys.argv) - BRIEF != 4 or sys.argv[2] not in ('mpi', 'oops'):
        sys.exit(__doc__)
    differ = {'mpi': compare_mpi, 'oops': compare_oops}[sys.argv[2]](sys.argv[1], sys.argv[3])
    why = 'examples/md/README.md says why rows differ.' if BRIEF else '* differs from the paper: examples/md/README.md says why'
    print(f'\n{why}' if any(differ) else '\nAll numbers are those of the paper.')


if __name__ == '__main__':
    main()
