"""A job is asked while it runs: hiera-transform --live. The programs go on for ever, and are ended when they have been asked."""

import contextlib
import glob
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time

from cases.measured_waits import on_other_host
from cases.survive import hiera_run, pid_of, progress, wait_for
from expect.case import case, core_case
from expect.job import AT_ONCE
from expect.judgement import expect, expect_true

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', name) for name in ('page', 'serve')]
from chromium import Browser  # noqa: E402
from server import Server  # noqa: E402

PATIENCE_S = 60


@contextlib.contextmanager
def running(job, *arguments, settings=None, before=None):
    """The folder of a job that runs. before: what stands before the command of each rank."""
    folder = job.folder()
    env = job.environment({'HIERA_DIR': folder, 'HIERA_FORMAT': job.format, 'HIERA_COMPRESS': job.compress, **AT_ONCE, **(settings or {})})
    command = job.command([job.program, *arguments], job.ranks, {}) if job.ranks > 1 else [job.program, *arguments]
    if before:
        command = job.command_of([*before[rank], job.program, *arguments] for rank in range(job.ranks))
    with subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield folder
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def transform(job, *words):
    env = {**os.environ, 'COLUMNS': '1000'}
    return subprocess.run([os.path.abspath(job.transform), *words], capture_output=True, text=True, check=False, env=env)


def asked(job, folder, *words):
    """What hiera-transform says of the job now; without a file in the folder being changed by it."""
    run = transform(job, folder, '--live', *words)
    expect_true(run.returncode in (0, 1), f'exit code of hiera-transform {" ".join(words)}: {run.returncode}: {run.stdout}{run.stderr}')
    return run.stdout


def wait_for_answer(job, folder, pattern, *words):
    """The first answer in which there is this, as soon as the ranks have come so far. At first there are no traces."""
    end = time.monotonic() + PATIENCE_S
    while True:
        answer = transform(job, folder, '--live', *words).stdout
        if re.search(pattern, answer, re.DOTALL):
            return answer
        expect_true(time.monotonic() < end, f'no answer with {pattern}: {answer}')
        time.sleep(0.15)


def errors_of(job, folder):
    return [line for line in asked(job, folder, '--validate').splitlines() if ': error: ' in line or re.match(r'errors: [^0]', line)]


@case('live', ranks=[3], zstd=[2], container=[3], needs=['transform'])
def a_job_that_hangs_is_explained_while_it_hangs(job):
    n = job.ranks
    with running(job, 'ring') as folder:
        waits = ''.join(rf'.*\n{r} +waits +receive +live\.c .* {(r + 1) % n} ' for r in range(n))
        wait_for_answer(job, folder, rf'all +deadlock.*each waits for the next: rank 0 in MPI_Recv \(live\.c:\d+\).*→ rank 0{waits}', '--measure', 'hang')
        expect('errors', errors_of(job, folder), [])
        said = asked(job, folder, '--validate')
        expect_true(re.search(r'MPI_COMM_WORLD .* 100\n', said), 'the sums are not all there')
        expect_true(re.search(rf'MPI_COMM_WORLD +0 +{n} +{n} ', said) and 'no match' not in said, f'receives that may still get their messages are excused: {said}')
        said = transform(job, folder, '--measure', 'hang').stdout
        expect_true(re.match(r'partial: .* still runs: .*--live', said) and 'incomplete' in said, f'without --live: {said}')
        expect_true(not re.search('has not called|computes|never|deadlock', said), f'without --live silence is taken for an answer: {said}')
        said = transform(job, folder).stdout
        expect_true('Efficiency  unknown: the job still runs' in said, f'the summary without --live: {said}')


@case('live', ranks=[3], mpi=['mpich'], needs=['transform'])
def requests_of_a_job_that_hangs_are_explained(job):
    with running(job, 'requests') as folder:
        answer = wait_for_answer(job, folder, r'all +deadlock.*\n2 +waits', '--measure', 'hang')
        expect_true(re.search(r'\n2 +waits +waitall .*\n +waits for its MPI_Irecv \(live\.c:\d+\), which needs a message from rank 0, tag 8', answer), answer)
        expect_true(re.search(r'\n0 +waits +waitall .*\n +waits for its MPI_Irecv \(live\.c:\d+\), which needs a message from rank 1, tag 7', answer), answer)


@case('live', ranks=[2], mpi=['openmpi'], needs=['transform'])
def ranks_that_test_for_ever_are_explained(job):
    with running(job, 'tests') as folder:
        wait_for_answer(job, folder, r'all +deadlock.*\n0 +tests +test .*\n1 +tests', '--measure', 'hang')


