"""Other tracers on the same loop. A peer is a function that makes one run, or the reason why there is none."""
import shutil

from measuring.processes import Folder, bytes_of, under_mpi


def eztrace(mpi, iterations, parent):
    """EZTrace starts the untraced program itself."""
    with Folder(parent) as folder:
        rows = under_mpi(mpi, 1, ['eztrace', '-o', folder, '-t', mpi['name'], mpi['bare'], 'self', str(iterations)])
        return rows, bytes_of(folder, '*.evt')


def find_peers(mpi, options, notes):
    """{name: run} of the tracers that can be measured on this machine; they are tried on `self`."""
    if options.no_peers:
        return {}
    if mpi['name'] != 'openmpi':
        return {}  # what Debian has is made for Open MPI
    if not shutil.which('eztrace'):
        notes.append('EZTrace is not installed: no peer beside Hiera (apt-get install eztrace)')
        return {}
    return {'EZTrace': eztrace}
