"""Traces of real jobs, written as an OTF2 archive and read again, say the same."""

import json
import os
import subprocess

from expect.case import core_case
from expect.judgement import Skip, expect, expect_true

MEASURES = 'counts,operations,times,profile,matrix,statistics,waits,causes,overlap,rma,io,critical-path,efficiency,summary'


def transform(job, *arguments):
    return subprocess.run([os.path.abspath(job.transform), '--quiet', *arguments], capture_output=True, text=True, check=False)


def measures(job, path):
    return json.loads(transform(job, path, '--measure', MEASURES, '--format', 'json').stdout)


@core_case('completion', ranks=[2], needs=['transform'])
@core_case('comms', ranks=[4], needs=['transform'])
@core_case('nbcoll', ranks=[2], needs=['transform'])
@core_case('p2p', ranks=[2], needs=['transform'])
@core_case('polls', ranks=[2], needs=['transform'])
@core_case('rma', ranks=[2], needs=['transform'])
@core_case('threads', ranks=[2], needs=['transform'])
def an_archive_says_the_same_as_its_traces(job):
    result = job.run().good()
    folder = os.path.join(job.folder(), 'archive')
    done = transform(job, result.traces, '--export', f'otf2:{folder}')
    if 'without libotf2' in done.stderr:
        raise Skip('hiera-transform was built without libotf2')
    expect('export', (done.returncode, done.stdout), (0, ''))
    before, after = measures(job, result.traces), measures(job, os.path.join(folder, 'traces.otf2'))
    expect_true(before['counts'], 'the traces have operations')
    for name in MEASURES.split(','):
        expect(name, after[name], before[name])
    print(f'{sum(row["count"] for row in before["counts"])} operations')


@core_case('collectives', ranks=[2], compact=[2], needs=['transform'])
def what_is_recorded_is_asked_for_by_its_name(job):
    result = job.run().good()
    found = [call for trace in result.valid(job.ranks) for call in trace.all('hieraMPI')]

    def count(path, where):
        answer = transform(job, path, '--measure', 'counts', '--format', 'json', '--where', where)
        return sum(row['count'] for row in json.loads(answer.stdout)['counts']) if answer.returncode == 0 else answer.stderr.strip()

    for name, value, where in (('op', 'MPI_SUM', 'op == "MPI_SUM"'), ('count', '7', 'count == 7'), ('root', '1', 'root == 1'),
                               ('stype', 'MPI_INT', 'stype == "MPI_INT"')):
        wanted = sum(call.get(name) == value for call in found)
        expect_true(wanted > 0, f'{name} is recorded')
        expect(where, count(result.traces, where), wanted)
    pids = {trace.root.get('pid') for trace in result.valid(job.ranks)}
    expect('pids', count(result.traces, ' or '.join(f'processor.pid == {pid}' for pid in pids)), count(result.traces, 'true'))
    expect('what no call has', 'recorded nowhere' in str(count(result.traces, 'win_keyval > 0')), True)
