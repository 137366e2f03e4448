"""Variables `#name` and locks of a probe script, which the ranks of one computer share."""

import os
import resource

from cases.probes import answers, run, split
from expect.case import case
from expect.judgement import expect, expect_true


def left_behind():
    return [name for name in os.listdir('/dev/shm') if name.startswith('hiera-1-')]


def numbers(result, ranks):
    """What the ranks have printed."""
    return [int(line) for rank in range(ranks) for line in answers(result, rank)]


@case('guest', ranks=[2, 4], smoke=True, timeout=300)
def ranks_change_what_they_share_exactly(job):
    """The last change of all sees those before it. One step is whole by itself, several under a lock are."""
    steps = 2000
    for begin, actions in (('', '#n++; print(#n);'), ('', '#n[1, "a"] += 1; print(#n[1, "a"]);'),
                           ('BEGIN { #n = 0; }', 'global_lock("n"); #n = #n + 1; print(#n); global_unlock("n");')):
        result = run(job, f'{begin} region::[stop]::step {{ {actions} }}', 'lots', steps, settings={'HIERA_TRACE': '0'}).good()
        expect(f'{actions}: messages', result.messages(), [])
        seen = numbers(result, job.ranks)
        expect(f'{actions}: lines', len(seen), steps * job.ranks)
        expect(f'{actions}: last', max(seen), steps * job.ranks)
        if 'lock' in actions:
            expect(f'{actions}: all', sorted(seen), list(range(1, steps * job.ranks + 1)))


@case('guest', ranks=[2])
def texts_are_shared(job):
    """What BEGIN has set is there for all ranks when they leave MPI_Init."""
    script = 'BEGIN { #t[&rank] = "rank " + str(&rank); #all += "x"; } region::[stop]::step { print(#t[0] + ", " + #t[1] + ", " + #all); }'
    result = run(job, script, 'lots', 1, settings={'HIERA_TRACE': '0'}).good()
    expect('lines', [answers(result, rank) for rank in range(2)], [['rank 0, rank 1, xx']] * 2)
    expect('messages', result.messages(), [])


@case('p2p', ranks=[2, 4])
def every_receive_finds_its_send(job):
    script = ('message::[send] /has(&id)/ { #sent[&id] = &time; } message::[receive] /has(&id)/ { @received = count(); } '
              'message::[receive] /#sent[&id] > 0s/ { @found = count(); @least[&source, &target] = min(&time - #sent[&id]); } '
              'END { global_print(@received); global_print(@found); global_print(@least); }')
    result = run(job, script).good()
    tables = split(answers(result))[0]
    expect('messages', result.messages(), [])
    expect_true(int(tables['received'][0]) > 10 * job.ranks, f'only {tables["received"]} receives')
    expect('found', tables['found'], tables['received'])
    expect('pairs', len(tables['least']), job.ranks)


@case('guest', ranks=[1])
def a_rank_alone_shares_with_nobody(job):
    result = run(job, 'region::[stop]::step { global_lock(1); #n++; print(#n); }', 'lots', 5, settings={'HIERA_TRACE': '0'}).good()
    expect('lines', answers(result), ['1', '2', '3', '4', '5'])
    expect('messages', result.messages(), [])


@case('guest', ranks=[4])
def a_killed_job_leaves_no_file(job):
    before = left_behind()
    result = run(job, 'call::[end]::barrier { global_lock(1); #n[&rank]++; }', 'killed', 1000)
    expect_true(result.code != 0, 'the job has not been killed')
    expect('files left behind', [name for name in left_behind() if name not in before], [])


@case('guest', ranks=[2], mpi=('openmpi',))
def ranks_that_cannot_share_say_so(job):
    """MPICH itself does not run with this limit. The program does what it does without a script."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (9 << 20, 9 << 20))

    result = run(job, 'region::[stop]::step { #n++; print(#n); }', 'lots', 2, settings={'HIERA_TRACE': '0'}, before=limit).good()
    expect('lines', [answers(result, rank) for rank in range(2)], [['1', '2']] * 2)
    expect('messages', result.messages(),
           ['hiera: variables and locks of all ranks in the probe script are those of this rank alone: File too large'] * 2)


@case('probed', ranks=[2])
def a_script_that_waits_is_shared(job):
    """The program starts it long after MPI_Init, and other scripts before it."""
    settings = {'HIERA_TRACE': '0', 'HIERA_PROBE_WAIT': '1'}
    result = run(job, 'call::[end]::barrier { global_lock(1); #n++; print("seen", #n); }', 'sections', settings=settings).good()
    seen = sorted(int(line.split()[1]) for rank in range(2) for line in answers(result, rank) if line.startswith('seen '))
    expect_true(len(seen) > 2, f'{seen}: too few')
    expect('numbers', seen, list(range(1, len(seen) + 1)))
