"""Findings of hiera-transform in traces of real programs: none if the program is correct, and the right one for each mistake."""

import os
import re

from cases.levels import run_under_hiera_run
from expect.case import BINDINGS, IN_FORTRAN, case, core_case
from expect.judgement import Skip, expect, expect_true

NO_CALL = r'has no match: nobody made the call that belongs to it'
OTHER_CALL = r'has no match: other members made another call, or gave another root or operator; '

# Mistake, exit status of hiera-transform, and its findings about ranks 0 and 1. Line numbers of wrong.c are not compared.
WAYS = (
    ('unmatched-send', 1, [r'trace0: error: send to rank 1 ' + NO_CALL]),
    ('truncation', 1, [r'trace1: error: in MPI_COMM_WORLD, 1 of 1 messages were received with another size: 32 bytes sent, \d+ received; '
                       r'this receive got the first of them']),
    ('order', 1, [fr'trace{r}: error: {a}, collective {n} of MPI_COMM_WORLD, {OTHER_CALL}rank {1 - r} has {b} '
                  for r, n, a, b in ((0, 1, 'broadcast', 'reduce'), (0, 2, 'reduce', 'broadcast'),
                                     (1, 1, 'reduce', 'broadcast'), (1, 2, 'broadcast', 'reduce'))]),
    ('root', 1, [fr'trace{r}: error: broadcast, collective 1 of MPI_COMM_WORLD, {OTHER_CALL}rank {1 - r} has broadcast with root {1 - r}, here {r} '
                 for r in (0, 1)]),
    ('sizes', 1, [r'trace0: error: gatherv in MPI_COMM_WORLD: the root gets 16 bytes, all ranks together give 12']),
    ('freed', 0, [r'trace0: note: request_free frees the request of irecv before it is complete']),
    ('leaks', 1, [r'trace0: error: rank 0 ended with requests that no call completed or freed: 1; isend made the first',
                  *(fr'trace{r}: note: rank {r} ended with {what}: 1; {call} made \w+' for r in (0, 1)
                    for what, call in (('communicators that it did not free', 'comm_dup'), ('datatypes that it did not free', 'type_contiguous'),
                                       ('groups that it did not free', 'comm_group'), ('operators that it did not free', 'op_create')))]),
    ('epochs', 1, [fr'trace{r}: error: put to rank {r} has no match: it lies in no epoch of its window that reaches this rank' for r in (0, 1)]),
)


def bare(line):
    """A finding without line numbers and call sites."""
    return re.sub(r'^trace(\d)\.xml:\d+', r'trace\1', re.sub(r' \(\w+\.(c|xml):\d+\)', '', line))


@case('wrong', ranks=[2], smoke=True)
def mistakes_of_programs_are_found(job):
    for way, status, patterns in WAYS:
        result = job.run(way)  # MPI may continue or abort
        found = [bare(line) + ' ' for line in job.findings(result, status)]
        for pattern in patterns:
            matching = [line for line in found if re.match(pattern, line)]
            expect(f'{way}: findings like {pattern} among {found}', len(matching), 1)
        expect(f'{way}: findings', len(found), len(patterns))
        print(f'{way}: {len(found)} findings')


def marked(program, marks='WRONG', folder='programs/calls'):
    """{line: [severity, words]} of the lines of a program that are marked."""
    with open(os.path.join(os.path.dirname(__file__), '..', folder, program), encoding='utf-8') as file:
        lines = enumerate(file.read().splitlines(), 1)
    return {n: words.split(' ', 1) for n, line in lines for words in re.findall(rf'(?:/\*|!) (?:{marks}) (.*?)(?: \*/)?$', line)}


def check_marked(found, program, marks='WRONG', folder='programs/calls'):
    """The findings are at the marked lines of a program, as it says there, and at no other."""
    wanted, place = marked(program, marks, folder), re.escape(program) + r':(\d+)'
    expect('lines', sorted(int(re.search(place, line)[1]) for line in found), sorted(wanted))
    for line in found:
        severity, words = wanted[int(re.search(place, line)[1])]
        expect_true(re.search(severity + ': .*' + words.replace('(', r'\(').replace(')', r'\)'), line), f'{line}: {severity} {words}')


@case('arguments', ranks=[2], smoke=True)
def arguments_that_mpi_forbids_are_found(job):
    found = job.findings(job.run().good(), None)
    check_marked([line for line in found if ': argument ' in line], 'arguments.c')
    expect_true(all(': argument ' in line or 'the call failed' in line for line in found), f'other findings: {found}')
    found = [line for line in job.findings(job.run('ends'), 1) if 'refused' in line]
    expect_true(len(found) == 1 and 'send (arguments.c' in found[0] and 'argument 6, comm (MPI_ERR_COMM)' in found[0], f'the call that ended it: {found}')


