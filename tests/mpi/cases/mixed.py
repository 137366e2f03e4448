"""Jobs in which some ranks run with Hiera and others do not: no rank waits for those without."""

import os
import shutil
import xml.etree.ElementTree as ET

from expect.case import case, core_case
from expect.judgement import expect, expect_true
from expect.trace import validate

RANKS = 4
TRACED = ((1, 2, 3), (0, 1, 2), (0, 3), (2,), (0, 1, 2, 3))


def run(job, traced, *arguments, settings=None, of_rank=None, library=None):
    """Start the job. Ranks in `traced` preload libhiera, the others load `library` or nothing. `of_rank`: settings for single ranks."""
    apps = []
    for rank in range(RANKS):
        mine = {**({'LD_PRELOAD': job.preloaded(job.library)} if rank in traced else {'LD_PRELOAD': library} if library else {}), **(of_rank or {}).get(rank, {})}
        apps.append(['env', *(f'{k}={v}' for k, v in mine.items()), job.program, *arguments])
    return job.run_apps(apps, settings={'HIERA_FILTER': '', **(settings or {})})


def traces_of(result, ranks):
    """The traces of these ranks. There must be no other traces, all must belong to one job, and no temporary file may be left."""
    found = sorted(n for n in os.listdir(result.traces) if n.endswith('.xml'))
    expect('files', found, sorted([f'trace{r}.xml' for r in ranks] + ['hieraCollector.xml']))
    expect('left behind', [n for n in os.listdir(result.traces) if n.startswith('.')], [])
    listed = [e.text for e in ET.parse(os.path.join(result.traces, 'hieraCollector.xml')).getroot().iter('collect_file')]
    expect('traces in the configuration', listed, [f'trace{r}.xml' for r in ranks])
    validate([os.path.join(result.traces, n) for n in found])
    traces = [result.trace(r) for r in ranks]
    expect('jobs', len({t.root.get('job') for t in traces}), 1)
    for rank, trace in zip(ranks, traces):
        expect('rank and size', (trace.root.get('rank'), trace.root.get('size')), (f'P{rank}', str(RANKS)))
        trace.check_sound()
    return traces


def same_names(traces):
    """Check that each communicator has the same members in all traces, and that the duplicate and the grid of the world are among them."""
    members = {}
    for trace in traces:
        for id_, (ranks, remote, _) in trace.comms().items():
            if id_ != 'MPI_COMM_SELF':
                seen = tuple(sorted((ranks, remote))) if remote else ranks
                expect(f'members of {id_}', seen, members.setdefault(id_, seen))
    expect_true('P0_comm1' in members and 'P0_comm2' in members, f'no duplicate or grid of the world: {sorted(members)}')


@case('mixed', ranks=[4])
def ranks_without_hiera_are_not_waited_for(job):
    for traced in TRACED:
        result = run(job, traced).good()
        expect(f'{traced}: output', result.out, 'done\n')
        expect(f'{traced}: messages', result.messages(), [])
        traces = traces_of(result, traced)
        same_names(traces)
        for trace in traces:
            expect('barriers, sends', (len(trace.all(operation='allreduce')) >= 6, trace.lost()), (True, {}))
        starts = [float(t.root.get('init')) for t in traces]
        expect_true(max(starts) < 60, f'{traced}: times are not of one scale: {starts}')


@core_case('mixed', ranks=[4])
def summary_counts_the_traced_ranks(job):
    for traced, text in ((1, 3), '2 of 4 ranks traced; rank 1: '), ((0, 1, 2, 3), '4 ranks traced; rank 0: '), ((2,), '1 of 4 ranks traced; rank 2: '):
        messages = run(job, traced, settings={'HIERA_SUMMARY': 1}).good().messages()
        expect_true(len(messages) == 1 and messages[0].startswith('hiera: ' + text), f'{traced}: one message, "{text}…": {messages}')


