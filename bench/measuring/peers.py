"""Other tracers on the same loop. A peer is a function that makes one run of `self` with so many iterations and returns what
stopwatch said and the bytes of the trace."""
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
    """The trace of `self` as EZTrace writes it, for readers; None where there is no EZTrace."""
    if 'EZTrace' not in find_peers(mpi, options, []):
        return None
    under_eztrace(mpi, iterations, folder)
    return next(glob.iglob(os.path.join(folder, '**', '*.otf2'), recursive=True), None)


# name: (run, the program that it needs, the file that the build must have made for it, how to get both)
PEERS = {
    'EZTrace': (eztrace, 'eztrace', 'bare', 'apt-get install eztrace'),
    'LTTng-ust': (lttng, 'lttng-sessiond', 'lttng_shim', 'apt-get install lttng-tools liblttng-ust-dev, then configure anew'),
}


def find_peers(mpi, options, notes):
    """{name: run} of those that can be measured here. What Debian has is made for Open MPI."""
    if options.no_peers or mpi['name'] != 'openmpi':
        return {}
    found = {}
    for name, (run, program, made, advice) in PEERS.items():
        if shutil.which(program) and os.path.exists(mpi[made]):
            found[name] = run
        else:
            notes.append(f'{name} is not there to compare with ({advice})')
    return found
