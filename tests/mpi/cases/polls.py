"""Waiting in loops of tests and in probes, with a delay that is known: the measures name class, rank, cause and time."""

import csv
import io
import os
import subprocess

from expect.case import case
from expect.judgement import expect, expect_true

SHARE, BESIDE_S = 0.02, 200e-6  # by which a time may differ from what the program measured itself
RUNS = 10                       # at most; the host may spoil the time of a region, but not in all of them


def delays(result):
    """Region -> how much later than rank 1 rank 0 was ready, by the program's own clock."""
    ready = {}
    for line in result.out.splitlines():
        region, rank, seconds = line.split('|')
        ready.setdefault(region, {})[rank] = float(seconds)
    return {region: times['0'] - times['1'] for region, times in ready.items()}


def measure(job, result, name, ranks='0-1'):
    """The rows of a measure about the regions of polls.c."""
    run = subprocess.run([os.path.abspath(job.transform), result.traces, '--measure', name, '--level', 'late', '--ranks', ranks, '--format', 'csv'],
                         capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def longest(rows, region, column):
    return max((row for row in rows if row[column].split(' polls.c')[0] == region), key=lambda row: float(row['time']), default=None)


def difference(region, time, delay, between):
    """By how much a time is wrong. A probe takes the delay, a loop of tests takes it together with the time between the tests."""
    if ', in test' in region:
        expect_true(time > 0 and between > 0, f'{region}: {time} s in tests, {between} s between them')
        return abs(time + between - delay)
    if ', in iprobe' in region:
        expect_true(time > 0, f'{region}: {time} s in probes')
        return max(0, time - delay)
    return abs(time - delay)


@case('polls', ranks=[2], compact=[2], needs=['transform'])
def loops_of_tests_wait_for_the_late_rank(job):
    """Each region is named after the class of its waiting; the part behind `, in` says in which call."""
    found = {}
    for _ in range(RUNS):
        result = job.run(settings={'HIERA_BUFFER': '64M'}).good()  # a buffer that is written takes milliseconds of a region
        job.validate(result)
        waits, causes = measure(job, result, 'waits'), measure(job, result, 'causes')
        polling = {row['operation']: float(row['polling']) / int(row['requests']) for row in measure(job, result, 'overlap', '1')}
        known = delays(result)
        expect('regions', len(known), 8)
        for region, delay in known.items():
            wait, cause = longest(waits, region, 'operation'), longest(causes, region, 'at')
            expect_true(wait and cause, f'{region}: no wait or no cause was found')
            expect(f'{region}: class and rank', (wait['class'], wait['processors']), (region.split(', in ')[0], '1'))
            expect(f'{region}: cause and rank', (cause['operation'], cause['processors'], cause['delayed']), (region, '0', '1'))
            wrong = difference(region, float(wait['time']), delay, polling.get(region, 0))
            found.setdefault(region, []).append((wrong - SHARE * delay - BESIDE_S, wrong, delay))
        if all(min(times)[0] <= 0 for times in found.values()):
            break
    for region, times in found.items():
        expect_true(min(times)[0] <= 0, f'{region}: differs from the delay: {times}')
