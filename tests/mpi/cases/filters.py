"""HIERA_FILTER: recorded and filtered operations together are the operations of a run without a filter."""

import collections
import os
import subprocess

from expect.case import core_case
from expect.judgement import Failure, expect, expect_true
from expect.trace import TIMED, validate

LEVELS = {'hieraMPI': 'mpi', 'hieraOOPS': 'oops'}


def level_of(element):
    return LEVELS.get(element.tag) or element.get('level')


def name_of(element):
    return element.get('operation') or element.get('method')


def key_of(element):
    return level_of(element), element.get('class'), name_of(element), element.get('comm')


def number(element, name):
    return int(element.get(name) or 0)


def duration(element):
    return round(1e9 * (float(element.get('finish_time')) - float(element.get('start_time'))))


def recorded(trace):
    return [e for e in trace.root.iter() if e.tag in TIMED]


def sums(trace):
    return list(trace.root.iter('hieraFiltered'))


def totals(trace):
    """{(level, class, operation, comm): [count, bytes, rbytes]} of recorded and filtered operations together"""
    found = collections.defaultdict(lambda: [0, 0, 0])
    for element in recorded(trace) + sums(trace):
        count = number(element, 'count') if element.tag == 'hieraFiltered' else 1
        for i, n in enumerate((count, number(element, 'bytes'), number(element, 'rbytes'))):
            found[key_of(element)][i] += n
    return dict(found)


def size(element):
    """Bytes of a message; None if the element is not a message."""
    sizes = [int(element.get(name)) for name in ('bytes', 'rbytes') if element.get(name)]
    return max(sizes) if sizes else None


# Each filter with a function of rank and element that says which elements it keeps.
P2P = ('send', 'isend', 'irecv', 'sendrecv', 'receive')


def is_p2p(e):
    return e.tag == 'hieraMPI' and name_of(e) in P2P


FILTERS = [
    ('env,send', lambda rank, e: name_of(e) != 'send'),
    ('env,MPI_Isend,Waitall', lambda rank, e: name_of(e) not in ('isend', 'waitall')),
    ('env,p2p', lambda rank, e: not is_p2p(e)),
    ('env,all', lambda rank, e: False),
    ('env,all,+coll', lambda rank, e: name_of(e) in ('allreduce', 'broadcast', 'barrier', 'allgather')),
    ('env,level=mpi', lambda rank, e: level_of(e) != 'mpi'),
    ('env,level=app', lambda rank, e: level_of(e) != 'app'),
    ('env,level=app,+operation=far', lambda rank, e: level_of(e) != 'app' or name_of(e) == 'far'),
    ('env,operation=exchange,operation=Group::sum', lambda rank, e: name_of(e) not in ('exchange', 'sum')),
    ('env,level=oops/operation=sum', lambda rank, e: level_of(e) != 'oops'),
    ('env,comm=world', lambda rank, e: e.get('comm') != 'MPI_COMM_WORLD'),
    ('env,comm=self', lambda rank, e: e.get('comm') != 'MPI_COMM_SELF'),
    ('env,comm=P0_comm1', lambda rank, e: e.get('comm') != 'P0_comm1'),
    ('env,all,+comm=P0_comm1/coll', lambda rank, e: e.get('comm') == 'P0_comm1' and name_of(e) in ('allreduce', 'broadcast')),
    ('env,bytes=-100', lambda rank, e: size(e) is None or size(e) > 100),
    ('env,p2p/bytes=1k-', lambda rank, e: not is_p2p(e) or size(e) is None or size(e) < 1024),
    ('env,bytes=100', lambda rank, e: size(e) != 100),
    ('env,p2p,+send/bytes=50-100', lambda rank, e: not is_p2p(e) or (name_of(e) == 'send' and 50 <= size(e) <= 100)),
    ('env,rank=0', lambda rank, e: rank != 0),
    ('env,p2p/rank=1-2 7', lambda rank, e: rank not in (1, 2) or not is_p2p(e)),
    ('env,coll/rank=0-6:2', lambda rank, e: rank % 2 or name_of(e) not in ('allreduce', 'broadcast', 'barrier', 'allgather')),
    ('all,+all,env', lambda rank, e: True),
]


def expect_totals(what, trace, whole):
    found, wanted = totals(trace), totals(whole)
    for key in sorted(set(found) | set(wanted), key=str):
        expect(f'{what}: {trace.path}: {key}: count, bytes, rbytes', found.get(key), wanted.get(key))


