#!/usr/bin/env python3
"""Flags of an MPI compiler wrapper, for meson: find_mpi.py MPICC compile|link|version, one flag per line."""

import shlex
import subprocess
import sys


def show(mpicc):
    """Arguments of the command that the wrapper runs. Open MPI, MPICH, Intel MPI and their relatives all have -show."""
    run = subprocess.run([mpicc, '-show'], capture_output=True, text=True, check=True)
    return shlex.split(run.stdout)[1:]


def main():
    mpicc, what = sys.argv[1:]
    flags = show(mpicc)
    if what == 'compile':
        chosen = [f for f in flags if f.startswith(('-I', '-D', '-isystem', '-pthread'))]
    else:
        chosen = [f for f in flags if f.startswith(('-L', '-l', '-Wl', '-pthread')) or f.endswith(('.a', '.so'))]
    print('\n'.join(chosen))


if __name__ == '__main__':
    main()
