"""Samples: processor time that they add to a loop that only computes, in one thread and in four of OpenMP, beside perf, which reads the
same event of the kernel."""
import os
import shutil

from measuring.collector import WORKLOADS, of_run, traced_run
from measuring.numbers import spread
from measuring.processes import Failed, Folder, say, under_mpi

OFF = 'off'
RATES = ('100/s', '1000/s', '10000/s', '100/s,timer')
PERF = {'perf, 1000/s': 1000000, 'perf, 10000/s': 100000}  # row -> ns between two samples
RUNS = 4  # of each row in a turn; the least one is the one that others disturbed least
KEY = 'loop_processor'


def settings_of(rate):
    return {'HIERA_FORMAT': 'compact', 'HIERA_QUIET': '1', **({} if rate == OFF else {'HIERA_SAMPLE': rate})}


def perf_run(mpi, workload, iterations, parent, period_ns):
    with Folder(parent) as folder:
        perf = ['perf', 'record', '-q', '-e', 'task-clock:u', '-c', str(period_ns), '-o', os.path.join(folder, 'perf.data')]
        return of_run(under_mpi(mpi, 1, perf + [mpi['bare'], workload, str(iterations)]), iterations)


def runs_of(mpi, workload, iterations, parent):
    """{row: function that makes one run}."""
    rows = {rate: lambda rate=rate: traced_run(mpi, workload, iterations, parent, settings_of(rate)) for rate in (OFF, *RATES)}
    if shutil.which('perf'):
        rows.update({row: lambda ns=ns: perf_run(mpi, workload, iterations, parent, ns) for row, ns in PERF.items()})
    return rows


def one_turn(mpi, workload, iterations, parent):
    """{row: processor ns}: the rows one after the other, several times; of each row the least."""
    least = {}
    for _ in range(RUNS):
        for row, run in runs_of(mpi, workload, iterations, parent).items():
            try:
                ns = run()[KEY]
            except Failed:
                if row not in PERF:
                    raise
                continue  # perf failed now and then on a busy machine
            least[row] = min(ns, least.get(row, ns))
    return least


def measure_threads(mpi, workload, options):
    iterations = WORKLOADS[workload][3 if options.quick else 2]
    turns = [one_turn(mpi, workload, iterations, options.folder) for _ in range(options.pairs)]
    return {'seconds': spread([turn[OFF] * iterations / 1e9 for turn in turns]),
            'rows': {row: spread([100 * (turn[row] / turn[OFF] - 1) for turn in turns]) for row in turns[0] if row != OFF and all(row in turn for turn in turns)}}


def measure_sampling(mpi, options):
    say(f'{mpi["name"]}: sampling')
    return {'pairs': options.pairs, 'workloads': {name: measure_threads(mpi, name, options) for name in ('compute', 'threads')}}
