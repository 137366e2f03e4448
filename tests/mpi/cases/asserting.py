"""HIERA_ASSERT: rules are checked while the program runs, and the answer is that of the traces."""

import errno
import json
import os
import re
import subprocess

from expect.case import case
from expect.judgement import Skip, expect, expect_true

PROGRAMS = os.path.join(os.path.dirname(__file__), '..', 'programs', 'regions')
SOURCE = os.path.join(PROGRAMS, 'asserted.c')
METRICS = ('MPITime', 'MPIPointToPointTime', 'MPICollectiveTime', 'MPIWaitTime', 'MPIOneSidedTime', 'MPIIOTime', 'calls', 'messages', 'bytesSent',
           'bytesReceived', 'transfers', 'transferBytes')
CALLS = ('send', 'isend', 'recv', 'irecv', 'wait', 'waitall', 'start', 'mrecv', 'imrecv', 'sendrecv', 'allreduce', 'broadcast', 'gather', 'ibarrier',
         'put', 'get', 'win_fence', 'file_write', 'comm_dup')
# None of them holds, so the report has the numbers of all of them.
RULES = ([f'job: {metric} + {i} < 0' for i, metric in enumerate(METRICS)] +
         [f'operation {call}: {metric} * 1 == -1' for call in CALLS for metric in ('calls', 'MPITime', 'bytesSent', 'bytesReceived', 'messages')] +
         [f'operation {call}: {metric}("", "MPI_COMM_WORLD", 0) == -1' for call in CALLS for metric in ('calls', 'bytesSent', 'bytesReceived')] +
         [f'{call}: WallTime + bytesReceived < 0' for call in CALLS] +
         [f'region {name}: max(WallTime) < 0 * sum(bytesSent) on each execution' for name in ('main', 'step', 'work', 'inner', 'exchange')] +
         ['operation send: max(calls) < 0', 'job: sum(MPITime) < 0'] +
         [f'region {name}: {metric} + iterations("send") < 0' for name in ('main', 'step', 'work', 'inner', 'exchange') for metric in METRICS])


def write_rules(result_folder, rules=RULES):
    path = os.path.join(result_folder, 'rules.txt')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(rules) + '\n')
    return path


def judge(job, *arguments):
    """The rows that hiera-transform has of the rules, and its exit status."""
    run = subprocess.run([os.path.abspath(job.transform), *arguments, '--format', 'json'], capture_output=True, text=True, check=False)
    expect_true(run.returncode in (0, 1), run.stderr)
    return json.loads(run.stdout)['assertions'], run.returncode


def short(row):
    """What a row says; when a process ends early depends on who looks at the clock."""
    return {name: value for name, value in row.items() if value not in ('', 0) and name not in ('rule', 'time')}


def check(job, rules=RULES, how=(), settings=None):
    """Run the program, and compare what the ranks found with what is in their traces. Returns the result and the rows."""
    folder = job.folder()
    path = write_rules(folder, rules)
    result = job.run(*how, settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, **(settings or {})})
    expect_true(how or result.code == 0, f'exit code {result.code}: {result.err}')
    there, status = judge(job, '--assert', path, '--reports', folder)
    after, later = judge(job, '--assert', path, folder)
    different = [(a, b) for a, b in zip(there, after, strict=True) if (short(a) if how else a) != (short(b) if how else b)]
    expect_true(not different, '\n'.join(f'the run:   {short(a)}\nits trace: {short(b)}' for a, b in different))
    expect('exit status for the run, and for its trace', status, later)
    return result, there


@case('p2p', 'collectives', 'nbcoll', 'rma', 'io', 'comms', 'long_lists', ranks=[2], needs=['transform'], title='{program} has the metrics of its trace')
def metrics_are_those_of_traces(job):
    """Rules that name no communicator are counted in a shorter way."""
    for rules in (RULES, [rule for rule in RULES if 'COMM_WORLD' not in rule and not any(rule.startswith(f'{call}:') for call in CALLS)]):
        result, rows = check(job, rules)
        expect('output on standard error', result.err, '')
        expect_true(any(row['failed'] > 0 for row in rows), 'no rule was about this program')


