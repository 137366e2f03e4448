"""Jobs that end with an error: the traces have all that was recorded, and the job ends as it does without Hiera."""

import os
import re
import select
import signal
import subprocess
import time

from cases.guest import ended
from expect.case import case
from expect.job import OPEN_MPI, Result
from expect.judgement import expect, expect_true
from expect.trace import validate

ERRORS = {'rank': ('send', 'MPI_ERR_RANK'), 'type': ('broadcast', 'MPI_ERR_TYPE'), 'commit': ('type_commit', 'MPI_ERR_TYPE')}


LINGER = 0.2  # seconds that a rank lives on after it has written, so that other ranks can write


def said(path):
    """The output of a rank without text that differs from run to run."""
    with open(path, encoding='utf-8') as file:
        return [re.sub(r'0x[0-9a-f]+|\d{3,}', '#', line) for line in file]


@case('ends', ranks=[2])
@case('ends', container=[2], mpi=['openmpi'])
def mpi_error_keeps_the_trace(job):
    """MPI's own error handler ends the program. The launcher may then send SIGKILL to the other ranks."""
    for what, (operation, name) in ERRORS.items():
        printed = [os.path.join(job.folder(), 'printed') for _ in range(2)]
        off = job.run('error', what, printed[0], settings={'HIERA_ENABLED': 0})
        result = job.run('error', what, printed[1])
        expect(f'{what}: exit code', result.code, off.code)
        expect(f'{what}: output', said(printed[1]), said(printed[0]))
        expect(f'{what}: its first line', said(printed[1])[0], 'fatal: 1\n')
        validate([result.path(1)])
        trace = result.trace(1)
        trace.check_sound()
        expect(f'{what}: barriers', len(trace.all(operation='barrier')), 10)
        expect(f'{what}: call without an end', [e.get('operation') for _, e in trace.operations() if not e.get('finish_time')], [operation])
        cause, value, name_there = ended(trace)
        expect(f'{what}: end', (cause, int(value) > 0, name_there), ('MPI error', True, name))


@case('ends')
def handled_mpi_errors_do_not_end_the_trace(job):
    result = job.run('handled').good()
    expect('output', result.out, 'handled 10\n' * job.ranks)
    for trace in result.valid(job.ranks):
        expect('end', ended(trace), None)
        expect('errors', [e.get('error') is not None for e in trace.all(operation='send')], [True] * 5)


def end_of(pid):
    """Wait until a process that is not our child has ended."""
    process = os.pidfd_open(pid)
    select.select([process], [], [])
    os.close(process)


def end_one(job, rank):
    """Start a job that hangs, and send SIGTERM to one rank. Return how many seconds that rank lived after it."""
    folder = job.folder()
    settings = {'HIERA_DIR': folder, 'HIERA_FORMAT': job.format, 'HIERA_COMPRESS': job.compress}
    command = job.command([job.program, 'hang'], job.ranks, {})
    with subprocess.Popen(command, env=dict(job.environment(settings), **OPEN_MPI), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        pids = dict(map(int, process.stdout.readline().split()[1:]) for _ in range(job.ranks))
        began = time.monotonic()
        os.kill(pids[rank], signal.SIGTERM)
        end_of(pids[rank])
        lived = time.monotonic() - began
        try:
            out, err = process.communicate(timeout=job.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Result(folder, folder, process.returncode, out.decode(), err.decode()), lived


@case('ends', ranks=[2])
def terminated_ranks_wait_until_others_have_written(job):
    """A launcher sends SIGTERM to all ranks, and SIGKILL as soon as the first has died. So each rank lives on for a moment
    after it has written. Launchers differ in when they send signals, so this test sends SIGTERM itself, to one rank."""
    for rank in range(job.ranks):
        result, lived = end_one(job, rank)
        expect_true(lived >= LINGER, f'rank {rank}: expected to live for {LINGER} s, actual {lived} s')
        validate([result.path(rank)])
        trace = result.trace(rank)
        trace.check_sound()
        expect('barriers', len(trace.all(operation='barrier')), 11)
        expect('end', ended(trace), ('signal', '15', 'SIGTERM'))
        started = [e.get('request') for e in trace.all(operation='irecv')]
        waits = trace.all(operation='waitall')
        expect_true(len(waits) <= 1 and all(e.get('finish_time') == '' for e in waits), f'{trace.path}: a wait that has ended')
        for wait in waits:
            expect('requests of the wait', wait.get('requests').split(), [started[0], '0', started[2], '0', started[4]])
        if waits and job.transform:
            receives = [rf'irecv \(\S*ends.c:\d+\) from rank {rank}, tag {i}, on MPI_COMM_WORLD' for i in (0, 2, 4)]
            told = '\n'.join(job.findings(result, None))
            expect_true(re.search('waitall .*; it waits for ' + '; '.join(receives) + r' \[end\]$', told, re.M), f'what rank {rank} waits for: {told}')