def check_watched(job, result, found, program, folder='programs/calls'):
    """As check_marked(). Lines that are marked as SEEN are found where the machine stops at watchpoints; else each rank says that it does not, and those that
    are marked as LATE are found."""
    seen = not any('is not seen' in line for line in result.messages())
    unwatched = [line for line in found if '[unwatched]' in line]
    expect('ranks that say that accesses are not seen', len(unwatched), 0 if seen else job.ranks)
    check_marked([line for line in found if line not in unwatched], program, 'WRONG|SEEN' if seen else 'WRONG|LATE', folder)


@case('buffers', ranks=[2], smoke=True)
def memory_that_mpi_still_has_is_watched(job):
    result = job.run(settings={'HIERA_CHECK': 'buffers'}).good()
    check_watched(job, result, job.findings(result, 1), 'buffers.c')
    expect_true('hieraMPI' in str(job.run().good().valid(2)[0].all()[0].tag), 'a run that is not checked')


@case('thread_buffers', ranks=[2], smoke=True)
def threads_that_nothing_orders_are_found(job):
    """hiera-run records what orders threads of OpenMP, as the check needs it."""
    result = run_under_hiera_run(job, settings={'HIERA_CHECK': 'buffers'})
    if 77 in (result.code, result.code & 0xff):
        raise Skip('this MPI provides another level')
    levels = {e.get('level') for trace in result.good().valid(2) for e in trace.all('hieraRegion')}
    expect_true('openmp' in levels, f'levels of the trace: {levels}')
    check_watched(job, result, job.findings(result), 'thread_buffers.c', 'programs/process')


@case('sizes', ranks=[2], smoke=True)
def buffers_that_are_longer_than_their_variables_are_found(job):
    """Each once, at its line, in both encodings; a run that is not checked has nothing about it."""
    checked = {'settings': {'HIERA_CHECK': 'buffers'}, 'preload': os.path.join(os.path.dirname(job.library), 'libhiera-malloc.so')}
    result = job.run(**checked).good()
    check_watched(job, result, job.findings(result, 1), 'sizes.c')
    found = [line for line in job.findings(job.run('ends', **checked), 1) if '[no-memory]' in line]
    expect_true(len(found) == 1 and re.search(r'send \(sizes\.c:\d+\): argument 1, buf, is a null pointer', found[0]), f'a null pointer: {found}')
    found = [line for line in job.findings(job.run('misplaced', **checked), 1) if '[no-memory]' in line]
    expect_true(len(found) == 1 and re.search(r'gather \(sizes\.c:\d+\): argument 4, recvbuf, is MPI_IN_PLACE', found[0]), f'MPI_IN_PLACE: {found}')
    expect('a run that is not checked', job.findings(job.run().good(), 0), [])


@case('fortran_sizes', variants=BINDINGS, title=IN_FORTRAN)
def buffers_of_fortran_that_are_longer_than_their_variables_are_found(job):
    libraries = f'{job.library}:{os.path.join(os.path.dirname(job.library), "libhiera-malloc.so")}'
    result = job.run(settings={'HIERA_CHECK': 'buffers'}, preload=libraries).good()
    check_watched(job, result, job.findings(result, 1), 'fortran_sizes.F90', 'fortran')


@case('misused', ranks=[2], smoke=True)
def misused_requests_and_orders_are_found(job):
    check_marked(job.findings(job.run().good(), 1), 'misused.c')


@case('thread_rules', ranks=[2])
def threads_that_break_rules_are_found(job):
    """At the lines of thread_rules.c that are marked, by the rule that stands there; its right calls, beside, have no finding but that nobody knows which
    of two equal messages a thread got. Both calls are named where two threads take part."""
    wanted = {n: ' '.join(words) for n, words in marked('thread_rules.c', folder='programs/process').items()}
    rules = {'multiple': ['concurrent-collectives', 'probe'], 'serialized': ['thread-level'], 'funneled': ['thread-level']}
    for level, names in rules.items():
        result = job.run(level)
        if 77 in (result.code, result.code & 0xff):
            print(f'{level}: this MPI provides another level')
            continue
        found = [line for line in job.findings(result.good(), 1) if '[ambiguous]' not in line]
        expect(f'{level}: rules of {found}', [re.search(r'\[([\w-]+)\]$', line)[1] for line in found], names)
        for line in found:
            number = int(re.search(r'thread_rules\.c:(\d+)', line)[1])
            expect_true(wanted.get(number, 'none') in line, f'{level}: rule of line {number}: {line}')
        traces = [e.get('level') for e in result.trace(0).all('hieraThread')]
        expect(f'{level}: level in the trace', set(traces), {f'MPI_THREAD_{level.upper()}'})