@case('regions', 'functions', 'threads', 'completion', ranks=[1, 2], needs=['transform'], title='{program} has the executions of its trace')
def executions_are_those_of_traces(job):
    check(job)


@case('p2p', ranks=[2], compact=[2], needs=['transform'])
def a_small_buffer_loses_no_evaluation(job):
    check(job, settings={'HIERA_BUFFER': '64k'})


@case('stress', ranks=[1], needs=['transform'])
def messages_that_another_thread_completes_are_counted(job):
    """Half of its receives are completed by the neighbour."""
    for how in (['pthreads', '8', '3000'], ['requests', '8', '500']):
        check(job, ['job: bytesReceived == -1', 'job: messages == -1', 'operation wait: bytesReceived == -1', 'operation waitall: bytesReceived == -1'], how)


@case('p2p', ranks=[2], needs=['transform'])
def without_a_trace_the_answers_are_the_same(job):
    folder = job.folder()
    rules = [rule for rule in RULES if 'Time' not in rule]  # times differ from run to run
    path = write_rules(folder, rules)
    result = job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, 'HIERA_TRACE': '0'}).good()
    expect('files', [name for name in sorted(os.listdir(folder)) if not name.startswith('expect')],
           ['assertions0.tsv', 'assertions1.tsv', 'rules.txt'])
    expect('output on standard error', result.err, '')
    there, _ = judge(job, '--assert', path, '--reports', folder)
    _, traced = check(job, rules)
    expect('what the rules count', [(row['verdict'], row['left']) for row in there], [(row['verdict'], row['left']) for row in traced])


@case('guest', ranks=[2], needs=['transform'])
def many_executions_of_ranks_are_paired(job):
    """They are in a file, which is gone afterwards; the k-th ones of all ranks are compared as from the trace."""
    rules = ['region step: max(WallTime) < 1.5 * min(WallTime) on each execution', 'region step: sum(calls) < 0 & max(WallTime) > 0 on each execution']
    result, rows = check(job, rules, ['lots', '3000'])
    expect_true(all(row['ok'] + row['failed'] >= 3000 and row['unknown'] == 0 for row in rows), rows)
    expect('files that are left', [name for name in os.listdir(result.folder) if 'kept' in name], [])


def touched_kb(job, threads, calls, **settings):
    result = job.run(threads, calls, settings={'MALLOC_ARENA_MAX': '1', 'HIERA_TRACE': '0', **settings}).good()
    multiple, kilobytes = map(int, result.out.split())
    if not multiple or kilobytes < 0:
        raise Skip('this MPI has no MPI_THREAD_MULTIPLE, or the kernel does not tell what is in memory')
    return kilobytes


@case('touched', ranks=[1])
def a_thread_without_a_trace_takes_a_few_kilobytes(job):
    """Of memory that is touched, besides what it takes without Hiera: 13 kB, and no more with more calls."""
    folder = job.folder()
    rules = write_rules(folder, ['job: ' + ' & '.join(f'{metric} >= 0' for metric in METRICS)])
    on, off = {'HIERA_ASSERT': rules, 'HIERA_DIR': folder}, {'HIERA_ENABLED': '0'}
    for calls in (1000, 5000):
        of_64 = [touched_kb(job, 65, calls, **how) - touched_kb(job, 1, calls, **how) for how in (on, off)]
        expect_true((of_64[0] - of_64[1]) / 64 < 16, f'kB of 64 threads that make {calls} calls, with Hiera and without: {of_64}')


