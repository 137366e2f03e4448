#!/usr/bin/env python3
"""where.py HIERA-TRANSFORM: --where gives the same answers whether it is decided while traces are read or in memory, and
in the first case it takes the same memory for ten times as many operations; an expression and its opposite make the whole."""

import csv
import decimal
import io
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from part import part_of  # noqa: E402

MEASURES = 'counts,operations,levels,times,statistics,histogram,over-time,profile,perturbation'
# Each name and function that needs neither partners nor waits.
EXPRESSIONS = [
    'file == "x/s.c" and path =~ "step > part"',
    'operation == "send" or class == "Grid" or level == "app"',
    'file =~ "[a-m]" and line > 5',
    'path =~ "step" and not inside("oops", "Grid::get")',
    'duration > 1ms or finish > 5s',
    'depth == 1 or thread > 0 or parent.thread > 0',
    'start >= 1ms and (bytes > 4 or received > 4 or not has(bytes))',
    'rank in 0-1 and not host == "n1"',
    'peer >= 0 or source >= 0 or tag > 3 or comm =~ "WORLD" or failed',
    'parent.operation == "step" and parent.duration > 1ms and parent.start < 4s and parent.depth == 0',
    'parent.path =~ "^[a-z]+$" and parent.line > 1 and parent.path != path and parent.level != level',
    'count > 1 or not type == "MPI_INT" or root == 0 and has(op)',
    'has(parent.args) or dest > 0 or not processor.pid == 1 and args =~ "1"',
    'parent.file == file or parent.class == "" or parent.bytes > 1 or parent.finish < finish',
]
IN_MEMORY = '({}) and (true or has(partner.rank))'
OPERATIONS = 60000
# Each holds for all operations of a thread or for none, so that what they choose and what their opposite chooses make the whole: all that has
# threads, and columns that may be added up.
HALVES = 'rank == 1', 'thread > 0', 'rank == 0 and thread == 0'
THREADED = 'asserted', 'threads', 'waits'
ADDED = {'waits': ('count', 'time'), 'causes': ('time', 'direct', 'indirect'), 'overlap': ('requests', 'flight', 'hidden', 'polling', 'waited'),
         'hotspots': ('mpi', 'waiting', 'bytes'), 'profile': ('exclusive',), 'counts': ('count',), 'statistics': ('count', 'sum'),
         'matrix': ('messages', 'bytes', 'send', 'receive'), 'io': ('calls', 'bytes', 'time', 'waiting'), 'rma': ('calls', 'bytes', 'time', 'waiting')}
# Two files have the same name, and a thread stands inside an operation, so that neither short names nor callers are known at once.
ODD = """<?xml version="1.0" encoding="UTF-8"?>
<processor rank="P0" init="0" finalize="9" size="1">
<hieraRegion level="app" operation="step" file="x/s.c" line="6" start_time="1" finish_time="5">
<hieraThread id="1"><hieraRegion level="app" operation="task" file="y/s.c" line="7" start_time="1" finish_time="2"/></hieraThread>
<hieraRegion level="app" operation="part" file="x/s.c" line="8" start_time="3" finish_time="4"/>
</hieraRegion>
</processor>
"""