@case('live', ranks=[2], mpi=['openmpi'], needs=['transform'])
def a_rank_that_is_missed_is_in_finalize(job):
    """Its trace has its end already, and is not waited for."""
    with running(job, 'leave') as folder:
        answer = wait_for_answer(job, folder, r'all +deadlock.*rank 0 is missing at MPI_Barrier .*rank 0 is in MPI_Finalize', '--measure', 'hang')
        expect_true('trace0' not in answer, f'something of rank 0 is said to be unknown: {answer}')


@core_case('live', ranks=[3], needs=['transform'])
def who_computes_or_is_stopped_is_named(job):
    with running(job, 'compute') as folder:
        wait_for_answer(job, folder, r'all +runs .*rank 1 computes since [\d.]+ m?s; its last call was MPI_Allreduce \(live\.c:\d+\).*\n0 +waits +barrier .*'
                        r'\n2 +waits +barrier', '--measure', 'hang')
        # One sample may be at an instruction from which the stack cannot be followed to its end.
        wait_for_answer(job, folder, r'\n1 +computes [^\n]*\n +computes [^\n]*; its stack is ([^\n]*main \(live\.c:\d+\)|\([^\n]*); a thread: (spin \(live\.c:\d+\)|\()', '--measure', 'hang')
        expect_true('Runs        rank 1 computes since' in asked(job, folder), 'the summary does not name the rank')
        pid = pid_in(folder, 1)
        os.kill(pid, signal.SIGSTOP)
        try:
            wait_for_answer(job, folder, r'rank 1 is stopped \(SIGSTOP, or a debugger\)', '--measure', 'hang')
        finally:
            os.kill(pid, signal.SIGCONT)


def pid_in(folder, rank):
    with open(os.path.join(folder, f'trace{rank}.xml'), encoding='utf-8') as trace:
        return int(re.search(r' pid="(\d+)"', trace.read()).group(1))


def renumber_the_device(folder, rank):
    """In a file of memory, as another computer numbers the device of the trace."""
    status = os.stat(os.path.join(folder, f'trace{rank}.xml'))
    here, there = (struct.pack('QQ', status.st_dev + more, status.st_ino) for more in (0, 1))
    for path in glob.glob(os.path.join(folder, f'.hiera-kept-*-{pid_in(folder, rank)}-*')):
        with open(path, 'r+b') as file:
            for match in re.finditer(re.escape(here), file.read()):
                file.seek(match.start())
                file.write(there)


@case('live', ranks=[3], mpi=['openmpi'], needs=['transform'])
def a_rank_of_another_host_is_seen_through_the_folder(job):
    """Up to its last record. Its clock is another one, and whether it still runs is not known here."""
    before = [[], on_other_host(), []]
    seen = r'partial: [^\n]*trace1\.xml: its process \d+ is, or was, on otherhost: it is seen up to its last record, \d{1,2}\.\d+ s;[^\n]*'
    with running(job, 'ring', settings={'HIERA_SURVIVE': 'folder'}, before=before) as folder:
        wait_for_answer(job, folder, seen + r'.*all +deadlock.*rank 0 in MPI_Recv .*→ rank 1 in MPI_Recv .*\n0 +waits +receive .* rank 1 was last seen in MPI_Recv \(live\.c:\d+\)',
                        '--measure', 'hang')
        renumber_the_device(folder, 1)
        expect_true(re.search(r'\n1 +waits +receive ', asked(job, folder, '--measure', 'hang')), 'not seen with another number of the device')
        expect('errors', errors_of(job, folder), [])
    with running(job, 'compute', settings={'HIERA_SURVIVE': 'folder'}, before=before) as folder:
        wait_for_answer(job, folder, r'all +runs .*\n +rank 1 was last seen after its MPI_Allreduce \(live\.c:\d+\)\n0 +waits .*\n1 +not known .*\n2 +waits ', '--measure', 'hang')
        expect_true(re.search(r'Efficiency  unknown: calls of a rank on another computer', asked(job, folder)), 'what the rank does is taken as known')


@core_case('live', ranks=[3], needs=['transform'])
def a_killed_rank_among_ranks_that_run_is_named(job):
    """What started the ranks is stopped meanwhile, or it would end the others."""
    with running(job, 'ring') as folder:
        wait_for_answer(job, folder, r'all +deadlock', '--measure', 'hang')
        killed = pid_in(folder, 1)
        with open(f'/proc/{killed}/stat', encoding='utf-8') as stat:
            parent = int(stat.read().rpartition(') ')[2].split()[1])
        os.kill(parent, signal.SIGSTOP)
        try:
            os.kill(killed, signal.SIGKILL)
            wait_for_answer(job, folder, r'all +failed .*rank 1 was ended by a kill in MPI_Recv.*\n0 +waits +receive .*waits for a message from rank 1, .*rank 1 was ended by a kill\n1 +failed', '--measure', 'hang')
        finally:
            os.kill(parent, signal.SIGCONT)