@case('p2p', ranks=[2], needs=['transform'])
def wrong_rules_are_named_once_and_the_job_runs(job):
    folder = job.folder()
    path = write_rules(folder, ['region "step": MPITim < 1s'])
    result = job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder}).good()
    expect('message', result.err, f"hiera: HIERA_ASSERT: {path}:1:16: unknown name 'MPITim'; did you mean 'MPITime'?\n"
                                  'hiera: region "step": MPITim < 1s\nhiera:                ^~~~~~\n')
    expect_true(os.path.exists(os.path.join(folder, 'trace1.xml')), 'the run is traced')
    result = job.run(settings={'HIERA_ASSERT': path + '.no', 'HIERA_DIR': folder}).good()
    expect('message', result.err, f'hiera: HIERA_ASSERT: {path}.no: No such file or directory\n')
    result = job.run(settings={'HIERA_ASSERT': write_rules(folder, ['job: calls > 0', 'job: calls < ${limit}']), 'HIERA_DIR': folder}).good()
    expect('message', result.err, f'hiera: {path}:2: ${{limit}} has no value, so it is nan\n')


@case('guest', ranks=[1], needs=['transform'])
def a_process_that_dies_leaves_its_report(job):
    """The calls that were made are counted, and the one that has no end makes nothing known that is not."""
    for how in ('abort', 'without-finalize', 'signalled', 'code'):
        _, rows = check(job, ['operation barrier: calls == -1', 'operation barrier: MPITime == -1', 'job: calls == -1'], [how])
        expect_true(sum(row['failed'] + row['unknown'] for row in rows) > 0, f'{how}: {rows}')


@case('execs', ranks=[1], needs=['transform'])
def a_program_that_becomes_another_one_leaves_its_report(job):
    """And its children, which do so too, leave none."""
    folder = job.folder()
    path = write_rules(folder, ['operation barrier: calls == 10', 'operation barrier: calls == -1'])
    job.run('execve', '/bin/echo', direct=True, settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder}).good()
    there, _ = judge(job, '--assert', path, '--reports', folder)
    after, _ = judge(job, '--assert', path, folder)
    expect('rows of the run, and of its trace', [short(row) for row in there], [short(row) for row in after])
    expect('verdicts', [row['verdict'] for row in there], ['ok', 'failed'])


@case('p2p', ranks=[2], needs=['transform'])
def a_rank_that_leaves_no_report_is_named(job):
    folder = job.folder()
    path = write_rules(folder, ['job: calls > 0'])
    job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder}).good()
    os.unlink(os.path.join(folder, 'assertions1.tsv'))
    run = subprocess.run([os.path.abspath(job.transform), '--assert', path, '--reports', folder], capture_output=True, text=True, check=False)
    expect('exit status', run.returncode, 1)
    expect('message', run.stderr, f'hiera-transform: {folder}: 1 rank has left no report: what it did is not in the table\n')
    expect_true('unknown' in run.stdout, run.stdout)


def hiera_run(job, folder, rules, *program, first=(), **settings):
    """hiera-run --assert with the launcher. Returns exit status, standard output and standard error."""
    path = write_rules(folder, rules)
    command = [os.path.join(os.path.dirname(job.library), 'hiera-run'), *first, '--assert', path, *job.command([job.program, *program], job.ranks, {})]
    return job.wait(command, job.environment({'HIERA_DIR': folder, 'HIERA_QUIET': '1', **settings}), folder, None)


@case('guest', ranks=[2], needs=['transform'])
def hiera_run_says_what_became_of_the_rules(job):
    """The exit status is the job's; 1 if the job was good and a rule does not hold. Nothing is left in the folder of the traces."""
    good, bad = ['job: calls > 0', 'job: messages >= 0'], ['job: calls > 0', 'job: calls < 0']
    for trace in ('1', '0'):
        for rules, how, status, verdict in ((good, 'plain', 0, 'ok'), (bad, 'plain', 1, 'failed'), (bad, 'code', 3, 'failed')):
            folder = job.folder()
            plain = job.run(how, settings={'HIERA_ENABLED': '0'})
            code, out, err = hiera_run(job, folder, rules, how, HIERA_TRACE=trace)
            expect(f'{how}: exit status and output', (code, sorted(out.split())), (status, sorted(plain.out.split())))
            expect(f'{how}: verdict on the job', [line.split()[1] for line in err.splitlines() if 'rules.txt:2 ' in line], [verdict])
            left = {name for name in os.listdir(folder) if name.startswith(('hiera-assert', 'assertions', 'trace0'))}
            expect(f'{how}: files', left, {'trace0.xml'} if trace == '1' else set())


