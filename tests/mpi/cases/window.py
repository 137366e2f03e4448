"""HIERA_MODE=window: the last part of a run alone, on ranks that begin at different places."""

import collections
import os

from expect import partners
from expect.case import case, core_case
from expect.judgement import expect, expect_true

BUFFER = {'HIERA_BUFFER': '128k', 'HIERA_FILTER': ''}
SENDS = {'send': ('dest', 'tag'), 'ssend': ('dest', 'tag'), 'isend': ('dest', 'tag'), 'sendrecv': ('dest', 'stag')}
PERSISTENT = '30'


def begins(trace):
    """Elements of the main thread that come behind hieraSince; all, if the trace has none."""
    elements = [e for _, e in trace.walk()]
    tags = [e.tag for e in elements]
    return elements[tags.index('hieraSince') + 1:] if 'hieraSince' in tags else elements


def channels(trace):
    """{(attribute, comm, peer, tag): messages before}"""
    return {(side, e.get('comm'), int(e.get(side)), e.get('tag')): int(e.get('count'))
            for e in trace.root.iter('hieraChannel') for side in ('dest', 'rem') if e.get(side)}


def messages(trace, rank):
    """What the rank has sent and received in its window: counts of (comm, from, to, tag, bytes), since no two messages of a channel
    have the same size; but persistent ones."""
    sent, received, posted = collections.Counter(), collections.Counter(), {}
    for e in begins(trace):
        name, comm = e.get('operation'), e.get('comm')
        if e.tag != 'hieraMPI':
            continue
        if name in SENDS and e.get('dest') != 'MPI_PROC_NULL':
            dest, tag = (e.get(key) for key in SENDS[name])
            sent[comm, rank, int(dest), tag, int(e.get('bytes'))] += 1
        if name == 'sendrecv':
            received[comm, int(e.get('rem')), rank, e.get('rtag'), int(e.get('rbytes'))] += 1
        if name == 'mprobe':
            posted[e.get('message')] = (comm, int(e.get('rem')), rank, e.get('tag'))
        if name == 'mrecv' and e.get('message') in posted:
            received[(*posted[e.get('message')], int(e.get('bytes')))] += 1
        if name == 'irecv':
            posted[e.get('request')] = comm
        for request, source, tag, size in zip(*((e.get(key) or '').split(' ') for key in ('requests', 'sources', 'tags', 'sizes'))):
            if request in posted and size not in ('', '-'):
                received[posted[request], int(source), rank, tag, int(size)] += 1
    return sent, received


def starts(trace, size, rank):
    """Range of numbers of the persistent messages of the window: of those sent and those received."""
    n, before = len([e for e in begins(trace) if e.get('operation') == 'startall']), channels(trace)
    first = [next((count for (side, _, _, tag), count in before.items() if side == which and tag == PERSISTENT), 0) for which in ('dest', 'rem')]
    return [(rank, (rank + 1) % size, first[0], first[0] + n), ((rank - 1) % size, rank, first[1], first[1] + n)]


def pairs(traces):
    """How many messages have both ends in the windows of their ranks."""
    sent, received, sends, receives = collections.Counter(), collections.Counter(), {}, {}
    for rank, trace in enumerate(traces):
        here = messages(trace, rank)
        sent, received = sent + here[0], received + here[1]
        for ranges, (a, b, first, last) in zip((sends, receives), starts(trace, len(traces), rank)):
            ranges[a, b] = (first, last)
    both = sum((sent & received).values())
    return both + sum(max(0, min(sends[key][1], receives[key][1]) - max(sends[key][0], receives[key][0])) for key in sends)


def run(job, *arguments, **options):
    mode, more = options.pop('mode', 'window,limit=450k'), options.pop('more', {})
    return job.run(*arguments, settings=dict(BUFFER, HIERA_MODE=mode, **more), **options)


