"""Run an MPI job under the collector."""

import glob
import os
import re
import signal
import subprocess

from expect.container import Container, is_container
from expect.judgement import Failure, Skip, expect, expect_true
from expect.trace import Trace, validate

OPEN_MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
            'OMPI_MCA_btl_vader_single_copy_mechanism': 'none', 'OMPI_MCA_hwloc_base_binding_policy': 'none',
            'OMPI_MCA_mpi_yield_when_idle': '1',
            # not ucx, which has no windows without its hardware
            'OMPI_MCA_osc': '^ucx'}
# Saves the quarter of a second in which Open MPI looks for ucx. Not used for programs that call MPI_Comm_spawn, which
# hung with it on a busy machine, with Hiera and without.
QUICK_OPEN_MPI = {'OMPI_MCA_pml': 'ob1'}
# Launchers and ranks do not look through the devices of the machine: in virtual machines that was a third of their start, and libOpenCL leaks.
# Not used for the same programs, which keep the start that users have.
# hwloc loads no plugins (libX11 is one's), Open MPI keeps what its processes share in memory of their own, and MPICH looks at no network: a quarter.
QUICK_START = {'HWLOC_COMPONENTS': '-pci,-linuxio,-opencl', 'HWLOC_PLUGINS_PATH': '/', 'PMIX_MCA_gds': 'hash', 'UCX_TLS': 'self,posix'}
# Open MPI ends ranks without waiting, in two seconds, for what SIGTERM makes them do: for jobs whose ranks have nothing more to write.
AT_ONCE = {'OMPI_MCA_odls_base_sigkill_timeout': '0'}
SPAWNING = ('spawn', 'children')


class Job:
    """One MPI and one program. Each run has a folder of its own."""

    def __init__(self, arguments):
        self.mpi, self.mpirun, self.library = arguments.mpi, arguments.mpirun, os.path.abspath(arguments.library)
        # Of two it is in the name: starting the launcher is a twentieth of many a test.
        self.is_open_mpi = self.mpi == 'openmpi' or self.mpi != 'mpich' and 'Open' in subprocess.run([self.mpirun, '--version'], capture_output=True, text=True, check=False).stdout
        self.ranks, self.program, self.timeout = arguments.ranks, os.path.abspath(arguments.program), arguments.timeout
        self.format, self.fold, self.compress, self.container = arguments.format, arguments.fold, arguments.compress, arguments.container
        self.hosts, self.yields = os.path.abspath(arguments.hosts), os.path.abspath(arguments.yields)
        self.transform, self.predict, self.folders = arguments.transform, arguments.predict, []
        self.spawns = any(word in os.path.basename(self.program) for word in SPAWNING)
        self.sessions = []
        self.settings = {}  # of all runs

    def validate(self, result, exit_code=0):
        """The lines of `hiera-transform --validate`, without the folder. `exit_code` None: 0 or 1."""
        if not self.transform:
            raise Skip('hiera-transform is not built')
        run = subprocess.run([os.path.abspath(self.transform), '--validate', result.traces], capture_output=True, text=True, check=False)
        text = run.stdout[-3000:] + run.stderr
        expect_true(run.returncode in ((0, 1) if exit_code is None else (exit_code,)), f'exit code of hiera-transform: expected {exit_code}, actual {run.returncode}\n{text}')
        return run.stdout.replace(result.traces + '/', '').splitlines()

    def findings(self, result, exit_code=0):
        return [line for line in self.validate(result, exit_code) if re.match(r'(\S+: )?(error|warning|note): ', line)]

    def conservation(self, result):
        """{communicator: [messages sent, received, excused, bytes sent, bytes received, collectives]}"""
        rows = [re.split(r'  +', line) for line in self.validate(result) if re.search(r'^\S+( +[\d,]+){6}$', line)]
        return {row[0]: [int(cell.replace(',', '')) for cell in row[1:]] for row in rows}

    def command(self, command, ranks, exported):
        launch = [self.mpirun, '-n', str(ranks)]
        if self.is_open_mpi:
            launch[1:1] = ['--oversubscribe']
        for name, value in exported.items():
            launch += ['-x', f'{name}={value}'] if self.is_open_mpi else ['-genv', name, value]
        return launch + command

    def preloaded(self, *libraries):
        """LD_PRELOAD of the ranks. It also has a library that makes waiting ranks give up the processor (tests/yield.c), if there is one."""
        more = [] if self.is_open_mpi or self.ranks == 1 else [self.yields]
        return ':'.join([*libraries, *more])

    def environment(self, settings):
        quick = {**QUICK_START, **QUICK_OPEN_MPI}
        env = {k: v for k, v in os.environ.items() if not k.startswith('HIERA_') and k != 'LD_PRELOAD' and k not in quick}
        env.update({} if self.spawns else QUICK_START)
        if self.is_open_mpi:
            env.update(OPEN_MPI, OMPI_MCA_orte_tmpdir_base=self.session_folder())
            env.update({} if self.spawns else QUICK_OPEN_MPI)
        elif self.preloaded():
            env['LD_PRELOAD'] = self.preloaded()
        env.update({k: str(v) for k, v in {'HIERA_CONTAINER': self.container, **self.settings, **settings}.items() if v is not None})
        return env

    def run(self, *arguments, ranks=None, settings=None, preload=None, direct=None, before=None, folder=None, program=None):
        """Run the program with HIERA_DIR a new folder. `preload`: a library for the ranks only; `direct`: without the
        launcher, as one rank of Open MPI unless it is False, since the launcher takes longer than the rank; `before`: a function
        called in the child process before exec."""
        folder = folder or self.folder()
        settings = dict({'HIERA_DIR': folder, 'HIERA_FORMAT': self.format, 'HIERA_FOLD': self.fold, 'HIERA_COMPRESS': self.compress}, **(settings or {}))
        command = [program or self.program, *map(str, arguments)]
        if direct is None and self.is_open_mpi and not self.spawns and (ranks or self.ranks) == 1:
            direct, settings = True, {'OMPI_MCA_ess_singleton_isolated': 1, **settings}
        if direct and preload:
            settings['LD_PRELOAD'] = preload
        elif not direct:
            command = self.command(command, ranks or self.ranks, {'LD_PRELOAD': self.preloaded(preload)} if preload else {})
        return Result(folder, settings.get('HIERA_DIR'), *self.wait(command, self.environment(settings), folder, before))

    def command_of(self, apps):
        """The command of one job of several programs (MPMD), with one rank each. Each app is a command."""
        command = [self.mpirun] + (['--oversubscribe'] if self.is_open_mpi else [])
        for i, app in enumerate(apps):
            command += ([':'] if i else []) + ['-n', '1', *app]
        return command

    def run_apps(self, apps, settings=None):
        folder, command = self.folder(), self.command_of(apps)
        settings = dict({'HIERA_DIR': folder, 'HIERA_FORMAT': self.format, 'HIERA_FOLD': self.fold, 'HIERA_COMPRESS': self.compress}, **(settings or {}))
        return Result(folder, settings['HIERA_DIR'], *self.wait(command, self.environment(settings), folder, None))

    def wait(self, command, env, folder, before):
        with subprocess.Popen(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True, preexec_fn=before) as process:
            try:
                out, err = process.communicate(timeout=self.timeout)
            except subprocess.TimeoutExpired:
                process.terminate()  # the launcher ends its ranks
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                raise Failure(f'{" ".join(command)}: not finished after {self.timeout} s\n{err.decode(errors="replace")[-2000:]}') from None
        return process.returncode, out.decode(errors='replace'), err.decode(errors='replace')

    def beside(self, name):
        """Path of a file that was built in the folder of the program or in one beside it."""
        found = glob.glob(os.path.join(os.path.dirname(os.path.dirname(self.program)), '*', name))
        expect_true(len(found) == 1, f'one {name} is built: {found}')
        return found[0]

    def folder(self):
        self.folders.append(new_folder('hiera-test-'))
        return self.folders[-1]

    def session_folder(self):
        """Where Open MPI has what its processes share. It reads all that killed jobs have left there, which was half of the start in /tmp."""
        self.sessions = self.sessions or [new_folder('hiera-mpi-')]
        return self.sessions[0]

    def clean(self):
        remove(self.folders + self.sessions)

    def forget_sessions(self):
        remove(self.sessions)


