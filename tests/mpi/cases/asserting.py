"""HIERA_ASSERT: rules are checked while the program runs, and the answer is that of the traces."""

import os
import re
import subprocess

from expect.case import core_case
from expect.judgement import Skip, expect, expect_true
from expect.rules import judge, short, write_rules

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


@core_case('p2p', 'collectives', 'nbcoll', 'rma', 'io', 'comms', 'long_lists', ranks=[2], needs=['transform'], title='{program} has the metrics of its trace')
def metrics_are_those_of_traces(job):
    """Rules that name no communicator are counted in a shorter way."""
    for rules in (RULES, [rule for rule in RULES if 'COMM_WORLD' not in rule and not any(rule.startswith(f'{call}:') for call in CALLS)]):
        result, rows = check(job, rules)
        expect('output on standard error', result.err, '')
        expect_true(any(row['failed'] > 0 for row in rows), 'no rule was about this program')


@core_case('p2p', 'comms', ranks=[2], needs=['transform'], title='{program} has the communicators of its trace')
def communicators_are_those_of_traces(job):
    """Who does not ask for the bytes received on a communicator is told of no requests."""
    metrics = ('calls', 'MPITime', 'MPIWaitTime', 'messages', 'bytesSent', 'transferBytes')
    _, rows = check(job, [f'operation {call}: {metric}("", "MPI_COMM_WORLD") == -1' for call in CALLS for metric in metrics] +
                    [f'job: {metric}("", "MPI_COMM_WORLD", 1) == -1' for metric in metrics])
    expect_true(any(row['failed'] > 0 for row in rows), 'no rule was about this program')


@core_case('regions', 'functions', 'threads', 'completion', ranks=[1, 2], needs=['transform'], title='{program} has the executions of its trace')
def executions_are_those_of_traces(job):
    check(job)


@core_case('p2p', ranks=[2], compact=[2], needs=['transform'])
def a_small_buffer_loses_no_evaluation(job):
    check(job, settings={'HIERA_BUFFER': '64k'})


@core_case('stress', ranks=[1], needs=['transform'])
def messages_that_another_thread_completes_are_counted(job):
    """Half of its receives are completed by the neighbour."""
    for how in (['pthreads', '8', '3000'], ['requests', '8', '500']):
        check(job, ['job: bytesReceived == -1', 'job: messages == -1', 'operation wait: bytesReceived == -1', 'operation waitall: bytesReceived == -1'], how)


@core_case('p2p', ranks=[2], needs=['transform'])
def without_a_trace_the_answers_are_the_same(job):
    folder = job.folder()
    rules = [rule for rule in RULES if 'Time' not in rule]  # times differ from run to run
    path = write_rules(folder, rules)
    result = job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, 'HIERA_TRACE': '0'}).good()
    expect('files', [re.sub('-[0-9a-f]+', '-JOB', name) for name in sorted(os.listdir(folder)) if not name.startswith('expect')],
           ['assertions0-JOB.tsv', 'assertions1-JOB.tsv', 'rules.txt'])
    expect('output on standard error', result.err, '')
    there, _ = judge(job, '--assert', path, '--reports', folder)
    _, traced = check(job, rules)
    expect('what the rules count', [(row['verdict'], row['left']) for row in there], [(row['verdict'], row['left']) for row in traced])


@core_case('guest', ranks=[2], needs=['transform'])
def many_executions_of_ranks_are_paired(job):
    """They are in a file, which is gone afterwards; the k-th ones of all ranks are compared as from the trace."""
    rules = ['region step: max(WallTime) < 1.5 * min(WallTime) on each execution', 'region step: sum(calls) < 0 & max(WallTime) > 0 on each execution']
    result, rows = check(job, rules, ['lots', '3000'])
    expect_true(all(row['ok'] + row['failed'] >= 3000 and row['unknown'] == 0 for row in rows), rows)
    expect('files that are left', [name for name in os.listdir(result.folder) if 'kept' in name], [])


