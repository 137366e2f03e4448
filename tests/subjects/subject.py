"""Run a program without Hiera and with it, compare the runs, and check the traces."""

import dataclasses
import glob
import os
import re
import shutil
import signal
import subprocess
import time

import counter

OPEN_MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
            'OMPI_MCA_hwloc_base_binding_policy': 'none', 'OMPI_MCA_mpi_yield_when_idle': '1', 'OMPI_MCA_osc': '^ucx',
            'OMPI_MCA_btl_vader_single_copy_mechanism': 'none'}
# Text that differs between runs of a program: addresses, process numbers, error numbers, names of hosts and jobs.
CHANGING = (r'0x[0-9a-f]+', r'\[\[\d+,\d+\],\d+\]', r'Abort\(\d+\)', r'\[\d+\.\d+\] \[[^\[\]]*\]',
            r'(?i)\bpid:? ?=? ?\d+', r'\[[^\[\]\s]+[:,]\d+(,\d+)?\](?=\s|$)')
REPEATS = 2
CHECKED_BYTES = 100 << 20  # of traces for each job; to check more would take many minutes


@dataclasses.dataclass
class Case:
    name: str
    command: list  # the program and its arguments
    ranks: int
    folder: str  # where it runs
    environment: dict = dataclasses.field(default_factory=dict)
    launcher: list = dataclasses.field(default_factory=list)  # further arguments of mpirun
    timings: tuple = ()  # regular expressions for text in the output that is a time
    written: str = ''  # a file that the program writes; it is compared like output
    fresh: tuple = ()  # patterns of what it leaves in its folder and must not find there
    counted: bool = False  # whether its calls and bytes are also counted without Hiera


@dataclasses.dataclass
class Outcome:
    status: object  # the exit status, or 'timeout'
    output: list  # sorted lines of both streams, without text that differs between runs
    seconds: float

    def same(self, other):
        return (self.status, self.output) == (other.status, other.output)


