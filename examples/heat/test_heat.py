"""Runs versions of the heat equation on four ranks with its scripts: what was counted must be exact, and times are compared with what the program
sleeps. Use: test_heat.py MPIRUN HEAT HIERA_RUN EVENTS EVENTS_RUN MEANS MEANS_RUN VERSION…"""

import os
import shlex
import subprocess
import sys
import tempfile

mpirun, heat, hiera_run, events, events_run, means, means_run = [sys.argv[1], *(os.path.abspath(path) for path in sys.argv[2:8])]
transform = os.path.join(os.path.dirname(hiera_run), '..', 'transform', 'cli', 'hiera-transform')
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_rmaps_base_oversubscribe='1',
                   OMPI_MCA_mpi_yield_when_idle='1', HIERA_QUIET='1')
RANKS, STEPS, POINTS, DELAY_MS, WORK_NS = 4, 6, 1000, 20, 38000
WORK_MS = POINTS * WORK_NS * 1e-6
UNITS = {'s': 1000, 'ms': 1, 'µs': 1e-3, 'ns': 1e-6}
COUNTS = '''message::[receive] { @messages[&source, "->", &target] = count(); }  region::[stop]::heat { @steps[&rank] = count(); @mean[&rank] = avg(&duration); @shortest = min(&duration); }
            END { global_print(@steps); global_print(@messages); global_print(@mean); global_print(@shortest); }'''
RING = sorted(f'{rank} -> {(rank + way) % RANKS}' for rank in range(RANKS) for way in (1, RANKS - 1))
ALL = [str(rank) for rank in range(RANKS)]


def run(version, script, folder):
    """What one run printed: the lines of the script, and that of the program."""
    command = [hiera_run, '--dir', folder, '--probe', script, *shlex.split(mpirun), '-n', str(RANKS), heat, version, *map(str, (POINTS, STEPS, DELAY_MS, WORK_NS))]
    lines = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True, timeout=100).stdout.splitlines()
    own = [line for line in lines if line.startswith('heat: ')]
    assert len(own) == 1 and own[0].startswith(f'heat: {version}, {RANKS} ranks, {STEPS} steps, ') and own[0].endswith(' s, 0 wrong points'), lines
    return [line for line in lines if line not in own]


def ask(folder, script):
    return subprocess.run([transform, folder, '--probe', script], env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout.splitlines()


def tables(lines):
    """Aggregations: name -> key -> value. Times are in milliseconds."""
    found = {}
    for line in lines:
        words = line.split()
        if line.startswith('@'):
            table = found.setdefault(words[0].rstrip(':'), {})
            if line.endswith('nothing'):
                continue
            words = words[2:]
            if not words:
                continue
        value = float(words[-2]) * UNITS[words[-1]] if words[-1] in UNITS else int(words[-1])
        table[' '.join(words[:-2] if words[-1] in UNITS else words[:-1])] = value
    return found


def check_events(lines, version):
    """The order of what must follow each other; that of the middle and of messages depends on the machine."""
    happened = [line.split(maxsplit=1)[1].rsplit(maxsplit=1)[0] for line in sorted(lines, key=lambda line: float(line.split()[0]))]
    expected = ['start_heat', 'send to 0', 'send to 2', 'receive from 0', 'receive from 2', 'received_data', 'end_heat']
    if version == 'overlap':
        expected.append('finished_middle')
    assert sorted(happened) == sorted(expected), happened
    assert happened[0] == 'start_heat' and happened[-2:] == ['received_data', 'end_heat'], happened


def check_means(lines, sends_are_known):
    found = tables(lines)
    assert sorted(found) == ['@messages', '@steps'] and sorted(found['@steps']) == ALL, lines
    if sends_are_known: # a message may leave before its send has ended
        assert sorted(found['@messages']) == RING and min(found['@messages'].values()) > 0.9 * DELAY_MS, lines


def check_counts(lines, version):
    found = tables(lines)
    assert found['@steps'] == {rank: STEPS for rank in ALL} and found['@messages'] == {pair: STEPS for pair in RING}, lines
    # No rank begins before the first one, which therefore waits for each message as long as that takes. The others come late, and may wait less.
    if version == 'wait':
        assert max(found['@mean'].values()) > 0.9 * (DELAY_MS + WORK_MS), lines
    else:
        assert 0.99 * WORK_MS < found['@shortest'][''] < 0.9 * (DELAY_MS + WORK_MS), lines


for version in sys.argv[8:]:
    with tempfile.TemporaryDirectory() as folder:
        check_events(run(version, events, folder), version)
        check_events(ask(folder, events), version)
        check_means(ask(folder, means), True)
        check_counts(ask(folder, COUNTS), version)
    with tempfile.TemporaryDirectory() as folder:
        check_means(run(version, means, folder), False) # in the run no rank knows when the others sent, unless they share it
    with tempfile.TemporaryDirectory() as folder:
        check_means(run(version, means_run, folder), True)
    with tempfile.TemporaryDirectory() as folder:
        check_events(run(version, events_run, folder), version)
    with tempfile.TemporaryDirectory() as folder:
        check_counts(run(version, COUNTS, folder), version)
