"""hiera-transform on a ping-pong of 2 ranks, between a bare parse and a bare igraph_create."""
import os
import shutil
import subprocess

from measuring.collector import SPELLINGS, spellings_known
from measuring.numbers import spread
from measuring.peers import otf2_archive
from measuring.processes import Failed, Folder, alone, bytes_of, fail, reason, say, traces_of, under_mpi

CALLS_PER_ITERATION = 4  # of both ranks together; `self`, which the peer traces, has as many
OTF2 = "OTF2's C reader"


def write_traces(mpi, transform, iterations, folder):
    """Traces of one run per spelling, each in its own folder: {spelling: traces}."""
    written = {}
    for spelling in ('full', 'compact'):
        place = os.path.join(folder, spelling)
        if spelling in spellings_known(mpi):
            under_mpi(mpi, 2, [mpi['workload'], 'ping-pong', str(iterations)], HIERA_DIR=place, **SPELLINGS[spelling])
        else:
            respell(transform, os.path.join(folder, 'full'), spelling, place)
        written[spelling] = traces_of(place)
    return written


def respell(transform, source, spelling, place):
    command = [transform, '--quiet', source, '--export', f'{spelling}:{place}']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not traces_of(place):
        fail(' '.join(command), done.stdout + done.stderr)


def archive_of(mpi, folder, options, notes):
    try:
        return otf2_archive(mpi, options.analyser_iterations, os.path.join(folder, 'otf2'), options)
    except Failed as error:
        notes.append(f'{OTF2} left out: {reason(error)}')
        return None


def candidates(transform, traces, archive, options):
    """{row: command}; each lower bound comes before the row that it belongs to."""
    programs = {name: os.path.join(options.programs, f'{name}_floor') for name in ('sax', 'graph', 'otf2')}
    calls = CALLS_PER_ITERATION * options.analyser_iterations
    commands = {OTF2: [programs['otf2'], archive]} if archive else {}
    printer = shutil.which('otf2-print')
    if archive and printer:
        commands['otf2-print'] = ['/bin/sh', '-c', 'exec "$0" "$1" > /dev/null', printer, archive]
    for spelling, files in traces.items():
        commands[f'bare SAX2 parse, {spelling}'] = [programs['sax'], *files]
        commands[f'counts, {spelling}'] = [transform, '--measure', 'counts', '--output', '/dev/null', *files]
    commands['bare igraph_create'] = [programs['graph'], str(calls)]
    for spelling, files in traces.items():
        commands[f'walk-partners, {spelling}'] = [transform, '--measure', 'walk-partners', '--output', '/dev/null', *files]
    return {name: command for name, command in commands.items() if os.path.exists(command[0])}


def measure_analyser(mpi, transform, options, notes):
    say('analyser')
    runs = {}
    with Folder(options.folder) as folder:
        traces = write_traces(mpi, transform, options.analyser_iterations, folder)
        commands = candidates(transform, traces, archive_of(mpi, folder, options, notes), options)
        for _ in range(options.pairs):
            for name in list(commands):
                try:
                    runs.setdefault(name, []).append(alone(mpi['stopwatch'], commands[name]))
                except Failed as error:
                    notes.append(f'{name} left out: {reason(error)}')
                    runs.pop(name, None)
                    del commands[name]
        size = {spelling: bytes_of(os.path.join(folder, spelling)) for spelling in traces}
    calls = CALLS_PER_ITERATION * options.analyser_iterations
    rows = {name: {'seconds': spread([r[0] for r in rs]), 'mb': spread([r[1] for r in rs]),
                   'M calls/s': calls / 1e6 / spread([r[0] for r in rs])['median']} for name, rs in runs.items()}
    return {'calls': calls, 'bytes': size, 'rows': rows, 'graph': graph_only(runs)}


def graph_only(runs):
    """Seconds for matching, graph and walk: in each turn, walk-partners minus counts (which only reads)."""
    return {spelling: spread([w[0] - c[0] for w, c in zip(runs[f'walk-partners, {spelling}'], runs[f'counts, {spelling}'])])
            for spelling in ('full', 'compact') if f'walk-partners, {spelling}' in runs and f'counts, {spelling}' in runs}
