"""The spellings of a trace say the same."""

import collections

from hiera_job import TIMED, expect, expect_true

DECLARED_MAX = 16  # of a call site, and what it is


def calls(trace):
    return [(depth, e.tag, {k: v for k, v in e.items() if k not in ('start_time', 'finish_time')}) for depth, e in trace.walk() if e.tag in TIMED]


def compact_says_the_same(job):
    full = job.run(settings={'HIERA_FILTER': '', 'HIERA_FORMAT': 'full'}).good()
    for compress in ('none', 'zstd'):
        compact = job.run(settings={'HIERA_FILTER': '', 'HIERA_FORMAT': 'compact', 'HIERA_COMPRESS': compress}).good()
        for a, b in zip(full.valid(job.ranks), compact.valid(job.ranks)):
            wanted, found = calls(a), calls(b)
            expect('calls', len(found), len(wanted))
            for i, (expected, actual) in enumerate(zip(wanted, found)):
                expect(f'call {i}', actual, expected)
    with open(compact.path(0), encoding='utf-8') as file:
        lines = file.read().split('\n')
    declared = [line for line in lines if line.startswith('<hieraCall ')]
    places = collections.Counter(line.split(' file="')[0].split('" ', 1)[1] + line.split(' file="')[1].split('"')[2] for line in declared)
    used = sum(line.startswith('<c ') for line in lines)
    print(f'{used} calls refer to {len(declared)} declarations')
    expect_true(used > 15 * len(declared), f'{used} calls, {len(declared)} declarations')
    expect_true(max(places.values()) <= 6 * DECLARED_MAX, f'declarations of a place: {places.most_common(3)}')


CASES = {'compact_says_the_same': compact_says_the_same}
