"""Recording does not disturb the program: its output and exit code stay the same, and its trace survives all ways to end."""

import os
import shutil
import signal
import subprocess
import tempfile

from expect.case import case, core_case
from expect.judgement import Skip, expect, expect_true
from expect.trace import DTD, Trace, validate

BUFFER = {'HIERA_BUFFER': '128k', 'HIERA_FILTER': 'env'}


@case('guest', ranks=[1, 2], smoke=True)
def output_and_exit_code_do_not_change(job):
    for mode, code in (('plain', 0), ('code', 3), ('no-mpi', 5)):
        off = job.run(mode, settings={'HIERA_ENABLED': 0})
        on = job.run(mode, settings=BUFFER)
        expect(f'{mode}: exit code without recording', off.code, code)
        expect(f'{mode}: exit code', on.code, off.code)
        expect(f'{mode}: output', sorted(on.out.splitlines()), sorted(off.out.splitlines()))
        expect(f'{mode}: messages', on.messages(), [])
        expect(f'{mode}: files and messages when switched off', (os.listdir(off.folder), off.messages()), ([], []))


@case('guest')
def exit_without_finalize_keeps_the_trace(job):
    """On one rank only: MPICH's launcher kills the other ranks as soon as one ends in this way."""
    result = job.run('without-finalize', settings=BUFFER)
    for trace in result.valid(job.ranks):
        expect('barriers', len(trace.all(operation='barrier')), 10)
        expect_true(trace.root.get('finalize'), 'finalize is empty')
        expect('end', ended(trace), ('exit', '0', None))


def ended(trace):
    """(cause, value, name) of hieraEnd; None if there is no such element."""
    found = trace.all('hieraEnd')
    expect_true(len(found) <= 1, f'{trace.path}: {len(found)} ends')
    for end in found:
        last = max(float(e.get(t)) for e in trace.root.iter() for t in ('start_time', 'finish_time') if e.get(t))
        expect_true(float(end.get('time')) >= last, f'{trace.path}: the end is at {end.get("time")}, an operation at {last}')
    return (found[0].get('cause'), found[0].get('value'), found[0].get('name')) if found else None


@case('guest')
def exit_functions_and_exec_keep_the_trace(job):
    """Functions that end the process without destructors or replace the program. Ends of child processes must not show in the trace."""
    for i, (what, code, end, barriers) in enumerate((
            ('children', 0, None, 10), ('exec of nothing', 4, ('exit', '4', None), 15), ('_exit', 4, ('_exit', '4', None), 10),
            ('_Exit', 4, ('_exit', '4', None), 10), ('quick_exit', 4, ('quick_exit', None, None), 10), ('exec', 0, ('exec', None, None), 10))):
        result = job.run('leaves', i, settings=BUFFER, direct=True)
        expect(f'{what}: exit code', result.code, code)
        expect(f'{what}: output', result.out, '')
        validate([result.path(0)])
        trace = result.trace(0)
        trace.check_sound()
        expect(f'{what}: barriers', len(trace.all(operation='barrier')), barriers)
        expect(f'{what}: end', ended(trace), end)
        expect(f'{what}: files', sorted(os.listdir(result.folder)), ['hieraCollector.dtd', 'hieraCollector.xml', 'trace.dtd', 'trace0.xml', 'visual.css', 'visual.xsl'])


@case('guest', ranks=[1, 2], smoke=True)
@case('guest', container=[2], mpi=['mpich'])
def abort_is_recorded(job):
    result = job.run('abort', settings=BUFFER)
    off = job.run('abort', settings={'HIERA_ENABLED': 0})
    expect('exit code', result.code, off.code)
    validate([result.path(r) for r in range(job.ranks)])
    trace = result.trace(0)
    expect('barriers of rank 0', len(trace.all(operation='barrier')), 11)
    abort = trace.one(operation='abort')
    expect('abort', (abort.get('comm'), abort.get('errorcode')), ('MPI_COMM_WORLD', '7'))
    region = trace.one('hieraRegion', operation='last')
    expect('end', ended(trace), ('MPI_Abort', '7', None))
    expect('operations within the region', [e.get('operation') for e in region.iter('hieraMPI')], ['barrier', 'abort'])


