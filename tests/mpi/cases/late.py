"""Waiting with a delay that is known: the measures name its class, place, rank and cause."""

import csv
import io
import os
import subprocess

from expect.case import case
from expect.judgement import Failure, expect, expect_true

# The program's own stamps are the truth. Nothing but the time between a stamp and its call is in between.
SHARE, BESIDE_S = 0.02, 50e-6
CLEAN_S = (0.01, 0.1)  # a delay that the host has not spoiled: the rank that waits was not late itself, nor the other one far too late
RUNS = 4               # at most; a region is judged in all runs in which it is clean, by the best of them

# Forms of late.c: classes × (blocking, non-blocking, persistent) in the world, and those that exist in an intercommunicator. Open MPI 4.1 has no
# persistent collectives.
FORMS = {('openmpi', 2): 27 + 19, ('openmpi', 3): 27, ('mpich', 2): 33 + 23, ('mpich', 3): 33}
COMPLETIONS = {'barrier completion': 'wait at barrier', 'N x N completion': 'wait at N x N'}  # and what ranks wait for before


def stamps(result):
    """Region -> {'late' or 'waits': (rank, seconds, line)}."""
    known = {}
    for text in result.out.splitlines():
        region, role, rank, seconds, line = text.split('|')
        known.setdefault(region, {})[role] = (rank, float(seconds), line)
    return known


def measure(job, result, name):
    """Region -> rows of a measure."""
    run = subprocess.run([os.path.abspath(job.transform), result.traces, '--measure', name, '--format', 'csv'], capture_output=True, text=True, check=True)
    regions = {}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        regions.setdefault(row['path'].split(' late.c:')[0], []).append(row)
    return regions


def delay_of(region, known):
    """A completion is after the late rank has left."""
    delay = known['late'][1] - known['waits'][1]
    return -delay if region.split(' / ')[0] in COMPLETIONS else delay


def longest(rows):
    return max(rows, key=lambda row: float(row['time']))


def judge(region, delay, known, waits, causes):
    """Compare class, rank, line and cause. Return by how much the time differs from the delay."""
    name = region.split(' / ')[0]
    waits = [row for row in waits if row['class'] == name or row['class'] not in COMPLETIONS]  # a busy host makes others
    (late, _, late_line), (waiting, _, line) = known['late'], known['waits']
    expect(f'{region}: classes', {row['class'] for row in waits if float(row['time']) > delay / 4}, {name, COMPLETIONS.get(name, name)})
    wait = longest(row for row in waits if row['class'] == name)
    place = f'{wait["operation"]} late_calls.c:{line}'
    expect(f'{region}: rank and place', (wait['processors'], wait['file'], wait['line'], wait['count']), (waiting, 'late_calls.c', line, '1'))
    if name not in COMPLETIONS:  # a completion is MPI's own affair
        expect_true(causes, f'{region}: no cause was found')
        cause = longest(causes)
        expect(f'{region}: cause', (cause['class'], cause['at'], cause['delayed'], cause['processors'], cause['file'], cause['line'], cause['operation'][:7]),
               (name, place, waiting, late, 'late_calls.c', late_line, 'before '))
    return abs(float(wait['time']) - delay)


@case('late', ranks=[2, 3], compact=[2], needs=['transform'])
def known_delays_are_found_with_their_class(job):
    """A region is named `class / form / where`. The host may spoil a delay, and on a busy machine what comes before it: then it is tried again."""
    differences = {}
    for _ in range(RUNS):
        result = job.run().good()
        # among others: no rank waits longer than its calls last, and the causes of each wait add up to it; messages in the wrong order need buffers
        unlike = [line for line in job.findings(result, None) if 'warning: would deadlock without buffering: ' not in line]
        expect('findings', unlike, [])
        waits, causes = measure(job, result, 'waits'), measure(job, result, 'causes')
        known = stamps(result)
        expect('forms', len(known), FORMS[job.mpi, job.ranks])
        for region, ready in known.items():
            delay = delay_of(region, ready)
            if CLEAN_S[0] < delay < CLEAN_S[1]:
                try:
                    difference = judge(region, delay, ready, waits.get(region, []), causes.get(region, []))
                    answer = (difference > SHARE * delay + BESIDE_S, difference, delay, '')
                except Failure as failure:
                    answer = (True, delay, delay, str(failure))
                differences.setdefault(region, []).append(answer)
        if all(region in differences and not min(differences[region])[0] for region in known):
            break
    for region in known:
        expect_true(region in differences, f'{region}: no clean delay in {RUNS} runs')
        expect_true(not min(differences[region])[0], f'{region}: another answer, or it differs from the delay: {differences[region]}')
