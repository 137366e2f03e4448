"""Unusual folders for traces, and limits on files: the program runs on, and files of other programs are kept."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time

from cases.guest import BUFFER, in_good_company
from expect.case import core_case
from expect.judgement import Skip, expect, expect_true
from expect.trace import Trace, validate


def same_as_without(job, *arguments, settings=None, **more):
    """Run the program without recording and with it. Exit code and output must be the same. Return the recorded run."""
    off = job.run(*arguments, settings={'HIERA_ENABLED': 0}, **more)
    on = job.run(*arguments, settings=dict(BUFFER, **(settings or {})), **more)
    expect(f'{arguments}: exit code', on.code, off.code)
    expect(f'{arguments}: output', sorted(on.out.splitlines()), sorted(off.out.splitlines()))
    return on


def kept_and_lost(job, result, rank):
    validate([in_good_company(job, result.path(rank))])
    trace = result.trace(rank)
    trace.check_sound()
    return len(trace.all('hieraRegion')) + len(trace.all(operation='barrier')), sum(trace.lost().values())


@core_case('folder', ranks=[1, 2])
def file_size_limit_does_not_end_the_program(job):
    """For each kind of compression, and with a limit of zero. Writes of Hiera do not raise SIGXFSZ."""
    for compress, limit in (('none', 60000), ('zstd', 20000), ('gzip', 20000)):
        result = same_as_without(job, 'limited', limit, 5000, settings={'HIERA_COMPRESS': compress})
        expect(f'{compress}: exit code', result.code, 3)
        expect(f'{compress}: output', result.out, 'done 5000, signals 0, own write -1, signals 1\n' * job.ranks)
        said = result.messages()
        expect_true(len(said) == 1 and 'File too large' in said[0], f'{compress}: one message: {said}')
        for rank in range(job.ranks):
            kept, lost = kept_and_lost(job, result, rank)
            expect_true(kept > 0 and lost > 0, f'{compress}: {kept} kept, {lost} lost')
            expect(f'{compress}: kept and lost', kept + lost, 10000)
    result = same_as_without(job, 'limited', 0, 5000)
    expect('limit 0: exit code, messages', (result.code, len(result.messages())), (3, 1))


@core_case('folder')
@core_case('folder', container=[1], mpi=['mpich'])
def write_errors_do_not_end_the_program(job):
    """An exceeded quota, an I/O error and a read-only disk have the effect of a full disk."""
    strace = shutil.which('strace')
    if not strace or job.run('-o', '/dev/null', 'true', program=strace, direct=True).code != 0:
        raise Skip('strace cannot be used here')
    for error, text in (('EDQUOT', 'quota'), ('EIO', 'Input/output'), ('EROFS', 'Read-only')):
        result = job.run('-f', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', f'inject=pwrite64:error={error}:when=6..12', job.program, 'lots', 5000,
                         program=strace, settings=BUFFER, direct=True).good()
        expect(f'{error}: output', result.out, 'done 5000\n')
        said = result.messages()
        expect_true(len(said) == 1 and text in said[0], f'{error}: one message: {said}')
        kept, lost = kept_and_lost(job, result, 0)
        expect_true(kept > 0 and lost > 0, f'{error}: {kept} kept, {lost} lost')
        expect(f'{error}: kept and lost', kept + lost, 10000)


@core_case('folder', mpi=['mpich'])
def long_traces_keep_no_room_that_they_do_not_need(job):
    """The disk sets room aside for a file that grows. What is not used comes back; if there is none, the trace is the same."""
    strace = shutil.which('strace')
    if not strace or job.run('-o', '/dev/null', 'true', program=strace, direct=True).code != 0:
        raise Skip('strace cannot be used here')
    for injected in ([], ['-e', 'inject=fallocate:error=ENOSPC']):
        result = job.run('-f', '-o', 'calls', '-e', 'trace=fallocate', *injected, job.program, 'lots', 20000, program=strace,
                         settings={'HIERA_FORMAT': 'full', 'HIERA_COMPRESS': 'none'}, direct=True).good()
        status = os.stat(result.path(0))
        expect_true(status.st_size > 4 << 20, f'{status.st_size} bytes')
        expect_true(status.st_blocks * 512 < status.st_size + 16384, f'{status.st_blocks} blocks for {status.st_size} bytes')
        with open(os.path.join(os.path.dirname(result.path(0)), 'calls'), encoding='ascii', errors='replace') as file:
            steps = [line for line in file if 'KEEP_SIZE, ' in line and 'PUNCH' not in line]
        least = 0 if 'ext' not in subprocess.check_output(['stat', '-f', '-c', '%T', result.path(0)], text=True) else 1 if injected else 3
        expect_true(len(steps) >= least, f'{len(steps)} steps of room')
        expect('kept and lost', kept_and_lost(job, result, 0), (40000, 0))
        expect('messages about the trace', [line for line in result.messages() if 'HIERA_SURVIVE' not in line], [])


@core_case('folder')
def closed_pipe_for_messages_does_not_end_the_program(job):
    def close_reader():
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, 2)
    result = job.run('lots', 10, settings={'HIERA_DIR': '/proc/x'}, direct=True, before=close_reader).good()
    expect('output', result.out, 'done 10\n')


COMPANIONS = ['hieraCollector.dtd', 'hieraCollector.xml', 'trace.dtd', 'visual.css', 'visual.xsl']


def files_of(ranks):
    return sorted(COMPANIONS + [f'trace{rank}.xml' for rank in range(ranks)])


class Waiting:
    """A job that runs until it is told to continue, and writes its traces into a folder. Open MPI fails now and then where launchers that start at the same time
    make the same session folder ("mkdir: File exists"), so each job has its own."""

    def __init__(self, job, folder, direct=False, mode='waits'):
        self.folder = folder
        command = [job.program, mode, '3']
        own = {'OMPI_MCA_orte_tmpdir_base': tempfile.mkdtemp(dir=job.session_folder())} if job.is_open_mpi else {}
        self.process = subprocess.Popen(command if direct else job.command(command, job.ranks, {}), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env={**job.environment(dict(BUFFER, HIERA_DIR=folder)), **own})

    def go_on(self):
        with open(os.path.join(self.folder, 'go'), 'w', encoding='ascii'):
            pass
        out, err = self.process.communicate(timeout=50)
        return out, [line for line in err.splitlines() if line.startswith('hiera: ')]


def wait_until(condition, what, *jobs):
    """As long as the jobs run: a limit of time would be that of a quiet machine."""
    while True:
        ended = [j.process.returncode for j in jobs if j.process.poll() is not None]
        if condition():
            return
        expect_true(not ended, f'{what}, and jobs have ended: {ended}')
        time.sleep(0.005)


def wait_for(paths, *jobs):
    wait_until(lambda: all(os.path.exists(path) and os.path.getsize(path) > 500 for path in paths), f'{paths} do not come', *jobs)


def traces_below(folder):
    """{folder: number of traces}; each trace must contain the calls of the waiting program"""
    found = {}
    for path, _, names in os.walk(folder):
        traces = [os.path.join(path, name) for name in names if name.startswith('trace') and name.endswith('.xml')]
        if traces:
            validate(traces + [os.path.join(path, 'hieraCollector.xml')])
            expect(f'{path}: barriers', {len(Trace(trace).all(operation='barrier')) for trace in traces}, {7})
            found[os.path.relpath(path, folder)] = len(traces)
    return found


@core_case('folder', ranks=[1, 2])
def second_job_in_a_folder_uses_a_subfolder(job):
    folder = job.folder()
    first = Waiting(job, folder)
    wait_for([os.path.join(folder, f'trace{rank}.xml') for rank in range(job.ranks)], first)
    second = job.run('lots', 7, folder=folder).good()
    expect('output of the second', second.out, 'done 7\n' * job.ranks)
    said = second.messages()
    expect_true(len(said) == 1 and 'another job' in said[0] and folder + '/hiera-' in said[0], f'one message that names the folder: {said}')
    out, messages = first.go_on()
    expect('the first: output, messages', (out.count('waited'), messages), (job.ranks, []))
    own = [name for name in os.listdir(folder) if name.startswith('hiera-')]
    expect('folders', (len(own), traces_below(folder)), (1, {'.': job.ranks, own[0]: job.ranks}))
    expect('files', sorted(os.listdir(os.path.join(folder, own[0]))), files_of(job.ranks))


@core_case('folder', ranks=[2])
def jobs_that_start_together_keep_their_traces(job):
    """Any of the jobs may get the folder itself; the others use subfolders."""
    folder = job.folder()
    jobs = [Waiting(job, folder) for _ in range(3)]
    try:
        wait_until(lambda: sum(name.startswith('trace') and name.endswith('.xml') for _, _, names in os.walk(folder) for name in names) == 3 * job.ranks,
                   'each job does not have its traces', *jobs)
    finally:
        results = [j.go_on() for j in jobs]
    expect('outputs', {out.count('waited') for out, _ in results}, {job.ranks})
    found = traces_below(folder)
    expect('traces', sorted(found.values()), [job.ranks] * 3)
    expect('messages', [len(said) for _, said in results].count(1), len([name for name in found if name != '.']))


@core_case('folder')
def folder_of_a_killed_job_is_reused(job):
    folder = job.folder()
    killed = Waiting(job, folder, direct=True)
    wait_for([os.path.join(folder, 'trace0.xml')], killed)
    killed.process.send_signal(signal.SIGKILL)
    killed.process.communicate()
    result = job.run('lots', 7, folder=folder).good()
    expect('messages, files', (result.messages(), sorted(os.listdir(folder))), ([], files_of(job.ranks)))
    expect('traces', traces_below(folder), {'.': job.ranks})


@core_case('folder')
def folder_of_a_finalized_job_is_reused(job):
    """A launcher may return before its last process has ended."""
    folder = job.folder()
    path = os.path.join(folder, 'trace0.xml')
    ending = Waiting(job, folder, direct=True, mode='lingers')

    def has_finalized():
        with open(path, encoding='utf-8') as file:
            return re.search(r' finalize="\d', file.read(1000))
    wait_for([path], ending)
    wait_until(has_finalized, 'it does not finalize', ending)
    result = job.run('lots', 7, folder=folder, direct=True).good()
    ending.process.communicate()
    expect('messages, traces', (result.messages(), traces_below(folder)), ([], {'.': 1}))


@core_case('folder', ranks=[2], smoke=True)
def earlier_run_is_replaced_as_a_whole(job):
    """No other file is removed. A hard link to an old trace keeps its content."""
    folder = job.folder()
    job.run('lots', 3, folder=folder, ranks=job.ranks + 1, settings={'HIERA_COMPRESS': 'none'}).good()
    os.link(os.path.join(folder, 'trace0.xml'), os.path.join(folder, 'kept'))
    others = {'trace77.xml': 'mine', 'trace_notes.xml': '<notes/>', 'trace99.xml.gz': ''}
    for name, text in others.items():
        with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
            file.write(text)
    result = job.run('lots', 7, folder=folder, settings={'HIERA_COMPRESS': 'gzip'}).good()
    expect('messages', result.messages(), [])
    names = [name for name in os.listdir(folder) if not name.endswith('.xml') or name in others or name == 'hieraCollector.xml']
    expect('files', sorted(names), sorted(COMPANIONS + ['kept', 'trace77.xml', 'trace_notes.xml'] + [f'trace{r}.xml.gz' for r in range(job.ranks)]))
    expect('barriers', [len(result.trace(rank).all(operation='barrier')) for rank in range(job.ranks)], [7] * job.ranks)
    expect('barriers of the old one', len(Trace(os.path.join(folder, 'kept')).all(operation='barrier')), 3)


def put(kind, path, target):
    if kind == 'FIFO':
        os.mkfifo(path)
    elif kind == 'link':
        os.symlink(target, path)
    elif kind == 'folder':
        os.mkdir(path)
    elif kind == 'socket':
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
    elif kind == 'device':
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero
    else:
        shutil.copy(target, path)


def may_make_devices(folder):
    try:
        put('device', os.path.join(folder, 'device'), None)
        return True
    except OSError:
        return False


@core_case('folder', ranks=[1, 2])
def files_of_other_programs_are_never_overwritten(job):
    """If the name of a trace is taken by a FIFO, socket, device, link, folder or a file that is not a trace, the traces go to a subfolder."""
    names = ['trace0.xml'] + COMPANIONS
    tried = [('FIFO', name) for name in names] + [('link', names[0]), ('link', names[2]), ('folder', names[1]), ('file', names[4]), ('file', names[0]),
                                                ('socket', names[0]), ('socket', names[3])]
    if may_make_devices(job.folder()):
        tried += [('device', names[0]), ('device', names[1])]
    if job.ranks > 1:
        tried = [('FIFO', f'trace{job.ranks - 1}.xml'), ('link', 'visual.xsl')]
    for kind, name in tried:
        folder = job.folder()
        target, path = os.path.join(folder, 'precious'), os.path.join(folder, name)
        with open(target, 'w', encoding='ascii') as file:
            file.write('mine')
        put(kind, path, target)
        before = os.lstat(path)
        result = job.run('lots', 7, folder=folder, direct=job.ranks == 1).good()
        said = result.messages()
        expect_true(len(said) == 1 and name in said[0] and folder + '/hiera-' in said[0], f'{kind} {name}: one message that names it: {said}')
        expect(f'{kind} {name}: is there', (os.lstat(path).st_ino, stat.S_IFMT(os.lstat(path).st_mode)), (before.st_ino, stat.S_IFMT(before.st_mode)))
        with open(target, encoding='ascii') as file:
            expect(f'{kind} {name}: target', file.read(), 'mine')
        expect(f'{kind} {name}: files', sorted(n for n in os.listdir(folder) if not n.startswith('hiera-')), sorted(['precious', name]))
        own = next(n for n in os.listdir(folder) if n.startswith('hiera-'))
        expect(f'{kind} {name}: traces', traces_below(os.path.join(folder, own)), {'.': job.ranks})


@core_case('folder')
def processes_started_by_the_wrong_mpirun_are_reported(job):
    """The launcher of another MPI starts each process as rank 0 of 1."""
    folder = job.folder()
    for program, arguments, word in ((None, ('lots', 7), 'mpirun'), (job.beside(f'test-guest-{job.mpi}'), ('no-mpi', 5), 'without MPI')):
        said = []
        for rank in range(3):
            result = job.run(*arguments, folder=folder, direct=True, program=program,
                             settings={'MV2_COMM_WORLD_RANK': rank, 'MV2_COMM_WORLD_SIZE': 3})
            said += result.messages()
        expect_true(len(said) == 1 and '3 processes, each alone' in said[0] and word in said[0], f'one message: {said}')
        expect('folders', sorted(os.listdir(folder)), ['alone-0', 'alone-1', 'alone-2'])
        traces = [Trace(os.path.join(folder, name, 'trace0.xml')) for name in os.listdir(folder)]
        expect('jobs', len({trace.root.get('job') for trace in traces}), 3)


def number_in(said):
    expect('messages', len(said), 1)
    return int(re.search(r'(\d+) operations', said[0]).group(1))


def check_nesting(trace):
    """Check that each recorded region is nested in the one before it, and that the last one is at the top."""
    for name in ('plain', 'scope'):
        depths = [depth for depth, e in trace.operations() if e.get('operation') == name]
        expect(f'{name}: depths', depths, list(range(len(depths))))
    expect('depth of the last', [depth for depth, e in trace.operations() if e.get('operation') == 'last'], [0])


@core_case('folder')
def regions_lost_for_lack_of_memory_are_counted(job):
    """The ends of lost regions close no other region, and are not reported as unmatched."""
    for depth in (20000, 100):
        result = same_as_without(job, 'nested', depth, 1 << 20 if depth > 100 else 0, direct=True)
        validate([result.path(0)])
        trace = result.trace(0)
        check_nesting(trace)
        kept, lost = len(trace.all('hieraRegion')) + len(trace.all(operation='barrier')), sum(trace.lost().values())
        expect(f'{depth}: kept ({kept}) and lost', kept + lost, 2 * (depth + 2 * 2 * depth) + 2 + 1)
        expect(f'{depth}: ends without a begin', trace.all('hieraUnbalanced'), [])
        if depth > 100:
            expect_true(lost > 0, 'nothing is lost')
            expect('operations lost, by the message', number_in(result.messages()), lost)


@core_case('folder')
def operations_of_a_thread_without_memory_are_counted(job):
    result = job.run('thread-without-memory', 1000, direct=True, settings=BUFFER).good()
    expect('output', result.out, 'joined\n')
    trace = result.trace(0)
    lost = sum(trace.lost().values())
    expect('regions and barriers lost', lost, 2000)
    expect('operations lost, by the message', number_in(result.messages()), lost)
    expect('ends without a begin', trace.all('hieraUnbalanced'), [])


@core_case('folder', ranks=[2])
def buffer_larger_than_memory_is_reported(job):
    result = job.run('lots', 100, settings={'HIERA_BUFFER': '1000000G'}).good()
    said = result.messages()
    expect_true(len(said) == 1 and 'HIERA_BUFFER: 1000000G' in said[0], f'one message that names it: {said}')
    expect('barriers', [len(trace.all(operation='barrier')) for trace in result.valid(job.ranks)], [100] * job.ranks)


@core_case('folder', ranks=[2])
def folder_without_inodes_is_reported_without_delay(job):
    """Ranks announce themselves by files in the folder. If these cannot be created, nobody waits for them."""
    with tempfile.TemporaryDirectory() as disk:
        for inodes in (2, 3, 4):
            if subprocess.run(['mount', '-t', 'tmpfs', '-o', f'nr_inodes={inodes}', 'hiera-test', disk], capture_output=True, check=False).returncode != 0:
                raise Skip('no right to mount a small disk')
            try:
                began = time.monotonic()
                result = job.run('lots', 10, settings={'HIERA_DIR': disk}).good()
                took = time.monotonic() - began
            finally:
                subprocess.run(['umount', disk], check=False)
            expect('output', result.out, 'done 10\n' * job.ranks)
            expect_true(any('No space left' in line for line in result.messages()), f'{inodes}: the reason is said: {result.messages()}')
            expect_true(took < 9, f'{inodes}: it took {took:.1f} s')
