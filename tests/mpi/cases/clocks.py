"""Clocks of several hosts: corrected times agree with the true times, within the error that the traces state.

One machine pretends to be several hosts (hosts.c). The program writes the true time of some moments into its trace."""

import os
import re
import time

from expect.case import case, core_case
from expect.judgement import expect, expect_true
from expect.trace import Trace, validate

# Error of each host's clock at the start in nanoseconds, and its drift in parts per million. Host 0 has the clock of the job; it is wrong too.
CLOCKS = [(5_000_000_000, 2000), (-3_000_000_000, 50_000), (1_234_567_890_123, -50_000), (777, 1000)]
# Host of each rank. Ranks of one host are not neighbours. With three and four hosts, one of them is compared with the first only indirectly.
HOSTS = {2: [0, 1], 4: [0, 1, 0, 2], 5: [0, 1, 2, 3, 1]}
ROUNDING = 100e-9
# A buffer that becomes full before MPI_Init when it has doubled to 8.3 MB: twice as much is more than it may be.
EARLY = {'HIERA_BUFFER': '132k', 'HIERA_FORMAT': 'full'}
CORRECTION = re.compile(r' clock_(offset|drift)="[^"]*"')


class World:
    """Runs of the program on hosts whose clocks are wrong."""

    def __init__(self, job, hosts=None):
        self.job, self.hosts, self.base = job, hosts or HOSTS[job.ranks], time.monotonic_ns()
        self.settings = {'HIERA_TEST_BASE': self.base, 'HIERA_FILTER': '',
                         'HIERA_TEST_CLOCKS': ' '.join(f'{h},{CLOCKS[h][0]},{CLOCKS[h][1]}' for h in self.hosts)}

    def run(self, *arguments, settings=None, **options):
        options.setdefault('preload', self.job.hosts)
        return self.job.run(*arguments, settings={**self.settings, **(settings or {})}, **options)

    def jobs_clock(self, true_ns):
        """The true time as seconds on the clock of host 0."""
        offset, ppm = CLOCKS[0]
        return (true_ns + offset + (true_ns - self.base) * ppm / 1e6) / 1e9

    def drift(self, rank):
        return (1e6 + CLOCKS[0][1]) / (1e6 + CLOCKS[self.hosts[rank]][1]) - 1


def number(trace, name):
    return float(trace.root.get(name) or 0)


def corrected(trace, t):
    """A time of the trace on the clock of the job, computed as docs/format.md says."""
    init, finalize = number(trace, 'init'), number(trace, 'finalize')
    return t + number(trace, 'clock_offset') + number(trace, 'clock_drift') / 1e6 * (min(max(t, init), finalize) - init)


def moments(world, trace):
    """[(time in the trace, earliest and latest possible time on the job's clock)]"""
    found = []
    for element in trace.all('hieraRegion', operation='moment'):
        true = dict(word.split('=') for word in element.find('hieraRegion').get('args').split())
        found.append((float(element.get('start_time')), world.jobs_clock(int(true['before'])), world.jobs_clock(int(true['after']))))
    expect_true(len(found) > 10, f'{trace.path}: {len(found)} moments')
    return found


def check_moments(world, traces):
    """Rank 0 defines time zero of the job. Corrected times of the other ranks must lie within their limits."""
    zeros = [(earliest - corrected(traces[0], t), latest - corrected(traces[0], t)) for t, earliest, latest in moments(world, traces[0])]
    low, high = max(z[0] for z in zeros) - ROUNDING, min(z[1] for z in zeros) + ROUNDING
    expect_true(low <= high, f'the moments of rank 0 have no common zero: {low} > {high}')
    for trace in traces[1:]:
        error = 1.1 * number(trace, 'clock_error') + ROUNDING  # the error was measured by a clock that is wrong itself
        for t, earliest, latest in moments(world, trace):
            found = corrected(trace, t)
            expect_true(earliest - high - error <= found <= latest - low + error,
                        f'{trace.path}: {t} is corrected to {found}, expected {earliest - high} … {latest - low} ± {error}')


def check_header(world, rank, trace):
    if world.hosts[rank] == world.hosts[0]:
        expect(f'rank {rank}: error, drift', (trace.root.get('clock_error'), trace.root.get('clock_drift')), ('0.000000000', None))
        return
    times = [t for t, _, _ in moments(world, trace)]
    drift, allowed = number(trace, 'clock_drift') / 1e6, 2.2 * number(trace, 'clock_error') / (times[-1] - times[0])
    expect_true(allowed > 0, f'rank {rank}: no error')
    expect_true(abs(drift - world.drift(rank)) <= allowed,
                f'rank {rank}: drift: expected {world.drift(rank)} ± {allowed}, actual {drift}')


def check_validation(job, result, errors):
    found = job.findings(result, 1 if errors else 0)
    expect_true(bool(found) == errors and all('the clocks should agree' in line for line in found), f'--validate: {found}')


def forget_correction(result, rank):
    """Remove drift and error from a trace, as if the clocks had been compared only at the start."""
    with open(result.path(rank), encoding='utf-8') as file:
        text = file.read()
    text = re.sub(r' clock_error="[^"]*"', ' clock_error="0"', CORRECTION.sub('', text, count=2))
    with open(result.path(rank), 'w', encoding='utf-8') as file:
        file.write(text)


