#!/usr/bin/env python3
"""over_time.py HIERA-TRANSFORM: the parts of a run that `over-time` shows add up to what `times` and `waits` say of the
whole, in integers, for any number of bins, and each part has the efficiencies that `efficiency` has between its times."""

import csv
import decimal
import io
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from part import part_of  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FACTORS = ('processes', 'useful-mean', 'useful-max', 'io-mean', 'efficiency', 'load-balance', 'communication', 'serialisation', 'transfer')
# Traces with calls that were only counted; with a call that begins before its caller.
IRREGULAR = {'perturbed', 'sums', 'rules/nest'}
# Each question is a process, so not all traces are asked all. Each is asked as a whole, and in one of these in turns.
SCOPES = (('--level', 'app'), ('--where', 'rank in 0-1 and level == "mpi"'))

# How to divide, and into how many parts: one half and the other in turns; of scopes only the last two.
FORMS = (('all', '7'), ('rank', '1'), ('waiting', '7'), ('rank', '7'), ('all', '1'), ('waiting-rank', '7'))


class Test:
    def __init__(self, transform):
        self.transform, self.checks, self.wrong = transform, 0, 0

    def rows(self, trace, measure, *options):
        """The rows of a measure, as dictionaries; None if it has no answer."""
        command = [self.transform, trace, '--quiet', '--format', 'csv', '--measure', measure, *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode in (0, 3) and done.stdout else None

    def check(self, trace, what, left, right):
        self.checks += 1
        if left != right:
            self.wrong += 1
            print(f'{trace.relative_to(HERE)}: {what}: {left} is not {right}')

    def sums(self, trace, scope, turn):
        """Sums over the parts, by column, which have to be the same for all numbers of parts and forms."""
        first = None
        for by, bins in FORMS[turn % 2::2] if not scope else FORMS[-2:]:
            rows = self.rows(trace, 'over-time', '--by', by, '--bins', bins, *scope)
            if rows is None:
                return None
            sums = {name: sum(decimal.Decimal(row[name]) for row in rows) for name in ('useful', 'mpi', 'io', 'waiting') if rows and name in rows[0]}
            first = {**sums, **(first or {})}
            self.check(trace, f'--by {by} --bins {bins} {scope}', sums, {name: first[name] for name in sums})
        return first

    def whole(self, trace, scope, turn):
        sums, times, waits = self.sums(trace, scope, turn), self.rows(trace, 'times', *scope), self.rows(trace, 'waits', *scope)
        if not sums or not times or waits is None:
            return
        self.check(trace, f'useful {scope}', sums['useful'], sum(decimal.Decimal(row['computation']) for row in times))
        self.check(trace, f'mpi and io {scope}', sums['mpi'] + sums['io'], sum(decimal.Decimal(row['communication']) for row in times))
        if not scope:
            # of main threads, as over-time
            self.check(trace, 'waiting', sums['waiting'], sum(decimal.Decimal(row['time']) for row in waits if not row['path'].startswith('further threads')))
        self.check(trace, f'waiting is in MPI {scope}', sums['waiting'] <= sums['mpi'] + sums['io'], True)

    def part(self, trace, scope, turn):
        """One of three parts has the efficiencies of its time."""
        rows = self.rows(trace, 'over-time', '--by', 'efficiency', '--bins', '3', *scope) or ()
        for row in rows[turn % 3:turn % 3 + 1]:
            part = self.rows(trace, 'efficiency', '--from', row['from'], '--to', row['to'], *scope)
            if part and part[0]['processes'] == row['processes']:  # it counts ranks without any time in it, too
                self.check(trace, f'{row["from"]} to {row["to"]} {scope}', [row[name] for name in FACTORS], [part[0][name] for name in FACTORS])


def main():
    test = Test(sys.argv[1])
    traces = HERE / 'traces'
    irregular = {traces / name for name in IRREGULAR}
    folders = {path.parent for path in traces.glob('**/*.xml')} | {HERE / 'paper', HERE / 'figure4'}
    for i, trace in enumerate(part_of(sorted(folders - irregular), 3)):
        for scope in (), SCOPES[i // 2 % len(SCOPES)]:
            test.whole(trace, scope, i)
            test.part(trace, scope, i)
    print(f'{test.checks} checks, {test.wrong} wrong')
    return 0 if test.wrong == 0 and test.checks > 500 else 1


if __name__ == '__main__':
    sys.exit(main())
