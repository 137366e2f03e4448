"""HIERA_LOOPS and HIERA_SEARCH: times of loops are those that the program measures itself, and the program does not notice."""

import csv
import os
import re
import signal
import subprocess
import time

from expect import counter
from expect.case import core_case, timing_case
from expect.judgement import Failure, expect, expect_true
from expect.trace import Trace, validate

ROUNDS = 20
BY_BREAKPOINTS = f'{counter.SETTINGS["HIERA_MORE"]},move_by=int3'
EXECUTIONS = ROUNDS + 1  # one in a thread


def timed(trace, name):
    found = [node for node in trace.root.iter('hieraTimed') if node.get('operation') == name]
    expect(f'functions {name}', len(found), 1)
    return found[0]


def measured(path, rank):
    with open(f'{path}.{rank}', encoding='utf-8') as file:
        return {line.split()[0]: float(line.split()[1]) for line in file}


def is_near(found, wanted, part=0.02):
    """The program looks at the clock outside of the loop: its time is longer, by some calls of the clock."""
    expect_true(found <= 1.001 * wanted + 5e-5, f'expected at most {wanted} s, actual {found} s')
    return found >= (1 - part) * wanted - 5e-5


def loops_of(node):
    return node.findall('hieraTimedLoop')


@timing_case('timed', ranks=[2])
def times_of_loops_are_those_that_the_program_measures(job):
    path = os.path.abspath('timed-times')
    result = job.run(path, ROUNDS, settings={'HIERA_LOOPS': 'work/2,main/1'})
    without = job.run(path, ROUNDS)
    expect('exit code', result.code, without.code)
    expect('output', sorted(result.out.splitlines()), sorted(without.out.splitlines()))
    for trace in result.valid(job.ranks):
        function = timed(trace, 'work')
        expect('executions of work', int(function.get('count')), EXECUTIONS)
        expect('threads', function.get('threads'), '2')
        for node in function.iter():
            each = [(int(thread), float(time)) for thread, time in (one.split(':') for one in node.get('by_thread').split())]
            expect('main thread, and the other one', [0, 1], [thread for thread, _ in each])
            expect_true(abs(sum(time for _, time in each) - float(node.get('time'))) < 1e-8, f'threads add up to all: {node.attrib}')
            expect_true(each[0][1] > each[1][1] > 0, f'the main thread executes it more often: {node.attrib}')
        first, second, called = loops_of(function)
        nested, = loops_of(first)
        expect('iterations', [int(loop.get('iterations')) for loop in (first, nested, second, called)],
               [100 * EXECUTIONS, 300000 * EXECUTIONS, 50000 * EXECUTIONS, 50 * EXECUTIONS])
        expect('executions', [int(loop.get('count')) for loop in (first, nested, second, called)], [EXECUTIONS, 100 * EXECUTIONS, EXECUTIONS, EXECUTIONS])
        for loop in (first, nested, second, called):
            expect_true(float(loop.get('min')) <= float(loop.get('time')) / int(loop.get('count')) <= float(loop.get('max')), str(loop.attrib))
        expect_true(float(called.get('own')) < 0.2 * float(called.get('time')), f'calls are not its own time: {called.attrib}')
        expect('begun', int(timed(trace, 'main').get('count')) + int(timed(trace, 'main').get('open', 0)), 1)


@timing_case('timed', ranks=[1])
def each_loop_takes_what_the_clock_says(job):
    """On a busy machine the program may lose the processor between its clock and ours: then it is tried again. The program's clock has
    the events, which are taken off: of the nested loop, 8 us an execution, 2 of 50 ns."""
    path = os.path.abspath('timed-clock')
    for _ in range(5):
        trace = job.run(path, ROUNDS, settings={'HIERA_LOOPS': 'work'}).valid(1)[0]
        clock = measured(path, 0)
        function = timed(trace, 'work')
        first, second, called = loops_of(function)
        nested, = loops_of(first)
        times = {'function': function, 'first': first, 'nested': nested, 'second': second, 'called': called}
        found = {what: float(node.get('time')) for what, node in times.items()}
        if all([is_near(found[what], clock[what], 0.04) for what in times]):
            return
    expect('times', found, clock)


@timing_case('timed', ranks=[1])
def what_cannot_be_timed_is_said(job):
    result = job.run('-', 1, settings={'HIERA_LOOPS': 'work,no_such_function'})
    trace = result.valid(1)[0]
    left = trace.root.find('hieraLoops').find('hieraUntimed')
    expect('left alone', left.get('operation'), 'no_such_function')
    expect('messages', [line for line in result.messages() if 'HIERA_LOOPS' in line],
           ['hiera: HIERA_LOOPS: no_such_function is not timed: no file of the program has a function of this name'])


@timing_case('timed', ranks=[1])
def places_of_calls_are_those_of_the_original(job):
    sites = []
    for loops in ('main', ''):
        trace = job.run('-', 2, settings={'HIERA_LOOPS': loops}).valid(1)[0]
        sites.append([(node.get('operation'), node.get('file'), node.get('line')) for node in trace.root.iter('hieraMPI')])
    expect('call sites', sites[0], sites[1])