@core_case('mixed', ranks=[4])
def ranks_without_the_library_are_not_waited_for(job):
    result = run(job, (0, 2), library='/nowhere/libhiera.so').good()
    traces_of(result, (0, 2))


@core_case('mixed', ranks=[4])
def ranks_switched_off_are_not_waited_for(job):
    result = run(job, range(RANKS), of_rank={0: {'HIERA_ENABLED': 0}, 3: {'HIERA_ENABLED': 0}}).good()
    expect('output', result.out, 'done\n')
    traces_of(result, (1, 2))


@core_case('mixed', ranks=[4], needs=['transform'])
def ranks_may_have_different_folders(job):
    """Each rank uses another folder, so the ranks cannot find each other. Their traces together can still be read as one job."""
    folders = [job.folder() for _ in range(RANKS)]
    result = run(job, range(RANKS), of_rank={r: {'HIERA_DIR': f} for r, f in enumerate(folders)}).good()
    expect('output', result.out, 'done\n')
    for rank, folder in enumerate(folders):
        result.traces = folder
        traces_of(result, (rank,))
    result.traces = job.folder()
    for rank, folder in enumerate(folders):
        shutil.copy(os.path.join(folder, f'trace{rank}.xml'), result.traces)
    scales_are_apart(job, result)


def scales_are_apart(job, result):
    """Times of different ranks were not compared, so contradictions between them are not reported as errors."""
    traces = [result.trace(rank) for rank in range(RANKS)]
    expect('jobs', len({t.root.get('job') for t in traces}), 1)
    expect('clocks', len({t.root.get('clock') for t in traces}), RANKS)
    expect('errors of clocks', [t.root.get('clock_error') is None for t in traces], [rank > 0 for rank in range(RANKS)])
    lines = [line for line in job.validate(result, None) if line.startswith(('error: ', 'trace')) and 'note: ' not in line]
    expect('findings', [line for line in lines if 'how far the clocks agree is not known' not in line], [])


@case('mixed', ranks=[4], mpi=['mpich'], needs=['transform'])
def unknown_launcher_is_reported(job):
    """There are more processes between launcher and ranks than Hiera looks through. Open MPI tells its processes the name of the job itself."""
    far = ['sh', '-c', '"$@"; exit $?', 'sh'] * 9
    apps = [[*far, 'env', f'LD_PRELOAD={job.preloaded(job.library)}', job.program]] * RANKS
    result = job.run_apps(apps, settings={'HIERA_FILTER': ''}).good()
    expect('output', result.out, 'done\n')
    expect('messages', result.messages(), ['hiera: nobody knows which of the 4 ranks run with Hiera (the launcher gives the job no name): '
                                           'their times are not compared'])
    result.valid(RANKS)
    scales_are_apart(job, result)


@case('mixed', ranks=[4])
def abort_keeps_traces_in_mixed_jobs(job):
    for traced in ((0, 1), (0, 2), (1, 3)):
        result = run(job, traced, 'abort')
        expect_true(result.code != 0, 'aborted, but the exit code is 0')
        validate([result.path(r) for r in traced])
        for rank in traced:
            expect_true(result.trace(rank).all(operation='barrier') or rank != 1, f'rank {rank}: no barrier')


@core_case('mixed', ranks=[4], needs=['transform'])
def messages_with_untraced_ranks_are_explained(job):
    result = run(job, (0, 2)).good()
    findings = [f for f in job.findings(result, 1) if 'note: ' not in f]
    expect('ranks without a trace', findings[0], "warning: the job has 4 ranks; traces are missing for: 1 3 [missing-rank]")
    other = [f for f in findings[1:] if 'not all of its partners were traced' not in f]
    expect('findings for another reason', other, [])
    for operation in ('sendrecv', 'allreduce', 'comm_split', 'comm_create_group', 'intercomm_merge'):
        expect_true([f for f in findings if f'warning: {operation} ' in f], f'no finding of {operation}')
