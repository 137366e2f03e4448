"""HIERA_SURVIVE: a rank that is killed at any moment leaves every call that has returned, and hiera-recover completes its trace.

The program says in a file how many calls of each thread have begun and returned. The trace must have all that have returned,
and at most the one that was in progress besides. Each case has some kills; HIERA_TEST_KILLS=200 is for a run by hand."""

import os
import random
import signal
import struct
import subprocess
import time
from xml.etree import ElementTree

from cases.guest import ended
from expect.case import case, core_case
from expect.job import take_out
from expect.judgement import Skip, expect, expect_true
from expect.trace import validate

THREADS, RANKS = 8, 8
KILLS = int(os.environ.get('HIERA_TEST_KILLS', '0'))
SHM = '/dev/shm'


def recover_program(job):
    return os.path.join(os.path.dirname(job.library), 'hiera-recover')


def hiera_run(job):
    return os.path.join(os.path.dirname(job.library), 'hiera-run')


def recover(job, folder, code=0):
    run = subprocess.run([recover_program(job), folder], capture_output=True, text=True, check=False)
    expect(f'exit code of hiera-recover ({run.stdout}{run.stderr})', run.returncode, code)
    return run.stdout + run.stderr


def progress(path, rank):
    """[(begun, returned, process)] of the threads of a rank"""
    with open(path, 'rb') as file:
        numbers = struct.unpack(f'{3 * THREADS}Q', file.read()[24 * THREADS * rank:24 * THREADS * (rank + 1)])
    return list(zip(numbers[0::3], numbers[1::3], numbers[2::3]))


def pid_of(path, rank):
    return progress(path, rank)[0][2] if os.path.exists(path) and os.path.getsize(path) == 24 * THREADS * RANKS else 0


