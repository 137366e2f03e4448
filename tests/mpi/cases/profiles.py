"""HIERA_MODE=profile: sums instead of single operations."""

from cases import asserting
from cases.guest import BUFFER, ended
from expect import profiles
from expect.case import case, core_case
from expect.judgement import expect, expect_true
from expect.trace import TIMED, validate

SUMS = '{program} profile has the sums of the trace'
PROFILE = {'HIERA_MODE': 'profile', 'HIERA_FILTER': ''}


def differences(trace, profile):
    expected, actual = profiles.sums_of(trace), profiles.sums_of(profile)
    return [f'{path}\n  traced: {expected.get(path)}\n  summed: {actual.get(path)}'
            for path in sorted({*expected, *actual}) if expected.get(path) != actual.get(path)]


@case('p2p', ranks=[1, 2, 4], zstd=[2], smoke=True, title=SUMS)
@core_case('collectives', 'comms', ranks=[4], title=SUMS)
@core_case('rma', 'nbcoll', 'io', 'completion', ranks=[2], title=SUMS)
@core_case('regions', 'threads', title=SUMS)
@core_case('roles', ranks=[3], title=SUMS)
def profile_has_the_sums_of_the_trace(job):
    """The program does the same in both runs. Times differ, counts and bytes do not."""
    traced = job.run(settings={'HIERA_FILTER': ''}).good()
    summed = job.run(settings=PROFILE).good()
    summed.valid(job.ranks)
    for rank in range(job.ranks):
        expect(f'rank {rank}: paths that differ', '\n'.join(differences(traced.trace(rank), summed.trace(rank))), '')


def calls(trace, operation):
    """(calls, calls that have not ended) of all nodes of this operation."""
    found = trace.all(operation=operation) + trace.all('hieraRegion', operation=operation)
    return tuple(sum(int(e.get(name) or 0) for e in found) for name in ('calls', 'open'))


def summed(job, *arguments, **options):
    result = job.run(*arguments, settings=dict(BUFFER, HIERA_MODE='profile'), **options)
    validate([result.path(0)])
    trace = result.trace(0)
    trace.check_sound()
    return result, trace


@core_case('guest')
def ends_keep_the_profile(job):
    for what, arguments, end in (('signal', ['signalled', 15], ('signal', '15', 'SIGTERM')), ('fault', ['faults', 0], ('signal', '11', 'SIGSEGV'))):
        result, trace = summed(job, *arguments, direct=True)
        expect(f'{what}: status', -result.code, int(end[1]))
        expect(f'{what}: end', ended(trace), end)
        expect(f'{what}: barriers, region', (calls(trace, 'barrier'), calls(trace, 'never ended')), ((10, 0), (1, 1)))
    for i, what, barriers, end in ((1, 'exec of nothing', 15, ('exit', '4', None)), (2, '_exit', 10, ('_exit', '4', None)), (5, 'exec', 10, ('exec', None, None))):
        _, trace = summed(job, 'leaves', i, direct=True)
        expect(f'{what}: barriers, end', (calls(trace, 'barrier'), ended(trace)), ((barriers, 0), end))
    _, trace = summed(job, 'abort')
    expect('abort: barriers, abort, end', (calls(trace, 'barrier'), calls(trace, 'abort'), ended(trace)), ((11, 0), (1, 1), ('MPI_Abort', '7', None)))
    expect('abort: what is in the region', [e.get('operation') for e in trace.one('hieraRegion', operation='last').iter('hieraMPI')], ['barrier', 'abort'])
    _, trace = summed(job, 'without-finalize')
    expect('exit: barriers, end', (calls(trace, 'barrier'), ended(trace)), ((10, 0), ('exit', '0', None)))


@core_case('guest', ranks=[1])
def profile_goes_on_after_a_handled_fault(job):
    result, trace = summed(job, 'recovers')
    expect('output', result.good().out, 'fault 1\n' * 3)
    expect('barriers, end', (calls(trace, 'barrier'), ended(trace)), ((7500, 0), None))


@core_case('handler')
def exit_in_a_signal_handler_keeps_the_profile(job):
    for where in ('malloc', 'main'):
        result, trace = summed(job, where, 'exit', direct=True)
        expect(f'{where}: exit code, barriers', (result.code, calls(trace, 'barrier')), (5, (10, 0)))


