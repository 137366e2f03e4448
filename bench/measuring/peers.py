"""Other tracers on the same loop. A peer is a function that runs `self` with a given number of iterations. It returns the
numbers of stopwatch and the size of the trace in bytes."""
import glob
import os
import shutil

from measuring.lttng import lttng
from measuring.processes import Folder, bytes_of, under_mpi


def under_eztrace(mpi, iterations, folder):
    """EZTrace starts the untraced program itself."""
    return under_mpi(mpi, 1, ['eztrace', '-o', folder, '-t', mpi['name'], mpi['bare'], 'self', str(iterations)])


def eztrace(mpi, iterations, parent):
    with Folder(parent) as folder:
        rows = under_eztrace(mpi, iterations, folder)
        return rows, bytes_of(folder, '*.evt')


def otf2_archive(mpi, iterations, folder, options):
    """A trace of `self` written by EZTrace, to measure readers with; None without EZTrace."""
    if 'EZTrace' not in find_peers(mpi, options, []):
        return None
    under_eztrace(mpi, iterations, folder)
    return next(glob.iglob(os.path.join(folder, '**', '*.otf2'), recursive=True), None)


# name -> (function, program that it needs, file of the build that it needs, how to get both)
PEERS = {
    'EZTrace': (eztrace, 'eztrace', 'bare', 'apt-get install eztrace'),
    'LTTng-ust': (lttng, 'lttng-sessiond', 'lttng_shim', 'apt-get install lttng-tools liblttng-ust-dev, then configure anew'),
}


def find_peers(mpi, options, notes):
    """{name: function} of the peers that are installed. Debian builds them for Open MPI."""
    if options.no_peers or mpi['name'] != 'openmpi':
        return {}
    found = {}
    for name, (run, program, made, advice) in PEERS.items():
        if shutil.which(program) and os.path.exists(mpi[made]):
            found[name] = run
        else:
            notes.append(f'{name} is not there to compare with ({advice})')
    return found