def check_filter(what, rank, trace, whole, keeps):
    expect_totals(what, trace, whole)
    remain = [key_of(e) + (e.get('line'),) for e in recorded(trace)]
    expect(f'{what}: rank {rank}: recorded operations', remain,
           [key_of(e) + (e.get('line'),) for e in recorded(whole) if keeps(rank, e)])
    expect(f'{what}: rank {rank}: sums without a count', [e.attrib for e in sums(trace) if number(e, 'count') < 1], [])
    rows = [key_of(e) for e in sums(trace)]
    expect(f'{what}: rank {rank}: rows of sums that are repeated', len(rows), len(set(rows)))


def run_with(job, value, *arguments):
    return job.run(*arguments, settings={'HIERA_FILTER': value}, direct=job.ranks == 1).good()


def whole_run(job, *arguments):
    result = run_with(job, 'env', *arguments)
    traces = result.valid(job.ranks)
    for trace in traces:
        expect('sums without a filter', sums(trace), [])
        expect_true(len(recorded(trace)) > 400, f'a run without a filter has many calls: {len(recorded(trace))}')
    return result, traces


def counts(job, result):
    """Check the counts of hiera-transform, if it was built."""
    if not job.transform:
        return None
    command = [os.path.abspath(job.transform), *[result.path(r) for r in range(job.ranks)], '--measure', 'counts', '--format', 'csv']
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    expect('exit code and messages of hiera-transform', (run.returncode, run.stderr), (0, ''))
    expect_true('mpi,allreduce,' in run.stdout, f'counts: {run.stdout}')
    return run.stdout


@core_case('filter', ranks=[1, 2, 4], compact=[2])
def filters_keep_totals(job):
    """Each filter needs a job. Each number of ranks tries a third of the filters; four ranks try those by rank."""
    unfiltered, whole = whole_run(job)
    wanted = counts(job, unfiltered)
    third = {1: 0, 2: 1, 4: 2}[job.ranks]
    for value, keeps in [f for i, f in enumerate(FILTERS) if i % 3 == third or ('rank=' in f[0] and job.ranks == 4)]:
        result = run_with(job, value)
        expect(f'{value}: messages', result.messages(), [])
        expect(f'{value}: counts', counts(job, result), wanted)
        if job.transform:
            expect(f'{value}: findings', [line for line in job.findings(result) if 'error: ' in line], [])
        for rank, trace in enumerate(result.valid(job.ranks)):
            check_filter(value, rank, trace, whole[rank], keeps)


@core_case('filter', ranks=[1, 2])
def filters_by_time_keep_totals(job):
    """Times differ from run to run, so each run is checked against its own times."""
    _, whole = whole_run(job)
    remains = {'env,time=-2us': lambda e: duration(e) > 2000, 'env,time=2us-': lambda e: duration(e) < 2000,
               'all,+time=1us-,env': lambda e: duration(e) >= 1000,
               'env,level=mpi/time=500ns-1.5ms': lambda e: e.tag != 'hieraMPI' or not 500 <= duration(e) <= 1500000}
    for value, keeps in remains.items():
        for rank, trace in enumerate(run_with(job, value).valid(job.ranks)):
            expect_totals(value, trace, whole[rank])
            wrong = [e.attrib for e in recorded(trace) if not keeps(e)]
            expect(f'{value}: rank {rank}: recorded against the rule', wrong, [])
            expect_true(sums(trace), f'{value}: rank {rank}: something is hidden')
            for e in sums(trace):
                mean = 1e9 * float(e.get('time')) / number(e, 'count')
                if value == 'env,time=-2us' and mean > 2000 or value == 'env,time=2us-' and mean < 2000:
                    raise Failure(f'{value}: rank {rank}: hidden against the rule: {e.attrib}, {mean} ns each')


@core_case('filter', ranks=[1, 2])
def filters_keep_totals_of_threads(job):
    _, whole = whole_run(job, 'threads')
    if not any(trace.all('hieraThread') for trace in whole):
        return
    for value, keeps in (('env,all', lambda rank, e: False), ('env,type', lambda rank, e: name_of(e) != 'type_size'),
                         ('env,operation=work', lambda rank, e: name_of(e) != 'work')):
        for rank, trace in enumerate(run_with(job, value, 'threads').valid(job.ranks)):
            expect_totals(value, trace, whole[rank])
            expect(f'{value}: sections of threads', len(trace.all('hieraThread')), 3)
            for section in trace.all('hieraThread'):
                name = 'work' if 'work' in value else 'type_size'
                expect(f'{value}: {name} counted in a section',
                       [number(e, 'count') for e in section.iter('hieraFiltered') if name_of(e) == name], [50])
            expect(f'{value}: recorded operations', len(recorded(trace)), sum(keeps(rank, e) for e in recorded(whole[rank])))


