#!/usr/bin/env python3
"""Runs that are read in parts are predicted as if they were read at once: test_parts.py HIERA_PREDICT CASE [GENERATE]."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from part import part_of  # noqa: E402
from predicted_runs import NETWORK, Run, allreduce, call, check, failures, receive, region, send  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden'


def said(program, folder, at_once, *options):
    """All that it says; where it says several things on standard error their order may differ."""
    done = subprocess.run([program, str(folder), f'--at-once={at_once}', '--format=csv', *options], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, sorted(done.stderr.splitlines())


def all_traces(program):
    """Whatever is in a trace."""
    rules = ('--speed=level=="app" and duration > 1us=0.5', '--message-size=bytes > 100 or operation=="allreduce"=3')
    folders = part_of(sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}), 2)
    for folder in folders:
        for at_once, options in ((1, ()), (7, rules)):
            check(f'{folder}, {options}, at once {at_once}', said(program, folder, 0, *options), said(program, folder, at_once, *options))
    check('folders', True, len(folders) > 50)


def memory_kb(program, folder, at_once):
    """Peak memory of a prediction. The parent's own peak is what a child has at first, so each child is started by one that is small."""
    watch = ('import os, resource, sys\npid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\n'
             'status = os.wait4(pid, 0)\nprint(status[1], status[2].ru_maxrss)')
    out = subprocess.run([sys.executable, '-c', watch, program, str(folder), f'--at-once={at_once}', '-q', '--columns=part'], capture_output=True, text=True, check=True).stdout
    status, kb = map(int, out.split()[-2:])
    check(f'{folder}: status', 0, status)
    return kb


def memory(program, generate):
    """It does not grow with the run."""
    with tempfile.TemporaryDirectory() as folder:
        kb = {}
        for calls in (30000, 120000):
            place = os.path.join(folder, str(calls))
            os.mkdir(place)
            subprocess.run([generate, place, '2', str(calls), 'compact'], check=True)
            check(f'{calls} calls', said(program, place, 0), said(program, place, 10000))
            kb[calls] = memory_kb(program, place, 10000)
        whole = memory_kb(program, place, 0)
        check(f'{kb}: four times as long, a tenth more memory at most', True, kb[120000] < 1.1 * kb[30000])
        check(f'{kb}, at once {whole}: less than half', True, kb[120000] < whole / 2)


def around(program):
    """Regions go on where a part ends: the rule holds in them before and after."""
    inner = allreduce(100000, 110000) + allreduce(310000, 320000)
    ranks = [(600000, region('step', 50000, 400000, inner), allreduce(500000, 510000))] * 2
    run = Run(program, *ranks)
    # 240 us outside, 330 us in the region: 50 before its first collective, 200 between the two, 80 behind.
    for options, compute in (((), 570000), (('--speed=inside("app","step")=2',), 405000), (('--speed=operation=="step"=2',), 405000)):
        for at_once in (0, 1):
            check(f'{options} at once {at_once}', [compute] * 2, [row['predicted_compute'] for row in run.ranks(f'--at-once={at_once}', *options)])


def open_ends(program):
    """A part does not end where a message is on its way, or a request is open."""
    late = [(100000, send(1000, 2000, 1, 8), allreduce(3000, 4000), call('irecv', 5000, 6000, 'rem="1" tag="0" comm="MPI_COMM_WORLD" request="1"'),
             allreduce(7000, 8000), call('wait', 9000, 12000, 'request="1" sources="1" tags="0" sizes="8"'), allreduce(13000, 14000)),
            (100000, allreduce(3000, 4000), receive(5000, 6000, 0, 8), allreduce(7000, 8000), send(10000, 11000, 0, 8), allreduce(13000, 14000))]
    run = Run(program, *late)
    check('as at once', said(program, run.folder.name, 0, NETWORK), said(program, run.folder.name, 1, NETWORK))
    for path in pathlib.Path(run.folder.name).iterdir():
        path.write_text(re.sub(r'size="2" |<hieraComm [^>]*/>', '', path.read_text(encoding='utf-8')), encoding='utf-8')
    check('a job of unknown size', said(program, run.folder.name, 0, NETWORK), said(program, run.folder.name, 1, NETWORK))
    shorter = [late[0], (100000, *late[1][1:-1])]
    run = Run(program, *shorter)
    check('a collective that one rank has not', said(program, run.folder.name, 0, NETWORK), said(program, run.folder.name, 1, NETWORK))


if __name__ == '__main__':
    {'all_traces': all_traces, 'memory': memory, 'around': around, 'open_ends': open_ends}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
    for failure in failures:
        print(failure)
    sys.exit(bool(failures))
