"""Fortran: the same elements as from C, at the place in the Fortran source, whose comments say them (fortran_source.py)."""

import expectations
import fortran_source
from hiera_job import expect


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


CASES = {f.__name__: f for f in (fortran_trace_has_what_the_source_says, fortran_linked_trace_has_what_the_source_says)}