@core_case('guest', ranks=[1])
def profile_of_a_process_without_mpi(job):
    _, trace = summed(job, 'no-mpi', 10000, direct=True)
    traced = job.run('no-mpi', 10000, direct=True, settings=BUFFER).trace(0)
    expect('paths that differ', '\n'.join(differences(traced, trace)), '')


@core_case('profiled')
def tree_has_a_limit(job):
    """4,096 nodes; the rest is in nodes for it, and totals stay true."""
    _, trace = summed(job, 'nodes', 3000)
    rest = trace.all('hieraRegion', level='hiera', operation='(other)')
    nodes = [e for e in trace.root.iter() if e.tag in TIMED and e not in rest]
    expect('nodes, lost', (len(nodes) + len(trace.all('hieraFlush')), trace.lost()), (4096, {}))
    expect('calls', sum(int(e.get('calls')) for e in nodes + rest), 4 * 3000)
    expect('messages of the rest', [e.get('calls') for e in rest[-1].findall('hieraPart')], [str(2 * (3000 - 1024))])
    outside = sum(float(e.get('time')) for e in trace.root if e.tag in TIMED)
    span = float(trace.root.get('finalize')) - float(trace.root.get('init'))
    expect('time is counted once', outside < span, True)


@core_case('profiled')
def profile_that_does_not_fit_is_counted(job):
    """The tree is larger than its file may be: then the trace says how many operations are lost."""
    result, trace = summed(job, 'limited', 1000)
    expect('lost', (sum(trace.lost().values()), len(result.messages())), (4 * 1000, 1))


@core_case('profiled')
def node_has_a_thousand_parts(job):
    _, trace = summed(job, 'parts', 1200)
    parts = trace.one(operation='barrier').findall('hieraPart')
    expect('parts', (len(parts), parts[-1].get('comm'), parts[-1].get('peer')), (1001, '(other)', 'other'))
    expect('calls', ([p.get('calls') for p in parts[:3]], sum(int(p.get('calls')) for p in parts)), (['1', '2', '3'], 2400))
    expect('communicators', len({p.get('comm') for p in parts} - set(trace.comms())), 1)


@core_case('profiled')
def threads_that_end_become_one_tree(job):
    _, trace = summed(job, 'threads', 100)
    threads = {t.get('id'): sum(int(e.get('calls')) for e in t.iter('hieraMPI')) for t in trace.root.iter('hieraThread')}
    expect('threads, calls', (len(threads), sum(threads.values()), threads.pop('ended')), (65, 300, 36 * 3))
    expect('one tree', len(trace.all('hieraThread', id='ended')[0].findall('hieraRegion')), 1)


@core_case('profiled')
def another_thread_completes_requests(job):
    """It is known to have done so before the request is known. 150 threads: nodes that requests name become others."""
    _, trace = summed(job, 'messages', 150)
    received, sent = (trace.one(operation=name).findall('hieraPart') for name in ('irecv', 'send_init'))
    expect('received, sent', [(p.get('peer'), p.get('calls'), p.get('bytes')) for p in received + sent], [('0', '150', '450')] * 2)


@core_case('profiled')
def memory_does_not_grow_with_calls(job):
    result, trace = summed(job, 'calls', 200000)
    expect('calls', calls(trace, 'wait'), (210000, 0))
    expect_true(int(result.out) < 64, f'memory has grown by {result.out.strip()} kB')


def cut(job, *arguments, **settings):
    """A trace that goes over to sums after 5 kB and what is in the buffer then. Each thread has one switch-over at most."""
    result = job.run(*arguments, settings={**BUFFER, 'HIERA_FILTER': '', 'HIERA_MODE': 'trace,limit=5kB', **settings}).good()
    traces = result.valid(job.ranks)
    for trace in traces:
        switch_overs = len(trace.all('hieraSeam'))
        expect_true(1 <= switch_overs <= 1 + len(trace.all('hieraThread')), f'{trace.path}: {switch_overs} switch-overs')
        expect('lost, mode', (trace.lost(), trace.root.get('mode')), ({}, None))
    return traces