def has_died(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii') as file:
            return file.read().rsplit(')', 1)[1].split()[0] in 'ZX'
    except FileNotFoundError:
        return True


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        expect_true(time.monotonic() < end, 'nothing happens')
        time.sleep(0.001)


def killed(job, moments, settings, threads=0, rank=0, what='', run=()):
    """Run the program, kill a rank some time after its first call, and return the folder and the file of its progress.
    `run`: under hiera-run."""
    folder = job.folder()
    path = os.path.join(folder, 'progress')
    env = job.environment({'HIERA_DIR': folder, 'HIERA_FORMAT': job.format, 'HIERA_COMPRESS': job.compress, **settings})
    command = [job.program, path, '0.3' if what == 'abort' else '30', str(threads), what]
    if job.ranks > 1:
        command = job.command(command, job.ranks, {})
    with subprocess.Popen([*run, *command], env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        wait_for(lambda: all(pid_of(path, r) and progress(path, r)[0][1] for r in range(job.ranks)))
        time.sleep(moments.random() * (0.3 if KILLS else 0.1))
        if what != 'abort':
            os.kill(pid_of(path, rank), signal.SIGKILL)
        process.wait()
        expect_true(process.returncode in (-9, 137 if job.is_open_mpi else 9) or what == 'abort', f'exit code {process.returncode}')
        wait_for(lambda: all(has_died(pid_of(path, r)) for r in range(job.ranks)))
    return folder, path


def left_by(pid):
    """Files of kept memory of a process."""
    return [name for name in os.listdir(SHM) if name.startswith(f'hiera-kept-{os.geteuid()}-{pid}-')]


def calls_in(job, trace):
    run = subprocess.run([os.path.abspath(job.transform), trace, '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=False)
    expect(f'exit code of hiera-transform ({run.stderr})', run.returncode, 0)
    return sum(int(line.split(',')[2]) for line in run.stdout.splitlines() if line.startswith('mpi,'))


def check(job, folder, path, packed=''):
    take_out(folder, folder)
    for rank in range(job.ranks):
        trace = os.path.join(folder, f'trace{rank}.xml{packed}')
        threads = progress(path, rank)
        begun, returned, calls = sum(t[0] for t in threads), sum(t[1] for t in threads), calls_in(job, trace)
        expect_true(returned <= calls <= begun, f'calls of rank {rank}: expected {returned} to {begun}, actual {calls}')
        if not packed:
            validate([trace])


def kill_at_moments(job, settings=None, n=1, threads=0, packed='', what='', by_run=False):
    """`by_run`: hiera-run completes the traces, at the end of the job"""
    seed = random.randrange(1 << 30)
    moments = random.Random(seed)
    for i in range(KILLS or n):
        print(f'seed {seed}, kill {i}')
        rank = moments.randrange(job.ranks)
        folder, path = killed(job, moments, settings or {}, threads, rank, what, [hiera_run(job)] if by_run else [])
        if not by_run:
            print(recover(job, folder))
        check(job, folder, path, packed)
        expect('files left', [left_by(pid_of(path, r)) for r in range(job.ranks)], [[]] * job.ranks)
        job.clean()


@case('survive', ranks=[1], compact=[1], needs=['transform'])
def a_killed_rank_leaves_all_its_calls(job):
    kill_at_moments(job)


@case('survive', zstd=[1], mpi=['openmpi'], needs=['transform', 'zstd'])
def a_killed_rank_leaves_all_its_calls_in_a_packed_trace(job):
    kill_at_moments(job, packed='.zst')


@case('survive', compact=[1], mpi=['openmpi'], needs=['transform'])
def a_killed_rank_leaves_all_its_calls_in_loops(job):
    kill_at_moments(job, {'HIERA_FOLD': 'times'})
    kill_at_moments(job, {'HIERA_FOLD': 'statistics'}, threads=1)


@case('survive', ranks=[2], container=[2], needs=['transform'])
def ranks_that_a_launcher_kills_leave_all_their_calls(job):
    kill_at_moments(job, what='slow', by_run=True)


@case('survive', container=[1], mpi=['openmpi'], needs=['transform'])
def threads_of_a_killed_rank_leave_all_their_calls_in_a_container(job):
    kill_at_moments(job, threads=3)


@core_case('survive', ranks=[1], needs=['transform'])
def threads_of_a_killed_rank_leave_all_their_calls(job):
    kill_at_moments(job, threads=3)


@core_case('survive', ranks=[1], needs=['transform'])
def threads_that_have_ended_leave_all_their_calls(job):
    kill_at_moments(job, threads=2, what='brief')
    kill_at_moments(job, {'HIERA_MODE': 'profile'}, threads=2, what='brief')


@core_case('survive', ranks=[1], needs=['transform'])
def the_sums_of_a_killed_rank_have_all_its_calls(job):
    kill_at_moments(job, {'HIERA_MODE': 'profile'}, threads=1)


def calls_before(i):
    """How many calls the first thread has made when round i begins."""
    return 4 * i + 3001 * -(-i // 977) + 2 * (i // 500) + 1


def check_window(folder, path):
    """From the begin of a round on, the window has all calls."""
    root = ElementTree.parse(os.path.join(folder, 'trace0.xml')).getroot()
    elements, later = list(root.iter()), bool(root.get('since'))
    rounds = [(at, int(e.get('args')[2:])) for at, e in enumerate(elements) if e.tag == 'hieraRegion' and e.get('args')]
    if len(rounds) <= later:
        return False  # it was killed before its first round
    (at, i), (begun, returned, _) = rounds[later], progress(path, 0)[0]
    calls = calls_before(i) + sum(e.tag == 'hieraMPI' for e in elements[at:])
    expect_true(returned <= calls <= begun, f'calls up to the end of the window: expected {returned} to {begun}, actual {calls}')
    validate([os.path.join(folder, 'trace0.xml')])
    return later


@core_case('survive', ranks=[1])
def the_last_part_of_a_killed_rank_has_its_last_calls(job):
    seed = random.randrange(1 << 30)
    moments = random.Random(seed)
    begins_later = 0
    for i in range(KILLS or 2):
        print(f'seed {seed}, kill {i}')
        folder, path = killed(job, moments, {'HIERA_MODE': 'window,limit=3M', 'HIERA_BUFFER': '128K'})
        print(recover(job, folder))
        begins_later += check_window(folder, path)
        expect('hidden files', [name for name in os.listdir(folder) if name.startswith('.')], [])
        job.clean()
    print(f'{begins_later} begin later')


@case('survive', ranks=[2], needs=['transform'])
def ranks_of_a_job_that_aborts_leave_all_their_calls(job):
    """MPICH's launcher kills the other ranks at once, that of Open MPI a little later."""
    kill_at_moments(job, what='abort', by_run=True)


@case('survive', ranks=[1], mpi=['openmpi'], needs=['transform'])
def a_forked_child_leaves_the_calls_of_its_parent_alone(job):
    kill_at_moments(job, what='fork')


@case('survive', ranks=[1], mpi=['openmpi'], needs=['transform'])
def a_killed_rank_leaves_its_calls_in_the_folder_of_the_traces(job):
    folder, path = killed(job, random.Random(1), {'HIERA_SURVIVE': 'folder'})
    expect('files in /dev/shm', left_by(pid_of(path, 0)), [])
    recover(job, folder)
    check(job, folder, path)
    expect('hidden files', [name for name in os.listdir(folder) if name.startswith('.')], [])


@core_case('faulted')
def a_fault_is_the_end_also_where_the_clock_becomes_slower(job):
    """The handler is the program's, so Hiera cannot know that the process ends; hiera-recover converts the time of the fault anew."""
    result = job.run(settings={'HIERA_MORE': 'clock=counter'}, direct=True)
    expect('exit code', result.code, -signal.SIGSEGV)
    for what in ('as it is', 'completed'):
        expect(f'end, {what}', ended(result.trace(0)), ('signal', '11', 'SIGSEGV'))
        recover(job, result.traces)


def change(path, begin, bytes_):
    with open(path, 'r+b') as file:
        file.seek(begin)
        file.write(bytes_)


MADE_AT = 8 + 8 + 64  # in HieraKeptHeader: when it was made
BUILD_AT = MADE_AT + 8 + 8 + 8 + 4 + 4  # the id of its build


@case('survive', ranks=[1], mpi=['openmpi'], needs=['transform'])
def what_cannot_be_recovered_is_named(job):
    """Another build, a trace that was replaced, a second time; and a process that still runs."""
    folder, path = killed(job, random.Random(1), {'HIERA_BUFFER': '1M'})
    trace, kept = os.path.join(folder, 'trace0.xml'), os.path.join(SHM, left_by(pid_of(path, 0))[0])
    with open(trace, 'rb') as file, open(kept, 'rb') as of:
        before, whole = file.read(), of.read()
    change(kept, MADE_AT, struct.pack('q', int(time.time()) - 61))
    said = subprocess.run([hiera_run(job), job.program], capture_output=True, text=True, check=False, cwd=SHM).stderr
    expect_true(f'hiera-transform --recover {folder} completes' in said, f'hiera-run does not say what is left: {said}')
    said = subprocess.run([os.path.abspath(job.transform), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    expect_true(f'--recover {folder} adds them' in said, f'hiera-transform does not say that the trace can be completed: {said}')
    change(kept, BUILD_AT, b'other')
    expect_true('another build of libhiera' in recover(job, folder, 1), 'another build is not named')
    change(kept, BUILD_AT, whole[BUILD_AT:BUILD_AT + 5])
    with open(trace, 'rb') as file:
        expect_true(file.read() == before, 'the trace was changed')
    expect_true('complete' in recover(job, folder), 'the trace is not completed')
    check(job, folder, path)
    said = subprocess.run([os.path.abspath(job.transform), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    expect_true('--recover' not in said, f'hiera-transform says of a complete trace: {said}')
    said = subprocess.run([hiera_run(job), job.program], capture_output=True, text=True, check=False, cwd=folder).stderr
    expect_true(f'--recover {folder}' not in said, f'hiera-run speaks of a trace that is complete: {said}')
    expect('a second time', recover(job, folder), f'no process of {folder} has left anything on this computer\n')
    with open(kept, 'xb') as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(whole)
    os.rename(trace, trace + '.old')
    expect_true('is not there any more' in recover(job, folder), 'the missing trace is not named')
    folder, path = killed(job, random.Random(1), {'HIERA_SURVIVE': 'off'})
    change(os.path.join(folder, 'trace0.xml'), before.index(b' host="') + 7, b'?')
    expect_true(f'--recover {folder} there' in recover(job, folder, 1), 'the other computer is not named')
    expect('files left', left_by(pid_of(path, 0)), [])


@case('survive', ranks=[1], mpi=['openmpi'])
def the_trace_of_a_running_rank_is_left_alone(job):
    folder = job.folder()
    path = os.path.join(folder, 'progress')
    with subprocess.Popen([job.program, path, '30', '0'], env=job.environment({'HIERA_DIR': folder}), cwd=folder) as process:
        wait_for(lambda: pid_of(path, 0) and progress(path, 0)[0][1])
        expect_true('is still running' in recover(job, folder, 1), 'it is not said that the process runs')
        process.kill()
    recover(job, folder)


@case('survive', ranks=[1], mpi=['openmpi'], needs=['transform'])
def a_full_memory_file_system_does_no_harm(job):
    """One that is too small, cannot be written, or becomes full while the program runs: with buffers of 32 MB the first one fits, that of a thread does not."""
    for mount, settings, said in ((f'-t tmpfs -o size=64k none {SHM}', {}, 'no room in /dev/shm: what survives a kill is in the folder of the traces'),
                                  (f'-t tmpfs -o ro none {SHM}', {}, 'no file can be made in /dev/shm: what survives a kill is in the folder of the traces'),
                                  (f'-t tmpfs -o size=536M none {SHM}', {'HIERA_BUFFER': '32M'}, 'loses what is in its buffers: no room in /dev/shm')):
        folder = job.folder()
        path = os.path.join(folder, 'progress')
        command = ['unshare', '-rm', 'sh', '-c', f'mount {mount} && exec "$@"', 'sh']
        run = subprocess.run([*command, job.program, path, '0.05', '2'], env=job.environment({'HIERA_DIR': folder, **settings}), cwd=folder, capture_output=True,
                             text=True, check=False)
        if run.returncode and ('unshare' in run.stderr or 'mount' in run.stderr):
            raise Skip('no mounts here')
        expect(f'exit code with {mount} ({run.stderr})', run.returncode, 0)
        expect_true(said in run.stderr, f'with {mount} it is not said that {said}: {run.stderr}')
        check(job, folder, path)
        expect('hidden files', [name for name in os.listdir(folder) if name.startswith('.')], [])
    away = job.folder()  # such as the folder of another computer
    run = subprocess.run(['unshare', '-rm', 'sh', '-c', f'mount -t ramfs none {away} && exec "$@"', 'sh', job.program, path, '0.05', '0'],
                         env=job.environment({'HIERA_DIR': away, 'HIERA_SURVIVE': 'folder'}), cwd=folder, capture_output=True, text=True, check=False)
    expect(f'exit code where no room can be reserved ({run.stderr})', run.returncode, 0)
    expect_true('the file system of the traces cannot reserve room' in run.stderr, f'it is not said why: {run.stderr}')
    folder, path = killed(job, random.Random(1), {}, threads=2, run=[*command[:-2], f'mount -t tmpfs -o size=64k none {SHM} && exec "$@"', 'sh'])
    recover(job, folder)
    check(job, folder, path)