def new_folder(prefix):
    """As tempfile.mkdtemp; that and shutil take longer to import than all else here."""
    path = os.path.join(os.environ.get('TMPDIR', '/tmp'), prefix + os.urandom(6).hex())
    os.mkdir(path, 0o700)
    return path


def remove(folders):
    if folders:
        subprocess.run(['rm', '-rf', '--', *folders], stderr=subprocess.DEVNULL, check=False)


def take_out(folder, target):
    """Write each trace of the containers in a folder into a file of the other one, which may be the same."""
    for path in filter(is_container, glob.glob(os.path.join(glob.escape(folder), '*.hiera'))):
        container = Container(path)
        for rank in container.ranks():
            trace = container.trace(rank)
            suffix = '.zst' if trace.startswith(b'\x28\xb5\x2f\xfd') else '.gz' if trace.startswith(b'\x1f\x8b') else ''
            path = os.path.join(target, f'trace{rank}.xml{suffix}')
            if not os.path.lexists(path):
                with open(path, 'wb') as file:
                    file.write(trace)


def unpack(folder):
    """Unpack each compressed trace into a file beside it, as far as it is readable."""
    for suffix, program in (('.zst', 'zstd'), ('.gz', 'gzip')):
        for path in glob.glob(os.path.join(glob.escape(folder), '*.xml' + suffix)):
            with open(path.removesuffix(suffix), 'wb') as text:
                subprocess.run([program, '-dc', path], stdout=text, stderr=subprocess.DEVNULL, check=False)


class Result:
    def __init__(self, folder, traces, code, out, err):
        self.folder, self.code, self.out, self.err = folder, code, out, err
        self.traces = traces or folder
        take_out(self.traces, folder)
        for place in {self.traces, folder}:
            unpack(place)

    def path(self, rank):
        """Of the trace; if it is in a container, of a copy, which is not in its folder if that is on another disk."""
        there, copy = (os.path.join(place, f'trace{rank}.xml') for place in (self.traces, self.folder))
        return copy if os.path.exists(copy) and not os.path.exists(there) else there

    def messages(self):
        """Messages of the collector on standard error."""
        return [line for line in self.err.splitlines() if line.startswith('hiera: ')]

    def good(self):
        expect_true(self.code == 0, f'exit code: expected 0, actual {self.code}\n{self.out[-1000:]}{self.err[-3000:]}')
        return self

    def trace(self, rank):
        return Trace(self.path(rank))

    def valid(self, ranks):
        """The traces of all ranks. Each must be valid and have the properties that all traces have."""
        validate([self.path(r) for r in range(ranks)] + [os.path.join(self.traces, 'hieraCollector.xml')])
        left = [n for n in os.listdir(self.traces) if n.endswith('.part')]
        expect('files of threads left behind', left, [])
        traces = [self.trace(r) for r in range(ranks)]
        for rank, trace in enumerate(traces):
            expect('rank', trace.root.get('rank'), f'P{rank}')
            expect('size', trace.root.get('size'), str(ranks))
            trace.check_sound()
        expect('jobs in the traces', len({t.root.get('job') for t in traces}), 1)
        return traces