@case('guest', ranks=[2], needs=['transform'])
def hiera_run_refuses_wrong_rules_before_the_job(job):
    folder = job.folder()
    code, out, err = hiera_run(job, folder, ['job: call < 3'], 'plain')
    expect('exit status, output', (code, out), (2, ''))
    expect_true("rules.txt:1:6: unknown name 'call'; did you mean 'calls'?" in err, err)
    expect('files', os.listdir(folder), ['rules.txt'])
    code, out, _ = hiera_run(job, folder, ['job: calls < 3'], 'plain', first=['--print'])
    expect_true(code == 0 and job.program in out, out)
    expect('files', os.listdir(folder), ['rules.txt'])


@case('p2p', ranks=[2], needs=['transform'])
def what_a_run_cannot_know_is_decided_by_its_trace(job):
    """Rules that ask for values of measures or for a kept run. Without a trace they are unknown, and that is said."""
    rules = ['job: calls > 0', 'job: waits.time >= 0 & efficiency.load_balance > 1%', 'operation send: calls <= baseline(calls)', 'job: calls > baseline(calls)']
    kept = job.folder()
    job.run(settings={'HIERA_DIR': kept}).good()
    for trace, expected, status in (('1', ['ok', 'ok', 'ok', 'failed'], 1), ('0', ['ok', 'unknown', 'unknown', 'unknown'], 1)):
        folder = job.folder()
        code, _, err = hiera_run(job, folder, rules, first=['--baseline', kept], HIERA_TRACE=trace)
        expect('verdicts', [line.split()[1] for line in err.splitlines() if line.startswith(os.path.join(folder, 'rules.txt:'))], expected)
        expect('exit status', code, status)
        expect('it is said that there is no trace', 'are not decided: the run has left no trace' in err, trace == '0')
        expect('reports that are left', [name for name in os.listdir(folder) if 'assert' in name], [])
    code, _, err = hiera_run(job, job.folder(), rules[:3], first=['--baseline', kept])
    expect('exit status if all hold', code, 0)
    code, out, err = hiera_run(job, job.folder(), ['job: wait.time > 0'])
    expect('a measure that there is not is named before the job', (code, out, "'wait'" in err), (2, '', True))
    code, out, err = hiera_run(job, job.folder(), rules)
    expect('no kept run is named', (code, out, '--baseline RUN' in err), (2, '', True))


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


@case('asserted', ranks=[1, 2], compact=[2], smoke=True, needs=['transform'], title='assertions in the source of {program}')
def assertions_in_the_source(job):
    lines = stated(SOURCE, job.ranks)
    here = {n: ends for n, ends in lines.items() if 'no_limit' not in open_line(SOURCE, n)}
    result = check_source(job, [], here)
    result.valid(job.ranks)
    expect('output on standard error', result.err, '')
    without = job.folder()
    job.run(settings={'HIERA_DIR': without, 'HIERA_TRACE': '0'}).good()
    expect('files without a trace', [name for name in sorted(os.listdir(without)) if not name.startswith('expect')],
           [f'assertions{rank}.tsv' for rank in range(job.ranks)])
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


@case('metered', ranks=[1, 2, 4], compact=[2], needs=['transform'])
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


@case('counted', ranks=[1, 2], compact=[2], needs=['transform'])
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


