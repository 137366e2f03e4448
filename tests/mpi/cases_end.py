"""Jobs that end badly: what the ranks recorded is in their traces, and the job ends as it would without Hiera."""

import os
import re
import signal
import subprocess

from cases_guest import ended
from hiera_job import OPEN_MPI, Result, expect, expect_true, validate

ERRORS = {'rank': ('send', 'MPI_ERR_RANK'), 'type': ('broadcast', 'MPI_ERR_TYPE'), 'commit': ('type_commit', 'MPI_ERR_TYPE')}


def said(result):
    """What MPI prints, without what differs from run to run. Open MPI's mpirun now and then loses it."""
    return sorted(re.sub(r'0x[0-9a-f]+|\d{3,}', '#', line) for line in result.err.splitlines())


def with_and_without(job, what):
    """Now and then a launcher loses lines of a process that it ends, without Hiera too: one of three pairs is equal."""
    for _ in range(3):
        off, result = job.run('error', what, settings={'HIERA_ENABLED': 0}), job.run('error', what)
        if result.out == off.out and (job.is_open_mpi or said(result) == said(off)):
            break
    return off, result


def mpi_error_keeps_the_trace(job):
    """MPI's own handler ends the program, and the launcher may answer with SIGKILL."""
    for what, (operation, name) in ERRORS.items():
        off, result = with_and_without(job, what)
        expect(f'{what}: exit code', result.code, off.code)
        expect(f'{what}: output', (result.out, off.out), ('fatal: 1\n', 'fatal: 1\n'))
        if not job.is_open_mpi:
            expect(f'{what}: messages', said(result), said(off))
        validate([result.path(1)])
        trace = result.trace(1)
        trace.check_sound()
        expect(f'{what}: barriers', len(trace.all(operation='barrier')), 10)
        expect(f'{what}: call without an end', [e.get('operation') for _, e in trace.operations() if not e.get('finish_time')], [operation])
        cause, value, name_there = ended(trace)
        expect(f'{what}: end', (cause, int(value) > 0, name_there), ('MPI error', True, name))
        if job.is_open_mpi:
            expect(f'{what}: end of rank 0', ended(result.trace(0)), ('signal', '15', 'SIGTERM'))


def handled_errors_are_no_end(job):
    result = job.run('handled').good()
    expect('output', result.out, 'handled 10\n' * job.ranks)
    for trace in result.valid(job.ranks):
        expect('end', ended(trace), None)
        expect('errors', [e.get('error') is not None for e in trace.all(operation='send')], [True] * 5)


def hang(job):
    """A job that hangs until `timeout` ends it: that sends SIGTERM twice, to the launcher and to its group."""
    folder = job.folder()
    settings = {'HIERA_DIR': folder, 'HIERA_FORMAT': job.format, 'HIERA_COMPRESS': job.compress}
    command = job.command([job.program, 'hang'], job.ranks, {})
    with subprocess.Popen(command, env=dict(job.environment(settings), **OPEN_MPI), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        expect('output', process.stdout.readline(), b'ready\n')
        process.send_signal(signal.SIGTERM)
        try:
            os.killpg(process.pid, signal.SIGTERM)
            out, err = process.communicate(timeout=job.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Result(folder, folder, process.returncode, out.decode(), err.decode())


def ranks_that_are_ended_let_each_other_write(job):
    """The launcher sends SIGKILL as soon as the first rank has died of SIGTERM: the others have had no time. On a busy
    machine a rank may get no processor in time: one job of three has all."""
    for _ in range(3):
        result = hang(job)
        if all(os.path.exists(result.path(r)) and len(result.trace(r).all(operation='barrier')) == 11 for r in range(job.ranks)):
            break
    for trace in result.valid(job.ranks):
        expect('barriers', len(trace.all(operation='barrier')), 11)
        expect('end', ended(trace), ('signal', '15', 'SIGTERM'))
        wait = trace.all(operation='wait')
        expect_true(len(wait) <= 1 and all(e.get('finish_time') == '' for e in wait), f'{trace.path}: a wait that has ended')


CASES = {f.__name__: f for f in (mpi_error_keeps_the_trace, handled_errors_are_no_end, ranks_that_are_ended_let_each_other_write)}
