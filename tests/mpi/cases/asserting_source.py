"""Assertions in the source of a program: what the run finds is what its comments say, and what its trace says."""

import errno
import os
import re

from expect.case import core_case
from expect.judgement import Skip, expect, expect_true
from expect.rules import judge, short

PROGRAMS = os.path.join(os.path.dirname(__file__), '..', 'programs', 'regions')
SOURCE = os.path.join(PROGRAMS, 'asserted.c')


def open_line(source, number):
    """A line of a file, from 1; '' behind its end."""
    with open(source, encoding='utf-8') as file:
        return dict(enumerate(file, 1)).get(number, '')


def stated(source, ranks):
    """What the comments of a program say of its assertions: line -> (ok, failed, unknown) on all ranks."""
    lines = {}
    with open(source, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            ends = re.findall(r'(\d+) (ok|failed|unknown)', line.rpartition('/*')[2]) if 'HIERA_ASSERT' in line and '/*' in line else []
            if ends:
                lines[number] = tuple(sum(ranks * int(n) for n, what in ends if what == verdict) for verdict in ('ok', 'failed', 'unknown'))
    return lines


def check_source(job, how, lines, settings=None):
    """Run the program: the report of its ranks and their traces agree, and are as stated. Returns the result."""
    folder = job.folder()
    result = job.run(*how, settings={'HIERA_DIR': folder, **(settings or {})}).good()
    there, status = judge(job, '--reports', folder)
    after, later = judge(job, '--measure', 'assertions', folder)
    expect('rows of the run, and of its trace', there, after)
    expect('exit status for the run, and for its trace', status, later)
    found = {int(row['rule'].rpartition(':')[2]): (row['ok'], row['failed'], row['unknown']) for row in there}
    expect('ok, failed, unknown by line', {n: found[n] for n in sorted(found)}, lines)
    return result


@core_case('asserted', ranks=[1, 2], compact=[2], smoke=True, needs=['transform'], title='assertions in the source of {program}')
def assertions_in_the_source(job):
    lines = stated(SOURCE, job.ranks)
    here = {n: ends for n, ends in lines.items() if 'no_limit' not in open_line(SOURCE, n)}
    result = check_source(job, [], here)
    result.valid(job.ranks)
    expect('output on standard error', result.err, '')
    without = job.folder()
    job.run(settings={'HIERA_DIR': without, 'HIERA_TRACE': '0'}).good()
    expect('files without a trace', [re.sub('-[0-9a-f]+', '-JOB', name) for name in sorted(os.listdir(without)) if not name.startswith('expect')],
           [f'assertions{rank}-JOB.tsv' for rank in range(job.ranks)])
    there, _ = judge(job, '--reports', without)
    expect('without a trace', {int(row['rule'].rpartition(':')[2]): (row['ok'], row['failed'], row['unknown']) for row in there}, here)


def check_metered(there, ranks):
    source = os.path.join(PROGRAMS, 'metered.c')
    kinds = {n: re.search(r'/\* (mostly|always)(, by each thread)? \*/', open_line(source, n)) for n in range(1, 400)}
    kinds = {n: found for n, found in kinds.items() if found}
    rows = {int(row['rule'].rpartition(':')[2]): row for row in there}
    expect('lines with assertions', sorted(rows), sorted(kinds))
    for n, row in rows.items():
        total = row['ok'] + row['failed']
        expect_true(total >= 10 * ranks and row['unknown'] == 0, f'line {n}: {short(row)}')
        expect_true(row['ok'] >= (0.15 if kinds[n][1] == 'mostly' else 1) * total, f'line {n}: {short(row)}: {open_line(source, n)}')


@core_case('metered', ranks=[1, 2, 4], compact=[2], needs=['transform'])
def metrics_are_what_the_program_measured(job):
    """Each assertion about time holds in most of its executions (in some if the machine is busy; a wrong metric holds in none), each other one in all; run and
    trace say the same. Of tests in vain the trace has the total alone, so that it does not know where they were."""
    folder = job.folder()
    job.run(folder, settings={'HIERA_DIR': folder}).good().valid(job.ranks)
    there, _ = judge(job, '--reports', folder)
    after, _ = judge(job, '--measure', 'assertions', folder)
    different = [(short(a), short(b)) for a, b in zip(there, after, strict=True) if a != b]
    expect_true(not different, f'of the run, and of its trace: {different}')
    check_metered(there, job.ranks)
    folder = job.folder()
    job.run(folder, 'polls', settings={'HIERA_DIR': folder, 'HIERA_TRACE': '0'}).good()
    check_metered(judge(job, '--reports', folder)[0], job.ranks)


EVENTS = ('Instructions', 'Cycles', 'CacheReferences', 'CacheMisses', 'Branches', 'BranchMisses')
COUNTED = os.path.join(PROGRAMS, 'counted.c')


def asks_for_events(line):
    return any(event in open_line(COUNTED, line) for event in EVENTS)


@core_case('counted', ranks=[1, 2], compact=[2], needs=['transform'])
def what_threads_measure(job):
    """Counters of the processor are played by software events of the kernel."""
    if 'yes' not in job.run('may').good().out:
        raise Skip('the kernel does not let a program count events here')
    lines = stated(COUNTED, job.ranks)
    result = check_source(job, ['used'], lines, {'STAND_IN': '0'})
    result.valid(job.ranks)
    expect('output', (result.out, result.err), ('', ''))
    check_source(job, ['unasked'], {n: ends for n, ends in lines.items() if not asks_for_events(n)}, {'STAND_IN': '0'})
    job.run('unused', settings={'HIERA_ENABLED': '0', 'STAND_IN': '0'}).good()


@core_case('counted', ranks=[1], needs=['transform'])
def what_this_machine_counts(job):
    """Real events, or none, as on most virtual machines."""
    folder = job.folder()
    result = job.run('real', settings={'HIERA_DIR': folder}).good()
    (row,), _ = judge(job, '--reports', folder)
    expect_true(row['verdict'] in ('ok', 'unknown'), f'{row}')
    expect('a reason is said', 'are unknown: ' in result.err, row['verdict'] == 'unknown')


@core_case('counted', ranks=[2], needs=['transform'])
def what_cannot_be_counted_is_unknown(job):
    """The reason is said once, and the program is none the wiser."""
    lines = {n: (0, 0, sum(ends)) if asks_for_events(n) else ends for n, ends in stated(COUNTED, job.ranks).items()}
    for error, reason in ((errno.EACCES, 'not allowed here (see /proc/sys/kernel/perf_event_paranoid; containers may forbid it too)'),
                          (errno.ENOENT, 'this machine has no such counter (virtual machines often have none)'),
                          (errno.ENOSYS, 'this kernel counts no events'), (errno.EINVAL, 'the processor cannot count so many events together')):
        result = check_source(job, ['unused'], lines, {'STAND_IN': str(error)})
        expect('output', result.out, '')
        expect('messages', result.err, ''.join(f'hiera: assertions that ask for {events} are unknown: {reason}\n' for events in (
            'Instructions', 'Cycles', 'CacheReferences, CacheMisses, Branches, BranchMisses')))


@core_case('asserted', ranks=[2], needs=['transform'])
def mistaken_assertions_are_named_and_the_job_runs(job):
    known = ('no_limit', 'calls == 0"); /* 1 ok', 'HIERA_ASSERT("calls == 1"); /* 1 unknown')
    last = {n: ends for n, ends in stated(SOURCE, job.ranks).items() if any(text in open_line(SOURCE, n) for text in known)}
    result = check_source(job, ['mistaken'], last)
    first = next(n for n in range(1, 999) if 'MPITim <' in open_line(SOURCE, n))
    expect('messages', re.sub(r'hiera: \S*/asserted', 'hiera: asserted', result.err),
           f"hiera: asserted.c:{first}:1: unknown name 'MPITim'; did you mean 'MPITime'?\nhiera: MPITim < 1\nhiera: ^~~~~~\n"
           f"hiera: asserted.c:{first + 1}: the program does not give a value of '$m'\nhiera: $m > 0\n"
           f"hiera: asserted.c:{first + 2}: '$grid' is a variable that is no number\nhiera: $grid > 0\n"
           f"hiera: asserted.c:{first + 3}:1: an assertion in the source is about its own process, as it runs; 'max' belongs into a file of rules\n"
           'hiera: max(WallTime) > 0\nhiera: ^~~~~~~~~~~~~\n'
           f"hiera: asserted.c:{first + 4}:21: '$n' is either a communicator or a number\n"
           'hiera: nMPIProcesses($n) > $n\nhiera:                     ^~\n'
           f'hiera: asserted.c:{first + 5}: ${{no_limit}} has no value, so it is nan\n'
           f"hiera: asserted.c:{first + 7}:1: unknown name 'MPITim'; did you mean 'MPITime'?\nhiera: MPITim < 2\nhiera: ^~~~~~\n")


@core_case('asserted', ranks=[2], needs=['transform'])
def a_violation_is_counted_said_called_or_ends_the_job(job):
    """on_violation: the first violation is that of the third execution, and there are two."""
    line = next(n for n in range(1, 999) if '$i < 2", i);' in open_line(SOURCE, n) and 'calls' not in open_line(SOURCE, n))
    said = rf'hiera: \S*asserted.c:{line}: \$i < 2 does not hold on rank (\d), execution 3: 2 < 2\n'
    called = [f'violation asserted.c: $i < 2, {i} < 2, {i + 1}' for i in (2, 3)]
    for how, errors, output in (('count', 0, ['went on']), ('say', job.ranks, ['went on']), ('call', 0, [*called, 'went on'])):
        folder = job.folder()
        result = job.run('violate', settings={'HIERA_DIR': folder, 'HIERA_MORE': 'on_violation=' + how}).good()
        expect(f'{how}: messages', len(re.findall(said, result.err)), errors)
        expect(f'{how}: output', {text: result.out.count(text) for text in [*called, 'went on']}, {text: job.ranks * (text in output) for text in [*called, 'went on']})
        there, status = judge(job, '--reports', folder)
        expect(f'{how}: failed', [row['failed'] for row in there if row['failed']], [2 * job.ranks])
        expect(f'{how}: exit status', status, 1)
    folder = job.folder()
    result = job.run('violate', settings={'HIERA_DIR': folder, 'HIERA_MORE': 'on_violation=end'})
    expect_true(result.code != 0 and 'went on' not in result.out, f'it goes on: {result.code} {result.out}')
    expect_true(re.search(said, result.err), result.err)
    there, _ = judge(job, '--reports', folder)
    expect('failed before the end', {row['failed'] for row in there if row['failed']} <= set(range(1, job.ranks + 1)), True)


@core_case('asserted', variants=['C++'], ranks=[2], needs=['transform'])
def assertions_in_the_source_of_a_program(job):
    check_source(job, [], stated(SOURCE + 'c', job.ranks)).valid(job.ranks)


@core_case('fortran_regions', ranks=[2], variants=['mpi_f08'], linked='shared', needs=['transform'])
def assertions_in_fortran(job):
    """Each of the lines that begin one says how it ends."""
    source = os.path.join(os.path.dirname(__file__), '..', 'fortran', 'fortran_regions.F90')
    lines = [n for n in range(1, 200) if 'hiera_assert_begin(' in open_line(source, n)]
    check_source(job, [], {n: tuple(job.ranks * (f'! {verdict}' in open_line(source, n)) for verdict in ('ok', 'failed', 'unknown')) for n in lines})