@core_case('clocks', ranks=[2, 4, 5], smoke=True)
def clocks_of_hosts_are_corrected(job):
    world = World(job)
    result = world.run(0.25).good()
    traces = result.valid(job.ranks)
    clocks = dict(zip(world.hosts, (trace.root.get('clock') for trace in traces)))
    expect('clocks', len(set(clocks.values())), len(clocks))
    for rank, trace in enumerate(traces):
        expect(f'clock of rank {rank}', trace.root.get('clock'), clocks[world.hosts[rank]])
        check_header(world, rank, trace)
    check_moments(world, traces)
    check_validation(job, result, errors=False)
    for rank in range(job.ranks):
        forget_correction(result, rank)
    check_validation(job, result, errors=True)


@case('clocks', ranks=[2])
def clocks_are_compared_if_another_tool_hides_finalize(job):
    world = World(job)
    result = world.run(0.05, preload=f'{job.beside(f"libtest-keeping-tool-{job.mpi}.so")}:{job.hosts}').good()
    for rank, trace in enumerate(result.valid(job.ranks)):
        check_header(world, rank, trace)


@core_case('clocks', ranks=[2])
def job_killed_before_finalize_has_no_drift(job):
    world = World(job)
    result = world.run(0, 'die')
    validate([result.path(rank) for rank in range(job.ranks)])
    for rank, host in enumerate(world.hosts):
        root = Trace(result.path(rank)).root
        expect(f'rank {rank}: finalize, drift', (root.get('finalize'), root.get('clock_drift')), ('', None))
        expect_true((float(root.get('clock_error')) > 0) == (host != 0), f'rank {rank}: clock_error {root.get("clock_error")}')


def forget_early(path):
    """Of the regions before MPI_Init the first one stays."""
    with open(path, encoding='utf-8') as file:
        lines = file.readlines()
    early = [line for line in lines if 'operation="early"' in line]
    expect('early regions', len(early), 9000)
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines([line for line in lines if 'operation="early"' not in line or line is early[0]])


@core_case('clocks', ranks=[2])
def trace_begun_before_mpi_init_is_corrected(job):
    """Times of such a trace count from the start of its process; the header has the difference to the clock of the job."""
    for hosts in ([0] * job.ranks, HOSTS[job.ranks]):
        world = World(job, hosts)
        result = world.run(0, 'early', settings=EARLY).good()
        for rank in range(job.ranks):
            forget_early(result.path(rank))
        traces = [result.trace(rank) for rank in range(job.ranks)]
        expect_true(all(float(t.all('hieraRegion', operation='early')[0].get('start_time')) < 0.5 for t in traces), 'no early regions')
        expect_true(any(number(t, 'clock_offset') != 0 for t in traces), 'all processes started at the same time')
        check_moments(world, traces)


@core_case('clocks', ranks=[5])
def clocks_are_compared_without_ranks_that_do_not_record(job):
    """Rank 1 is the first rank of its host, and does not record. The job must end, so nobody may wait for it."""
    world = World(job)
    script = '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && export HIERA_ENABLED=0; exec "$@"'
    result = world.run('-c', script, 'sh', job.program, 0, program='/bin/sh').good()
    expect('trace of rank 1', os.path.exists(result.path(1)), False)
    check_moments(world, [result.trace(rank) for rank in range(job.ranks) if rank != 1])


def communication(job, hosts, **settings):
    """(calls, bytes) of each rank by function, those of the program included."""
    result = World(job, hosts).run(0, settings={'HIERA_TEST_COUNT': 1, **settings}).good()
    found = re.findall(r'^hosts: (.*)$', result.err, re.M)
    expect('ranks that count', len(found), job.ranks)
    return [{name: (int(calls), int(n)) for name, calls, n in re.findall(r'(\w+)=(\d+):(\d+)', line)} for line in found]


def added(job, hosts):
    """What each rank calls because of Hiera."""
    without = communication(job, hosts, HIERA_ENABLED=0)
    expect('ranks are alike without Hiera', [rank for rank in without if rank != without[0]], [])
    return [{name: (calls - without[0][name][0], n - without[0][name][1]) for name, (calls, n) in rank.items() if (calls, n) != without[0][name]}
            for rank in communication(job, hosts)]


# Start and end of a job on one host: the members, whose the folder is, clocks, errors of the start, all are there, all go on; errors of the end.
ONE_HOST = {'Comm_dup': (1, 0), 'Bcast': (1, 24), 'Allreduce': (4, 8 + 32 + 32 + 32), 'Reduce': (2, 8), 'Barrier': (2, 0)}


@core_case('clocks', ranks=[2, 4])
def start_and_end_take_few_collectives(job):
    """Their number, and the bytes that a rank gives, do not depend on the number of ranks: what they cost is logarithmic. No rank sends
    messages, which a root would get from all."""
    for rank in added(job, [0] * job.ranks):
        expect('one host', rank, ONE_HOST)


@core_case('clocks', ranks=[2, 4])
def clocks_of_several_hosts_need_messages_of_their_leaders(job):
    """Ranks of a host are found in two steps, of which the second one needs no message on a host with one rank; then the leaders."""
    hosts = HOSTS[job.ranks]
    several = added(job, hosts)
    for rank in several:
        expect('gathers', [name for name in rank if name in ('Gather', 'Allgather')], [])
    expect('splits', sorted(rank['Comm_split'][0] for rank in several), sorted(3 if hosts.count(host) > 1 else 2 for host in hosts))
    expect_true(any('Send' in rank for rank in several), f'messages: {several}')
