"""Compare calls and bytes of each rank, counted by counter.c without Hiera, with those that hiera-transform finds in the traces."""

import collections
import csv
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '..', '..')
sys.path.insert(0, os.path.join(ROOT, 'collector', 'mpi', 'generate'))

import table  # noqa: E402

CLOCKS = {'MPI_Wtime', 'MPI_Wtick'}  # what they return is not an int


def built(mpi, folder):
    """Build the counter for an MPI in a folder of its own."""
    library = os.path.join(folder, 'libcounter.so')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'functions.h'), 'w', encoding='utf-8') as file:
        file.write(''.join(functions(mpi, folder)))
    subprocess.run([f'mpicc.{mpi}', '-O0', '-w', '-shared', '-fPIC', '-Wl,-z,initfirst', f'-I{folder}', os.path.join(HERE, 'counter.c'), '-o', library, '-ldl'], check=True)
    return library


def functions(mpi, folder):
    """The functions that MPI's libraries export, for C and for Fortran."""
    program = os.path.join(folder, 'empty')
    subprocess.run([f'mpifort.{mpi}', '-ffree-form', '-x', 'f95', '-', '-o', program, '-Wl,--no-as-needed'], input=b'end\n', check=True)
    libraries = re.findall(r'=> (\S*/libmpi\S*)', subprocess.run(['ldd', program], stdout=subprocess.PIPE, text=True, check=True).stdout)
    symbols = {line.split()[2].split('@')[0] for library in libraries for line in exported(library) if line.split()[1] in 'TW'}
    known = {s for s in symbols if re.fullmatch(r'MPI_\w*[a-z]\w*', s) and not re.search(r'_f(08)?$', s)} - CLOCKS
    lower = {name.lower(): name for name in known}
    yield from (f'C({name})\n' for name in sorted(known))
    for symbol in sorted(symbols):
        found = re.fullmatch(r'(mpi_\w+?)(_f08(?:ts)?)?(_large)?_', symbol)
        name = found and lower.get(found[1] + ('_c' if found[3] else ''))
        if name:
            yield f'FORTRAN({symbol}, {name})\n'


def exported(library):
    return subprocess.run(['nm', '-D', '--defined-only', library], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def counted(folder):
    """Calls and bytes (None: not counted) of each rank and operation, from the counter; nothing for ranks without MPI_Finalize."""
    names, rows = operations(), {}
    for rank in os.listdir(folder):
        with open(os.path.join(folder, rank), encoding='utf-8') as file:
            for line in file:
                name, calls, given = line.split()
                if name in names:
                    rows[int(rank), names[name]] = (int(calls), None if given == '-' else int(given))
    return rows


def operations():
    """{name of an MPI function: its operation in traces}"""
    kinds = table.read_kinds(os.path.join(ROOT, 'dtd', 'kinds.h'))
    return {function.name: function.operation for function in table.read(os.path.join(ROOT, 'collector', 'mpi', 'generate', 'functions.table'), kinds)}


def traced(transform, folder, ranks):
    """Calls and bytes of each rank and operation, from the traces."""
    calls, given = collections.Counter(), collections.Counter()
    for row in measure(transform, folder, 'operations'):
        calls[int(row['processor']), row['operation']] += int(row['count'])
    for rank in range(ranks):
        for row in measure(transform, folder, 'hotspots', f'--ranks={rank}'):
            given[rank, row['operation']] += int(row['bytes'])
    return {key: (calls[key], given[key]) for key in calls}


def measure(transform, folder, name, *more):
    found = subprocess.run([transform, folder, f'--measure={name}', '--level=mpi', '--format=csv', '--quiet', *more],
                           stdout=subprocess.PIPE, text=True, check=False)
    return csv.DictReader(found.stdout.splitlines())


def differences(count, trace, ranks):
    """Texts about what differs in the traces, by rank and operation."""
    there = {rank for rank, _ in count}
    if there != set(range(ranks)):
        return {}
    wrong = {}
    for key in sorted(set(count) | set(trace)):
        calls, given = count.get(key, (0, None))
        seen, bytes_seen = trace.get(key, (0, 0))
        if key[1] not in ('wtime', 'wtick') and (calls != seen or given not in (None, bytes_seen)):
            wrong[key] = f'P{key[0]} {key[1]}: {calls} calls, {given} bytes; in the trace {seen}, {bytes_seen}'
    return wrong


if __name__ == '__main__':
    os.replace(built(*sys.argv[1:3]), sys.argv[3])  # arguments: the MPI, a folder to work in, the library to make
