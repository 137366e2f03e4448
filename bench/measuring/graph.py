"""The graph of a generated trace, beside igraph alone with as many vertices and edges."""
import os
import subprocess

from measuring.numbers import spread
from measuring.processes import Failed, Folder, alone, fail, numbers_of, say, traces_of
from measuring.series import has_room

ALONE, BUILD, WHOLE = 'igraph alone', 'hiera_graph_build', 'walk-partners, whole'


def stage(stopwatch, command):
    """(seconds for the graph as the program reports them, peak memory of the process in MB)"""
    row = numbers_of(stopwatch, command)
    if 'graph' not in row:
        fail(command[0], 'it told no time')
    return row['graph'] / 1e9, row['kb'] / 1024


def measure_graph(mpi, transform, options, notes):
    """Seconds and MB of each, and their ratios to igraph's, turn by turn."""
    say('graph')
    if os.path.dirname(transform) != os.path.join(options.build, 'transform', 'cli'):
        notes.append(f'graph: memory is that of {transform}, the time that of the library in {options.build}')
    programs = {name: os.path.join(options.programs, name) for name in ('generate', 'graph_floor', 'graph_stage')}
    operations, stopwatch = options.graph_operations, mpi['stopwatch']
    if not has_room(operations, 'compact', WHOLE, options, notes):
        raise Failed('no room')
    runs = {ALONE: [], BUILD: [], WHOLE: []}
    with Folder(options.folder) as folder:
        subprocess.run([programs['generate'], folder, '2', str(operations // 2), 'compact'], check=True)
        os.sync()  # else the first runs would compete with writing the traces
        traces = traces_of(folder)
        for _ in range(options.pairs):
            runs[ALONE].append(stage(stopwatch, [programs['graph_floor'], str(operations)]))
            runs[BUILD].append(stage(stopwatch, [programs['graph_stage'], 'graph', *traces]))
            runs[WHOLE].append(alone(stopwatch, [transform, '--measure', 'walk-partners', '--output', '/dev/null', *traces]))
    rows = {name: {'seconds': spread([r[0] for r in rs]), 'mb': spread([r[1] for r in rs])} for name, rs in runs.items()}

    def ratio(name, number):
        return spread([own[number] / floor[number] for own, floor in zip(runs[name], runs[ALONE])])

    return {'operations': operations, 'rows': rows, 'times': ratio(BUILD, 0), 'memory': ratio(WHOLE, 1)}
