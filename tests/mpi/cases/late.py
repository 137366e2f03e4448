"""Waiting with a delay that is known: the measures name its class, place, rank and cause."""

import csv
import io
import os
import subprocess

from expect.case import case
from expect.judgement import expect, expect_true

SHARE, BESIDE_S = 0.1, 0.002  # by which a wait may differ from what the program measured itself, on a busy machine


def delays(result):
    """Region -> how much later than the other one the late rank was ready, by the program's own clock."""
    ready = {}
    for line in result.out.splitlines():
        region, rank, seconds = line.split('|')
        ready.setdefault(region, {})[int(rank)] = float(seconds)
    return {region: abs(times[0] - times[1]) for region, times in ready.items()}


def measure(job, result, name):
    """The rows of a measure about the regions of late.c."""
    run = subprocess.run([os.path.abspath(job.transform), result.traces, '--measure', name, '--level', 'late', '--format', 'csv'],
                         capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


@case('late', ranks=[2], compact=[2], needs=['transform'])
def known_delays_are_found_with_their_class(job):
    """Each region is named after the class of its waiting; the part behind `, in wait` says in which call."""
    result = job.run().good()
    waits, causes = measure(job, result, 'waits'), measure(job, result, 'causes')
    known = delays(result)
    expect('regions', len(known), 13)
    for region, delay in known.items():
        waiting = '0' if region in ('late receiver', 'early reduce') else '1'
        longest = max((row for row in waits if row['operation'] == region), key=lambda row: float(row['time']), default=None)
        expect_true(longest is not None, f'{region}: no wait was found')
        expect(f'{region}: class and rank', (longest['class'], longest['processors']), (region.removesuffix(', in wait'), waiting))
        expect_true(abs(float(longest['time']) - delay) <= SHARE * delay + BESIDE_S, f'{region}: expected {delay} s, actual {longest["time"]} s')
        worst = max((row for row in causes if row['at'].startswith(region + ' ')), key=lambda row: float(row['time']))
        expect(f'{region}: cause and rank', (worst['operation'], worst['processors']), (region, '1' if waiting == '0' else '0'))
