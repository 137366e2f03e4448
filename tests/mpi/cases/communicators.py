"""Names of communicators and datatypes: unique in the job, and the same on all members."""

import re

from expect import expectations
from expect.case import case
from expect.judgement import Failure, Skip, expect, expect_true


def expand(ranks):
    """ "0-6:2 9" -> [0, 2, 4, 6, 9]"""
    found = []
    for word in ranks.split():
        first, last, step = re.fullmatch(r'(\d+)(?:-(\d+))?(?::(\d+))?', word).groups()
        found += range(int(first), int(last or first) + 1, int(step or 1))
    return found


@case('comm_many', ranks=[1, 2, 4], compact=[2], smoke=True)
def communicators_have_one_id_in_the_job(job):
    result = job.run().good()
    traces = result.valid(job.ranks)
    members, names = {}, {}
    for rank, trace in enumerate(traces):
        for id_, (ranks, remote, name) in trace.comms().items():
            if id_ == 'MPI_COMM_SELF':
                continue
            group = expand(ranks)
            if rank not in group:
                raise Failure(f'rank {rank} has {id_} but is not among its members {ranks}')
            seen = tuple(sorted((ranks, remote))) if remote else ranks
            expect(f'{id_} on rank {rank}: members', seen, members.setdefault(id_, seen))
            expect(f'{id_} on rank {rank}: name', name, names.setdefault(id_, name))
            if name and ':' in name:
                expect(f'{id_}: members in their order', group, [int(w) for w in name.split(':')[1].split()])
    with_name = [n for n in names.values() if n and ':' in n]
    expect('different communicators with one id', len(with_name), len(set(with_name)))
    made = 60 + 20 + 1 + 2 * (job.ranks - 1) + (2 if job.ranks > 1 else 0)
    expect('communicators that were made', {int(n.split(':')[0]) for n in with_name}, set(range(made)))
    if job.ranks > 1:
        inter = {n: members[i] for i, n in names.items() if n and ':' not in n}
        expect('intercommunicators', sorted(inter), ['copy', 'inter', 'inter again', 'second copy'])
        expect('their groups', set(inter.values()), {('0', '1') if job.ranks == 2 else ('0 2', '1 3')})
    expect_true(max(map(len, names)) < 48, f'a name is too long: {max(names, key=len)}')
    for rank, trace in enumerate(traces):
        expect(f'rank {rank}: members of the world', trace.comms()['MPI_COMM_WORLD'][0], '0' if job.ranks == 1 else f'0-{job.ranks - 1}')


@case('types', ranks=[1, 2])
def datatypes_have_their_sizes(job):
    result = job.run(settings={'HIERA_FILTER': ''}).good()
    traces = result.valid(job.ranks)
    n = expectations.check(result, traces)
    known = {'contiguous': ('12', '12'), 'vector': ('24', '56'), 'struct': ('12', '16'), 'resized': ('4', '64')}
    for rank, trace in enumerate(traces):
        types = {name: (size, extent) for size, extent, name in trace.types().values() if name}
        expect(f'rank {rank}: sizes and extents of named types', types, known)
        own = {i for i in trace.types() if not i.startswith('MPI_')}
        expect(f'rank {rank}: owner of the types', {i.split('_')[0] for i in own}, {f'P{rank}'})
        expect(f'rank {rank}: sizes of predefined types', {trace.types()[i][0] for i in ('MPI_INT',)}, {'4'})
    print(f'{n} operations as expected')


@case('ports', ranks=[3], needs=['transform'])
def both_sides_of_a_port_use_one_name(job):
    """Through ports and sockets. The two sides have created different numbers of communicators before."""
    for way, pairs in (('ports', 4), ('sockets', 4)):
        result = job.run(way)
        if not job.is_open_mpi and result.code != 0:
            raise Skip('this MPI has no ports (Debian builds MPICH with ucx, which has none)')
        names = [{c for c in trace.comms() if '_commg' in c} for trace in result.good().valid(job.ranks)]
        expect(f'{way}: names on the first rank', names[0], names[1] | names[2])
        expect(f'{way}: names of one pair on the other', names[1] & names[2], set())
        expect(f'{way}: findings', job.findings(result), [])
        messages = sum(row[0] for name, row in job.conservation(result).items() if name.startswith('P0_commg'))
        expect(f'{way}: messages', messages, pairs)
