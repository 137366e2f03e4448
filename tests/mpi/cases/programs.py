"""Programs that state themselves what their trace must contain (expect/expect.h)."""

from expect import expectations
from expect.case import SPAWN_WORKS, case, core_case
from expect.judgement import expect

EXPECTS = '{program} trace matches its expectations'


def compared(job):
    result = job.run(settings={'HIERA_FILTER': ''}).good()
    n = expectations.check(result, result.valid(job.ranks))
    print(f'{n} operations as expected')
    return result


@case('p2p', ranks=[1, 2, 4], compact=[2], zstd=[2], gzip=[2], smoke=True, title=EXPECTS)
@case('collectives', 'nbcoll', 'comms', 'rma', ranks=[1, 2, 4], compact=[2], smoke=True, title=EXPECTS)
@core_case('alike', ranks=[1, 2], compact=[2], title=EXPECTS)
@case('tool', 'io', 'large', ranks=[1, 2], compact=[2], title=EXPECTS)
@case('roles', ranks=[3], compact=[3], title=EXPECTS)
@case('spawn', ranks=[1, 2], mpi=SPAWN_WORKS, title=EXPECTS)
@case('objects', 'two_languages', ranks=[1, 2], title=EXPECTS)
def trace_matches_its_expectations(job):
    """Also check that hiera-transform matches all of its calls."""
    result = compared(job)
    if job.transform:
        expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])


@case('completion', ranks=[1, 2, 4], compact=[2], title=EXPECTS)
def completion_trace_matches_its_expectations(job):
    """The program receives some messages with PMPI_Recv, which Hiera does not see. So messages are not checked for partners."""
    compared(job)