@core_case('guest', ranks=[1], compact=[1], zstd=[1])
@core_case('guest', container=[1], mpi=['mpich'])
def kill_leaves_valid_traces(job):
    """One rank (the launcher kills the others at any time) is killed between two calls. Only the records in the buffer are lost."""
    for n in (0, 7777):
        result = job.run('killed', n, settings=BUFFER)
        expect_true(result.code != 0, 'the program was killed but the exit code is 0')
        validate([result.path(0)])
        trace = result.trace(0)
        trace.check_sound()
        found = len(trace.all(operation='barrier'))
        expect_true(n - 2000 <= found <= n, f'barriers of {n}: expected all but one buffer, actual {found}')


@case('guest', ranks=[2])
@case('guest', container=[2], mpi=['openmpi'])
def all_files_exist_after_init(job):
    """A rank that is killed at once takes the others with it, even during their MPI_Init."""
    for _ in range(2 if job.is_open_mpi else 12):
        result = job.run('killed', 0, settings=BUFFER)
        validate([result.path(r) for r in range(job.ranks)] + [os.path.join(result.traces, 'hieraCollector.xml')])


FATAL = ('TERM', 'SEGV', 'BUS', 'FPE', 'ILL', 'ABRT', 'SYS', 'INT', 'HUP', 'QUIT', 'XCPU', 'XFSZ', 'PIPE', 'ALRM', 'VTALRM', 'PROF',
         'USR1', 'USR2')


def check_ended(what, number, job, *arguments):
    """Run without the launcher, check which signal ended the program and the operations in the trace, and return the run."""
    result = job.run(*arguments, settings=BUFFER, direct=True)
    expect(f'{what}: signal', -result.code, number)
    validate([result.path(0)])
    trace = result.trace(0)
    trace.check_sound()
    expect(f'{what}: operations', [(d, e.get('operation')) for d, e in trace.operations()], [(0, 'never ended')] + [(1, 'barrier')] * 10)
    expect(f'{what}: ends', [bool(e.get('finish_time')) for _, e in trace.operations()], [False] + [True] * 10)
    expect(f'{what}: end of the processor', trace.root.get('finalize'), '')
    return result


@case('guest', ranks=[1], zstd=[1])
@case('guest', container=[1], mpi=['mpich'])
def fatal_signal_keeps_the_trace(job):
    for name in FATAL if (job.container, job.compress) == (None, None) else ('TERM', 'SEGV', 'ABRT'):
        if name in ('HUP', 'USR1') and not job.is_open_mpi:
            continue  # MPICH and UCX below it use these signals themselves
        number = int(signal.Signals['SIG' + name])
        result = check_ended(name, number, job, 'signalled', number)
        expect(f'{name}: end', ended(result.trace(0)), ('signal', str(number), 'SIG' + name))
    result = job.run('signalled', int(signal.SIGTERM), settings=dict(BUFFER, HIERA_MORE='signals=0'), direct=True)
    expect('switched off: operations', result.trace(0).operations(), [])


@case('guest', smoke=True)
def fault_keeps_the_trace(job):
    for what, number in (('null', signal.SIGSEGV), ('abort', signal.SIGABRT), ('stack', signal.SIGSEGV)):
        check_ended(what, int(number), job, 'faults', ('null', 'abort', 'stack').index(what))


@case('handler')
def exit_in_a_signal_handler_keeps_the_trace(job):
    """The handler has interrupted malloc, the collector while it writes, or neither; it calls exit or MPI_Abort."""
    for where in ('malloc', 'flush', 'main', 'nowhere'):
        for how, code in (('exit', 5), ('abort', 7)):
            if (where, how) == ('nowhere', 'abort'):
                continue
            what = f'{how} in {where}'
            for _ in range(3):  # Open MPI's MPI_Abort now and then frees memory, with Hiera and without
                off = job.run(where, how, settings={'HIERA_ENABLED': 0}, direct=True).out if where != 'flush' else 'handler\n' + 'abort\n' * (how == 'abort')
                result = job.run(where, how, settings=BUFFER, direct=True)
                if result.out == off:
                    break
            expect(f'{what}: exit code', result.code, code)
            expect(f'{what}: output', result.out, off)
            validate([result.path(0)])
            trace = result.trace(0)
            trace.check_sound()
            barriers = trace.all(operation='barrier')
            expect_true(len(barriers) == 10 or where == 'flush' and len(barriers) > 100, f'{what}: {len(barriers)} barriers')
            expect(f'{what}: files', {e.get('file').split('+')[0] for e in barriers},
                   {'handler.c' if where in ('nowhere', 'flush') else os.path.basename(job.program)})