@core_case('window', ranks=[2], compact=[4], zstd=[1], needs=['transform'], smoke=True)
def windows_match_as_the_whole_does(job):
    """Sizes that differ would be errors."""
    steps = {1: 1200, 2: 700}.get(job.ranks, 400)
    result = run(job, steps, mode='window,limit=150k' if job.format == 'compact' else 'window,limit=450k').good()
    result.valid(job.ranks)
    traces = [result.trace(rank) for rank in range(job.ranks)]
    expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])
    expect_true(all(float(trace.root.get('since')) > float(trace.root.get('init')) for trace in traces), 'all traces begin later')
    rows = job.conservation(result)
    matched = [(row[0] + row[1] - row[2]) // 2 for row in rows.values()]
    expect('messages with both ends in the windows', sum(matched), pairs(traces))
    expect_true(sum(matched) > 0, 'some are')
    expect('names of open regions', [e.get('operation') for e in traces[0].root.iter('hieraRegion')][0], 'all steps')
    expect('hidden files', [name for name in os.listdir(result.traces) if name.endswith('.part')], [])


@core_case('drawn', ranks=[2], needs=['transform'])
def windows_have_the_partners_of_the_whole(job):
    """The same calls twice. By hand: HIERA_TEST_SEEDS=100 tries as many draws, and four ranks are more than two."""
    for seed in range(1, int(os.environ.get('HIERA_TEST_SEEDS', 1)) + 1):
        whole = job.run(400, seed, settings={'HIERA_FILTER': ''}).good()
        window = run(job, 400, seed, mode='window,limit=300k').good()
        traces = window.valid(job.ranks)
        partners.check(job, whole, window, traces)
        expect('errors', [line for line in job.findings(window) if 'note: ' not in line], [])


@case('window', ranks=[2], mpi=['openmpi'], needs=['transform'])
def windows_have_the_time_that_they_are_to_have(job):
    """… and a file for each rank, whatever is set."""
    result = run(job, 3000, mode='window,last=50ms', more={'HIERA_CONTAINER': 'node', 'HIERA_FOLD': 'statistics'}).good()
    expect('messages', sorted(line.split(';')[0] for line in result.messages()), ['hiera: HIERA_CONTAINER has no effect with HIERA_MODE=window: each rank has a file of its own',
                                                                                  'hiera: HIERA_FOLD: statistics: it has no effect with HIERA_MODE=window'])
    expect('containers', [name for name in os.listdir(result.traces) if name.endswith('.hiera')], [])
    for rank in range(job.ranks):
        root = result.trace(rank).root
        expect_true(float(root.get('finalize')) - float(root.get('since')) >= 0.05, f'rank {rank} has the last 50 ms')
    expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])


@case('window', ranks=[2], mpi=['mpich'], needs=['transform'])
def windows_survive_a_kill(job):
    """Each rank kills itself."""
    result = run(job, 1500, 'kill')
    for rank in range(job.ranks):
        expect_true(result.trace(rank).root.get('since'), f'rank {rank} begins later')
        expect('bytes', os.path.getsize(result.path(rank)) < 600_000, True)
    expect('errors', [line for line in job.findings(result, None) if 'error: ' in line and 'has no match' not in line], [])


@case('window', ranks=[1], mpi=['openmpi'])
def windows_take_over_when_files_become_no_longer(job):
    result = run(job, 3000, 'short', mode='window,limit=900k').good()
    result.valid(1)
    trace = result.trace(0)
    expect('lost', trace.lost(), {})
    expect('last call', [e.get('operation') for e in begins(trace) if e.tag == 'hieraMPI'][-1], 'finalize')


@core_case('stress', ranks=[2], needs=['transform'], title='windows of {program} match')
def windows_of_threads_match(job):
    """What threads send at the same time may be paired in any order, but nothing is an error."""
    result = run(job, 'ranks', 3, 1500, mode='window,limit=300k')
    result.valid(job.ranks)
    expect('errors', [line for line in job.findings(result, None) if 'error: ' in line], [])
