"""Small traces for tests of hiera-predict, and what it says of them.

The network: latency 1 us, 1 GB/s (1 ns a byte), overhead 0.2 us at both sides, eager up to 65536 bytes. A message of k bytes that is
sent at t has left its sender's processor at t + 0.2 us; it arrives at t + 0.2 + k / 1000 + 1 us, and is received 0.2 us later."""

import csv
import io
import pathlib
import subprocess
import tempfile

NETWORK = '--network=latency=1us,bandwidth=1GB/s,overhead=200ns'
failures = []


def check(what, expected, actual):
    if expected != actual:
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def seconds(ns):
    return f'{ns / 1e9:.9f}'


def call(operation, begin, end, more='', inside='', element='hieraMPI'):
    """An element; times in nanoseconds."""
    head = f'<{element} operation="{operation}" file="a.c" line="1" start_time="{seconds(begin)}" finish_time="{seconds(end)}" {more}'
    return f'{head}>{inside}</{element}>' if inside else f'{head}/>'


def send(begin, end, to, size, more='', operation='send'):
    return call(operation, begin, end, f'dest="{to}" tag="0" comm="MPI_COMM_WORLD" bytes="{size}" {more}')


def receive(begin, end, source, size, more='', operation='receive'):
    return call(operation, begin, end, f'rem="{source}" tag="0" comm="MPI_COMM_WORLD" bytes="{size}" {more}')


def allreduce(begin, end, size=8):
    return call('allreduce', begin, end, f'op="MPI_SUM" comm="MPI_COMM_WORLD" bytes="{size}" rbytes="{size}"')


def region(name, begin, end, inside=''):
    return call(name, begin, end, 'level="app"', inside, 'hieraRegion')


class Run:
    """Traces of a run in a folder of their own."""

    def __init__(self, program, *ranks, hosts=('n0', 'n1', 'n2', 'n3')):
        """@param ranks  for each the end of the run in ns, and its elements"""
        self.program, self.folder = program, tempfile.TemporaryDirectory()
        for rank, (end, *elements) in enumerate(ranks):
            text = ''.join(elements)
            pathlib.Path(self.folder.name, f'trace{rank}.xml').write_text(
                f'<?xml version="1.0" encoding="UTF-8"?>\n<processor rank="P{rank}" init="0" finalize="{seconds(end)}" size="{len(ranks)}" host="{hosts[rank]}" '
                f'job="j" format="1"><hieraComm id="MPI_COMM_WORLD" ranks="0-{len(ranks) - 1}"/>{text}</processor>\n', encoding='utf-8')

    def predict(self, *options, network=NETWORK):
        return subprocess.run([self.program, self.folder.name, *([network] if network else []), *options], capture_output=True, text=True, check=False, timeout=60)

    def ranks(self, *options, network=NETWORK):
        """Rows of the ranks, times in nanoseconds."""
        done = self.predict('--format=csv', *options, network=network)
        if done.returncode != 0:
            failures.append(f'{options}: exit status {done.returncode}: {done.stderr}')
            return []
        rows = csv.DictReader(io.StringIO(done.stdout.split('\n\n')[1]))
        return [{name: value if name == 'processor' else round(float(value) * 1e9) for name, value in row.items()} for row in rows]

    def predicted(self, *options, network=NETWORK):
        return [row['predicted'] for row in self.ranks(*options, network=network)]