@core_case('guest', ranks=[1, 2], zstd=[1])
@core_case('guest', container=[2], mpi=['mpich'])
def recording_continues_after_a_handled_fault(job):
    result = job.run('recovers', settings=BUFFER).good()
    expect('output', result.out, 'fault 1\n' * 3 * job.ranks)
    for trace in result.valid(job.ranks):
        expect('barriers', len(trace.all(operation='barrier')), 7500)
        expect('end', ended(trace), None)


@case('guest', ranks=[1], zstd=[1], smoke=True)
def program_without_mpi_is_recorded(job):
    result = job.run('no-mpi', 0, direct=True)
    expect('exit code, output', (result.code, result.out), (5, 'no MPI\n'))
    expect('files of a program that records nothing', os.listdir(result.folder), [])
    result = job.run('no-mpi', 10000, direct=True, settings=BUFFER)
    expect('exit code', result.code, 5)
    expect('traces of regions without MPI', traces_in(result.folder), ['trace0.xml'])
    trace = Trace(os.path.join(result.folder, 'trace0.xml'))
    expect('regions', len(trace.all('hieraRegion', operation='alone')), 10000)
    validate([os.path.join(result.folder, 'trace0.xml')])
    result = job.run('no-mpi', 300000, direct=True, settings=BUFFER)  # more than are kept until MPI_Init
    expect('traces of many regions without MPI', traces_in(result.folder), ['trace0.xml'])


def traces_in(folder):
    """Names of the traces, also of unfinished ones."""
    return [n for n in os.listdir(folder) if n.startswith(('trace', '.trace')) and not n.endswith(('.dtd', '.zst', '.gz'))]


@case('guest', ranks=[2])
@case('guest', container=[2], mpi=['mpich'])
def forked_children_do_not_write(job):
    for exec_ in (0, 1):
        result = job.run('child', exec_, settings=BUFFER).good()
        expect('output', sorted(result.out.split('\n')), [''] + ['child 0'] * job.ranks)
        for trace in result.valid(job.ranks):
            expect('barriers', len(trace.all(operation='barrier')), 10)
            expect('regions of the child', trace.all('hieraRegion'), [])
    # The parent is killed after its child has ended. If the child had written into the trace, it would show.
    result = job.run('child', 2, settings=BUFFER, ranks=1)
    validate([result.path(0)])
    expect('operations', result.trace(0).operations(), [])


@core_case('guest', ranks=[2])
def program_may_change_its_folder(job):
    folder = job.folder()
    result = job.run('elsewhere', folder=folder, settings=dict(BUFFER, HIERA_DIR='.')).good()
    result.traces = folder
    for trace in result.valid(job.ranks):
        expect('barriers', len(trace.all(operation='barrier')), 20005)


@core_case('guest')
def program_may_close_all_descriptors(job):
    """The program closes all descriptors above 2 and opens a file of its own. No byte of the trace may get into that file."""
    for first in (3, 500):
        result = job.run('closes-all', first, settings=BUFFER, ranks=1, direct=True)
        expect(f'from {first}: output', result.out, '1 4 mine\n')
        expect(f'from {first}: exit code', result.code, 0)
        validate([result.path(0)])


@core_case('guest', ranks=[1, 4])
def missing_folder_is_created(job):
    folder = os.path.join(job.folder(), 'a', 'b')
    result = job.run('lots', 10, settings={'HIERA_DIR': folder}).good()
    result.valid(job.ranks)


@core_case('guest', ranks=[1, 4])
def folder_that_cannot_be_created_is_reported(job):
    result = job.run('lots', 5000, settings=dict(BUFFER, HIERA_DIR='/proc/x')).good()
    expect('output', result.out, 'done 5000\n' * job.ranks)
    expect('messages', len(result.messages()), 1)
    expect_true('/proc/x' in result.messages()[0], f'the message names the folder: {result.messages()[0]}')


def in_good_company(job, path):
    """Copy the trace into a folder with a complete DTD: on the full disk the DTD may be cut short."""
    folder = job.folder()
    shutil.copy(DTD, folder)
    return shutil.copy(path, folder)


