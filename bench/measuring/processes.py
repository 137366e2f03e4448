"""Start programs under stopwatch and read its report."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile


class Failed(Exception):
    """A measured program failed. Its row is left out, and this text is the reason."""


def fail(what, output):
    raise Failed(f'{what} failed:\n{output[-2000:]}')


def reason(error):
    """The part of an error that goes into a note."""
    return str(error).partition('\n')[0][:200]


def environment(**more):
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', **more)


def launcher(mpi, ranks):
    return [mpi['mpirun']] + (['--oversubscribe'] if 'openmpi' in mpi['name'] else []) + ['-n', str(ranks)]


def read_report(line):
    return {key: int(value) for key, value in (word.split('=') for word in line.split()[1:])}


def reports_of(output):
    return [read_report(line) for line in output.splitlines() if line.startswith('bench: ')]


def under_mpi(mpi, ranks, command, **more):
    """Run a program under a launcher and stopwatch; one dictionary of numbers for each rank."""
    done = subprocess.run(launcher(mpi, ranks) + [mpi['stopwatch']] + command, env=environment(**more),
                          capture_output=True, text=True, check=False)
    rows = reports_of(done.stdout)
    if done.returncode != 0 or len(rows) != ranks or any('done' not in row for row in rows):
        fail(' '.join(command), done.stdout + done.stderr)
    return sorted(rows, key=lambda row: row['rank'])


def numbers_of(stopwatch, command):
    """Run a program without a launcher: the numbers of stopwatch, and those that the program told it."""
    done = subprocess.run([stopwatch] + command, capture_output=True, text=True, check=False)
    rows = reports_of(done.stdout)
    if done.returncode != 0 or not rows:
        fail(' '.join(command[:4]), done.stdout[-1000:] + done.stderr)
    return rows[-1]


def alone(stopwatch, command):
    """Run a program without a launcher: (seconds, peak memory in MB)."""
    row = numbers_of(stopwatch, command)
    return (row['end'] - row['begin']) / 1e9, row['kb'] / 1024


def clean_when_ended():
    """Make SIGTERM remove the folders, as SIGINT does."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


class Folder:
    """A place for traces, empty for each run."""

    def __init__(self, parent):
        self.path = tempfile.mkdtemp(prefix='hiera-bench-', dir=parent)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def bytes_of(folder, pattern='trace*.xml*'):
    return sum(os.path.getsize(path) for path in glob.glob(os.path.join(folder, '**', pattern), recursive=True)
               if os.path.isfile(path))


def traces_of(folder):
    return sorted(glob.glob(os.path.join(folder, 'trace*.xml*')))


def say(what):
    if sys.stderr.isatty():
        print(f'\r\033[K{what} …' if what else '\r\033[K', end='', file=sys.stderr, flush=True)