@case('counted', ranks=[1], needs=['transform'])
def what_this_machine_counts(job):
    """Real events, or none, as on most virtual machines."""
    folder = job.folder()
    result = job.run('real', settings={'HIERA_DIR': folder}).good()
    (row,), _ = judge(job, '--reports', folder)
    expect_true(row['verdict'] in ('ok', 'unknown'), f'{row}')
    expect('a reason is said', 'are unknown: ' in result.err, row['verdict'] == 'unknown')


@case('counted', ranks=[1, 2], needs=['transform'])
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


@case('asserted', ranks=[2], needs=['transform'])
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


@case('asserted', ranks=[2], needs=['transform'])
def a_violation_is_counted_said_called_or_ends_the_job(job):
    """HIERA_ON_VIOLATION: the first violation is that of the third execution, and there are two."""
    line = next(n for n in range(1, 999) if '$i < 2", i);' in open_line(SOURCE, n) and 'calls' not in open_line(SOURCE, n))
    said = rf'hiera: \S*asserted.c:{line}: \$i < 2 does not hold on rank (\d), execution 3: 2 < 2\n'
    called = [f'violation asserted.c: $i < 2, {i} < 2, {i + 1}' for i in (2, 3)]
    for how, errors, output in (('count', 0, ['went on']), ('say', job.ranks, ['went on']), ('call', 0, [*called, 'went on'])):
        folder = job.folder()
        result = job.run('violate', settings={'HIERA_DIR': folder, 'HIERA_ON_VIOLATION': how}).good()
        expect(f'{how}: messages', len(re.findall(said, result.err)), errors)
        expect(f'{how}: output', {text: result.out.count(text) for text in [*called, 'went on']}, {text: job.ranks * (text in output) for text in [*called, 'went on']})
        there, status = judge(job, '--reports', folder)
        expect(f'{how}: failed', [row['failed'] for row in there if row['failed']], [2 * job.ranks])
        expect(f'{how}: exit status', status, 1)
    folder = job.folder()
    result = job.run('violate', settings={'HIERA_DIR': folder, 'HIERA_ON_VIOLATION': 'end'})
    expect_true(result.code != 0 and 'went on' not in result.out, f'it goes on: {result.code} {result.out}')
    expect_true(re.search(said, result.err), result.err)
    there, _ = judge(job, '--reports', folder)
    expect('failed before the end', {row['failed'] for row in there if row['failed']} <= set(range(1, job.ranks + 1)), True)


@case('regions', ranks=[2], needs=['transform'])
def a_violation_of_a_rule_is_said_once(job):
    folder = job.folder()
    path = write_rules(folder, ['region outer: calls < 0', 'region outer: calls >= 0', 'job: calls < 0'])
    for how, n in (('count', 0), ('say', 1), ('end', 1)):
        result = job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, 'HIERA_ON_VIOLATION': how}).good()
        said = re.findall(r'hiera: \S*rules.txt:(\d): region outer: calls < 0 does not hold on rank \d, execution 1: \d+ < 0\n', result.err)
        expect(f'{how}: messages', (said, len(result.err.splitlines())), (['1'] * n * job.ranks, n * job.ranks))


@case('asserted', variants=['C++'], ranks=[2], needs=['transform'])
def assertions_in_the_source_of_a_program(job):
    check_source(job, [], stated(SOURCE + 'c', job.ranks)).valid(job.ranks)


@case('fortran_regions', ranks=[2], variants=['mpi_f08'], linked='shared', needs=['transform'])
def assertions_in_fortran(job):
    """Each of the lines that begin one says how it ends."""
    source = os.path.join(os.path.dirname(__file__), '..', 'fortran', 'fortran_regions.F90')
    lines = [n for n in range(1, 200) if 'hiera_assert_begin(' in open_line(source, n)]
    check_source(job, [], {n: tuple(job.ranks * (f'! {verdict}' in open_line(source, n)) for verdict in ('ok', 'failed', 'unknown')) for n in lines})