def check_full(job, result, n):
    expect('output', result.out, f'done {n}\n' * job.ranks)
    expect('messages', len(result.messages()), 1)
    for rank in range(job.ranks):
        validate([in_good_company(job, result.path(rank))])
        trace = result.trace(rank)
        trace.check_sound()
        kept = len(trace.all('hieraRegion')) + len(trace.all(operation='barrier'))
        lost = sum(trace.lost().values())
        expect_true(lost > 0, f'rank {rank}: nothing is lost')
        expect(f'rank {rank}: operations kept ({kept}) and lost ({lost})', kept + lost, 2 * n)
        print(f'rank {rank}: {kept} kept, {lost} lost: {list(trace.lost())}')


@core_case('guest', ranks=[1, 2], compact=[1], smoke=True)
@core_case('guest', container=[1], mpi=['mpich'])
def operations_lost_by_a_file_size_limit_are_counted(job):
    result = job.run('limited', 5000, settings=BUFFER).good()
    check_full(job, result, 5000)
    a_block = 30000 if job.container else 10000  # of a container it is there as a whole, or not at all
    for rank in range(job.ranks):
        size = os.path.getsize(result.path(rank))
        expect_true(300000 - a_block < size <= 300000, f'rank {rank}: the file is not filled to its limit of 300000 bytes: {size}')


@core_case('guest', ranks=[1, 2])
@core_case('guest', container=[1], mpi=['mpich'])
def operations_lost_by_a_full_disk_are_counted(job):
    with tempfile.TemporaryDirectory() as disk:
        mount = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=512k', 'hiera-test', disk], capture_output=True, check=False)
        if mount.returncode != 0:
            raise Skip('no right to mount a small disk')
        try:
            result = job.run('lots', 5000, settings=dict(BUFFER, HIERA_DIR=disk)).good()
            check_full(job, result, 5000)
        finally:
            subprocess.run(['umount', disk], check=False)


@case('guest', ranks=[1, 2], compact=[1])
def errors_are_returned_and_recorded(job):
    result = job.run('errors').good()
    expect('output', sorted(set(result.out.splitlines())), ['bcast: 1', 'lists: 1 1 1 1 1', 'recv: 1', 'requests: 1 1 1 1', 'send: 1'])
    for trace in result.valid(job.ranks):
        for operation in ('send', 'broadcast', 'receive', 'startall', 'waitall', 'testall', 'waitany', 'testsome', 'start', 'cancel', 'request_free'):
            e = trace.one(operation=operation)
            expect_true(int(e.get('error') or 0) != 0, f'{operation}: no error in the trace')
        expect('destination', trace.one(operation='send').get('dest'), '99')
        waits = trace.all(operation='wait')
        expect('errors of the waits', [e.get('error') is not None for e in waits], [False, True])


def make_comma(locale):
    """A locale with a decimal comma: C.UTF-8 with other numbers, which is made in a fourth of the time of a whole one."""
    whole, source = '/usr/lib/locale/C.utf8', locale + '.source'
    if os.path.isdir(whole):
        with open(source, 'w', encoding='ascii') as file:
            file.write('LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
            file.writelines(f'{of}\ncopy "POSIX"\nEND {of}\n' for of in ('LC_CTYPE', 'LC_COLLATE'))
    made = subprocess.run(['localedef', '-c', '-i', source if os.path.isdir(whole) else 'de_DE', '-f', 'UTF-8', locale], capture_output=True, check=False)
    if made.returncode > 1 or not os.path.isdir(locale):
        raise Skip('no locale with a decimal comma can be made')
    for of in os.listdir(whole) if os.path.isdir(whole) else ():
        if of not in ('LC_NUMERIC', 'LC_MESSAGES'):
            shutil.copy(os.path.join(whole, of), locale)


@core_case('guest')
def locale_does_not_change_the_trace(job):
    folder = job.folder()
    make_comma(os.path.join(folder, 'comma'))
    result = job.run('locale', 10, settings={'LOCPATH': folder}).good()
    expect('output', result.out, 'dt=0,5\ndone 10\n' * job.ranks)
    for trace in result.valid(job.ranks):
        expect('args', trace.all('hieraRegion', operation='step')[0].get('args'), 'dt=0.5')
        # The C locale lacks this letter. Then the text is formatted in the locale of the program.
        expect('args with wide letters', trace.all('hieraRegion', operation='wide')[0].get('args'), 'dt=0,5 unit=\u00b5s')
