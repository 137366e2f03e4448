#!/usr/bin/env python3
"""Cost of the call path, counted instead of timed: callpath.py PROGRAM calls|probes|written|lists [WAY…]. A recorded call allocates nothing, makes no
system call and needs a limited number of instructions; `written`: so does writing it. Only the rounds are counted, without the first two. A start under
callgrind takes longer than all rounds, so that one process goes all WAYs."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'mpi'))

from expect import counter  # noqa: E402

ROUNDS = 20000
COUNTED = 4000  # whose instructions are counted, fifty times as slowly
# Limits, a tenth more than the present cost with the dearer MPI. A round is a region with an MPI call, and a hundredth of the calls with requests;
# in `functions` also one recorded function and two that are too short.
INSTRUCTIONS_PER_ROUND = {'c': 665, 'functions': 1680, 'fortran': 945, 'wrapped': 1130}

# A round with a message to nobody as well (Open MPI), and with a buffer that is full every few hundred rounds: what writing takes is in it.
SMALL_BUFFER = '64K'
INSTRUCTIONS_WRITTEN = {'full': 4200, 'compact': 3600}

# One process that needs no other one and no network starts in half the time, which is what most of a test takes.
ALONE = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl': 'self',
         'OMPI_MCA_coll': 'self,basic,libnbc', 'OMPI_MCA_ess_singleton_isolated': '1', 'HWLOC_PLUGINS_PATH': '/none', 'UCX_TLS': 'self'}

# What a call with a list of requests takes more for each listed request that it does not complete: (settings, the most
# instructions). It was a hundred and more. Most of a test in vain is the comparison with the last list; every other test has to find
# its requests again, since one was started. Where several threads may be in MPI, the number of each is read before the call.
LISTED, LIST_ROUNDS = (100, 2100), COUNTED // 400
LISTS = {'one thread': ({}, 12), 'not recorded': ({'HIERA_LEVELS': 'app'}, 20)}
OF_SEVERAL_THREADS = 28

# Of probe scripts: call of a round -> (what is asked about it, script, the most instructions that it adds to the round).
SCRIPTS = {'c': ('nobody asks', 'call::send { @ = count(); }', 5),
           'comm_rank': ('a predicate that does not hold', 'call::[end]::comm_rank /&depth > 100/ { @ = count(); }', 1000),
           'comm_size': ('an aggregation without a key', 'call::[end]::comm_size { @none = count(); }', 1000),
           'group_rank': ('an aggregation with one key', 'call::[end]::group_rank { @one[&call] = sum(&depth); }', 1450),
           'group_size': ('an aggregation with two keys', 'call::[end]::group_size { @two[&call, &line] = count(); }', 1550)}


def run(command, folder, **more):
    env = {**os.environ, 'HIERA_DIR': folder, 'HIERA_BUFFER': '64M', 'HIERA_SHORT': '1s', **counter.SETTINGS, **ALONE, **more}
    env.pop('MALLOC_PERTURB_', None)  # meson's: it fills each block, which is not our cost
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def run_natively(program, folder, *ways, **settings):
    """What is wrong in rounds of these ways: memory is allocated, or the main thread makes system calls between the two marks."""
    log, tool = os.path.join(folder, 'strace.log'), shutil.which('strace')
    said = run([*([tool, '-o', log] if tool else []), program, str(ROUNDS), 'multiple', *ways], folder, **settings)
    counts = re.findall(r'^(\w+) allocations (\d+)', said, re.M)
    lines = read(log).splitlines() if tool else []
    begins, ends = ([i for i, line in enumerate(lines) if mark in line] for mark in ('"rounds begin', '"rounds end'))
    calls = [line for begin, end in zip(begins, ends) for line in lines[begin + 1:end]]
    print(f'allocations in {ROUNDS} rounds: {counts}; system calls: {len(calls) if tool else "no strace"}')
    failed = [f'the call path allocates: {way}' for way, n in counts if n != '0']
    if [way for way, _ in counts] != list(ways) or tool and len(begins) != len(ways):
        failed.append(f'not all ways have been gone: {said}')
    return failed + ['the call path makes system calls: ' + call for call in calls[:1]]


def instructions(program, folder, threads, *ways, **settings):
    """Of each dump that the program asks callgrind for, in order."""
    out = os.path.join(folder, 'callgrind')
    counting = ['valgrind', '--tool=callgrind', f'--callgrind-out-file={out}', '--instr-atstart=no']
    run([*counting, program, str(COUNTED), threads, *map(str, ways)], folder, **settings)
    n = len(ways) + sum(isinstance(way, int) for way in ways)
    return [int(re.search(r'^totals: (\d+)', read(f'{out}.{i + 1}'), re.M).group(1)) for i in range(n)]


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def recorded_functions(folder):
    """How often each function has an element, and how often it was counted in another element."""
    trace = read(os.path.join(folder, 'trace0.xml'))
    elements = re.findall(r'<hieraRegion level="function" operation="([^"]*)"', trace)
    counted = sum(map(int, re.findall(r'<hieraFiltered level="function"[^>]* count="(\d+)"', trace)))
    return {name: elements.count(name) for name in set(elements)}, counted


def check_calls(program, folder, *ways):
    failed = run_natively(program, folder, *ways)
    if 'functions' in ways:
        elements, counted = recorded_functions(folder)
        print(f'functions with elements of their own: {elements}; counted in them: {counted}')
        if list(elements) != ['make_functions'] or counted < 2 * ROUNDS:
            failed.append('short functions have elements of their own, or are not counted')
    *rounds, few, few_of_mpi, many, many_of_mpi = instructions(program, folder, 'multiple', *ways, *LISTED)
    for way, n in zip(ways, rounds):
        each = n / COUNTED
        print(f'instructions per round, {way}: {each:.0f} (at most {INSTRUCTIONS_PER_ROUND[way]})')
        if not 20 < each < INSTRUCTIONS_PER_ROUND[way]:
            failed.append(f'too many instructions per call, or none: {way}')
    return failed + check_listed('several threads', many - many_of_mpi - few + few_of_mpi, OF_SEVERAL_THREADS)


def check_listed(what, difference, limit):
    each = difference / (LISTED[1] - LISTED[0]) / (7 * LIST_ROUNDS)
    print(f'instructions per call and listed request, {what}: {each:.1f} (at most {limit})')
    return [] if 0 < each <= limit else [f'a call takes too many instructions for the requests that it lists, {what}, or none']


def check_scripts(program, folder):
    """What probe scripts add to a round."""
    script = ' '.join(script for _, script, _ in SCRIPTS.values())
    failed = run_natively(program, folder, *SCRIPTS, HIERA_PROBE=script)
    without, asked = (instructions(program, folder, 'multiple', *SCRIPTS, HIERA_PROBE=text) for text in ('', script))
    for (what, _, most), before, after in zip(SCRIPTS.values(), without, asked):
        added = (after - before) / COUNTED
        print(f'{what}: {added:.0f} instructions more than {before / COUNTED:.0f} (at most {most})')
        if added > most or most > 5 and added < 20:
            failed.append(f'{what} takes too many instructions, or none')
    return failed


def check_written(program, folder):
    """What a round takes with its part of writing, whose beginning is not small: the second rounds are counted."""
    failed = []
    for encoding, limit in INSTRUCTIONS_WRITTEN.items():
        each = instructions(program, folder, 'multiple', 'messages', 'messages', HIERA_FORMAT=encoding, HIERA_BUFFER=SMALL_BUFFER)[1] / COUNTED
        print(f'instructions per round that is written, {encoding}: {each:.0f} (at most {limit})')
        if not 100 < each < limit:
            failed.append(f'writing takes too many instructions, {encoding}, or none')
    return failed


def check_lists(program, folder):
    """What a call takes for each request in its list, without what MPI takes."""
    failed = []
    for what, (settings, limit) in LISTS.items():
        few, few_of_mpi, many, many_of_mpi = instructions(program, folder, 'single', *LISTED, **settings)
        failed += check_listed(what, many - many_of_mpi - few + few_of_mpi, limit)
    return failed


def main():
    program, what, *ways = sys.argv[1:]
    if not shutil.which('valgrind'):
        print('skipped: valgrind is not installed')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        failed = {'calls': check_calls, 'probes': check_scripts, 'written': check_written, 'lists': check_lists}[what](program, folder, *ways)
    sys.exit('\n'.join(failed) or 0)


if __name__ == '__main__':
    main()
