"""Run several processes of hiera-transform together: through sockets, in the time of one, or with a launcher of MPI."""
import itertools
import os
import socket
import subprocess
import tempfile
from pathlib import Path

TIMEOUT_S = 60


def alone(command, **options):
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def start(command, library, rank, size, sockets, env=None, **options):
    env = {**(os.environ if env is None else env), 'HIERA_PARALLEL': library, 'PMI_RANK': str(rank), 'PMI_SIZE': str(size),
           'HIERA_TEST_SOCKETS': ','.join(str(s.fileno()) for s in sockets)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[s.fileno() for s in sockets], **options)


def answers_of(processes):
    try:
        texts = [process.communicate(timeout=TIMEOUT_S) for process in processes]
        return [(process.returncode, *text) for process, text in zip(processes, texts)]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def answer_of_first(answers):
    """Status, output and messages of process 0; of the others the status has to be the same, and the rest nothing."""
    first, *others = answers
    wrong = [(rank, other) for rank, other in enumerate(others, 1) if other != (first[0], b'', b'')]
    return ('others', wrong, first) if wrong else first


def through_sockets(command, library, size, **options):
    ends = [[] for _ in range(size)]  # of each process, by the number of the other one
    for a, b in itertools.combinations(range(size), 2):
        for process, end in zip((a, b), socket.socketpair()):
            ends[process].append(end)
    processes = [start(command, library, rank, size, own, **options) for rank, own in enumerate(ends)]
    for end in itertools.chain(*ends):
        end.close()
    return answer_of_first(answers_of(processes))


def launch(mpirun, command, size, env):
    words = [mpirun, *(['--oversubscribe'] if 'mpich' not in mpirun else []), '-n', str(size), *command]
    return subprocess.run(words, timeout=TIMEOUT_S, check=False, capture_output=True,
                          env={**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', **env})


def through_launcher(mpirun, command, size):
    """What the launcher passes on of standard output."""
    return launch(mpirun, command, size, {}).stdout


def launched(mpirun, command, size, **env):
    """The same with MPI. What the launcher itself says is left out: each process writes to files."""
    with tempfile.TemporaryDirectory() as folder:
        files = f'"{folder}"/${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}'
        script = f'"$@" > {files}.out 2> {files}.err; echo $? > {files}.status'
        launch(mpirun, ['sh', '-c', script, 'sh', *command], size, env)
        return answer_of_first([read_answer(Path(folder), rank) for rank in range(size)])


def read_answer(folder, rank):
    status = folder / f'{rank}.status'
    if not status.exists():
        return None, b'', b'it has not run'
    return int(status.read_text(encoding='utf-8')), (folder / f'{rank}.out').read_bytes(), (folder / f'{rank}.err').read_bytes()
