#!/usr/bin/env python3
"""Cost of the call path, counted instead of timed: callpath.py PROGRAM [functions|fortran|wrapped|probes|written|lists]. A recorded call allocates nothing, makes no
system call and needs a limited number of instructions; `written`: so does writing it. Only the rounds are counted, without the first two."""

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
OPEN_MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl': 'self',
            'OMPI_MCA_ess_singleton_isolated': '1'}

# What a call with a list of requests takes more for each listed request that it does not complete: (threads, settings, the most
# instructions). It was a hundred and more. Most of a test in vain is the comparison with the last list; every other test has to find
# its requests again, since one was started. Where several threads may be in MPI, the number of each is read before the call.
LISTED, LIST_ROUNDS = (100, 2100), 10
LISTS = {'one thread': ('single', {}, 12), 'several threads': ('multiple', {}, 28), 'not recorded': ('single', {'HIERA_LEVELS': 'app'}, 20)}

# Of probe scripts: (script, the most instructions that it adds to a round). One call of a round is asked about.
FEW = 1000
SCRIPTS = {'a call that nobody asks about': ('call::send { @ = count(); }', 5),
           'a predicate that does not hold': ('call::[end]::type_size /&depth > 100/ { @ = count(); }', 1200),
           'an aggregation without a key': ('call::[end]::type_size { @ = count(); }', 1100),
           'an aggregation with one key': ('call::[end]::type_size { @[&call] = sum(&depth); }', 1800),
           'an aggregation with two keys': ('call::[end]::type_size { @[&call, &line] = count(); }', 1900)}


def run(command, folder, **more):
    env = {**os.environ, 'HIERA_DIR': folder, 'HIERA_BUFFER': '64M', 'HIERA_SHORT': '1s', **counter.SETTINGS, **OPEN_MPI, **more}
    env.pop('MALLOC_PERTURB_', None)  # meson's: it fills each block, which is not our cost
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def allocations(program, folder, *arguments, **settings):
    return int(re.search(r'allocations (\d+)', run([program, *arguments], folder, **settings)).group(1))


def system_calls(program, folder, *arguments, **settings):
    """System calls of the main thread between the two marks."""
    log = os.path.join(folder, 'strace.log')
    run(['strace', '-o', log, program, *arguments], folder, **settings)
    with open(log, encoding='utf-8', errors='replace') as file:
        lines = file.readlines()
    begin, end = (next(i for i, line in enumerate(lines) if mark in line) for mark in ('"rounds begin', '"rounds end'))
    return lines[begin + 1:end]


def instructions(program, folder, *arguments, **settings):
    out = run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--instr-atstart=no', program, *arguments], folder, **settings)
    return int(re.search(r'Collected : (\d+)', out).group(1))


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def recorded_functions(folder):
    """How often each function has an element, and how often it was counted in another element."""
    trace = read(os.path.join(folder, 'trace0.xml'))
    elements = re.findall(r'<hieraRegion level="function" operation="([^"]*)"', trace)
    counted = sum(map(int, re.findall(r'<hieraFiltered level="function"[^>]* count="(\d+)"', trace)))
    return {name: elements.count(name) for name in set(elements)}, counted


def check_scripts(program, folder):
    """What probe scripts add to a round. Returns what is wrong."""
    failed = []

    def each(script):
        return instructions(program, folder, str(COUNTED), 'c', HIERA_PROBE=script) / COUNTED

    without = each('') if shutil.which('valgrind') else 0
    for what, (script, most) in SCRIPTS.items():
        if allocations(program, folder, str(FEW), 'c', HIERA_PROBE=script) != 0:
            failed.append(f'{what} allocates')
        if shutil.which('strace') and (calls := system_calls(program, folder, str(FEW), 'c', HIERA_PROBE=script)):
            failed.append(f'{what} makes system calls: {calls[0]}')
        if without:
            added = each(script) - without
            print(f'{what}: {added:.0f} instructions more than {without:.0f} (at most {most})')
            if added > most:
                failed.append(f'{what} takes too many instructions')
    return failed


def check_written(program, folder):
    """What a round takes with its part of writing, whose beginning is not small: N rounds are compared with 2N. Returns what is wrong."""
    failed = []
    for encoding, limit in INSTRUCTIONS_WRITTEN.items():
        once, twice = (instructions(program, folder, str(n), 'messages', HIERA_FORMAT=encoding, HIERA_BUFFER=SMALL_BUFFER)
                       for n in (COUNTED, 2 * COUNTED))
        each = (twice - once) / COUNTED
        print(f'instructions per round that is written, {encoding}: {each:.0f} (at most {limit})')
        if not 100 < each < limit:
            failed.append(f'writing takes too many instructions, {encoding}, or none')
    return failed


def dumped(program, folder, *arguments, **settings):
    """Instructions of each dump that the program asks callgrind for, in order."""
    out = os.path.join(folder, 'callgrind')
    run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={out}', '--instr-atstart=no', program, *arguments], folder, **settings)
    return [int(re.search(r'^totals: (\d+)', read(f'{out}.{i + 1}'), re.M).group(1)) for i in range(2 * len(LISTED))]


def check_lists(program, folder):
    """What a call takes for each request in its list, without what MPI takes. Returns what is wrong."""
    failed = []
    for what, (threads, settings, limit) in LISTS.items():
        few, few_of_mpi, many, many_of_mpi = dumped(program, folder, str(LIST_ROUNDS), 'lists', threads, *map(str, LISTED), **settings)
        each = (many - many_of_mpi - few + few_of_mpi) / (LISTED[1] - LISTED[0]) / (7 * LIST_ROUNDS)
        print(f'instructions per call and listed request, {what}: {each:.1f} (at most {limit})')
        if not 0 < each <= limit:
            failed.append(f'a call takes too many instructions for the requests that it lists, {what}, or none')
    return failed


def main():
    program, way = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 'c'
    rounds = (str(ROUNDS), way)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        if way in ('probes', 'written', 'lists'):
            failed = {'probes': check_scripts, 'written': check_written, 'lists': check_lists}[way](program, folder)
            sys.exit('\n'.join(failed) or 0)
        allocated = allocations(program, folder, *rounds)
        print(f'allocations in {ROUNDS} rounds: {allocated}')
        if allocated != 0:
            failed.append('the call path allocates')
        if way == 'functions':
            elements, counted = recorded_functions(folder)
            print(f'functions with elements of their own: {elements}; counted in them: {counted}')
            if list(elements) != ['make_functions'] or counted < 2 * ROUNDS:
                failed.append('short functions have elements of their own, or are not counted')
        if shutil.which('strace'):
            calls = system_calls(program, folder, *rounds)
            print(f'system calls in {ROUNDS} rounds: {len(calls)}')
            if calls:
                failed.append('the call path makes system calls: ' + calls[0])
        if shutil.which('valgrind'):
            each = instructions(program, folder, str(COUNTED), way) / COUNTED
            print(f'instructions per round, {each:.0f} (at most {INSTRUCTIONS_PER_ROUND[way]})')
            if not 20 < each < INSTRUCTIONS_PER_ROUND[way]:
                failed.append('too many instructions per call, or none')
    for problem in failed:
        print(problem)
    sys.exit(bool(failed))


if __name__ == '__main__':
    main()
