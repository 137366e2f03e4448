"""Made-up runs on several numbers of ranks for tests of hiera-predict scale, whose times follow laws that are known.

The network: latency 1 us, 1 GB/s, overhead 0.2 us at both sides. A received message of 1000 bytes costs its receiver 0.2 + 1 + 1 us, a sent
one its sender 0.2 us; a one-step allreduce of 8 bytes on n ranks costs ceil(log2 n) (0.2 + 1 + 0.2 us + 8 ns)."""

import json
import math
import pathlib
import subprocess
import tempfile

NETWORK = '--network=latency=1us,bandwidth=1GB/s,overhead=200ns'
ALLREDUCE_STEP, SENT, RECEIVED = 1408, 200, 2200
failures = []


def check(what, expected, actual):
    if expected != actual:
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def near(what, expected, actual, part=1e-6):
    if not math.isclose(float(expected), float(actual), rel_tol=part, abs_tol=1e-12):
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def seconds(ns):
    return f'{ns / 1e9:.9f}'


class Rank:
    """The trace of a rank, made from its beginning; times in nanoseconds."""

    def __init__(self):
        self.at, self.text = 0, ''

    def region(self, name, ns, line=1):
        self.text += f'<hieraRegion operation="{name}" level="app" file="a.c" line="{line}" start_time="{seconds(self.at)}" finish_time="{seconds(self.at + ns)}"/>'
        self.at += ns
        return self

    def call(self, operation, line, ns, more):
        self.text += f'<hieraMPI operation="{operation}" file="a.c" line="{line}" start_time="{seconds(self.at)}" finish_time="{seconds(self.at + ns)}" comm="MPI_COMM_WORLD" {more}/>'
        self.at += ns
        return self

    def allreduce(self, ns=2000, size=8):
        return self.call('allreduce', 20, ns, f'op="MPI_SUM" bytes="{size}" rbytes="{size}"')

    def send(self, to, ns=1000):
        return self.call('send', 21, ns, f'dest="{to}" tag="0" bytes="1000"')

    def later(self):
        """A send that ends as its receive starts has waited; this one ends before."""
        self.at += 1
        return self

    def receive(self, source, ns=1000):
        return self.call('receive', 22, ns, f'rem="{source}" tag="0" bytes="1000"')


class Runs:
    """Runs of different numbers of ranks, each in a folder of its own."""

    def __init__(self, program, numbers, make, suffix=''):
        """@param make  of a rank and the number of ranks: its Rank"""
        self.program, self.folder, self.names = program, tempfile.TemporaryDirectory(), []
        for index, number in enumerate(numbers):
            folder = pathlib.Path(self.folder.name, f'run{index}-{number}')
            folder.mkdir()
            self.names.append(str(folder))
            for rank in range(number):
                made = make(rank, number)
                (folder / f'trace{rank}.xml').write_text(
                    f'<?xml version="1.0" encoding="UTF-8"?>\n<processor rank="P{rank}" init="0" finalize="{seconds(made.at)}" size="{number}" host="n0" '
                    f'job="j{number}{index}" format="1"><hieraComm id="MPI_COMM_WORLD" ranks="0-{number - 1}"/>{made.text}</processor>\n', encoding='utf-8')

    def run(self, *options):
        return subprocess.run([self.program, 'scale', *self.names, NETWORK, *options], capture_output=True, text=True, check=False, timeout=60)

    def tables(self, *options):
        done = self.run('--format=json', *options)
        check(f'{options}: exit status ({done.stderr})', 0, done.returncode)
        return json.loads(done.stdout) if done.returncode == 0 else {}


def find_fit(tables, kind, part, quantity, of='slowest rank'):
    rows = [row for row in tables['fits'] if row['kind'] == kind and row['part'].endswith(part) and row['quantity'] == quantity and row['of'] == of]
    check(f'rows of {kind} {part} {quantity} {of}', 1, len(rows))
    return rows[0]


def check_law(tables, kind, part, quantity, form, a, b, predicted, of='slowest rank'):
    row = find_fit(tables, kind, part, quantity, of)
    what = f'{kind} {part} {quantity} of {of}'
    check(f'form of {what}', form, row['form'])
    near(f'a of {what}', a, row['a'])
    check(f'b of {what} is there', b is not None, row['b'] is not None)
    if b is not None:
        near(f'b of {what}', b, row['b'])
    near(f'prediction of {what}', predicted, row['predicted'])
