"""Regions, flushes and threads."""

from expect import expectations
from expect.case import core_case
from expect.judgement import expect, expect_true

SMALL = {'HIERA_BUFFER': '128k', 'HIERA_FILTER': ''}


@core_case('regions', ranks=[1, 2], compact=[1], smoke=True)
def regions_match_their_expectations(job):
    for depth, settings in ((100, {'HIERA_FILTER': ''}), (5000, SMALL)):
        result = job.run(depth, settings=settings).good()
        traces = result.valid(job.ranks)
        n = expectations.check(result, traces)
        for rank, trace in enumerate(traces):
            expect(f'rank {rank}: lost', trace.lost(), {})
            found = {e.get('reason'): int(e.get('count')) for e in trace.root.iter('hieraUnbalanced')}
            expect(f'rank {rank}: begins and ends', found, {'end_alone': 1, 'never_ended': 1})
        print(f'{n} operations as expected')


@core_case('many', ranks=[1, 2], compact=[1], zstd=[1], gzip=[1])
def regions_stay_open_over_flushes(job):
    result = job.run(40, settings=SMALL).good()
    for trace in result.valid(job.ranks):
        expect_true(len(trace.all('hieraFlush')) >= 5, f'flushes: expected 5 or more, actual {len(trace.all("hieraFlush"))}')
        expect('barriers', len(trace.all(operation='barrier')), 8000)
        expect('parts', len(trace.all('hieraRegion', operation='part')), 4000)
        expect('lost', trace.lost(), {})
        depths = {e.get('operation') or e.get('method'): d for d, e in trace.operations()}
        expect('depths', depths, {'first': 0, 'init': 1, 'second': 1, 'method': 2, 'step': 3, 'part': 4, 'barrier': 4, 'ibarrier': 4, 'wait': 4, 'finalize': 1})
        open_ = [e for _, e in trace.operations() if not e.get('finish_time')]
        expect('operations without a finish time', open_, [])
        third = trace.one('hieraOOPS', method='method')
        expect('class', third.get('class'), 'Third')
        last = max(float(e.get('finish_time')) for e in third.iter('hieraMPI'))
        expect_true(float(third.get('finish_time')) >= last, 'a region ends before its children')


@core_case('threads', ranks=[1, 2], compact=[2], zstd=[2], gzip=[2])
def threads_have_their_own_sections(job):
    result = job.run(settings=dict(SMALL, HIERA_FILTER='env')).good()
    for trace in result.valid(job.ranks):
        sections = trace.root.findall('hieraThread')
        expect('sections', len(sections), 5)
        expect('numbers of the threads', len({s.get('id') for s in sections}), 5)
        counts = sorted((len(list(s.iter('hieraMPI'))), len(list(s.iter('hieraRegion')))) for s in sections)
        expect('calls and regions of each thread', counts, [(1, 1)] + 4 * [(2500, 1251)])
        expect('lost', trace.lost(), {})
        for section in sections:
            comms = {e.get('comm') for e in section.iter('hieraMPI') if e.get('comm')}
            expect('communicators in a section', len(comms), 1)
        main = [e.get('operation') for _, e in trace.operations()]
        expect('operations of the main thread', main, ['comm_dup'] * 4)
