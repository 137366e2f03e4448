#!/usr/bin/env python3
"""Cost of the call path, counted instead of timed: callpath.py PROGRAM [functions|fortran|wrapped]. A recorded call allocates nothing, makes no system
call and needs a limited number of instructions. Only the rounds are counted: N of them are compared with 2N."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROUNDS = 20000
# Limits, half as much again as the present cost. A round is a region with an MPI call, and a hundredth of the calls with requests;
# in `functions` also one recorded function and two that are too short.
INSTRUCTIONS_PER_ROUND = {'c': 850, 'functions': 2100, 'fortran': 1400, 'wrapped': 1250}


def run(command, folder, **more):
    env = dict(os.environ, HIERA_DIR=folder, HIERA_BUFFER='64M', HIERA_SHORT='1s', OMPI_ALLOW_RUN_AS_ROOT='1',
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', **more)
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def allocations(program, folder, *arguments):
    return int(re.search(r'allocations (\d+)', run([program, *arguments], folder)).group(1))


def system_calls(program, folder, *arguments):
    """System calls of the main thread between the two marks."""
    log = os.path.join(folder, 'strace.log')
    run(['strace', '-o', log, program, *arguments], folder)
    with open(log, encoding='utf-8', errors='replace') as file:
        lines = file.readlines()
    begin, end = (next(i for i, line in enumerate(lines) if mark in line) for mark in ('"rounds begin', '"rounds end'))
    return lines[begin + 1:end]


def instructions(program, folder, *arguments):
    out = run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--toggle-collect=play_rounds',
               '--toggle-collect=play_requests', program, *arguments], folder)
    return int(re.search(r'Collected : (\d+)', out).group(1))


def recorded_functions(folder):
    """How often each function has an element, and how often it was counted in another element."""
    with open(os.path.join(folder, 'trace0.xml'), encoding='utf-8') as file:
        trace = file.read()
    elements = re.findall(r'<hieraRegion level="function" operation="([^"]*)"', trace)
    counted = sum(map(int, re.findall(r'<hieraFiltered level="function"[^>]* count="(\d+)"', trace)))
    return {name: elements.count(name) for name in set(elements)}, counted


def main():
    program, way = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else 'c'
    few, many = (str(ROUNDS), way), (str(2 * ROUNDS), way)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (allocations(program, folder, *n) for n in (few, many))
        print(f'allocations in {ROUNDS} and {2 * ROUNDS} rounds: {once}, {twice}')
        if once != 0 or twice != 0:
            failed.append('the call path allocates')
        if way == 'functions':
            elements, counted = recorded_functions(folder)
            print(f'functions with elements of their own: {elements}; counted in them: {counted}')
            if list(elements) != ['make_functions'] or counted < 4 * ROUNDS:
                failed.append('short functions have elements of their own, or are not counted')
        if shutil.which('strace'):
            calls = system_calls(program, folder, *few)
            print(f'system calls in {ROUNDS} rounds: {len(calls)}')
            if calls:
                failed.append('the call path makes system calls: ' + calls[0])
        if shutil.which('valgrind'):
            once, twice = (instructions(program, folder, *n) for n in (few, many))
            each = (twice - once) / ROUNDS
            print(f'instructions per round, {each:.0f} (at most {INSTRUCTIONS_PER_ROUND[way]})')
            if not 20 < each < INSTRUCTIONS_PER_ROUND[way]:
                failed.append('too many instructions per call, or none')
    for problem in failed:
        print(problem)
    sys.exit(bool(failed))


if __name__ == '__main__':
    main()
