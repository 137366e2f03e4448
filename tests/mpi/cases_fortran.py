"""Fortran: the same elements as from C, at the place in the Fortran source."""

import expectations
import fortran_source
from hiera_job import expect, expect_true


# MPICH 4.0 gives wrong indices from MPI_Waitany and MPI_Waitsome in mpi_f08: which request it was is not asked.
def expected(rank, size):
    """(operation, attributes) in order, without those that a rank alone knows."""
    ahead, behind = str((rank + 1) % size), str((rank - 1) % size)
    world = {'comm': 'MPI_COMM_WORLD'}
    ints = {'count': '4', 'type': 'MPI_INTEGER'}
    return [
        ('init_thread', {'required': '0'}), ('comm_rank', {'rank': str(rank)}), ('comm_size', {'size': str(size)}),
        ('irecv', {**world, **ints, 'rem': 'MPI_ANY_SOURCE', 'tag': 'MPI_ANY_TAG', 'request': '1'}),
        ('isend', {**world, **ints, 'dest': ahead, 'tag': '7', 'request': '2', 'bytes': '16'}),
        ('waitany', {'count': '2'}), ('waitall', {'count': '2'}),
        ('sendrecv', {**world, 'dest': ahead, 'rem': behind, 'stag': '1', 'rtag': '1', 'bytes': '16', 'rbytes': '16'}),
        ('allreduce', {**world, **ints, 'op': 'MPI_SUM', 'bytes': '16', 'rbytes': '16'}),
        ('comm_dup', {**world, 'newcomm': 'P0_comm1'}),
        ('comm_set_name', {'comm': 'P0_comm1', 'comm_name': 'my comm'}),
        ('comm_get_name', {'comm': 'P0_comm1', 'comm_name': 'my comm', 'resultlen': '7'}),
        ('cart_create', {'dims': f'{size} 1', 'periods': '1 0', 'reorder': '1', 'newcomm': 'P0_comm1.1'}),
        ('barrier', {'comm': 'P0_comm1.1'}),
        ('type_contiguous', {'count': '3', 'oldtype': 'MPI_REAL', 'newtype': f'P{rank}_dtype1'}),
        ('type_commit', {'type': f'P{rank}_dtype1'}), ('broadcast', {'type': f'P{rank}_dtype1', 'comm': 'P0_comm1'}),
        ('type_free', {'type': f'P{rank}_dtype1'}), ('info_create', {'info': f'P{rank}_info1'}),
        ('info_set', {'key': 'key', 'value': 'v w'}), ('info_get', {'key': 'key', 'value': 'v w', 'flag': '1'}),
        ('info_free', {'info': f'P{rank}_info1'}), ('irecv', {'comm': 'P0_comm1', 'request': '3'}),
        ('cancel', {'requests': '3'}), ('waitsome', {'outcount': '1'}),
        ('file_open', {'filename': 'fortran-file', 'fh': f'P{rank}_file1', 'comm': 'P0_comm1'}),
        ('file_write_at', {'fh': f'P{rank}_file1', 'offset': str(16 * rank), 'bytes': '16'}),
        ('file_close', {'fh': f'P{rank}_file1'}), ('comm_free', {'comm': 'P0_comm1.1'}), ('comm_free', {'comm': 'P0_comm1'}),
        ('finalize', {})]


def fortran_calls_are_recorded(job):
    """Preloaded; the program itself checks that its results are right."""
    plain = job.run().good()
    result = job.run(settings={'HIERA_FILTER': ''}, preload=job.library).good()
    expect('output', result.out, plain.out)
    for rank, trace in enumerate(result.valid(job.ranks)):
        actual = [e for _, e in trace.operations()]
        wanted = expected(rank, job.ranks)
        expect(f'rank {rank}: operations', [e.get('operation') for e in actual], [name for name, _ in wanted])
        for element, (name, attributes) in zip(actual, wanted):
            found = {key: element.get(key) for key in attributes}
            expect(f'rank {rank}: {name}', found, attributes)
            expect_true(element.get('file') == 'fortran.F90' and int(element.get('line')) > 0, f'{name}: {element.attrib}')
        if job.mpi == 'mpich' and 'mpi_f08' in job.program:
            continue  # its indices are wrong, see above
        done = [r for e in actual if e.get('operation') in ('waitany', 'waitall') for r in e.get('requests').split() if r != '0']
        expect('requests completed', sorted(done), ['1', '2'])
        waitany = trace.one(operation='waitany')
        expect('index from 0', str(int(waitany.get('requests')) - 1), waitany.get('index'))
    print(f'{len(wanted)} operations on each rank')


def compare(job, result):
    """The traces with what the comments of the source say."""
    source, binding = fortran_source.names_of(job.program)
    traces = result.valid(job.ranks)
    rows = []
    for rank in range(job.ranks):
        known = {'rank': rank, 'size': job.ranks, 'next': (rank + 1) % job.ranks, 'prev': (rank - 1) % job.ranks, 'mpi': job.mpi,
                 'binding': binding}
        rows.append(fortran_source.expected(source, known))
    print(f'{expectations.compare(rows, traces)} operations as expected')


def fortran_trace_has_what_the_source_says(job):
    """Preloaded, with the output that the program has without."""
    plain = job.run().good()
    result = job.run(settings={'HIERA_FILTER': ''}, preload=job.library).good()
    expect('output', result.out, plain.out)
    compare(job, result)


def fortran_linked_trace_has_what_the_source_says(job):
    compare(job, job.run(settings={'HIERA_FILTER': ''}).good())


CASES = {f.__name__: f for f in (fortran_calls_are_recorded, fortran_trace_has_what_the_source_says,
                                 fortran_linked_trace_has_what_the_source_says)}