class Bench:
    """An MPI, a build of Hiera and the folder for the traces of jobs."""

    def __init__(self, mpi, build, work, limit):
        self.mpi, self.mpirun, self.limit = mpi, f'mpirun.{mpi}', limit
        self.hiera_run = os.path.join(build, 'collector', 'hiera-run')
        self.transform = os.path.join(build, 'transform', 'cli', 'hiera-transform')
        self.yields = {'LD_PRELOAD': os.path.join(build, 'tests', 'libyield.so')} if mpi == 'mpich' else {}
        self.work, self.traces, self.counter = work, os.path.join(work, f'traces-{os.getpid()}'), None
        self.counts = os.path.join(work, f'counts-{os.getpid()}')

    def try_case(self, case):
        """Run a case and return its row of the results."""
        row = {'case': case.name, 'ranks': case.ranks}
        plain = self.run(case, False)
        row['plain'] = [plain.status, round(plain.seconds, 2)]
        if plain.status == 'timeout':
            return row | {'verdict': 'skipped', 'why': f'takes more than {self.limit} s without Hiera'}
        traced = self.run(case, True)
        row['traced'] = [traced.status, round(traced.seconds, 2)]
        row['verdict'] = 'same' if plain.same(traced) else 'differs'
        row.update(self.check_traces())
        if case.counted and row['traces'] and row['bytes'] <= CHECKED_BYTES:
            row.update(self.compare_counts(case, counter.traced(self.transform, self.traces, case.ranks)))
        if row['verdict'] == 'differs':
            row['why'] = difference(plain, traced)
            self.keep(case)
            others = [self.run(case, False) for _ in range(REPEATS)]
            if any(not plain.same(other) for other in others) or any(traced.same(other) for other in others):
                row['verdict'] = 'unsteady'
        elif {'invalid', 'findings', 'miscounted'} & set(row):
            self.keep(case)
        if slow(row):
            self.measure_again(case, row)
        return row

    def compare_counts(self, case, trace):
        """Compare the traces with an independent count. What differs between runs of the counter is ignored, and so is all if one of them aborts."""
        if self.counter is None:
            self.counter = counter.built(self.mpi, self.counts + '-by')
        counts = [self.count(case)]
        wrong = counter.differences(counts[0], trace, case.ranks)
        if wrong:
            counts += [self.count(case) for _ in range(REPEATS)]
            others = [counter.differences(count, trace, case.ranks) for count in counts[1:]]
            wrong = {key: text for key, text in wrong.items() if all(other.get(key) == text for other in others)}
        row = {'counted': len(counts[0])}
        return row | {'miscounted': '\n'.join(list(wrong.values())[:20])} if wrong else row

    def count(self, case):
        shutil.rmtree(self.counts, ignore_errors=True)
        os.makedirs(self.counts)
        self.run(case, False, self.counts)
        return counter.counted(self.counts)

    def clean(self):
        for folder in (self.traces, self.counts, self.counts + '-by'):
            shutil.rmtree(folder, ignore_errors=True)

    def measure_again(self, case, row):
        """Sometimes ranks on a busy machine take ten times as long. So measure again; the shortest time counts."""
        for key, traced in (('plain', False), ('traced', True)) * REPEATS:
            row[key][1] = min(row[key][1], round(self.run(case, traced).seconds, 2))

    def run(self, case, traced, counts=None):
        """Run without Hiera, with Hiera, or with the counter, which writes into the folder `counts`."""
        if counts is None:
            shutil.rmtree(self.traces, ignore_errors=True)
        launch = [self.mpirun] + (['--oversubscribe'] if self.mpi == 'openmpi' else []) + ['-n', str(case.ranks)]
        command = launch + case.launcher + self.beneath(counts) + case.command
        environment = {k: v for k, v in os.environ.items() if not k.startswith('HIERA_')} | OPEN_MPI | self.yields | case.environment
        if traced:
            command = [self.hiera_run, '--quiet', f'--dir={self.traces}'] + command
            environment['HIERA_FILTER'] = ''
        if os.path.exists(case.written):
            os.remove(case.written)
        for path in [path for pattern in case.fresh for path in glob.glob(os.path.join(case.folder, pattern))]:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        started = time.time()
        with subprocess.Popen(command, env=environment, cwd=case.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, start_new_session=True) as job:
            try:
                output, status = job.communicate(timeout=self.limit * (3 if traced else 1))[0], job.returncode
            except subprocess.TimeoutExpired:
                status, output = 'timeout', end(job)
        seconds = time.time() - started
        if os.path.exists(case.written):
            with open(case.written, 'rb') as file:
                output += file.read()
        return Outcome(status, lines(output, case.timings), seconds)

    def beneath(self, counts):
        """The command between launcher and program. It preloads the counter, which the launcher itself cannot load."""
        if counts is None:
            return []
        return ['/usr/bin/env', f'COUNTER_DIR={counts}', 'LD_PRELOAD=' + ':'.join([self.counter] + list(self.yields.values()))]

    def check_traces(self):
        """Check the traces of the last job: their number, and findings of xmllint and hiera-transform."""
        files = sorted(glob.glob(os.path.join(self.traces, '**', 'trace*.xml'), recursive=True))
        row = {'traces': len(files), 'bytes': sum(map(os.path.getsize, files))}
        if not files or row['bytes'] > CHECKED_BYTES:
            return row
        grammar = subprocess.run(['xmllint', '--stream', '--huge', '--noout', '--valid'] + files, capture_output=True, text=True, check=False)
        if grammar.returncode != 0:
            row['invalid'] = grammar.stderr[-2000:]
        found = []
        for folder in sorted({os.path.dirname(f) for f in files}):
            rules = subprocess.run([self.transform, folder, '--validate', '--quiet'], capture_output=True, text=True, check=False)
            if rules.returncode != 0:
                found.append(f'exit {rules.returncode}\n{rules.stdout[:4000]}{rules.stderr[:1000]}')
        if found:
            row['findings'] = '\n'.join(found)
        return row

    def keep(self, case):
        """Keep the traces of a case that is not as expected."""
        kept = os.path.join(self.work, f'kept-{self.mpi}', re.sub(r'\W+', '_', case.name))
        shutil.rmtree(kept, ignore_errors=True)
        if os.path.exists(self.traces):
            shutil.copytree(self.traces, kept, ignore=shutil.ignore_patterns('.hiera-*'))  # they are removed while we copy


def slow(row):
    """Whether it takes more than twice as long with Hiera, and at least a second more."""
    return 'traced' in row and row['traced'][1] > 2 * row['plain'][1] + 1


def end(job):
    """End a job that hangs, the launcher first, so that it can end its ranks. Return the output so far."""
    job.terminate()
    try:
        return job.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        return job.communicate()[0]


def lines(output, timings):
    text = output.decode(errors='replace')
    for pattern in CHANGING + timings:
        text = re.sub(pattern, '~', text)
    return sorted(line.rstrip() for line in text.splitlines())


def difference(plain, traced):
    gone = [line for line in plain.output if line not in traced.output]
    new = [line for line in traced.output if line not in plain.output]
    return '\n'.join([f'exit {plain.status} and {traced.status}'] + [f'- {line[:300]}' for line in gone[:20]] + [f'+ {line[:300]}' for line in new[:20]])
