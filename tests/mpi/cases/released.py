"""Programs that create and free many communicators, datatypes and groups."""

import collections
import re

from expect.case import case, core_case
from expect.judgement import Skip, expect, expect_true

ROUNDS, TYPES, COMMS = 2000, 8 * 18000, 3 * 2250  # created in the second part of programs/released.c
SMALL = {'HIERA_BUFFER': '128k'}


def grown(job, *arguments, preload=None, **settings):
    result = job.run('memory', ROUNDS, *arguments, direct=True, preload=preload, settings=settings).good()
    return int(re.fullmatch(r'grown (-?\d+)\n', result.out).group(1))


@core_case('released')
def memory_of_freed_objects_is_given_back(job):
    """The collector once kept 36 bytes for each freed datatype and 180 for each freed communicator: 6 MB in this program."""
    alone = grown(job)
    ways = {'recorded': {}, 'paused': {}, 'filtered': {'HIERA_FILTER': 'type,comm,p2p,group,completion'}, 'without its level': {'HIERA_LEVELS': '-mpi'},
            'switched off': {'HIERA_ENABLED': '0'}}
    for what, more in ways.items():
        ours = grown(job, *(['quiet'] if what == 'paused' else []), preload=job.library, **SMALL, **more) - alone
        print(f'{what}: grown by {ours} bytes for {TYPES} datatypes and {COMMS} communicators ({alone} without)')
        expect_true(ours < 750000, f'{what}: the collector keeps {ours} bytes of {TYPES} datatypes and {COMMS} communicators that are gone')


@case('released', ranks=[1], compact=[1])
def freed_objects_keep_their_names(job):
    """Each type has a name that tells its size, so a wrong declaration would show."""
    result = job.run('names', direct=True, preload=job.library, settings=dict(SMALL, HIERA_FILTER='')).good()
    if result.out:
        raise Skip('this MPI has no threads')
    trace = result.valid(1)[0]
    expect('lost', trace.lost(), {})
    seen, types = collections.Counter(), trace.types()
    for call in trace.all(operation='sendrecv') + trace.all(operation='alltoallw'):
        size, _, name = types[call.get('stype') or call.get('stypes')]
        expect(f'{name}: bytes of its declaration', int(size), 4 * int(name.split()[0]))
        expect(f'{name}: bytes sent', call.get('bytes'), size)
        seen[name] += 1
    expect('messages', seen, collections.Counter({**{f'{1 + i} ints': 40 for i in range(60)}, '61 ints': 1, '62 ints': 1000, '63 ints': 1}))
    comms = [name for _, _, name in trace.comms().values() if name]
    named = ['idle'] + [f'thread {t}, {i}' for t in range(2) for i in range(0, 1200, 100)]
    expect('communicators', sorted(n for n in comms if not n.startswith('MPI_')), sorted(named))


@core_case('released')
def filtered_totals_keep_names_of_freed_communicators(job):
    """Communicators whose calls are filtered are declared at the end of the trace, where the totals are."""
    result = job.run('names', direct=True, preload=job.library, settings=dict(SMALL, HIERA_FILTER='sendrecv,alltoallw')).good()
    if result.out:
        raise Skip('this MPI has no threads')
    trace = result.valid(1)[0]
    comms = trace.comms()
    sums = [(comms[e.get('comm')][2], e.get('operation')) for e in trace.all('hieraFiltered') if e.get('comm')]
    for i in range(0, 1200, 100):
        operation = 'sendrecv' if (1 + i % 60) % 4 else 'alltoallw'
        expect_true(all((f'thread {t}, {i}', operation) in sums for t in range(2)), f'{operation} of the communicators of round {i} is counted')
