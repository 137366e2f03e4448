"""Fortran: calls have the same elements as in C, with their line in the Fortran source. Comments there state the expected elements (fortran_source.py)."""

from collections import Counter

from cases import filters
from expect import expectations
from expect import fortran_source
from expect.case import BINDINGS, IN_FORTRAN, SPAWN_WORKS, case, core_case
from expect.judgement import Skip, expect
from expect.trace import validate


def compare(job, result):
    """Compare the traces with the comments of the source."""
    source, binding = fortran_source.names_of(job.program)
    traces = result.valid(job.ranks)
    rows = []
    for rank in range(job.ranks):
        known = {'rank': rank, 'size': job.ranks, 'next': (rank + 1) % job.ranks, 'prev': (rank - 1) % job.ranks, 'mpi': job.mpi,
                 'binding': binding}
        rows.append(fortran_source.expected(source, known))
    print(f'{expectations.compare(rows, traces)} operations as expected')


@case('fortran_p2p', ranks=[1, 2], variants=BINDINGS, smoke=True, title=IN_FORTRAN)
@case('fortran_objects', 'fortran_collectives', ranks=[1, 2], variants=BINDINGS, title=IN_FORTRAN)
@case('fortran_roles', ranks=[3], variants=BINDINGS, title=IN_FORTRAN)
@case('fortran_spawn', variants=BINDINGS, mpi=SPAWN_WORKS, title=IN_FORTRAN)
def fortran_trace_matches_the_source_comments(job):
    """libhiera is preloaded. The output must be the same as without it."""
    plain = job.run().good()
    result = job.run(settings={'HIERA_FILTER': ''}, preload=job.library).good()
    expect('output', result.out, plain.out)
    compare(job, result)


@case('fortran_regions', variants=BINDINGS, linked='static', title=IN_FORTRAN)
@case('fortran_regions', ranks=[1, 2], variants=BINDINGS, linked='shared', title=IN_FORTRAN)
def linked_fortran_trace_matches_the_source_comments(job):
    compare(job, job.run(settings={'HIERA_FILTER': ''}).good())


@core_case('fortran_p2p', ranks=[2], variants=BINDINGS, title=IN_FORTRAN)
def fortran_filters_keep_totals(job):
    """For each operation, calls and bytes recorded and filtered are together those of a run without a filter."""
    whole = job.run(settings={'HIERA_FILTER': 'env'}, preload=job.library).good().valid(job.ranks)
    for trace in whole:
        expect('sums without a filter', filters.sums(trace), [])
    for value, keeps in [f for f in filters.FILTERS if f[0] in ('env,all', 'env,comm=self', 'env,MPI_Isend,Waitall')]:
        for rank, trace in enumerate(job.run(settings={'HIERA_FILTER': value}, preload=job.library).good().valid(job.ranks)):
            filters.check_filter(value, rank, trace, whole[rank], keeps)
            expect(f'{value}: something is hidden', bool(filters.sums(trace)), True)


@core_case('fortran_threads', variants=BINDINGS, title=IN_FORTRAN)
def fortran_threads_lose_no_call(job):
    threads, rounds = 4, 500
    result = job.run(threads, rounds, preload=job.library)
    if result.code == 77:
        raise Skip('this MPI has no MPI_THREAD_MULTIPLE')
    expect('messages that came to the right thread', result.good().out.count('mismatches 0'), job.ranks)
    each = {'irecv': rounds, 'isend': rounds, 'type_size': rounds, 'wait': rounds, 'waitall': rounds // 2}
    for trace in result.valid(job.ranks):
        sections = [Counter(e.get('operation') for e in section if e.tag == 'hieraMPI') for section in trace.all('hieraThread')]
        sections.append(Counter(e.get('operation') for _, e in trace.operations()))
        expect('calls of the threads', [dict(section) for section in sections], threads * [each])
        receives = {e.get('request'): e.get('tag') for e in trace.all(operation='irecv')}
        started = Counter(e.get('request') for e in trace.all() if e.get('request'))
        ends = [row for e in trace.all() if e.get('requests')
                for row in zip(*(e.get(name).split() for name in ('requests', 'tags', 'sizes')))]
        expect('requests', len(started), 2 * threads * rounds)
        expect('requests that are completed as often as they are started', Counter(request for request, _, _ in ends), started)
        expect('tags of receives', {request: tag for request, tag, size in ends if size == '8'}, receives)
    if job.transform:
        expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])


@case('no_fortran')
def missing_fortran_library_harms_only_programs_that_call_it(job):
    """A program that only looks up the name of a Fortran function runs on. One that calls it ends, and its trace is complete."""
    looks = job.run('look', preload=job.library).good()
    expect('messages to one that looks', (looks.out, looks.messages()), ('done\n', []))
    calls = job.run('call', preload=job.library)
    expect('exit code, output', (calls.code, calls.out.count('done')), (127, 0))
    expect('messages', [line for line in calls.messages() if 'pmpi_barrier_: not in this program' in line], calls.messages()[:1])
    validate([calls.path(0)])
    expect('barriers', len(calls.trace(0).all(operation='barrier')), 1)