def answer(transform, trace, where, measures=MEASURES):
    command = [transform, *trace, '--measure', measures, '--format', 'csv', '--where', where]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def same_answers(transform, odd):
    """The number of cases in which the answers differ."""
    cases, different, chosen = 0, 0, 0
    odd.write_text(ODD, encoding='utf-8')
    for i, trace in enumerate([odd, HERE / 'paper', HERE / 'figure4', *sorted((HERE / 'traces').iterdir())]):
        for where in EXPRESSIONS if trace == odd else part_of(EXPRESSIONS, 5, i % 5):  # each trace is asked a part of them in turns
            streamed = answer(transform, [trace], where)
            cases, chosen = cases + 1, chosen + (streamed[0] == 0)
            if streamed != answer(transform, [trace], IN_MEMORY.format(where)):
                different += 1
                print(f'{trace.name}: the answers differ with --where \'{where}\'')
    for where in EXPRESSIONS:
        runs = [HERE / 'traces' / 'runs' / name for name in ('before', 'after')]
        cases += 1
        if answer(transform, runs, where, 'diff') != answer(transform, runs, IN_MEMORY.format(where), 'diff'):
            different += 1
            print(f'diff: the answers differ with --where \'{where}\'')
    print(f'{cases} cases, of them {chosen} with operations; {different} answers differ')
    return different + (chosen < cases // 3)


def number(text):
    """Nanoseconds, or a number."""
    return round(decimal.Decimal(text) * (10**9 if '.' in text else 1))


def sums(transform, trace, *where):
    """Sums of the columns, by measure; of a profile without the row of the processors, which have a time without operations, and with all
    columns of further threads."""
    text = subprocess.run([transform, trace, '--measure', ','.join(ADDED), '--format', 'csv', *where], capture_output=True, text=True, timeout=60, check=False).stdout
    tables = {measure: list(csv.DictReader(io.StringIO(table))) for measure, table in zip(ADDED, text.split('\n\n'))}
    found = {(measure, name): sum(number(row[name]) for row in tables[measure] if (measure, row.get('path')) != ('profile', 'processors'))
             for measure, names in ADDED.items() for name in names}
    for row in (row for row in tables['profile'] if row['path'] == 'processors > further threads'):
        found |= {('further threads', name): number(row[name]) for name in ('inclusive', 'mpi', 'bytes')}
    return found


def halves(transform):
    """The number of sums of two halves that are not the whole."""
    different = 0
    for name in THREADED:
        trace = HERE / 'traces' / name
        whole = sums(transform, trace)
        for where in HALVES:
            one, other = sums(transform, trace, '--where', where), sums(transform, trace, '--where', f'not ({where})')
            for key, value in whole.items():
                if one.get(key, 0) + other.get(key, 0) != value:
                    different += 1
                    print(f'{name}: {" ".join(key)}: where {where} {one.get(key, 0)}, where not {other.get(key, 0)}, and the whole is {value}')
    return different


def write_trace(folder, steps):
    """Two ranks; each step is a region with a send and a reduction."""
    head = ('<hieraCall id="c1" level="app" operation="step" file="a.c" line="3"/>\n'
            '<hieraCall id="c2" operation="send" file="a.c" line="4" count="1" type="MPI_INT" dest="0" tag="7" comm="MPI_COMM_WORLD" bytes="4"/>\n'
            '<hieraCall id="c3" operation="allreduce" file="a.c" line="5" count="1" type="MPI_INT" op="MPI_SUM" comm="MPI_COMM_WORLD" bytes="4"/>\n')
    step = '<c r="c1" t="{0}" d="8000000"><c r="c2" t="{1}" d="1"/><c r="c3" t="{1}" d="2"/></c>\n'
    for rank in range(2):
        with open(folder / f'trace{rank}.xml', 'w', encoding='utf-8') as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<processor rank="P{rank}" init="0" finalize="{steps / 100}" size="2">\n{head}')
            file.writelines(step.format(10000000 * i, 10000000 * i + 1) for i in range(steps))
            file.write('</processor>\n')


def peak(transform, folder, where):
    """Peak memory in kB, but at least that of this process, which Linux counts to its child."""
    command = [transform, folder, '--measure', 'counts,times', '--quiet', '--where', where]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_maxrss


def constant_memory(transform, top):
    """Whether memory does not grow where it should not, and grows where it has to."""
    where = 'path =~ "step > send" and inside("app", "step") and parent.duration > 1ms and file == "a.c" and tag == 7'
    peaks = {}
    for factor in 1, 10:
        folder = top / str(factor)
        folder.mkdir()
        write_trace(folder, OPERATIONS // 6 * factor)
        peaks[factor] = peak(transform, folder, where), peak(transform, folder, IN_MEMORY.format(where))
    print(f'peak of {OPERATIONS} and of 10 times as many operations: {peaks[1][0]} kB and {peaks[10][0]} kB; '
          f'in memory {peaks[1][1]} kB and {peaks[10][1]} kB')
    return peaks[10][0] < peaks[1][0] + 1000 and peaks[10][1] > peaks[1][1] + 20000


def main():
    transform = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix='hiera-where-') as name:
        top = pathlib.Path(name)
        return 0 if same_answers(transform, top / 'odd.xml') + halves(transform) == 0 and constant_memory(transform, top) else 1


if __name__ == '__main__':
    sys.exit(main())
