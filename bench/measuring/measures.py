"""Each measure on generated traces, beside igraph alone with as many vertices and edges. All times are processor time, of
all threads together: that of other work on the machine does not count."""
import os
import re
import subprocess

from measuring.numbers import spread
from measuring.processes import Failed, Folder, numbers_of, say, traces_of
from measuring.series import has_room

ALONE, MATCHING, SUMMARY = 'igraph alone', 'matching', 'summary'
FEW, MANY = '4 ranks', '1024 ranks'
RANKS = {FEW: 4, MANY: 1024}
NEEDS_MORE = {'diff', 'assertions'}  # than one run: a second one, rules


def needs_igraph(measure):
    return measure.startswith('walk-')


def names_of(transform):
    listed = subprocess.run([transform, '--measure', 'list'], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r'^([a-z-]+) ', listed, re.M) if name not in NEEDS_MORE]


def used(row, key):
    """(seconds of processor time, peak memory in MB)"""
    return row[key] / 1e9, row['kb'] / 1024


def commands_of(transform, programs, operations, traces):
    """{row: (command, the number of its time)}"""
    commands = {ALONE: ([programs['graph_floor'], str(operations)], 'processor'),
                MATCHING: ([programs['graph_stage'], 'match', *traces], 'processor')}
    for name in names_of(transform):
        commands[name] = [transform, '--quiet', '--measure', name, '--output', '/dev/null', *traces], 'all_processor'
    return commands


def measure_shape(shape, mpi, transform, options):
    programs = {name: os.path.join(options.programs, name) for name in ('generate', 'graph_floor', 'graph_stage')}
    ranks, operations = RANKS[shape], options.graph_operations
    with Folder(options.folder) as folder:
        subprocess.run([programs['generate'], folder, str(ranks), str(operations // ranks), 'compact'], check=True)
        os.sync()
        commands = commands_of(transform, programs, operations, traces_of(folder))
        runs = {name: [] for name in commands}
        for turn in range(options.pairs):
            for name, (command, key) in commands.items():
                say(f'measures, {shape}, turn {turn + 1}: {name}')
                runs[name].append(used(numbers_of(mpi['stopwatch'], command), key))
    return {name: {'seconds': spread([r[0] for r in rs]), 'mb': spread([r[1] for r in rs]),
                   'times': spread([own[0] / floor[0] for own, floor in zip(rs, runs[ALONE])])}
            for name, rs in runs.items()}


def measure_measures(mpi, transform, options, notes):
    """Processor seconds and MB of each measure as a whole process, and the ratios to igraph's, turn by turn."""
    if not has_room(options.graph_operations, 'compact', 'measures', options, notes):
        raise Failed('no room')
    return {'operations': options.graph_operations,
            'shapes': {shape: measure_shape(shape, mpi, transform, options) for shape in RANKS}}