@case('mistyped', ranks=[2], smoke=True)
def datatypes_that_do_not_fit_are_found(job):
    result = job.run().good()
    check_marked(job.findings(result, 1), 'mistyped.c')
    signatures = [{e.get('id'): e.get('signature') for e in trace.all('hieraType')} for trace in result.valid(2)]
    expect('signature of a struct', signatures[0]['P0_dtype2'], 'int32 float64')
    many = [signatures[0][f'P0_dtype{n}'] for n in (7, 8, 9)]
    expect_true(many[0] == many[1] != many[2] and many[0].startswith('#240:'), f'signatures by hash: {many}')


@case('forms', ranks=[2])
def partitioned_messages_and_sessions_are_matched(job):
    result = job.run()
    if 77 in (result.code, result.code & 0xff):
        raise Skip('this MPI has no sessions and no partitioned messages')
    result.good()
    expect('findings', job.findings(result), [])
    sent, received = job.conservation(result)['MPI_COMM_WORLD'][:2]
    expect('partitioned messages', (sent, received), (2, 2))
    others = [row for name, row in job.conservation(result).items() if name != 'MPI_COMM_WORLD' and row[0]]
    expect_true(len(others) == 1 and others[0][:2] == [1, 1], f'messages of the session: {others}')


@core_case('pauses', ranks=[2], needs=['transform'])
def pauses_explain_missing_partners(job):
    """One rank pauses recording. The trace says so, and its partners are not reported. Objects created in the pause are used after it."""
    result = job.run().good()
    pauses = [(e.get('count'), bool(e.get('finish_time'))) for e in result.valid(2)[1].all('hieraPause')]
    expect('calls in the pauses, and whether they ended', pauses, [('6', True), ('0', False)])
    pause = result.trace(1).all('hieraPause')[0]
    expect_true(float(pause.get('start_time')) < float(pause.get('finish_time')), 'the pause takes time')
    found = job.findings(result)
    off = [line for line in found if 'recording was paused' in line]
    expect('findings about pauses', [re.search(r'(\d+) MPI calls', line).group(1) for line in off], ['6', '0'])
    expect('errors and warnings beside', [line for line in found if line not in off and 'note: ' not in line], [])
    often = job.run('often').good().valid(2)[0].all('hieraPause')
    expect('elements', len(often), 64)
    expect('pauses', sum(int(e.get('pauses') or 1) for e in often), 100)
    expect('calls', sum(int(e.get('count')) for e in often), 100)


@core_case('wrong', ranks=[2], needs=['transform'])
def hiera_run_checks_a_job(job):
    """--check: the exit status is the job's; 1 if the job was good and there is an error that no line of --suppress knows, or no trace."""
    known = os.path.join(job.folder(), 'known.txt')
    with open(known, 'w', encoding='utf-8') as file:
        file.write('conservation wrong.c:* a test\n')
    start = [os.path.join(os.path.dirname(job.library), 'hiera-run')]
    for way, options, settings, status, said in (
            ('leaks', ['--check'], {}, 1, r'errors: 1; warnings: 0; notes: (8|9)$'),  # 9 where watchpoints do not stop
            ('sizes', ['--check'], {}, 1, r'trace0.xml:\d+: error: gatherv .*\[conservation\]\n +MPI 4\.1'),
            ('sizes', ['--check', '--suppress', known], {}, 0, r'errors: 0; .*\nsuppressed: 1\n'),
            ('sizes', ['--check', '--suppress', known + '2'], {}, 2, r'--suppress=.*2: No such file'),
            ('sizes', ['--suppress', known], {}, 2, r'--suppress is for --check'),
            ('sizes', ['--check'], {'HIERA_MODE': 'profile'}, 2, r'--check needs single operations')):
        folder = job.folder()
        command = [*start, *options, *job.command([job.program, way], job.ranks, {})]
        code, _, err = job.wait(command, job.environment({'HIERA_DIR': folder, 'HIERA_QUIET': '1', **settings}), folder, None)
        expect(f'{way} {options} {settings}: exit status', code, status)
        expect_true(re.search(said, err), f'{way} {options} {settings}: {err}')
