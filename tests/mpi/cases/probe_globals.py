"""Variables `#name` and locks of a probe script, which all ranks share, and what they have published.

Ranks with shared=0 in HIERA_PROBE_OPTIONS share as those of other computers do: by the network, here that of this computer alone."""

import os
import re
import resource
import time

from cases.probes import answers, run, split
from expect.case import core_case
from expect.judgement import expect, expect_true


PATIENT = {'HIERA_TRACE': '0', 'HIERA_PROBE_OPTIONS': 'timeout=20s'}  # the machine may be busy
NETWORK = {**PATIENT, 'HIERA_PROBE_OPTIONS': 'timeout=20s,address=127.0.0.1'}
AS_ELSEWHERE = ('case " $0 " in *" ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} "*) HIERA_PROBE_OPTIONS="shared=0,$HIERA_PROBE_OPTIONS"; '
                'export HIERA_PROBE_OPTIONS;; esac; exec "$@"')


def network(more):
    """The settings of NETWORK, with more names in HIERA_PROBE_OPTIONS."""
    return {**NETWORK, 'HIERA_PROBE_OPTIONS': NETWORK['HIERA_PROBE_OPTIONS'] + more}


def run_apart(job, script, elsewhere, *arguments, more='', options=()):
    """Run with the ranks `elsewhere` on another computer, as it seems to them."""
    command = job.command(['/bin/sh', '-c', AS_ELSEWHERE, ' '.join(map(str, elsewhere)), job.program, *map(str, arguments)], job.ranks, {})
    return run(job, script, *options, *command[1:], program=command[0], direct=True, settings=network(more))


def left_behind():
    return [name for name in os.listdir('/dev/shm') if name.startswith('hiera-1-')]


def numbers(result, ranks):
    """What the ranks have printed."""
    return [int(line) for rank in range(ranks) for line in answers(result, rank)]


@core_case('guest', ranks=[2, 4], smoke=True, timeout=300)
def ranks_change_what_they_share_exactly(job):
    """The last change of all sees those before it. One step is whole by itself, several under a lock are."""
    steps = 2000
    for begin, actions in (('', '#n++; print(#n);'), ('', '#n[1, "a"] += 1; print(#n[1, "a"]);'),
                           ('BEGIN { #n = 0; }', 'global_lock("n"); #n = #n + 1; print(#n); global_unlock("n");')):
        result = run(job, f'{begin} region::[stop]::step {{ {actions} }}', 'lots', steps, settings=PATIENT).good()
        expect(f'{actions}: messages', result.messages(), [])
        seen = numbers(result, job.ranks)
        expect(f'{actions}: lines', len(seen), steps * job.ranks)
        expect(f'{actions}: last', max(seen), steps * job.ranks)
        if 'lock' in actions:
            expect(f'{actions}: all', sorted(seen), list(range(1, steps * job.ranks + 1)))


@core_case('guest', ranks=[2])
def texts_are_shared(job):
    """What BEGIN has set is there for all ranks when they leave MPI_Init."""
    script = 'BEGIN { #t[&rank] = "rank " + str(&rank); #all += "x"; } region::[stop]::step { print(#t[0] + ", " + #t[1] + ", " + #all); }'
    result = run(job, script, 'lots', 1, settings={'HIERA_TRACE': '0'}).good()
    expect('lines', [answers(result, rank) for rank in range(2)], [['rank 0, rank 1, xx']] * 2)
    expect('messages', result.messages(), [])


@core_case('p2p', ranks=[2, 4])
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


@core_case('guest', ranks=[1])
def a_rank_alone_shares_with_nobody(job):
    result = run(job, 'region::[stop]::step { global_lock(1); #n++; print(#n); }', 'lots', 5, settings={'HIERA_TRACE': '0'}).good()
    expect('lines', answers(result), ['1', '2', '3', '4', '5'])
    expect('messages', result.messages(), [])


@core_case('guest', ranks=[4])
def a_killed_job_leaves_no_file(job):
    before = set(left_behind())
    result = run(job, 'call::[end]::barrier { global_lock(1); #n[&rank]++; }', 'killed', 1000)
    expect_true(result.code != 0, 'the job has not been killed')
    after = set(left_behind()) - before
    for _ in range(100):  # other jobs have files while they begin
        after &= set(left_behind())
        if not after:
            break
        time.sleep(0.1)
    expect('files left behind', sorted(after), [])


@core_case('guest', ranks=[4], smoke=True)
def ranks_of_other_computers_share_exactly(job):
    """Some ranks have the file of the first one, some ask it."""
    steps = 300
    script = ('BEGIN { #n = 0; #x += "x"; } region::[stop]::step { #m[1, "a"]++; global_lock("n"); #n = #n + 1; print(#n); global_unlock("n"); } '
              'END { print(#x); }')
    for elsewhere in ((2, 3), (1, 2, 3)):
        result = run_apart(job, script, elsewhere, 'lots', steps).good()
        lines = [line for rank in range(job.ranks) for line in answers(result, rank)]
        expect(f'{elsewhere}: messages', result.messages(), [])
        expect(f'{elsewhere}: numbers', sorted(int(line) for line in lines if line[0] != 'x'), list(range(1, steps * job.ranks + 1)))
        expect(f'{elsewhere}: set before', [line for line in lines if line[0] == 'x'], ['xxxx'] * job.ranks)


