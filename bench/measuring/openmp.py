"""Constructs of OpenMP: processor time that recording them adds to the main thread, by compiler and number of threads, beside perf record."""
import os
import shutil
import statistics

from measuring.numbers import spread
from measuring.processes import Folder, numbers_of, say

# construct -> how often it is executed, for quick runs a tenth of that
CONSTRUCTS = {'parallel': 100000, 'for': 100000, 'dynamic': 100000, 'barrier': 100000, 'single': 100000, 'critical': 200000, 'lock': 200000, 'task': 100000}
MODES = {'full': {}, 'compact': {'HIERA_FORMAT': 'compact'}, 'profile': {'HIERA_MODE': 'profile'}}
PERF, BARE = 'perf record, 1000/s', 'bare'
THREADS = (1, 2)
# One process that needs no other one and no network starts in half the time.
ALONE = {'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl': 'self', 'OMPI_MCA_coll': 'self,basic,libnbc', 'OMPI_MCA_ess_singleton_isolated': '1', 'UCX_TLS': 'self'}


def command_of(row, program, threads, folder, mpi):
    """The command that runs a program of OpenMP as the row says; the construct and a number follow."""
    settings = {'OMP_NUM_THREADS': str(threads), 'OMP_DYNAMIC': 'false', 'OMP_PROC_BIND': 'true', **ALONE}
    before = []
    if row == PERF:
        before = ['perf', 'record', '-q', '-e', 'task-clock:u', '-c', '1000000', '-o', os.path.join(folder, 'perf.data')]
    elif row != BARE:
        settings.update({'HIERA_DIR': folder, 'HIERA_QUIET': '1', **MODES[row]})
        before = [mpi['hiera_run'], '--library=' + mpi['library'], '--level=openmp']
    return ['env', *(f'{name}={value}' for name, value in settings.items()), *before, program]


def one_run(row, program, threads, construct, iterations, blocks, mpi, parent):
    with Folder(parent) as folder:
        command = command_of(row, program, threads, folder, mpi)
        return numbers_of(mpi['stopwatch'], [*command, construct, str(iterations), str(blocks)])['thread'] / iterations


def measure_construct(program, threads, construct, mpi, options):
    """{row: ns of the main thread for each construct}: bare itself, the others less the bare run of their turn."""
    rows = [BARE, *MODES, *([PERF] if shutil.which('perf') else [])]
    iterations = CONSTRUCTS[construct] // (10 if options.quick else 1)
    turns = [{row: one_run(row, program, threads, construct, iterations, i % 8, mpi, options.folder) for row in rows} for i in range(options.pairs)]
    bare, least = statistics.median(turn[BARE] for turn in turns), {row: min(turn[row] for turn in turns) for row in rows}
    return {'bare': bare, 'rows': {row: {**spread([turn[row] - turn[BARE] for turn in turns]), 'least': least[row] - least[BARE]} for row in rows if row != BARE}}


def measure_openmp(mpi, options):
    found = {name: os.path.join(options.programs, 'openmp-' + name) for name in ('gcc', 'clang')}
    measured = {}
    for compiler, program in found.items():
        for threads in THREADS if os.path.exists(program) else ():
            say(f'openmp, {compiler}, {threads} threads')
            measured[f'{compiler}, {threads}'] = {construct: measure_construct(program, threads, construct, mpi, options) for construct in CONSTRUCTS}
    return {'pairs': options.pairs, 'programs': measured}
