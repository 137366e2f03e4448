"""Calls and bytes of a job are counted twice: from the traces, and by a small library that is independent of Hiera."""

import os
import shutil
import sys

from expect.case import case
from expect.judgement import Skip, expect, expect_true

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'subjects'))

import counter  # noqa: E402


@case('p2p', ranks=[2], smoke=True, title='independent count of messages agrees')
@case('collectives', ranks=[4], title='independent count of collectives agrees')
@case('nbcoll', ranks=[4], title='independent count of nonblocking collectives agrees')
def an_independent_count_agrees(job):
    """The counting library is called before Hiera, so each call of the program passes both."""
    if not job.transform or not shutil.which(f'mpicc.{job.mpi}') or not shutil.which(f'mpifort.{job.mpi}'):
        raise Skip('hiera-transform, mpicc and mpifort of this MPI are needed')
    library, counts = job.beside(f'libcounter-{job.mpi}.so'), job.folder()
    result = job.run(settings={'HIERA_FILTER': '', 'COUNTER_DIR': counts}, preload=library).good()
    count = counter.counted(counts)
    expect('ranks that counted', sorted({rank for rank, _ in count}), list(range(job.ranks)))
    expect_true(any(given for _, given in count.values()), 'the counter saw no bytes')
    expect('what the traces have otherwise', counter.differences(count, counter.traced(os.path.abspath(job.transform), result.traces, job.ranks), job.ranks), {})