@core_case('guest', ranks=[2])
def locks_have_one_order_for_all_ranks(job):
    """Ranks that would wait for each other are told."""
    script = 'region[0]::[stop]::step { global_lock(1); global_lock(2); #n++; } region[1]::[stop]::step { global_lock(2); global_lock(1); #n++; } END[0] { print(#n); }'
    for elsewhere in ((), (1,)):
        result = run_apart(job, script, elsewhere, 'lots', 20).good()
        expect('messages', [re.sub(r'.*(on rank \d .* is held).*', r'\1', line) for line in result.messages() if 'on rank' in line],
               ['on rank 1 this lock comes before one that is held'])
        expect('changes', answers(result)[0], '20')


@core_case('probed', ranks=[3])
def ranks_go_on_when_one_ends(job):
    """It is killed (0), or calls _exit (1); the others never call MPI again. The first one is the server of those elsewhere."""
    script = ('region::[stop]::step { global_lock(1); #n++; @n[&rank] = count(); } region::[stop]::late { print(#n); } '
              'region[0]::[stop]::late { global_print(@n); }')
    options = ['--enable-recovery'] if job.is_open_mpi else ['-disable-auto-cleanup']
    for how, who, elsewhere in ((1, 2, (1, 2)), (1, 0, (1,)), (0, 2, ()), (0, 0, (2,))):
        if how == 0 and not job.is_open_mpi:
            continue  # MPICH's launcher kills all
        result = run_apart(job, script, elsewhere, 'ends', how, who, options=options, more=',period=10ms')
        what = f'end {how} of rank {who}, {elsewhere} elsewhere'
        there = [rank for rank in range(job.ranks) if rank != who]
        expect(what, sorted(line for line in result.out.splitlines() if 'goes on' in line), [f'rank {rank} goes on' for rank in there])
        cut = [rank for rank in elsewhere if who == 0]
        expect(f'{what}: ranks that are told', sorted({line[line.index('on rank'):][:9] for line in result.messages() if 'no connection any more' in line}),
               [f'on rank {rank}' for rank in cut])
        numbers_seen = [int(answers(result, rank)[0]) for rank in there if rank not in cut]
        expect_true(all(150 <= n <= 250 for n in numbers_seen), f'{what}: {numbers_seen}')
        if who != 0:
            rows = {row.split()[0]: int(row.split()[1]) for row in answers(result)[2:]}
            expect(f'{what}: own, and of the one that has ended', (rows['0'], rows.get('2', 50) <= 50, how == 0 or rows['2']), (100, True, how == 0 or 50))


@core_case('probed', ranks=[2])
def what_ranks_have_so_far_is_printed(job):
    script = 'counter::"user:grid" { @n[&rank] = count(); } call[0]::[begin]::finalize { global_print(@n); } END { global_print(@n); }'
    for elsewhere in ((), (1,)):
        others = []
        for _ in range(5):  # on a busy machine the other rank may have published nothing by then
            result = run_apart(job, script, elsewhere, more=',period=10ms').good()
            lines = [line.split() for line in answers(result)]
            expect(f'{elsewhere}: at the end', lines[-3:], [['@n:', 'count'], ['0', '6'], ['1', '6']])
            expect(f'{elsewhere}: so far', lines[:2], [['@n:', 'count,', 'so', 'far'], ['0', '6']])
            expect(f'{elsewhere}: messages', result.messages(), [])
            others = lines[2:-3]
            if others:
                break
        expect_true(len(others) == 1 and others[0][0] == '1' and 1 <= int(others[0][1]) <= 6, f'{elsewhere}: so far, of the other rank: {others}')


@core_case('guest', ranks=[2])
def what_finds_no_room_is_counted(job):
    """In what ranks share, and in what each has."""
    for script, more in (('region::[stop]::step { #n[&id]++; }', ',shared=64k'), ('region::[stop]::step { @n[&id] = count(); }', ',memory=64k')):
        result = run(job, script, 'lots', 3000, settings=network(more)).good()
        expect('messages', [re.sub(r'\d+', 'N', line) for line in result.messages()],
               ['hiera: the probe script has lost N keys, texts or parts of what it printed, on N ranks: '
                'there is too little of memory or shared of HIERA_PROBE_OPTIONS'])


@core_case('guest', ranks=[2], mpi=('openmpi',))
def ranks_without_the_file_share_by_the_network(job):
    """MPICH itself does not run with this limit. The program does what it does without a script."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (9 << 20, 9 << 20))

    script = 'region::[stop]::step { #n++; print(#n); }'
    result = run(job, script, 'lots', 100, settings=NETWORK, before=limit).good()
    expect('last', max(numbers(result, 2)), 200)
    expect('messages', result.messages(), [])
    result = run(job, script, 'lots', 2, settings={**NETWORK, 'HIERA_PROBE_OPTIONS': 'timeout=20s,address=no such interface'}, before=limit).good()
    expect('lines', [answers(result, rank) for rank in range(2)], [['1', '2']] * 2)
    expect('messages', result.messages(),
           ['hiera: 1 of 2 ranks do not share variables and locks of the probe script with the others: Cannot assign requested address'])


@core_case('probed', ranks=[2])
def a_script_that_waits_is_shared(job):
    """The program starts it long after MPI_Init, and other scripts before it."""
    settings = {'HIERA_TRACE': '0', 'HIERA_PROBE_OPTIONS': 'wait=1'}
    result = run(job, 'call::[end]::barrier { global_lock(1); #n++; print("seen", #n); }', 'sections', settings=settings).good()
    seen = sorted(int(line.split()[1]) for rank in range(2) for line in answers(result, rank) if line.startswith('seen '))
    expect_true(len(seen) > 2, f'{seen}: too few')
    expect('numbers', seen, list(range(1, len(seen) + 1)))