@core_case('live', ranks=[2], needs=['transform'])
def a_slow_rank_is_named_while_it_is_slow(job):
    with running(job, 'slow') as folder:
        answer = wait_for_answer(job, folder, r'Run .* ([3-9]\d\d|\d,\d+) operations')
        expect('words of threads', re.findall('MPI threads|not recorded', answer), [])
        expect_true(re.search(r'\n(Waits|Unusual) .*rank 1 ', answer), f'rank 1 is not named: {answer}')
        expect_true('100.0 %' not in re.search('parallel efficiency.*', answer).group(), answer)
        expect('errors', errors_of(job, folder), [])


def next_page(browser, before):
    """Its address and how many operations it has, when a page other than `before` is there."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(RuntimeError):  # no page yet
            here, operations = browser.js("""return document.documentElement.dataset.ready ? [location.pathname, hiera.timeline.head.run.operations] : ['', 0]""")
            if here not in ('', before):
                return here, operations
        time.sleep(0.2)
    raise AssertionError(f'no page after {before}')


@case('live', ranks=[2], mpi=['mpich'], needs=['transform'])
def a_served_page_follows_the_job(job):
    """By itself, and what is left of an earlier page gets no answer of a later one. When the job has ended there is one page more."""
    with contextlib.ExitStack() as stack:
        with running(job, 'slow') as folder:
            wait_for_answer(job, folder, 'Efficiency')
            server = stack.enter_context(Server(os.path.abspath(job.transform), folder, '--live', '--quiet'))
            browser = stack.enter_context(Browser())
            browser.cdp('Page.addScriptToEvaluateOnNewDocument', source='const now = Date.now, begin = now(); Date.now = () => begin + 10 * (now() - begin);')
            browser.open(server.line.strip())
            first, few = next_page(browser, None)
            second, more = next_page(browser, first)
            expect('pages', [first, second], ['/1/', '/2/'])
            expect_true(few < more, f'operations: first {few}, then {more}')
            expect('answer to an old page', browser.js("return fetch('/1/block/tile-0-0').then((answer) => answer.status)"), 404)
        last, _ = next_page(browser, second)
        expect('last page', [last, browser.js('return hiera.timeline.head.renew')], ['/', 0])
        server.process.send_signal(signal.SIGINT)
        expect('exit code', server.process.wait(20), 0)


@core_case('live', ranks=[2])
def a_watched_job_tells_who_lets_others_wait(job):
    """Also its output and exit code are those without a watch; and that there are threads which nobody records."""
    folder = job.folder()
    env = job.environment({'HIERA_DIR': folder})
    command = [hiera_run(job), '--watch', '0.4', '--library', job.library, *job.command([job.program, 'beside', '60'], job.ranks, {})]
    run = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    expect(f'exit code ({run.stderr})', run.returncode, 0)
    expect('output', run.stdout, '')
    lines = re.findall(r'^hiera: ([\d.]+) s: efficiency ([\d.]+) %( of the MPI threads|), rank 1 lets others wait, longest call [\d.]+ s: MPI_\w+ \(live\.c:\d+\) on rank \d$', run.stderr, re.MULTILINE)
    expect_true(len(lines) >= 1 and all(0 < float(line[1]) < 100 for line in lines) and lines[-1][2], run.stderr)


@case('live', ranks=[2], mpi=['mpich'], needs=['transform'])
def threads_of_a_job_that_runs_are_seen(job):
    with running(job, 'threads') as folder:
        wait_for_answer(job, folder, r'"thread": *1|\b1\b', '--measure', 'counts')
        expect('words of threads', re.findall('MPI threads|not recorded', asked(job, folder)), [])
        for _ in range(2):
            expect('errors', errors_of(job, folder), [])


@core_case('survive', zstd=[1], needs=['transform'])
def all_calls_of_a_running_rank_are_seen(job):
    """At any moment: all that had returned before it was asked, and no more than had begun when the answer was there. Once at full speed, when the rank
    always changes its memory; then with pauses."""
    for way in ('', 'slow', 'slow'):
        with running(job, 'progress', '60', '0', way) as folder:
            path = os.path.join(folder, 'progress')
            wait_for(lambda path=path: pid_of(path, 0) and progress(path, 0)[0][1])
            returned = progress(path, 0)[0][1]
            calls = sum(row['count'] for row in json.loads(asked(job, folder, '--measure', 'counts', '--format', 'json'))['counts'] if row['level'] == 'mpi')
            begun = progress(path, 0)[0][0]
            expect_true(returned <= calls <= begun, f'calls: expected {returned} to {begun}, actual {calls}')
