"""Run an MPI job under the collector, and read the traces that it leaves."""

import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import xml.etree.ElementTree as ET

TIMED = ('hieraMPI', 'hieraOOPS', 'hieraRegion')
PLACE = ('operation', 'file', 'line', 'start_time', 'finish_time')
DTD = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'dtd', 'trace.dtd')
OPEN_MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
            'OMPI_MCA_btl_vader_single_copy_mechanism': 'none', 'OMPI_MCA_hwloc_base_binding_policy': 'none',
            'OMPI_MCA_mpi_yield_when_idle': '1',
            # Not ucx: no windows without its hardware, and a quarter of a second to look for it.
            'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_osc': '^ucx'}


class Failure(Exception):
    """What was expected and what was found."""


def expect(what, actual, expected):
    """Of two dictionaries, a failure names the entries that differ, and of a long value its beginning."""
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        keys = [k for k in {**expected, **actual} if k not in actual or k not in expected or actual[k] != expected[k]]
        actual, expected = ({k: values[k] for k in keys if k in values} for values in (actual, expected))
    raise Failure(f'{what}: expected {expected!r:.2000}, actual {actual!r:.2000}')


def expect_true(condition, what):
    if not condition:
        raise Failure(what)


class Skip(Exception):
    """Cannot be tested here, and why."""


class Job:
    """One MPI, one program; each run has a folder of its own."""

    def __init__(self, arguments):
        self.mpi, self.mpirun, self.library = arguments.mpi, arguments.mpirun, os.path.abspath(arguments.library)
        self.is_open_mpi = 'Open' in subprocess.run([self.mpirun, '--version'], capture_output=True, text=True, check=False).stdout
        self.ranks, self.program, self.timeout = arguments.ranks, os.path.abspath(arguments.program), arguments.timeout
        self.format, self.compress = arguments.format, arguments.compress
        self.hosts, self.yields = os.path.abspath(arguments.hosts), os.path.abspath(arguments.yields)
        self.transform, self.folders = arguments.transform, []

    def validate(self, result, exit_code=0):
        """The lines of `hiera-transform --validate`, without the folder. `exit_code` None: that of findings or of none."""
        if not self.transform:
            raise Skip('hiera-transform is not built')
        run = subprocess.run([os.path.abspath(self.transform), '--validate', result.traces], capture_output=True, text=True, check=False)
        text = run.stdout[-3000:] + run.stderr
        expect_true(run.returncode in ((0, 1) if exit_code is None else (exit_code,)), f'exit code of hiera-transform: expected {exit_code}, actual {run.returncode}\n{text}')
        return run.stdout.replace(result.traces + '/', '').splitlines()

    def findings(self, result, exit_code=0):
        return [line for line in self.validate(result, exit_code) if re.match(r'(\S+: )?(error|warning|note): ', line)]

    def conservation(self, result):
        """communicator -> [messages sent, received, excused, bytes sent, bytes received, collectives]"""
        rows = [re.split(r'  +', line) for line in self.validate(result) if re.search(r'  [\d,]+$', line)]
        return {row[0]: [int(cell.replace(',', '')) for cell in row[1:]] for row in rows}

    def command(self, command, ranks, exported):
        launch = [self.mpirun, '-n', str(ranks)]
        if self.is_open_mpi:
            launch[1:1] = ['--oversubscribe']
        for name, value in exported.items():
            launch += ['-x', f'{name}={value}'] if self.is_open_mpi else ['-genv', name, value]
        return launch + command

    def preloaded(self, *libraries):
        """With one more where ranks that wait keep the processor from those that they wait for (tests/yield.c)."""
        more = [] if self.is_open_mpi or self.ranks == 1 else [self.yields]
        return ':'.join([*libraries, *more])

    def environment(self, settings):
        env = {k: v for k, v in os.environ.items() if not k.startswith('HIERA_') and k != 'LD_PRELOAD'}
        if self.is_open_mpi:
            env.update(OPEN_MPI)
        elif self.preloaded():
            env['LD_PRELOAD'] = self.preloaded()
        env.update({k: str(v) for k, v in settings.items() if v is not None})
        return env

    def run(self, *arguments, ranks=None, settings=None, preload=None, direct=False, before=None, folder=None, program=None):
        """Run the program with HIERA_DIR a fresh folder. `preload`: a library for the ranks alone; `direct`: without the
        launcher; `before`: called in the child before exec."""
        folder = folder or self.folder()
        settings = dict({'HIERA_DIR': folder, 'HIERA_FORMAT': self.format, 'HIERA_COMPRESS': self.compress}, **(settings or {}))
        command = [program or self.program, *map(str, arguments)]
        if direct and preload:
            settings['LD_PRELOAD'] = preload
        elif not direct:
            command = self.command(command, ranks or self.ranks, {'LD_PRELOAD': self.preloaded(preload)} if preload else {})
        return Result(folder, settings.get('HIERA_DIR'), *self.wait(command, self.environment(settings), folder, before))

    def run_apps(self, apps, settings=None):
        """One job of many programs (MPMD), one rank each; each app is a command."""
        folder = self.folder()
        command = [self.mpirun] + (['--oversubscribe'] if self.is_open_mpi else [])
        for i, app in enumerate(apps):
            command += ([':'] if i else []) + ['-n', '1', *app]
        settings = dict({'HIERA_DIR': folder, 'HIERA_FORMAT': self.format, 'HIERA_COMPRESS': self.compress}, **(settings or {}))
        return Result(folder, settings['HIERA_DIR'], *self.wait(command, self.environment(settings), folder, None))

    def wait(self, command, env, folder, before):
        def child():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if before:
                before()

        with subprocess.Popen(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True, preexec_fn=child) as process:
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
        """Something that is built in the folder of the program, or in one beside it."""
        found = glob.glob(os.path.join(os.path.dirname(os.path.dirname(self.program)), '*', name))
        expect_true(len(found) == 1, f'one {name} is built: {found}')
        return found[0]

    def folder(self):
        self.folders.append(tempfile.mkdtemp(prefix='hiera-test-'))
        return self.folders[-1]

    def clean(self):
        while self.folders:
            shutil.rmtree(self.folders.pop(), ignore_errors=True)


