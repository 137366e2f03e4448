"""Series for bench/growth: the same thing measured at growing sizes. A series is a dictionary

    what        its name in the table and the plot
    grows       'calls' or 'ranks': what stands on the x axis
    numbers     {number: [(x, value), ...]}, in the order of x; numbers are 's', 'MB', 'ns per call', 'MB on disk'
    expected    {number: the exponent that it should have at most}
"""
import os
import shutil
import statistics
import subprocess

from measuring.collector import bare_run, spellings_known, traced_run, WORKLOADS
from measuring.processes import Failed, Folder, alone, reason, say, traces_of

BYTES_PER_CALL = {'full': 200, 'compact': 45}            # on disk, an upper bound
OF_SUMS = ('folded, sums', 'profile', 'rules, no trace') # what the collector writes there does not grow
GRAPH_BYTES_PER_CALL = 500                               # in memory
REPEAT_SECONDS, REPEATS = 4, 3                           # longer runs are not repeated


def memory_available():
    with open('/proc/meminfo', encoding='utf-8') as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith('MemAvailable'))


def has_room(calls, spelling, measure, options, notes):
    needed = calls * BYTES_PER_CALL[spelling]
    if needed > 0.9 * shutil.disk_usage(options.folder).free:
        notes.append(f'{measure}, {calls:.0e} calls left out: {needed / 1e9:.0f} GB of traces do not fit in {options.folder}')
        return False
    if measure != 'counts' and calls * GRAPH_BYTES_PER_CALL > 0.9 * memory_available():
        notes.append(f'{measure}, {calls:.0e} calls left out: the graph may not fit in memory')
        return False
    return True


def median_of(run):
    """Seconds and MB; short runs are repeated."""
    runs = [run()]
    while len(runs) < REPEATS and runs[0][0] < REPEAT_SECONDS:
        runs.append(run())
    return tuple(statistics.median(numbers) for numbers in zip(*runs))


def measure_sizes(sizes, spelling, measures, options, notes):
    """{measure: [(seconds, MB) or None for each (ranks, calls per rank) of sizes]}: each size is generated once."""
    found = {measure: [] for measure in measures}
    for ranks, calls in sizes:
        able = [m for m in measures if has_room(ranks * calls, spelling, m, options, notes)]
        with Folder(options.folder) as folder:
            if able:
                say(f'{ranks} ranks × {calls:,} calls, {spelling}')
                subprocess.run([options.generate, folder, str(ranks), str(calls), spelling], check=True)
            for measure in measures:
                found[measure].append(measure_one(measure, traces_of(folder), options, notes) if measure in able else None)
    return found


def measure_one(measure, traces, options, notes):
    command = [options.transform, '--measure', measure, '--output', '/dev/null', *traces]
    try:
        return median_of(lambda: alone(options.stopwatch, command))
    except Failed as error:
        notes.append(f'{measure} left out: {reason(error)}')
        return None


def as_series(what, grows, xs, pairs, expected):
    there = [(x, pair) for x, pair in zip(xs, pairs) if pair]
    return {'what': what, 'grows': grows, 'expected': expected,
            'numbers': {number: [(x, pair[i]) for x, pair in there] for i, number in enumerate(('s', 'MB'))}}


def sizes_to(longest):
    return [10 ** k for k in range(4, 12) if 10 ** k <= longest]


def by_calls(options, notes):
    """2 ranks, growing number of calls. The largest sizes run only streaming measures on compact traces."""
    series = []
    for spelling, longest, measures in (('compact', options.longest, ['counts']), ('full', options.longest_kept, ['counts']),
                                        ('compact', options.longest_kept, ['walk-partners'])):
        totals = sizes_to(longest)
        found = measure_sizes([(2, n // 2) for n in totals], spelling, measures, options, notes)
        for measure, pairs in found.items():
            memory = 0 if measure == 'counts' else 1
            series.append(as_series(f'{measure}, {spelling}', 'calls', totals, pairs, {'s': 1, 'MB': memory}))
    return series + graph_floor(options, notes)


def graph_floor(options, notes):
    """Cost of igraph alone for graphs of these sizes."""
    totals = sizes_to(options.longest_kept)
    if not os.path.exists(options.graph_floor):
        return []
    say('bare igraph_create')
    pairs = [median_of(lambda n=n: alone(options.stopwatch, [options.graph_floor, str(n)]))
             if has_room(n, 'compact', 'igraph', options, notes) else None for n in totals]
    return [as_series('bare igraph_create', 'calls', totals, pairs, {'s': 1, 'MB': 1})]


def by_ranks(options, notes):
    """2 to 4096 ranks: with a constant number of calls per rank, and with a constant number in all."""
    series, ranks = [], [n for n in (2, 8, 32, 128, 512, 1024, 4096) if n <= options.most_ranks]
    total = options.calls_by_ranks
    each = total // options.most_ranks
    for what, sizes, exponent in ((f'{each:,} calls each', [(n, each) for n in ranks], 1),
                                  (f'{total:,} calls of all', [(n, total // n) for n in ranks], 0)):
        found = measure_sizes(sizes, 'compact', ['counts', 'walk-partners'], options, notes)
        for measure, pairs in found.items():
            memory = 0 if measure == 'counts' else exponent
            series.append(as_series(f'{measure}, {what}', 'ranks', ranks, pairs, {'s': exponent, 'MB': memory}))
    return series


def longest_of_collector(spelling, options):
    """What becomes sums takes no room; of full traces less fits on the disk."""
    return options.longest_summed if spelling in OF_SUMS else options.longest_kept if spelling == 'full' else options.longest


def of_collector(mpi, options, notes):
    """`self` with and without Hiera: added time of a call, added memory, size of the trace."""
    series = []
    for spelling, settings in spellings_known(mpi, notes).items():
        sums = spelling in OF_SUMS
        numbers = {'ns per call': [], 'MB': [], 'MB on disk': []}
        for total in sizes_to(longest_of_collector(spelling, options)):
            if not sums and not has_room(total, 'full' if spelling == 'full' else 'compact', 'counts', options, notes):
                continue
            say(f'collector, {total:,} calls, {spelling}')
            iterations = total // WORKLOADS['self'][1]
            pairs = [(bare_run(mpi, 'self', iterations), traced_run(mpi, 'self', iterations, options.folder, settings))
                     for _ in range(1 if total > 10 ** 7 else REPEATS)]
            for number, key in (('ns per call', 'loop'), ('MB', 'mb')):
                numbers[number].append((total, statistics.median(t[key] - b[key] for b, t in pairs)))
            numbers['MB on disk'].append((total, pairs[-1][1]['bytes'] * total / 1e6))
        series.append({'what': f'collector, {spelling}', 'grows': 'calls', 'numbers': numbers,
                       'expected': {'ns per call': 0, 'MB': 0, 'MB on disk': 0 if sums else 1}})
    return series
