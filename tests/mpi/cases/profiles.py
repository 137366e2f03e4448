"""HIERA_MODE=profile: sums instead of single operations."""

from expect import profiles
from expect.case import case
from expect.judgement import expect

SUMS = '{program} profile has the sums of the trace'
PROFILE = {'HIERA_MODE': 'profile', 'HIERA_FILTER': ''}


def differences(trace, profile):
    expected, actual = profiles.from_trace(trace), profiles.from_profile(profile)
    return [f'{path}\n  traced: {expected.get(path)}\n  summed: {actual.get(path)}'
            for path in sorted({*expected, *actual}) if expected.get(path) != actual.get(path)]


@case('p2p', 'collectives', 'rma', 'comms', ranks=[1, 2, 4], title=SUMS)
@case('nbcoll', 'io', 'regions', 'completion', 'threads', ranks=[2], title=SUMS)
@case('roles', ranks=[3], title=SUMS)
def profile_has_the_sums_of_the_trace(job):
    """The program does the same in both runs. Times differ, counts and bytes do not."""
    traced = job.run(settings={'HIERA_FILTER': ''}).good()
    summed = job.run(settings=PROFILE).good()
    summed.valid(job.ranks)
    for rank in range(job.ranks):
        expect(f'rank {rank}: paths that differ', '\n'.join(differences(traced.trace(rank), summed.trace(rank))), '')