def touched_kb(job, threads, how, **settings):
    result = job.run(threads, *how, settings={'MALLOC_ARENA_MAX': '1', 'HIERA_TRACE': '0', **settings}).good()
    multiple, kilobytes = map(int, result.out.split())
    if not multiple or kilobytes < 0:
        raise Skip('this MPI has no MPI_THREAD_MULTIPLE, or the kernel does not tell what is in memory')
    return kilobytes


@core_case('touched', ranks=[1])
def a_thread_without_a_trace_takes_a_few_kilobytes(job):
    """Of memory that is touched, besides what it takes without Hiera: 14 kB, and no more with more calls; 26 with regions of its own."""
    folder = job.folder()
    rules = write_rules(folder, ['job: ' + ' & '.join(f'{metric} >= 0' for metric in METRICS)])
    on, off = {'HIERA_ASSERT': rules, 'HIERA_DIR': folder}, {'HIERA_ENABLED': '0'}
    for how, most in (([1000], 16), ([5000], 16), ([1000, 'regions'], 30)):
        of_64 = [touched_kb(job, 65, how, **settings) - touched_kb(job, 1, how, **settings) for settings in (on, off)]
        expect_true((of_64[0] - of_64[1]) / 64 < most, f'kB of 64 threads that make {how} calls, with Hiera and without: {of_64}')


@core_case('p2p', ranks=[2], needs=['transform'])
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


@core_case('guest', ranks=[1], needs=['transform'])
def a_process_that_dies_leaves_its_report(job):
    """The calls that were made are counted, and the one that has no end makes nothing known that is not."""
    for how in ('abort', 'without-finalize', 'signalled', 'code'):
        _, rows = check(job, ['operation barrier: calls == -1', 'operation barrier: MPITime == -1', 'job: calls == -1'], [how])
        expect_true(sum(row['failed'] + row['unknown'] for row in rows) > 0, f'{how}: {rows}')


@core_case('execs', ranks=[1], needs=['transform'])
def a_program_that_becomes_another_one_leaves_its_report(job):
    """And its children, which do so too, leave none."""
    folder = job.folder()
    path = write_rules(folder, ['operation barrier: calls == 10', 'operation barrier: calls == -1'])
    job.run('execve', '/bin/echo', direct=True, settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder}).good()
    there, _ = judge(job, '--assert', path, '--reports', folder)
    after, _ = judge(job, '--assert', path, folder)
    expect('rows of the run, and of its trace', [short(row) for row in there], [short(row) for row in after])
    expect('verdicts', [row['verdict'] for row in there], ['ok', 'failed'])


@core_case('p2p', ranks=[2], needs=['transform'])
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


@core_case('guest', ranks=[2], needs=['transform'])
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


@core_case('guest', ranks=[2], needs=['transform'])
def hiera_run_refuses_wrong_rules_before_the_job(job):
    folder = job.folder()
    code, out, err = hiera_run(job, folder, ['job: call < 3'], 'plain')
    expect('exit status, output', (code, out), (2, ''))
    expect_true("rules.txt:1:6: unknown name 'call'; did you mean 'calls'?" in err, err)
    expect('files', os.listdir(folder), ['rules.txt'])
    code, out, _ = hiera_run(job, folder, ['job: calls < 3'], 'plain', first=['--print'])
    expect_true(code == 0 and job.program in out, out)
    expect('files', os.listdir(folder), ['rules.txt'])


@core_case('p2p', ranks=[2], needs=['transform'])
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


@core_case('regions', ranks=[2], needs=['transform'])
def a_violation_of_a_rule_is_said_once(job):
    folder = job.folder()
    path = write_rules(folder, ['region outer: calls < 0', 'region outer: calls >= 0', 'job: calls < 0'])
    for how, n in (('count', 0), ('say', 1), ('end', 1)):
        result = job.run(settings={'HIERA_ASSERT': path, 'HIERA_DIR': folder, 'HIERA_MORE': 'on_violation=' + how}).good()
        said = re.findall(r'hiera: \S*rules.txt:(\d): region outer: calls < 0 does not hold on rank \d, execution 1: \d+ < 0\n', result.err)
        expect(f'{how}: messages', (said, len(result.err.splitlines())), (['1'] * n * job.ranks, n * job.ranks))
