"""hiera-run --attach: a running job is told to sample, to search, to leave out levels, to pause."""

import atexit
import os
import re
import signal
import stat
import subprocess
import time

from cases.survive import wait_for
from expect.case import core_case, timing_case
from expect.judgement import expect, expect_true
from expect.trace import Trace, validate


STEPS = 60


class Running:
    """A job that steps until it is told to end."""

    def __init__(self, job, settings):
        self.job, self.folder = job, job.folder()
        self.stop, self.traces = os.path.join(self.folder, 'stop'), os.path.join(self.folder, 'traces')
        command = job.command([job.program, self.stop], job.ranks, {}) if job.ranks > 1 else [job.program, self.stop]
        env = job.environment({'HIERA_DIR': self.traces, 'HIERA_FORMAT': 'full', **settings})
        self.process = subprocess.Popen(command, env=env, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        start_new_session=True)
        atexit.register(self.give_up)
        self.wait_for(lambda: self.ask().stdout.startswith(self.all_ranks()))

    def give_up(self):
        """End what a case that fails has left: its launcher, or the program and its child, which may be stopped."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            os.killpg(self.process.pid, signal.SIGCONT)

    def wait_for(self, is_so):
        end = time.monotonic() + 60
        while not is_so():
            expect_true(time.monotonic() < end and self.process.poll() is None, 'the job does not come so far')
            time.sleep(0.02)

    def ask(self, *commands):
        run = os.path.join(os.path.dirname(self.job.library), 'hiera-run')
        return subprocess.run([run, '--attach', self.traces, *commands], capture_output=True, text=True, check=False)

    def go_on(self):
        """Let the job make some steps, which take at least STEPS milliseconds."""
        enough = self.steps() + STEPS
        self.wait_for(lambda: self.steps() >= enough)

    def steps(self):
        return os.path.getsize(self.stop + '.steps')

    def all_ranks(self):
        return f'ranks 0-{self.job.ranks - 1}: ' if self.job.ranks > 1 else 'rank 0: '

    def tell(self, *commands):
        """Commands that all ranks follow. Return what they answer."""
        run = self.ask(*commands)
        expect(f'exit code of {commands} ({run.stdout}{run.stderr})', run.returncode, 0)
        expect_true(run.stdout.startswith(self.all_ranks()), f'{commands}: {run.stdout}')
        self.go_on()
        return run.stdout[len(self.all_ranks()):].strip()

    def private(self):
        """Path of the folder of the socket."""
        names = [name for name in os.listdir(self.traces) if name.startswith('.attach-')]
        if not names:
            return None
        with open(os.path.join(self.traces, names[0]), encoding='utf-8') as file:
            return file.read().strip()

    def end(self):
        with open(self.stop, 'w', encoding='utf-8'):
            out, err = self.process.communicate(timeout=60)
        expect(f'exit code ({err})', self.process.returncode, 0)
        expect('output', sorted(out.splitlines()), [f'rank {rank}: steps' for rank in range(self.job.ranks)])
        expect('messages', re.findall('^hiera: .*', err, re.M), [])
        paths = [os.path.join(self.traces, f'trace{rank}.xml') for rank in range(self.job.ranks)]
        validate(paths)
        return [Trace(path) for path in paths]


@core_case('attached', ranks=[1, 2])
def levels_come_and_go(job):
    running = Running(job, {'HIERA_ATTACH': '1', 'HIERA_LEVELS': 'app,mpi', 'HIERA_SHORT': '0'})
    expect('at first', running.tell(), 'record=1 sample=0 search=0 levels=app,mpi')
    expect('all', running.tell('levels=all'), 'record=1 sample=0 search=0 levels=all')
    expect('without app', running.tell('levels=lib,function,mpi'), 'record=1 sample=0 search=0 levels=lib,function,mpi')
    expect('again', running.tell('levels=app,mpi'), 'record=1 sample=0 search=0 levels=app,mpi')
    for trace in running.end():
        trace.check_sound()
        steps, solves, functions = (len(trace.all('hieraRegion', level=level)) for level in ('app', 'lib', 'function'))
        expect_true(steps > 10 and solves > 10 and functions > 10, f'{steps} steps, {solves} solves, {functions} functions')
        both = len([node for node in trace.all('hieraRegion', level='app') if any(inner.get('operation') == 'solve' for inner in node)])
        expect_true(0 < both < steps and both < solves, f'{both} solves in {steps} steps; {solves} solves')
        expect('solves in functions', [inner for node in trace.all('hieraRegion', level='function') for inner in node if inner.get('operation') in ('step', 'solve')], [])


@core_case('attached', ranks=[2])
def samples_and_pauses_are_switched(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    expect('samples', running.tell('sample=1'), 'record=1 sample=1 search=0 levels=all')
    expect('no samples', running.tell('sample=0'), 'record=1 sample=0 search=0 levels=all')
    expect('a pause', running.tell('record=0'), 'record=0 sample=0 search=0 levels=all')
    expect('no pause, twice', running.tell('record=1', 'record=1'), 'record=1 sample=0 search=0 levels=all')
    for trace in running.end():
        trace.check_sound()
        samples, = trace.root.iter('hieraSamples')
        expect_true(2 <= int(samples.get('count')) <= 200, f'samples of {STEPS} steps: {samples.attrib}')
        pauses = list(trace.root.iter('hieraPause'))
        expect('pauses', len(pauses), 1)
        length = float(pauses[0].get('finish_time')) - float(pauses[0].get('start_time'))
        expect_true(0.001 * STEPS < length < 3, f'a pause of {STEPS} steps: {pauses[0].attrib}')
        expect_true(int(pauses[0].get('count')) > 5, f'MPI calls in the pause: {pauses[0].attrib}')


@timing_case('attached', ranks=[1])
def a_search_begins_in_the_running_job(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    running.tell('search=1,share=10%,least=1s,most=3s')
    running.wait_for(lambda: 'it times the loops of solve' in running.tell())
    expect_true(running.tell('search=0').startswith('record=1 sample=1 search=0 levels=all'), 'the search ends')
    running.wait_for(lambda: running.tell() == 'record=1 sample=1 search=0 levels=all')
    trace, = running.end()
    expect_true('solve' in [node.get('operation') for node in trace.root.iter('hieraTimed')], 'solve is timed')


@core_case('attached', ranks=[2])
def wrong_commands_change_nothing(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    for command, reason in (('levels=app', 'mpi must be among them, as it was when the job began'), ('record=2', 'it must be 0 or 1'),
                            ('sample=100/s', 'it must be 0 or 1; HIERA_SAMPLE sets how often, when the job begins'),
                            ('search=common', 'whether one rank decides for all is settled when the job begins'),
                            ('colour=red', 'there is no such command; there are sample, search, levels and record')):
        run = running.ask(command)
        expect(command, (run.returncode, run.stdout, run.stderr), (1, f'ranks 0-1: {command}: {reason}\n', ''))
    run = running.ask('sample')
    expect('no value', (run.returncode, run.stderr), (2, "hiera-run: --attach: 'sample' is no command; there are sample=, search=, levels= and record=\n"))
    expect('afterwards', running.tell(), 'record=1 sample=0 search=0 levels=all')
    running.end()


@core_case('attached', ranks=[4])
def processes_of_a_host_share_a_socket(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    private = running.private()
    expect('the folder', os.listdir(private), ['socket'])
    expect('modes', [stat.S_IMODE(os.stat(path).st_mode) for path in (private, os.path.join(private, 'socket'))], [0o700, 0o600])
    running.tell('sample=1')
    running.end()
    expect('what is left', (os.path.exists(private), running.private()), (False, None))


@core_case('attached', ranks=[2])
def nobody_is_told_when_the_job_has_ended(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    private = running.private()
    expect('mode of the folder', os.stat(private).st_mode & 0o777, 0o700)
    running.end()
    expect('what is left', (os.path.exists(private), running.private()), (False, None))
    run = running.ask('sample=1')
    expect('exit code', run.returncode, 2)
    expect_true(run.stderr.endswith('no job that runs with HIERA_ATTACH=1 has its traces there; ranks can be told from MPI_Init on\n'), run.stderr)


@core_case('attached', ranks=[1])
def sockets_of_killed_ranks_are_removed(job):
    running = Running(job, {'HIERA_ATTACH': '1', 'HIERA_SURVIVE': 'off'})
    private = running.private()
    os.kill(running.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, running.process.pid, os.WSTOPPED)  # until then its threads go on
    began = time.monotonic()
    run = running.ask()
    expect('of a stopped one', (run.returncode, run.stdout), (1, f'process {running.process.pid}: no answer within 10 s\n'))
    expect_true(9 < time.monotonic() - began < 20, 'it waits for ten seconds')
    os.kill(running.process.pid, signal.SIGKILL)
    with open(running.stop, 'w', encoding='utf-8'):  # for its child
        pass
    running.process.communicate(timeout=60)
    expect('its socket', os.listdir(private), ['socket'])
    run = running.ask()
    expect('of a killed one', (run.returncode, run.stderr), (2, f'hiera-run: --attach={running.traces}: the job has ended\n'))
    expect('what is left', (os.path.exists(private), running.private()), (False, None))


@core_case('attached', ranks=[1])
def no_socket_is_left_when_a_signal_ends_the_job(job):
    running = Running(job, {'HIERA_ATTACH': '1'})
    private = running.private()
    running.process.terminate()
    running.process.communicate(timeout=60)
    expect('exit code', running.process.returncode, -signal.SIGTERM)
    expect('what is left', (os.path.exists(private), running.private()), (False, None))


@core_case('attached', ranks=[1])
def without_the_setting_nobody_can_attach(job):
    folder = job.folder()
    stop = os.path.join(folder, 'stop')
    env = job.environment({'HIERA_DIR': folder})
    with subprocess.Popen([job.program, stop], env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: os.path.exists(os.path.join(folder, 'trace0.xml')) and os.path.exists(f'{stop}.steps'))
        expect('files', [name for name in os.listdir(folder) if name.startswith('.attach')], [])
        with open(stop, 'w', encoding='utf-8'):
            process.wait(60)
