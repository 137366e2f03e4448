"""SIGKILL at 20 moments, 10 for each of two encodings: hiera-transform reads the trace, says that it was cut, and finds exactly the calls that are complete
in it. A moment is a size that the file has reached, so that slow machines are interrupted while they write too."""

import os
import random
import re
import subprocess
import time

from expect.case import case
from expect.judgement import expect

MOMENTS = 10
PACKED = {None: ('', ['cat']), 'zstd': ('.zst', ['zstd', '-dc'])}
SAID = ('the trace ends here', 'ended without MPI_Finalize')


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def killed_at(job, size):
    """Run the program, kill it when its trace has reached this size, and return the trace."""
    folder = job.folder()
    trace = os.path.join(folder, 'trace0.xml' + PACKED[job.compress][0])
    settings = {'HIERA_DIR': folder, 'HIERA_BUFFER': '64K', 'HIERA_SURVIVE': 'off', 'HIERA_FORMAT': job.format, 'HIERA_COMPRESS': job.compress}
    with subprocess.Popen([job.program, 'lots', '100000000'], env=job.environment(settings), cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and size_of(trace) < size:
            time.sleep(0.0002)
        process.kill()
    expect('the program was killed', process.returncode, -9)
    return trace


def check(trace, transform, compress=None, copy=None):
    """Return what is wrong, or None. `copy`: the text of a trace in a container, unpacked."""
    text = subprocess.run(['cat', copy] if copy else PACKED[compress][1] + [trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    whole = len(re.findall(rb'<(?:hieraMPI|c) [^>]*/>', text))
    run = subprocess.run([transform, trace, '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=False)
    rows = [line.split(',') for line in run.stdout.splitlines()]
    calls = sum(int(count) for level, _, count in rows[1:] if level == 'mpi')
    if run.returncode != 0 or calls != whole or not any(words in run.stderr for words in SAID):
        return f'expected exit 0, {whole} calls and a word about the cut, actual exit {run.returncode}, {calls} calls, {run.stderr!r}'
    return None


@case('guest', ranks=[1], mpi=['mpich'], needs=['transform'], timeout=300)
@case('guest', zstd=[1], mpi=['openmpi'], needs=['transform'], timeout=300)
def kill_at_any_moment_leaves_readable_traces(job):
    moments, transform = random.Random(job.mpi), os.path.abspath(job.transform)
    for i in range(MOMENTS):
        size = moments.randint(1, 300_000 if job.compress else 3_000_000)
        trace = killed_at(job, size)
        expect(f'kill {i}, at {size} bytes', check(trace, transform, job.compress), None)
        job.clean()
    print(f'{MOMENTS} traces read')
