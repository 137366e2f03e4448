"""LTTng-ust behind bench/lttng_shim.c. Its daemon writes the trace on another core. That cost is in no number
here."""
import contextlib
import os
import subprocess
import time

from measuring.processes import Folder, bytes_of, fail, under_mpi

SESSION = f'hiera-bench-{os.getpid()}'
START_SECONDS = 10


def ask(*words):
    """Run one command of `lttng`: (success, output)."""
    done = subprocess.run(['lttng', '--no-sessiond', *words], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def tell(*words):
    good, said = ask(*words)
    if not good:
        fail('lttng ' + ' '.join(words), said)


@contextlib.contextmanager
def daemon():
    """The session daemon: one that runs already, or our own until the end of the block."""
    if ask('list')[0]:
        yield
        return
    with subprocess.Popen(['lttng-sessiond'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as own:
        try:
            end = time.monotonic() + START_SECONDS
            while not ask('list')[0]:
                if own.poll() is not None or time.monotonic() > end:
                    fail('lttng-sessiond', 'it does not answer')
                time.sleep(0.05)
            yield
        finally:
            own.terminate()


@contextlib.contextmanager
def session(folder):
    """Make a session with buffers as large as the other tools' and without loss: the program waits for the daemon."""
    tell('create', SESSION, f'--output={folder}')
    try:
        tell('enable-channel', '--userspace', f'--session={SESSION}', '--subbuf-size=4M', '--num-subbuf=4',
             '--blocking-timeout=inf', 'bench')
        tell('enable-event', '--userspace', f'--session={SESSION}', '--channel=bench', 'hiera_bench:*')
        tell('start', SESSION)
        yield
    finally:
        ask('destroy', SESSION)


def lttng(mpi, iterations, parent):
    preloaded = ['env', f'LD_PRELOAD={mpi["lttng_shim"]}', 'LTTNG_UST_ALLOW_BLOCKING=1']
    with daemon(), Folder(parent) as folder:
        with session(folder):
            rows = under_mpi(mpi, 1, preloaded + [mpi['bare'], 'self', str(iterations)])
        return rows, bytes_of(folder, 'bench_*')