def one_of_many_sums(trace, name):
    found = [number(e, 'count') for e in sums(trace) if name_of(e) == name]
    expect(f'rows of {name}', len(found), 1)
    return found[0]


@core_case('filter')
def filtered_totals_survive_kill_and_abort(job):
    """SIGKILL loses at most one buffer, MPI_Abort nothing. The program calls two functions in turn; the filter hides one of them."""
    rounds, in_buffer = 20000, (128 << 10) // 56
    for how, least in (('kill', rounds - in_buffer), ('abort', rounds)):
        result = job.run(how, rounds, settings={'HIERA_FILTER': 'env,type_size', 'HIERA_BUFFER': '128k'}, direct=True)
        expect_true(result.code != 0, f'{how}: exit code is not 0')
        validate([result.path(0)])
        trace = result.trace(0)
        hidden, shown = one_of_many_sums(trace, 'type_size'), len(trace.all(operation='comm_test_inter'))
        expect_true(least <= hidden <= rounds, f'{how}: hidden: expected {least} to {rounds}, actual {hidden}')
        expect_true(hidden - shown in (0, 1), f'{how}: hidden and shown alternate: {hidden} and {shown}')
        expect('hidden calls that are recorded', trace.all(operation='type_size'), [])
        expect('open operations', [name_of(e) for e in recorded(trace) if e.get('finish_time') == ''], ['last'])
    result = job.run('abort', rounds, settings={'HIERA_FILTER': 'env,all', 'HIERA_BUFFER': '128k'}, direct=True)
    validate([result.path(0)])
    trace = result.trace(0)
    expect('recorded', recorded(trace), [])
    expect('counted', [one_of_many_sums(trace, n) for n in ('last', 'type_size', 'comm_test_inter')], [1, rounds, rounds])


@core_case('filter')
def filtered_totals_have_limited_rows(job):
    """There are more communicators and regions than rows for totals. Every call is counted; some rows lack the communicator or the name."""
    trace = job.run('many', 1500, settings={'HIERA_FILTER': 'env,all'}, direct=True).good().valid(1)[0]
    expect('recorded', recorded(trace), [])
    expect_true(1000 < len(sums(trace)) < 1100, f'rows: {len(sums(trace))}')
    count = collections.Counter()
    for e in sums(trace):
        count[name_of(e) if level_of(e) == 'mpi' else 'regions'] += number(e, 'count')
    expect('counts', count, {'comm_dup': 1500, 'barrier': 1500, 'comm_free': 1500, 'regions': 1500})
    others = {name_of(e): number(e, 'count') for e in sums(trace) if e.get('comm') is None and name_of(e) in ('barrier', '(other)')}
    expect_true(others['barrier'] > 500 and others['(other)'] > 500, f'sums without a communicator or a name: {others}')


@core_case('filter')
def invalid_filter_rules_are_reported(job):
    """One message for each invalid rule and job. The other rules still hold."""
    bad = {'x=3': 'no such condition', 'bytes=7-3': 'bytes= takes', 'bytes=': 'no value after', 'time=5': 'time= takes',
           'rank=a': 'rank= takes', 'p2p/': 'a condition is missing', '+': 'a condition is missing', 'nosuch': 'has this name'}
    for rule, reason in bad.items():
        result = run_with(job, f'env,{rule},barrier')
        expect(f'{rule}: messages', len(result.messages()), 1)
        expect_true(f'HIERA_FILTER: {rule}: ' in result.messages()[0] and reason in result.messages()[0],
                    f'{rule}: the message names it and says {reason!r}: {result.messages()[0]}')
        for trace in result.valid(job.ranks):
            expect(f'{rule}: hidden', [name_of(e) for e in sums(trace)], ['barrier'])
    result = run_with(job, ','.join(list(bad) + list(bad)))
    expect('messages about many wrong rules', len(result.messages()), 9)
    result.valid(job.ranks)
