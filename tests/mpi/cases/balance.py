"""Begins and ends of regions that do not match: the trace is still a tree, and reports them as `hieraUnbalanced`."""

from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import validate

SMALL = {'HIERA_BUFFER': '128k'}


def outline(trace):
    """Operations of the main thread in document order; one '.' for each level of nesting."""
    return ['.' * d + (e.get('operation') or e.get('method')) for d, e in trace.operations()]


def notes(trace):
    """{(reason, name): count} of all hieraUnbalanced elements"""
    return {(e.get('reason'), e.get('name')): int(e.get('count')) for e in trace.root.iter('hieraUnbalanced')}


def play(job, mode, settings=None):
    result = job.run(mode, settings=settings or SMALL).good()
    traces = result.valid(job.ranks)
    for trace in traces:
        lines = [int(e.get('line')) for e in trace.root.iter('hieraUnbalanced') if e.get('reason') != 'other']
        expect_true(all(line > 0 for line in lines), f'lines of what does not fit: expected all known, actual {lines}')
        expect('lost', trace.lost(), {})
    return result, traces


def found(job, result, *words):
    """Check what --validate reports about rank 0: one finding for each of the words."""
    lines = [line for line in job.findings(result, exit_code=1) if 'trace0.xml' in line and 'region' in line]
    expect(f'findings {lines}', len(lines), len(words))
    for line, word in zip(sorted(lines), sorted(words)):
        expect_true(any(word in line for line in lines), f'findings: expected one with {word!r}, actual {lines}')


@core_case('unbalanced', ranks=[1, 2], compact=[1], smoke=True)
def unmatched_region_ends_are_reported(job):
    result, traces = play(job, 'ends')
    for trace in traces:
        expect('tree', outline(trace), ['outer', '.barrier', 'never', '.never 2', '..barrier'])
        # One end on another thread, one by name, three in a loop.
        alone = sorted(int(e.get('count')) for e in trace.root.iter('hieraUnbalanced') if e.get('reason') == 'end_alone')
        expect('ends alone', alone, [1, 1, 3])
        open_ = {k: n for k, n in notes(trace).items() if k[1]}
        expect('never ended', open_, {('never_ended', 'never'): 1, ('never_ended', 'never 2'): 1})
        expect('no end', [e.get('operation') for _, e in trace.operations() if not e.get('finish_time')], ['never', 'never 2'])
    if job.transform:
        found(job, result, ', 3 times: no open region belongs to it', 'unbalanced.c:22): no open region belongs to it', 'unbalanced.c:36): no open region belongs to it',
              'unbalanced.c:37): it was still open', "'never 2' of level app")


@core_case('unbalanced')
def named_end_closes_the_region_of_that_name(job):
    result, traces = play(job, 'named')
    for trace in traces:
        expect('tree', outline(trace), 2 * ['step', '.forgotten', '..barrier'] + ['step', '.barrier', 'barrier'])
        expect('notes', notes(trace), {('left', 'forgotten'): 2, ('end_alone', None): 1})
    if job.transform:
        found(job, result, 'unbalanced.c:47), 2 times: it had no end', 'no open region belongs to it')


@core_case('unbalanced')
def plain_ends_do_not_close_scopes(job):
    _, traces = play(job, 'crossed')
    for trace in traces:
        expect('tree', outline(trace), ['plain', '.scope', '..barrier', '..barrier', 'barrier', 'scope 2', '.left in it', '..barrier', 'barrier'])
        expect('notes', notes(trace), {('crossed', 'plain'): 1, ('left', 'left in it'): 1})


@core_case('unbalanced')
def longjmp_ends_the_regions_it_leaves(job):
    _, traces = play(job, 'jumps')
    jump = ['.jumps', '..jumps', '...jumps', '....plain in it', '.....barrier']
    for trace in traces:
        expect('tree', outline(trace), ['around'] + 2 * jump + ['.after', '..barrier'] + 1000 * ['.again'] + ['..barrier'])
        expect('notes', notes(trace), {('left', 'jumps'): 6, ('left', 'plain in it'): 2, ('left', 'again'): 1000})


@core_case('unbalanced', mpi=['openmpi'])
def calls_left_by_longjmp_contain_no_later_regions(job):
    """The MPI call that longjmp left has no end. The region around it has one."""
    result = job.run('errors', settings=SMALL).good()
    validate([result.path(rank) for rank in range(job.ranks)])
    for trace in [result.trace(rank) for rank in range(job.ranks)]:
        expect('tree', outline(trace), ['comm_dup', 'around', '.send', '.after', 'barrier'])
        expect('notes', notes(trace), {})
        expect('lost', trace.lost(), {'region inside an MPI call': 1})


@core_case('unbalanced')
def regions_on_coroutine_stacks_stay_open(job):
    _, traces = play(job, 'contexts')
    for trace in traces:
        expect('tree', outline(trace), ['on the other stack', '.barrier', '.on the main stack', '..barrier', '.barrier', '.barrier'])
        expect('notes', notes(trace), {('never_ended', 'on the other stack'): 1})


@core_case('unbalanced')
def regions_left_open_by_threads_are_reported(job):
    _, traces = play(job, 'threads')
    for trace in traces:
        inside = sorted(e.get('operation') for s in trace.root.iter('hieraThread') for e in s.iter('hieraRegion'))
        expect('regions of the threads', inside, ['in it', 'thread exits', 'thread is cancelled'])
        expect_true({('never_ended', 'in it'), ('left', 'in it')} & set(notes(trace)), f'notes: {notes(trace)}')


@core_case('unbalanced')
def unmatched_ends_are_found_after_flushes(job):
    _, traces = play(job, 'flushes')
    for trace in traces:
        names = outline(trace)
        expect('outer ones', names[:4], ['whole', '.scope', '..inner', '...a name of its own: 0'])
        expect('all of them', names[3:-1], [f'...a name of its own: {i}' for i in range(40000)])
        expect('the rest', names[-1:], ['...barrier'])
        expect('notes', notes(trace), {('crossed', 'whole'): 1, ('left', 'inner'): 1})


@core_case('unbalanced', needs=['transform'])
def notes_without_room_are_counted_together(job):
    result, traces = play(job, 'various', {'HIERA_LEVELS': 'app,mpi'})
    for trace in traces:
        expect('notes', notes(trace), {**{('left', f'left {i}'): 2 for i in range(23)}, ('other', None): 14})
    found(job, result, *(f"'left {i}' of level app" for i in range(23)), '14 more begins and ends of regions do not match')


@core_case('unbalanced', ranks=[1, 2])
def regions_open_at_exit_are_reported(job):
    _, traces = play(job, 'exit')
    for trace in traces:
        expect('tree', outline(trace), ['exits', '.in it', '..barrier'])
        expect('notes', notes(trace), {('never_ended', 'exits'): 1, ('never_ended', 'in it'): 1})


@core_case('unbalanced', variants=['C++'])
def exceptions_end_the_regions_they_leave(job):
    _, traces = play(job, 'exceptions')
    for trace in traces:
        one = ['.scope', '..object', '...bare', '....barrier']
        expect('tree', outline(trace), ['around'] + 3 * one + ['.barrier', 'barrier'])
        expect('notes', notes(trace), {('left', 'bare'): 3})
