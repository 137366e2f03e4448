"""hiera-transform with several processes under a launcher, beside one process with one thread, in turns. Besides the seconds, which count the start of
the launcher and all else that the machine does, the processor time of the process that took most: what the seconds would be on a quiet machine."""
import os
import subprocess
import time

from measuring.numbers import spread
from measuring.processes import Folder, environment, fail, launcher, reports_of, say, traces_of
from measuring.series import has_room

RANKS = 16  # of the traces
MOST = 16   # processes
# Measures that go through the operations once get more of them: a launcher takes as long to start as a million.
LONGER = 10
MEASURES = {'counts': LONGER, 'times': LONGER, 'profile': LONGER, 'statistics': 1, 'waits': 1, 'critical-path': 1, 'summary': 1}
TARGET = 'counts'
SECONDS, PROCESSOR = 'seconds', 'processor'


def sizes():
    """Numbers of processes: powers of two, up to the processors of the machine, but at least 2."""
    return [2 ** i for i in range(MOST.bit_length()) if 2 ** i <= max(os.cpu_count(), 2)]


def measure_once(mpi, command, size):
    """{SECONDS, PROCESSOR: of the process with most of it}"""
    launch = launcher(mpi, size) if size > 1 else []
    begin = time.perf_counter()
    done = subprocess.run(launch + [mpi['stopwatch']] + command, env=environment(), capture_output=True, text=True, check=False)
    seconds, rows = time.perf_counter() - begin, reports_of(done.stdout)
    if done.returncode != 0 or len(rows) != size:
        fail(' '.join(command[:5]), done.stdout[-1000:] + done.stderr)
    return {SECONDS: seconds, PROCESSOR: max(row['all_processor'] for row in rows) / 1e9}


def measure_together(mpi, transform, options, notes):
    """{measure: {size: {what: spread, and "gain": how many times as long one process takes, turn by turn}}}"""
    runs, load = {}, os.getloadavg()[0]
    for times in sorted(set(MEASURES.values())):
        operations = times * options.graph_operations
        measures = [measure for measure, wanted in MEASURES.items() if wanted == times]
        if has_room(operations, 'compact', 'counts', options, notes):
            measure_some(mpi, transform, measures, operations, options, runs)
    return {'operations': options.graph_operations, 'load': [load, os.getloadavg()[0]],
            'measures': {measure: {size: summed(by_size[1], turns) for size, turns in by_size.items()} for measure, by_size in runs.items()}}


def measure_some(mpi, transform, measures, operations, options, runs):
    with Folder(options.folder) as folder:
        generate = os.path.join(options.programs, 'generate')
        subprocess.run([generate, folder, str(RANKS), str(operations // RANKS), 'compact'], check=True)
        os.sync()
        traces = traces_of(folder)
        for turn in range(options.pairs):
            for measure in measures:
                for size in sizes():
                    say(f'together, turn {turn + 1}: {measure}, {size} processes')
                    command = [transform, '--quiet', '--threads', '1', '--measure', measure, '--output', '/dev/null', *traces]
                    runs.setdefault(measure, {}).setdefault(size, []).append(measure_once(mpi, command, size))


def summed(alone, turns):
    return {what: {'of': spread([turn[what] for turn in turns]), 'gain': spread([one[what] / turn[what] for one, turn in zip(alone, turns)])}
            for what in (SECONDS, PROCESSOR)}
