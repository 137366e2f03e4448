"""Programs that start MPI with sessions, without MPI_Init, leave complete traces."""

import os

from expect.case import case
from expect.judgement import expect, expect_true


@case('session', ranks=[1, 2, 4])
def programs_with_sessions_are_recorded(job):
    for arguments in ((), ('init',)):
        result = job.run(*arguments, settings={'HIERA_FILTER': ''}).good()
        expect('output', result.out, '11' * job.ranks)
        expect('messages', result.messages(), [])
        expect('errors', [line for line in job.findings(result, None) if ': error: ' in line], [])
        traces = result.valid(job.ranks)
        expect('left behind', [n for n in os.listdir(result.traces) if n.startswith('.')], [])
        hosts = {t.root.get('host') for t in traces}
        for rank, trace in enumerate(traces):
            expect('sessions', len(trace.all(operation='session_init')), 4)
            made = [e.get('newcomm') for e in trace.all(operation='comm_create_from_group')]
            expect('communicators', len(set(made)), 4 if rank == job.ranks - 1 else 2)
            expect('barriers of MPI_COMM_WORLD', len(trace.all(operation='barrier', comm='MPI_COMM_WORLD')), len(arguments))
            for allreduce in trace.all(operation='allreduce'):
                expect('members', trace.comms()[allreduce.get('comm')][0], '0' if job.ranks == 1 else f'0-{job.ranks - 1}')
                expect_true(allreduce.get('comm').startswith('P0_commg'), allreduce.get('comm'))
            if len(hosts) == 1 and job.ranks > 1:  # one clock: no rank leaves the allreduce before the last one has entered it
                ends = [float(e.get('finish_time')) for t in traces for e in t.all(operation='allreduce')[:1]]
                starts = [float(e.get('start_time')) for t in traces for e in t.all(operation='allreduce')[:1]]
                expect_true(min(ends) >= max(starts), f'allreduce: starts {starts}, ends {ends}')
        expect('names', len({tuple(sorted(i for i in t.comms() if i.startswith('P0_'))) for t in traces[:-1]}), 1 if job.ranks > 1 else 0)