def unpack(folder):
    """A text beside each packed trace, as far as it goes."""
    for suffix, program in (('.zst', 'zstd'), ('.gz', 'gzip')):
        for path in glob.glob(os.path.join(glob.escape(folder), '*.xml' + suffix)):
            with open(path.removesuffix(suffix), 'wb') as text:
                subprocess.run([program, '-dc', path], stdout=text, stderr=subprocess.DEVNULL, check=False)


class Result:
    def __init__(self, folder, traces, code, out, err):
        self.folder, self.code, self.out, self.err = folder, code, out, err
        self.traces = traces or folder
        unpack(self.traces)

    def path(self, rank):
        return os.path.join(self.traces, f'trace{rank}.xml')

    def messages(self):
        """Lines of the collector on standard error."""
        return [line for line in self.err.splitlines() if line.startswith('hiera: ')]

    def good(self):
        expect_true(self.code == 0, f'exit code: expected 0, actual {self.code}\n{self.out[-1000:]}{self.err[-3000:]}')
        return self

    def trace(self, rank):
        return Trace(self.path(rank))

    def valid(self, ranks):
        """The traces of all ranks, sound in every way that all traces must be."""
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


def validate(paths):
    """By the grammar beside the trace, as any reader does."""
    run = subprocess.run(['xmllint', '--huge', '--noout', '--valid', *paths], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Failure(f'xmllint --valid: {run.stderr[:3000]}')


def seconds(ns):
    return f'{ns // 10**9}.{ns % 10**9:09}'


def expand(root):
    """Calls of the compact spelling become what they stand for."""
    declared = {}
    for parent in root.iter():
        for element in list(parent):
            if element.tag == 'hieraCall':
                expect_true(element.get('id') not in declared, f'hieraCall {element.get("id")} is declared once')
                declared[element.get('id')] = {k: v for k, v in element.items() if k != 'id'}
                parent.remove(element)
    for element in root.iter('c'):
        own = dict(element.items())
        call = declared[own.pop('r')]
        start, duration = int(own.pop('t')), own.pop('d')
        element.attrib.clear()
        element.attrib.update({**call, **own}, start_time=seconds(start), finish_time=seconds(start + int(duration)) if duration else '')
        element.tag = 'hieraOOPS' if 'class' in call else 'hieraRegion' if 'level' in call else 'hieraMPI'
    number_requests(root)


def number_requests(root):
    """Requests that stand by their distance from the one that was started last get their numbers."""
    last = 0

    def number(word):
        return str(last + int(word)) if word[0] in '+-' else word

    for element in root.iter():
        if element.tag == 'hieraThread':
            last = 0
        if 'request' in element.attrib:
            element.set('request', number(element.get('request')))
            last = int(element.get('request'))
        if 'requests' in element.attrib:
            element.set('requests', ' '.join(map(number, element.get('requests').split(' '))))


class Trace:
    """A trace that was read. Call sites lose the folders of their files unless `keep_paths`: what they are depends on where the build is."""

    def __init__(self, path, keep_paths=False):
        self.path = path
        try:
            self.root = ET.parse(path).getroot()
        except (OSError, ET.ParseError) as error:
            raise Failure(f'{path}: {error}') from error
        expand(self.root)
        for element in [] if keep_paths else self.root.iter():
            if 'file' in element.attrib:
                element.set('file', os.path.basename(element.get('file')))

    def walk(self, element=None, depth=0):
        """(depth, element) of all that stands below, in document order; without recursion (regions may be deep)."""
        stack = [(depth, child) for child in reversed(self.root if element is None else element)]
        while stack:
            depth, element = stack.pop()
            yield depth, element
            stack += [(depth + 1, child) for child in reversed(element)]

    def operations(self):
        """(depth, element) of the operations of the main thread."""
        threads = {e for t in self.root.iter('hieraThread') for e in t.iter()}
        return [(d, e) for d, e in self.walk() if e.tag in TIMED and e not in threads]

    def all(self, tag='hieraMPI', **attributes):
        attributes = {k.rstrip('_'): str(v) for k, v in attributes.items()}
        return [e for e in self.root.iter(tag) if all(e.get(k) == v for k, v in attributes.items())]

    def one(self, tag='hieraMPI', **attributes):
        found = self.all(tag, **attributes)
        if len(found) != 1:
            raise Failure(f'{self.path}: expected one {tag} with {attributes}, actual {len(found)}')
        return found[0]

    def lost(self):
        return {e.get('reason'): int(e.get('count')) for e in self.root.iter('hieraLost')}

    def comms(self):
        """id -> (ranks, remote, last name)"""
        return {e.get('id'): (e.get('ranks'), e.get('remote'), e.get('name')) for e in self.root.iter('hieraComm')}

    def types(self):
        return {e.get('id'): (e.get('size'), e.get('extent'), e.get('name')) for e in self.root.iter('hieraType')}

    # --- what holds for every trace ---

    def check_sound(self):
        for section in [self.root, *self.root.iter('hieraThread')]:
            self.check_times(section)
            self.check_declared(section)

    def check_times(self, section):
        """Starts never go back in the document; a child is within its parent."""
        last, open_ = 0.0, []
        for depth, e in self.walk(section):
            if e.tag == 'hieraThread' or e.tag not in TIMED + ('hieraFlush',):
                continue
            if section is self.root and self.in_thread(e):
                continue
            start, finish = e.get('start_time'), e.get('finish_time')
            begin, end = float(start), float(finish) if finish else float('inf')
            del open_[depth:]
            if begin < last:
                self.blame(e, f'starts before the element above it ({last})')
            if end < begin:
                self.blame(e, 'ends before it starts')
            if open_ and (begin < open_[-1][0] or end > open_[-1][1]):
                self.blame(e, f'outside its parent {open_[-1]}')
            open_.append((begin, end))
            last = begin

    def in_thread(self, element):
        if not hasattr(self, 'threaded'):
            self.threaded = {e for t in self.root.iter('hieraThread') for e in t.iter()}
        return element in self.threaded

    def check_declared(self, section):
        """A communicator or a type of the program's own is declared before its first use."""
        comms, types = set(), set()
        for _, e in self.walk(section):
            if section is self.root and self.in_thread(e):
                continue
            if e.tag == 'hieraComm':
                comms.add(e.get('id'))
            elif e.tag == 'hieraType':
                types.add(e.get('id'))
            for name in ('comm', 'newcomm', 'comm1', 'comm2', 'local_comm', 'peer_comm'):
                value = e.get(name)
                if value not in (None, 'MPI_COMM_NULL') and value not in comms:
                    self.blame(e, f'{name} is not declared above')
            for name in ('type', 'stype', 'rtype', 'oldtype', 'newtype'):
                value = e.get(name) or ''
                if '_dtype' in value and value not in types:
                    self.blame(e, f'{name} is not declared above')

    def blame(self, element, what):
        raise Failure(f'{self.path}: {ET.tostring(element, "unicode")[:300]}: {what}')