@timing_case('thrown', ranks=[1])
def exceptions_end_loops_that_they_leave(job):
    result = job.run(ROUNDS, settings={'HIERA_LOOPS': 'work,fail'})
    expect('output', result.out, f'{ROUNDS} caught\n')
    trace = result.valid(1)[0]
    found = []
    for name in ('work', 'fail'):
        function = timed(trace, name)
        loop, = loops_of(function)
        found += [int(function.get('count')), int(loop.get('count')), int(loop.get('iterations'))]
        expect_true(float(loop.get('time')) <= float(function.get('time')), name)
        expect('open', (function.get('open'), loop.get('open')), (None, None))
    expect('executions and iterations', found, [1, 1, ROUNDS, ROUNDS, ROUNDS, 3 * ROUNDS])


@timing_case('timed', ranks=[1], needs=['transform'])
def times_survive_a_kill(job):
    """Call sites in a copy are those of the original; times are those of a second before."""
    folder = job.folder()
    env = job.environment({'HIERA_DIR': folder, 'HIERA_FORMAT': 'full', 'HIERA_LOOPS': 'work,main/1'})
    with subprocess.Popen([job.program, '-', '0'], env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        time.sleep(2.5)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    run = subprocess.run([os.path.abspath(job.transform), '--recover', folder], capture_output=True, text=True, check=False)
    expect(f'exit code of --recover ({run.stdout}{run.stderr})', run.returncode, 0)
    path = os.path.join(folder, 'trace0.xml')
    validate([path])
    trace = Trace(path)
    barriers = trace.all(operation='barrier')
    lines = {(os.path.basename(node.get('file') or '?'), node.get('line')) for node in barriers}
    expect_true(len(barriers) > 10 and len(lines) == 1 and next(iter(lines))[0] == 'timed.c', f'call sites of {len(barriers)} barriers: {lines}')
    executions = int(timed(trace, 'work').get('count'))
    expect_true(0.2 * len(barriers) <= executions <= len(barriers) + 1, f'executions of work: {executions}, of {len(barriers)}')
    expect('open', timed(trace, 'main').get('open'), '1')


SECONDS = (2, 4, 9)
SOON = 'least=200ms'  # not a second, in which nothing more is decided


def searched(search):
    """`search` returns what was not found, or nothing. On a busy machine a search may need longer than the program computes, or samples miss a function:
    then it is tried again in one that computes longer. A program that is disturbed fails at once."""
    missing = []
    for seconds in SECONDS:
        missing.append(search(seconds))
        if not missing[-1]:
            return
    raise Failure(f'in programs of {SECONDS} s: {missing}')


def search_of(job, setting, seconds, rounds=0, settings=None):
    """What a search finds on each rank."""
    result = job.run('-', rounds, seconds, settings={'HIERA_SEARCH': setting, **(settings or {})})
    expect('output', sorted(result.out.splitlines()), [f'rank {rank}: 0, 0 children' for rank in range(job.ranks)])
    expect('messages', [line for line in result.messages() if 'HIERA_SEARCH' in line], [])
    return result.valid(job.ranks)


def nested_loop(function):
    first, _, _ = loops_of(function)
    nested, = loops_of(first)
    return nested


@timing_case('timed', ranks=[1])
def a_search_finds_the_loop(job):
    searched(lambda seconds: loop_is_found(job, seconds))


@timing_case('timed', ranks=[1])
def a_search_by_breakpoints_finds_the_loop(job):
    searched(lambda seconds: loop_is_found(job, seconds, {'HIERA_MORE': BY_BREAKPOINTS}))


@timing_case('timed', ranks=[1])
def a_search_by_breakpoints_and_timers_finds_the_loop(job):
    searched(lambda seconds: loop_is_found(job, seconds, {'HIERA_MORE': BY_BREAKPOINTS, 'HIERA_SAMPLE': '100/s,timer'}))


def loop_is_found(job, seconds, settings=None):
    for trace in search_of(job, '1,' + SOON, seconds, settings=settings):
        functions = [node for node in trace.root.iter('hieraTimed') if node.get('operation') == 'work']
        if len(functions) != 1 or int(functions[0].get('count')) < 5:
            return f'timed: {[function.attrib for function in functions]}'
        nested = nested_loop(functions[0])
        if int(nested.get('count')) < 500 or nested.get('evaluated') is not None:
            return f'the nested loop was not timed: {nested.attrib}'
        share = float(nested.get('time')) / float(functions[0].get('time'))
        if share <= 0.5:
            return f'share of the nested loop: {share}'
    return None


@timing_case('timed', ranks=[2])
def one_rank_decides_for_all(job):
    """All ranks time the same functions to the same depth, although work() takes 4 % of the time of the other one."""
    def all_time_the_same(seconds):
        found = []
        for trace in search_of(job, 'common,share=20%,executions=3,least=200ms,most=2s', seconds, -1):
            functions = list(trace.root.iter('hieraTimed'))
            found.append([(node.get('operation'), nested_loop(node).get('evaluated')) for node in functions if node.get('operation') == 'work'])
        return None if found == [[('work', None)]] * job.ranks else f'what each rank has timed: {found}'

    searched(all_time_the_same)


@timing_case('timed', ranks=[1])
def a_search_goes_on_behind_what_cannot_be_moved(job):
    """fixed() takes 1.8 times as long as work(). Whoever says so says its share of the samples, too."""
    def both_are_there(seconds):
        result = job.run('-', -2, seconds, settings={'HIERA_SEARCH': '1,' + SOON})
        expect('output', result.out, 'rank 0: 0, 0 children\n')
        trace, = result.valid(1)
        said = [(node.get('operation'), re.fullmatch(r'.* address inside the function; it had (\d+) % of the samples outside MPI', node.get('reason')))
                for node in trace.root.iter('hieraUntimed')]
        executions = [int(node.get('count')) for node in trace.root.iter('hieraTimed') if node.get('operation') == 'work']
        if [name for name, _ in said] != ['fixed'] or not executions or executions[0] < 5:
            return f'left alone: {said}, executions of work: {executions}'
        reason = said[0][1]
        expect_true(reason and 20 < int(reason.group(1)) < 90, f'the reason has a share: {said}')
        expect('messages', [line for line in result.messages() if 'HIERA_SEARCH' in line], [f'hiera: HIERA_SEARCH: fixed is not timed: {reason.group(0)}'])
        return None

    searched(both_are_there)


def rows_of_loops(job, traces):
    """Functions, by --measure loops and by --measure bottlenecks: name, share in percent, verdict."""
    found = []
    for measure, columns in (('loops', ('path', 'share', 'state')), ('bottlenecks', ('where', 'value', 'verdict'))):
        run = subprocess.run([os.path.abspath(job.transform), '--measure', measure, '--format', 'csv', traces], capture_output=True, text=True, check=True)
        rows = [row for row in csv.DictReader(run.stdout.splitlines()) if row.get('hypothesis', 'loops') == 'loops']
        found.append({row[columns[0]].split(' ')[0]: (float(row[columns[1]]), row[columns[2]]) for row in rows
                      if row[columns[0]].split(' ')[0] in ('work', 'main') and ' > ' not in row[columns[0]] and row[columns[2]] != 'never evaluated'})
    expect('both measures', found[0], found[1])
    return found[0]


@timing_case('timed', ranks=[1], needs=['transform'])
def a_share_is_one_of_the_time_that_was_watched(job):
    """work() takes nearly all of the time of the program, also if it was watched for some of it alone. main() begins before and ends behind MPI."""
    def hottest_is_true(seconds):
        result = job.run('-', 0, seconds, settings={'HIERA_SEARCH': '1,' + SOON})
        trace, = result.valid(1)
        functions = [node for node in trace.root.iter('hieraTimed') if node.get('operation') == 'work']
        if not functions:
            return 'work was not timed'
        expect_true(float(functions[0].get('longest')) <= float(functions[0].get('watched')) < float(trace.root.get('finalize')), str(functions[0].attrib))
        rows = rows_of_loops(job, result.traces)
        return None if rows['work'][1] == 'true' and 50 < rows['work'][0] <= 100 else f'work: {rows}'

    searched(hottest_is_true)
    result = job.run('-', ROUNDS, settings={'HIERA_LOOPS': 'work,main/1'})
    rows = rows_of_loops(job, result.traces)
    expect('main', (rows['main'][1], 0 < rows['work'][0] <= rows['main'][0] <= 100), ('true', True))
    check = subprocess.run([os.path.abspath(job.transform), '--validate', result.traces], capture_output=True, text=True, check=False)
    expect(f'errors ({check.stdout})', 'exact times' in check.stdout, False)


@timing_case('timed', ranks=[1])
def loops_below_the_share_are_not_looked_into(job):
    """Of 450,000 iterations that take the same, 350,000 are in work() itself, 78 %, and 300,000 in its first loop, 67 %. On a busy machine one of these
    may take longer than its part, or samples may miss it: then it is tried again, not for longer, which would not help."""
    found = []
    for seconds in (2, 2, 2, 4, 4):
        trace, = search_of(job, '1,share=72%,' + SOON, seconds)
        functions = [node for node in trace.root.iter('hieraTimed') if node.get('operation') == 'work']
        found += [nested_loop(node).get('evaluated') for node in functions]
        if found[-1:] == ['0']:
            return
    raise Failure(f'the nested loop was looked into, or no loop was timed: evaluated={found}')


@core_case('timed', ranks=[1])
def a_wrong_search_is_said(job):
    for setting in ('1,share=120%', 'often', '1,least=2s,most=1s', 'common,executions=x', '1,'):
        result = job.run('-', 1, settings={'HIERA_SEARCH': setting})
        expect('exit code', result.code, 0)
        expect(setting, [line for line in result.messages() if 'HIERA_SEARCH' in line],
               [f'hiera: HIERA_SEARCH: {setting}: it must be 0, 1 or common, and perhaps share=20%, executions=5, least=1s, most=10s '
                '(at least least), with commas; the default is used; HIERA_HELP=1 prints what can be set'])