@core_case('many', ranks=[1], compact=[1], zstd=[1], title='{program} trace goes over to sums')
def trace_goes_over_to_sums(job):
    """Regions are open then. No call is missing, and none is counted twice."""
    whole = job.run(settings={**BUFFER, 'HIERA_FILTER': ''}).good()
    for rank, trace in enumerate(cut(job)):
        expect(f'rank {rank}', '\n'.join(differences(whole.trace(rank), trace)), '')


@core_case('profiled', 'threads')
def no_message_is_missing_at_the_switch_over(job):
    """What was posted before the switch-over is completed behind it."""
    arguments = ['calls', 1000] if 'profiled' in job.program else []
    whole = job.run(*arguments, settings={**BUFFER, 'HIERA_FILTER': ''}).good().trace(0)
    trace = cut(job, *arguments)[0]
    expect('calls', profiles.calls_of(trace), profiles.calls_of(whole))
    expect('messages', profiles.messages_of(trace), profiles.messages_of(whole))


@core_case('guest', ranks=[1])
def ends_keep_what_is_behind_the_switch_over(job):
    settings = dict(BUFFER, HIERA_MODE='trace,limit=5kB')
    for what, arguments in (('recovers', ['recovers']), ('killed', ['killed', 10000])):
        result = job.run(*arguments, settings=settings)
        validate([result.path(0)])
        barriers = sum(int(e.get('calls') or 1) for e in result.trace(0).all(operation='barrier'))
        expect_true(barriers == 7500 if what == 'recovers' else barriers > 100, f'{what}: {barriers} barriers')


def hidden(trace):
    """{(level, operation, communicator): [calls, bytes, rbytes]} of what filters hide."""
    found = {}
    for e in trace.all('hieraFiltered'):
        key = e.get('level'), e.get('operation'), e.get('comm')
        found[key] = [a + int(e.get(name) or 0) for a, name in zip(found.get(key, [0, 0, 0]), ('count', 'bytes', 'rbytes'))]
    return found


@core_case('filter', ranks=[2])
def filtered_calls_are_in_no_node(job):
    settings = {'HIERA_FILTER': 'env,allreduce,send/bytes=-100,level=solver'}
    traced, profile = (job.run('threads', settings={**settings, 'HIERA_MODE': mode}).good().valid(2) for mode in ('trace', 'profile'))
    for rank in range(2):
        expect(f'rank {rank}: hidden', hidden(profile[rank]), hidden(traced[rank]))
        expect(f'rank {rank}: calls', profiles.calls_of(profile[rank]), profiles.calls_of(traced[rank]))


@core_case('functions')
def functions_are_nodes(job):
    settings = {**BUFFER, 'HIERA_SHORT': '0'}
    traced, profile = (job.run(settings={**settings, 'HIERA_MODE': mode}).good().valid(1)[0] for mode in ('trace', 'profile'))
    expect('paths that differ', '\n'.join(differences(traced, profile)), '')


@core_case('p2p', ranks=[2], needs=['transform'])
def rules_find_the_same_in_a_profile(job):
    rules, found = [rule for rule in asserting.RULES if 'Time' not in rule], []
    for mode in ('trace', 'profile'):
        folder = job.folder()
        path = asserting.write_rules(folder, rules)
        job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, 'HIERA_MODE': mode})
        rows, _ = asserting.judge(job, '--assert', path, '--reports', folder)
        found.append([(row['verdict'], row['left']) for row in rows])
    expect('what the rules count', found[1], found[0])


def counted(trace):
    """{path: {counter: value}}: sums of what grows; of levels the largest value."""
    kinds = {e.get('name'): e.get('kind') for e in trace.all('hieraCounter')}
    found = {}
    for path, element in profiles.with_paths(trace):
        for word in [word for child in element.findall('hieraCounted') for word in child.get('values').split(' ')]:
            name, value = word.rsplit('=', 1)
            there = found.setdefault(path, {})
            there[name] = max(there.get(name, 0), float(value)) if kinds[name] == 'level' else there.get(name, 0) + float(value)
    return found


@core_case('counters')
def counters_of_regions_are_summed(job):
    settings = {'HIERA_COUNTERS': 'user:steps,user:level,user:small,user:squares'}
    traced, profile = (job.run('regions', settings={**settings, 'HIERA_MODE': mode}).good().valid(1)[0] for mode in ('trace', 'profile'))
    expect('counted', counted(profile), counted(traced))
    expect('regions with counters', len(counted(traced)) > 3, True)
