"""Traces in full and in compact spelling have the same content."""

import collections

from expect.case import case
from expect.judgement import expect, expect_true
from expect.trace import TIMED, validate

DECLARED_MAX = 16  # declarations of one call site


def calls(trace):
    return [(depth, e.tag, {k: v for k, v in e.items() if k not in ('start_time', 'finish_time')}) for depth, e in trace.walk() if e.tag in TIMED]


@case('variants', smoke=True)
def compact_and_full_traces_agree(job):
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


def same_in_auto(job, arguments, operation):
    """The trace is as long as the spelling needs to change; its calls are those of a trace in full. Return how many calls of an operation are
    in full."""
    traces = [job.run(*arguments, settings={'HIERA_FORMAT': spelling}).good() for spelling in ('full', 'auto')]
    validate([result.path(0) for result in traces])
    wanted, found = (calls(result.trace(0)) for result in traces)
    expect('calls', len(found), len(wanted))
    for i, (expected, actual) in enumerate(zip(wanted, found)):
        expect(f'call {i}', actual, expected)
    with open(traces[1].path(0), encoding='utf-8') as file:
        text = file.read()
    place = text.index('<hieraCall ')
    print(f'{text.count(chr(10) + "<c ")} of {len(found)} calls are compact; the first declaration is at byte {place:,}')
    expect_true(4 << 20 <= place < 6 << 20, f'the first declaration is at byte {place}')
    return text.count(f' operation="{operation}" file=', 0, place)


@case('many', ranks=[1], smoke=True)
def long_traces_become_compact(job):
    """Three regions are open all the time, and one while the spelling changes. Distances of requests count from the last one in full spelling."""
    full = same_in_auto(job, [], 'barrier')
    expect_true(10000 < full < 20000, f'{full} barriers in full')


@case('stress', ranks=[1])
def requests_of_long_traces_agree(job):
    """The file of a thread changes its spelling too. The requests are too far from the first one for a distance from it."""
    full = same_in_auto(job, ['requests', 1, 8000], 'isend')
    expect_true(4000 < full < 8000, f'{full} sends in full')


def of_operation(lines, operation):
    """Return the number of declarations of an operation, and the later half of the calls that refer to them."""
    ids = {line.split('"')[1] for line in lines if line.startswith('<hieraCall ') and f' operation="{operation}"' in line}
    calls_ = [line for line in lines if line.startswith('<c ') and line.split('"')[1] in ids]
    expect(f'calls of {operation}', len(calls_), 800)
    return len(ids), calls_[400:]


@case('alike', smoke=True)
def repeated_calls_are_declared_once(job):
    """In `many` of alike.c, 60 different sends with tag 7 are repeated; the other sends are all different. Regions are always repeated."""
    result = job.run(settings={'HIERA_FORMAT': 'compact'}).good()
    with open(result.path(0), encoding='utf-8') as file:
        lines = file.read().split('\n')
    for operation, wanted in (('send', 200), ('again', 400)):
        declared, late = of_operation(lines, operation)
        again = [line for line in late if ' tag="1' not in line]
        told = sum(line.count('=') > 3 for line in again)
        print(f'{operation}: {declared} declarations; of {len(late)} later calls {len(again)} come again, {told} of them are told by differences')
        expect_true(abs(len(again) - wanted) < 10, f'{operation}: {len(again)} later calls come again')
        expect_true(told < len(again) // 8, f'{operation}: {told} of {len(again)} calls that came before are told by differences')
        expect_true(declared <= DECLARED_MAX + 60, f'{operation}: {declared} declarations of 60 calls that come again')
