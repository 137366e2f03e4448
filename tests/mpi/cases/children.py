"""Processes started by MPI_Comm_spawn are a job of their own, and do not overwrite the traces of their parents."""

import glob
import os
import re

from expect.case import SPAWN_WORKS, case
from expect.judgement import expect, expect_true


@case('children', ranks=[1, 2], mpi=SPAWN_WORKS)
def spawned_processes_have_their_own_folder(job):
    result = job.run(settings={'HIERA_FILTER': ''}).good()
    expect('messages', result.messages(), [])
    parents = result.valid(job.ranks)
    expect('messages to children', len(parents[0].all(operation='send')), 4)
    folders = glob.glob(os.path.join(result.traces, 'spawned-*'))
    expect('folders of children', len(folders), 2)
    jobs = {parents[0].root.get('job')}
    for folder in folders:
        result.traces = folder
        for trace in result.valid(2):
            expect('messages of parents', len(trace.all(operation='receive')), 1)
            expect('name of the folder', os.path.basename(folder), f'spawned-{trace.root.get("job")}')
            jobs.add(trace.root.get('job'))
    expect('jobs', len(jobs), 3)


@case('children', ranks=[2], mpi=SPAWN_WORKS, needs=['transform'])
def calls_to_spawned_processes_name_the_other_job(job):
    result = job.run().good()
    for folder in [result.traces, *glob.glob(os.path.join(result.traces, 'spawned-*'))]:
        result.traces = folder
        found = job.findings(result)
        barriers = [line for line in found if re.search(r'barrier \(children\.c:\d+\).* has no match: its partner is a process of another job', line)]
        expect_true(barriers, f'{folder}: the barrier has its reason: {found}')
        expect('errors and warnings', [line for line in found if 'note: ' not in line], [])
