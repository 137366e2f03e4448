"""HIERA_SYNC=1: how long ranks wait at barriers and in N x N collectives, measured in profiles."""

import os
import shutil
import subprocess

from cases import mixed
from cases.late import BESIDE_S, CLEAN_S, RUNS, SHARE, delay_of, measure, stamps
from expect.case import case, core_case
from expect.judgement import Skip, expect, expect_true

PROFILE = {'HIERA_MODE': 'profile', 'HIERA_SYNC': 1}
FUNCTIONS = {'barrier': 2, 'allgather': 1, 'allgatherv': 1, 'alltoall': 1, 'alltoallv': 2, 'alltoallw': 1, 'reduce_scatter': 1, 'reduce_scatter_block': 1}
CLASSES = ('wait at barrier', 'wait at N x N')  # how the program delays completions does not work where ranks leave together
OFF = 'HIERA_SYNC has no effect: only {} of 4 ranks run with it'
OTHER_HOST = ['unshare', *([] if os.getuid() == 0 else ['--map-root-user']), '--uts', '--time', '--monotonic', '1000', '--boottime', '1000',
              'sh', '-c', 'hostname otherhost && exec "$@"', 'sh']  # a command behind it has another host name, and clocks that are 1000 s ahead
ALONE = 1  # allreduce on MPI_COMM_SELF, which waits for nobody


def waits(trace, of='members'):
    """(operation, element of its waits) in the order of the file."""
    return [(e, e.find(f'hieraWait[@of="{of}"]')) for _, e in trace.operations()]


def measured(trace):
    """Operation -> (calls, calls for which the waiting is known)."""
    found = {}
    for call, wait in waits(trace):
        if wait is not None:
            calls, known = found.get(call.get('operation'), (0, 0))
            found[call.get('operation')] = (calls + int(call.get('calls')), known + int(wait.get('calls')))
    return found


def check_each(name, trace):
    """No call waits longer than it lasts, and what is said of waits is true of their bins."""
    for of in ('members', 'completion'):
        for call, wait in waits(trace, of):
            if wait is None:
                continue
            bins = dict(map(int, word.split(':')) for word in wait.get('bins').split())
            expect(f'{name}: calls in bins', sum(bins.values()), int(wait.get('calls')))
            expect(f'{name}: calls that wait', int(wait.get('calls')) - bins.get(0, 0), int(wait.get('count')))
            expect_true(float(wait.get('time')) <= float(call.get('time')), f'{name}: {call.get("operation")} waits longer than it lasts')


def difference(trace, known_s):
    """By how much the waiting of the second barrier differs from what the program knows, as a part of what may be."""
    wait = [wait for call, wait in waits(trace) if call.get('operation') == 'barrier'][1]
    return abs(float(wait.get('time')) - known_s) / (SHARE * known_s + BESIDE_S)


@case('together', ranks=[4], needs=['transform'], smoke=True)
def collectives_in_every_way_are_measured(job):
    differences = []
    for _ in range(RUNS):
        result = job.run(preload=job.library, settings=PROFILE).good()
        expect('messages', result.messages(), [])
        known = dict(line.split() for line in result.out.splitlines())
        traces = result.valid(job.ranks)
        for rank, trace in enumerate(traces):
            check_each(f'rank {rank}', trace)
            found = measured(trace)
            calls, n = found.pop('allreduce')
            expect(f'rank {rank}: calls', {name: n for name, (n, _) in found.items() if name != 'barrier'}, {name: n for name, n in FUNCTIONS.items() if name != 'barrier'})
            expect(f'rank {rank}: calls with known waits', [known for _, known in found.values()], [n for n, _ in found.values()])
            expect_true(0.9 * (calls - ALONE) <= n <= calls - ALONE, f'rank {rank}: waiting of {n} of {calls} allreduces is known')  # one second is the limit
        differences.append([round(difference(trace, float(known[str(rank)])), 2) for rank, trace in enumerate(traces)])
        if max(differences[-1]) < 1:
            return
    expect_true(False, f'waits differ from those that the program knows: {differences}')


@case('together', ranks=[4], mpi=['openmpi'])
def nothing_is_exchanged_unless_all_ranks_do_so(job):
    for traced, of_rank, n in ((range(4), {2: {'HIERA_SYNC': 0}}, 3), (range(3), {}, 3), (range(4), {1: {'HIERA_MODE': 'trace'}}, 3)):
        result = mixed.run(job, traced, 'brief', settings=PROFILE, of_rank=of_rank).good()
        expect_true(any(OFF.format(n) in line for line in result.messages()) and len(result.messages()) == 1, f'one message: {result.messages()}')
        expect('waits', [wait for rank in traced for _, wait in waits(result.trace(rank)) if wait is not None], [])


def check_delays(job, run):
    """As in a trace (cases/late.py): the same class, and the time of the best run. `run` gives the result of a run."""
    differences = {}
    for _ in range(RUNS):
        result = run().good()
        rows, known = measure(job, result, 'waits'), stamps(result)
        regions = {region: ready for region, ready in known.items() if region.split(' / ')[0] in CLASSES and region.split(' / ')[1:] == ['blocking', 'world']}
        expect('forms', len(regions), len(CLASSES))
        for region, ready in regions.items():
            delay, name = delay_of(region, ready), region.split(' / ')[0]
            if not CLEAN_S[0] < delay < CLEAN_S[1]:
                continue
            row = next(row for row in rows[region] if row['class'] == name)
            rank, _, line = ready['waits']
            expect(f'{region}: place', (row['file'], row['line']), ('late_calls.c', line))
            expect_true(str(rank) in row['processors'], f'{region}: rank {rank} is not in {row["processors"]}')
            differences.setdefault(region, []).append(abs(float(row['time']) - delay) / (SHARE * delay + BESIDE_S))
        if len(differences) == len(CLASSES) and all(min(each) < 1 for each in differences.values()):
            return
    expect_true(False, f'waits differ from the delays, as parts of what may be: {differences}')


@core_case('late', ranks=[2], needs=['transform'])
def known_delays_are_measured_in_a_profile(job):
    check_delays(job, lambda: job.run(settings=PROFILE))


def on_other_host():
    """What stands before a command on another host."""
    if not shutil.which('unshare') or subprocess.run([*OTHER_HOST, 'true'], capture_output=True, check=False).returncode:
        raise Skip('this system gives no process a host name and clocks of its own')
    return OTHER_HOST


@core_case('late', ranks=[2], needs=['transform'])
def known_delays_are_measured_between_hosts(job):
    other = on_other_host()

    def run():
        result = job.run_apps([[job.program], [*other, job.program]], settings=PROFILE)
        expect('hosts', len({trace.root.get('host') for trace in result.valid(2)}), 2)
        return result

    check_delays(job, run)
