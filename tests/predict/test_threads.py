#!/usr/bin/env python3
"""Threads of OpenMP in predicted runs, worked out by hand.

test_threads.py PROGRAM CASE"""
import csv
import pathlib
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'oracle'))
import simulate_teams  # noqa: E402
from predicted_runs import Run, call, check, failures, receive, send



def omp(name, begin, end, inside='', more=''):
    return call(name, begin * 1000, end * 1000, f'level="openmp" {more}', inside, 'hieraRegion')


def region(begin, end, inside='', task=None):
    """A region of the main thread; `task`: the end of its implicit task. Times in microseconds."""
    return omp('parallel', begin, end, omp('implicit task', begin, end if task is None else task, inside))


def thread(*elements):
    return f'<hieraThread id="1">{"".join(elements)}</hieraThread>'


def task(begin, end, inside=''):
    return omp('implicit task', begin, end, inside)


def ends(run, *options, **more):
    return [ns / 1000 for ns in run.predicted('--quiet', *options, **more)]


def parts(program):
    """The main thread computes 20 us of a region, the other one 40; 10 us are before it and 10 behind."""
    run = Run(program, (60000, region(10, 50, task=30), thread(task(10, 50))))
    check('as recorded', [60], ends(run))
    check('the other thread twice as fast', [40], ends(run, '--speed=thread==1=2'))
    # 5, the other thread's 40, and 5; then 40, 80 of the main thread in the region, and 40.
    check('the main thread alone', [[50], [160]], [ends(run, f'--speed=thread==0={factor}') for factor in (2, 0.25)])
    check('the region twice as fast', [40], ends(run, '--speed=inside("openmp","implicit task")=2'))
    check('the main thread is waited for', [100], ends(run, '--speed=inside("openmp","parallel")=0.25'))
    check('one core', [80], ends(run, '--rank-cores=1'))
    check('one core of the host', [80], ends(run, '--cores=1'))
    check('two cores', [60], ends(run, '--rank-cores=2'))
    # All 60 us; as recorded; 10, 10, 20 and 20; 20 and a half of it with 20 and the whole of 40 in three.
    for n, end in ((1, 80), (2, 60), (4, 40), (3, 20 + 2 * 40 / 3), (65536, 20.002)):
        check(f'{n} threads', [round(end, 3)], ends(run, f'--threads={n}'))
    dynamic = Run(program, (60000, region(10, 50, omp('loop', 10, 30, more='args="schedule=dynamic"'), task=30),
                            thread(task(10, 50, omp('loop', 10, 50, more='args="schedule=dynamic"')))))
    for n, end in ((1, 80), (2, 60), (4, 35), (3, 40)):
        check(f'{n} threads of a dynamic loop', [end], ends(dynamic, f'--threads={n}'))
    # 40 of 60 us depend on the other thread, 20 on what is outside of the region.
    rows = [line.split(',') for line in run.predict('--sensitivity', '--format=csv').stdout.splitlines() if line.startswith('computation')]
    check('what 1 % less saves', {'66.67': 'further threads > implicit task a.c:1'},
          {row[-1]: row[1] for row in rows if 'implicit task' in row[1]})
    alone = Run(program, (80000, region(10, 70)))
    check('two threads of one', [50], ends(alone, '--threads=2'))
    check('one thread of one', [80], ends(alone, '--threads=1', '--speed=operation=="parallel"=2'))


def serial_code(program):
    """Two regions with code between them; in the second one a single of 8 us, for which the other thread waits 8 us, then 6 and 2."""
    single = (omp('single', 30, 38), omp('barrier', 38, 39))
    run = Run(program, (50000, region(0, 20), region(30, 45, ''.join(single)), thread(task(0, 10), task(30, 41, omp('barrier', 30, 39)))))
    check('as recorded', [50], ends(run))
    # 30 of the first region, 10, 8 and the barrier's 1, 8 of the second one, 5.
    check('one thread', [30 + 10 + 8 + 1 + 8 + 5], ends(run, '--threads=1'))
    # 10 in each half of the first thread; 10, 8, 1, 3 in each half of the main thread, 5.
    check('four threads', [10 + 10 + 8 + 1 + 3 + 5], ends(run, '--threads=4'))


def critical(program):
    """Both threads compute 10 us, then 30 in a critical section, which the main thread enters first."""
    run = Run(program, (70000, region(0, 70, omp('acquire critical', 10, 10) + omp('critical', 10, 40), task=40),
                        thread(task(0, 70, omp('acquire critical', 10, 40) + omp('critical', 40, 70)))))
    outside = '--speed=operation=="implicit task" or operation=="acquire critical"'
    check('as recorded', [70], ends(run))
    check('what is outside of it twice as fast', [65], ends(run, f'{outside}=2'))
    check('the section twice as fast', [40], ends(run, '--speed=operation=="critical"=2'))
    check('the order is kept', [10 * 4 + 30 + 30], ends(run, '--speed=thread==0 and (operation=="implicit task" or operation=="acquire critical")=0.25'))
    for n, end in ((1, 80), (2, 70), (4, 65), (20, 61)):
        check(f'{n} threads', [end], ends(run, f'--threads={n}'))
    # Eight times 10 us and a section of 10, of which 0.1 us are between its begin and the wait for it. Four threads ask at 10.
    loop = ''.join(omp('acquire critical', t, t) + omp('critical', t + 0.1, t + 10) for t in range(10, 170, 20))
    alone = Run(program, (160000, region(0, 160, loop)))
    check('four threads of a loop', [90], [round(us) for us in ends(alone, '--threads=4')])
    # The lock is free from 40 on, and each time the main thread takes 10 us more to enter.
    late = [region(t, t + 80, omp('acquire critical', t + 10, t + 50) + omp('critical', t + 50, t + 80)) for t in (0, 100)]
    first = [task(t, t + 45, omp('acquire critical', t + 9, t + 9) + omp('critical', t + 9, t + 40)) for t in (0, 100)]
    slow = Run(program, (180000, *late, thread(*first)))
    check('late after the other', [180], ends(slow))
    check('the other later', [180 + 2 * 31], ends(slow, '--speed=thread==1 and operation=="critical"=0.5'))
    # Between the wait and the section are 5 us, which count once.
    apart = Run(program, (75000, region(0, 75, omp('acquire critical', 10, 10) + omp('critical', 10, 40), task=40),
                          thread(task(0, 75, omp('acquire critical', 10, 40) + omp('critical', 45, 75)))))
    check('a section some time after its wait', [75], ends(apart))
    # Sections of other locks, which were entered at the same time, do not wait for each other.
    section = omp('critical', 10, 40)
    two = Run(program, (40000, region(0, 40, section), thread(task(0, 40, section.replace('line="1"', 'line="2"')))))
    check('two locks', [40], ends(two))


def locks(program):
    """Numbers tell which sections share a lock. The main thread is 4 us in its first one, and 10 if it is slower."""
    def section(name, begin, end, lock, line, ask=None):
        return (omp('acquire ' + name, begin if ask is None else ask, begin, more=f'args="lock={lock}"') +
                omp(name, begin, end, more=f'args="lock={lock}"')).replace('line="1"', f'line="{line}"')

    def held(name, begin, end, ask=None, inside=''):
        return omp(f'acquire {name}', begin if ask is None else ask, begin, more='args="lock=4"') + inside + omp(f'release {name}', end, end, more='args="lock=4"')

    def run(mine, others, task_ends=12, end=20):
        return Run(program, (end * 1000, region(0, end, mine, task=task_ends), thread(task(0, end, others))))

    slower = '--speed=line==7=0.4'
    two = run(section('critical', 1, 5, 1, 7), section('critical', 6, 10, 2, 8))
    check('two locks', [20], ends(two, slower))
    # The other thread enters at 11, not at 6; both are in sections of two other locks at 11.6.
    one = run(section('critical', 1, 5, 1, 7) + section('critical', 11.5, 12, 2, 8), section('critical', 6, 10, 1, 9) + section('critical', 11.4, 11.8, 3, 10))
    check('one lock of two places', [25], ends(one, slower))
    # Without numbers: a section in another one does not have its lock. The outer one is left at 1 + 2 + 1 + 12, the other thread's takes 2, then it has 10.
    inner = run(omp('critical', 1, 9, omp('critical', 2, 3).replace('line="1"', 'line="7"')), omp('acquire critical', 2, 9) + omp('critical', 9, 10))
    check('one in the other', [28], ends(inner, '--speed=line==1 and operation=="critical"=0.5'))
    # It gives the lock back at 5, and at 10 if it takes twice as long; then it takes 24 for its part, and the other one 25. To take a lock that it has
    # takes 0.5 in both.
    twice = held('nest lock', 1, 5, inside=held('nest lock', 2, 3, ask=1.5))
    for name, mine, end in (('lock', held('lock', 1, 5), 25), ('nest lock', twice, 24.5)):
        run_of = run(mine, held(name, 5, 8, ask=3))
        check(name, ([20], [end], ''), (ends(run_of), ends(run_of, '--speed=thread==0 and operation=="implicit task"=0.5'), run_of.predict().stderr))
    # As with critical sections: 10 us each, then 30 with the lock.
    alone = run(held('lock', 10, 40), held('lock', 40, 70, ask=10), 40, 70)
    for n, end in ((1, 80), (2, 70), (4, 65), (20, 61)):
        check(f'{n} threads', [end], ends(alone, f'--threads={n}'))
    kept = run(section('critical', 1, 5, 1, 7, ask=0), section('critical', 6, 10, 1, 7) + omp('critical', 12, 16, section('critical', 13, 14, 2, 8)))
    check('a lock in another', ([20], True), (ends(kept, '--threads=4'), 'regions or locks are in others' in kept.predict('--threads=4').stderr))


def contradicted(program):
    """Threads go on where times contradict each other, which is told."""
    late = Run(program, (70000, region(0, 70, omp('acquire critical', 10, 10) + omp('critical', 10, 40), task=40),
                         thread(task(0, 70, omp('acquire critical', 10, 40) + omp('critical', 40, 70.001)))))
    check('a section behind its task', ([70], True), ([round(us, 2) for us in ends(late, '--threads=4')], 'times contradict each other' in late.predict('--threads=4').stderr))
    # The main thread leaves the section at 7, where it waits in the barrier for the other one, which waits for the section.
    both = Run(program, (20000, region(0, 20, omp('acquire critical', 2, 2) + omp('critical', 2, 7, omp('barrier', 5, 10))),
                         thread(task(0, 20, omp('acquire critical', 3, 7) + omp('critical', 7, 9) + omp('barrier', 9, 10)))))
    for options in ((), ('--threads=4',)):
        done = both.predict(*options)
        check(f'both wait {options}', ([20], True), (ends(both, *options), 'that recorded times contradict take as long as recorded: 1' in done.stderr))


def messages(program):
    """Rank 0 sends inside of a region, whose other thread goes on for 30 us. Rank 1 receives inside of one, while its other thread waits
    at the barrier; then both compute until 30. The message takes 0.2 us, 1, 1 and 0.2."""
    first = (50000, region(0, 40, send(10000, 10200, 1, 1000), task=10.2), thread(task(0, 40)))
    second = (45000, region(0, 30, receive(0, 12400, 0, 1000) + omp('barrier', 12.4, 12.5)), thread(task(0, 30, omp('barrier', 5, 12.5))))
    run = Run(program, first, second)
    check('as recorded', [50, 45], ends(run))
    check('late messages let the team wait', [50, 55], ends(run, network='--network=latency=11us,bandwidth=1GB/s,overhead=200ns'))
    check('a fast thread', [20.2, 45], ends(run, '--speed=rank==0 and thread==1=4'))
    probe = Run(program, (40000, region(0, 30, call('iprobe', 10000, 10000, 'rem="0" tag="0" comm="MPI_COMM_WORLD" flag="0"'), task=10), thread(task(0, 30))))
    check('a call without length before a wait', [40], ends(probe))
    # Rank 0: 10, the message, 40, then 10 behind the region. Rank 1: 0.1 behind the barrier, 5 before it; twice 17.5; 15.
    check('one thread', [10.2 + 40 + 10, 12.4 + 5 + 0.1 + 35 + 15], ends(run, '--threads=1'))


def output(program):
    """Operations of other threads have the times of the simulation, and are in the answers of measures."""
    run = Run(program, (70000, region(10, 60, omp('barrier', 30, 50), task=60), thread(task(10, 55, omp('barrier', 50, 50.5)))))
    with tempfile.TemporaryDirectory() as folder:
        run.predict('--speed=thread==1=2', '--output', folder)
        found = [(e.get('operation'), *(round(float(e.get(time)) * 1e9) for time in ('start_time', 'finish_time')))
                 for e in ElementTree.parse(f'{folder}/trace0.xml').getroot().iter() if 'start_time' in e.attrib]
    # The other thread comes to the barrier at 30, as the main thread; that takes 0.5, and 2.25 of 4.5 us are left to it.
    check('operations', [('parallel', 10000, 40000), ('implicit task', 10000, 40000), ('barrier', 30000, 30000),
                         ('implicit task', 10000, 32750), ('barrier', 30000, 30500)], found)
    table = run.predict('--speed=thread==1=1.25', '--measure=critical-path', '--format=csv').stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder:  # a region ends when all have come, also where nobody waited for that
        Run(program, (60000, region(10, 40), thread(task(10, 40)))).predict('--speed=thread==1=0.5', '--output', folder)
        root = ElementTree.parse(f'{folder}/trace0.xml').getroot()
        check('end of region', [('parallel', '0.000070000'), ('implicit task', '0.000040000'), ('implicit task', '0.000070000')],
              [(e.get('operation'), e.get('finish_time')) for e in root.iter() if 'finish_time' in e.attrib])
    check('critical path', ['further threads > implicit task a.c:1 > before barrier a.c:1,openmp,computation,0.000040000,0.000032000'],
          [','.join(row.split(',')[:5]) for row in table if 'further threads > implicit task a.c:1 > before' in row])


def others(program):
    """Waits for tasks and locks take as long as recorded. What is not simulated is told."""
    waits = Run(program, (30000, region(0, 30, omp('taskwait', 10, 20)), thread(task(0, 25, omp('acquire lock', 5, 15)))))
    check('as recorded', [30], ends(waits))
    check('half of the rest', [20], ends(waits, '--speed=not operation in "taskwait"=2'))
    check('note', "hiera-predict: note: waits of threads for what is not known (atomic and ordered code, older traces' tasks and locks), and MPI calls of other threads "
          'than main threads, take as long as recorded: 2\n', waits.predict().stderr)
    calls = Run(program, (30000, region(0, 30), thread(task(0, 25)), thread(call('iprobe', 10000, 12000, 'rem="0" tag="0" comm="MPI_COMM_WORLD" flag="0"')).replace('id="1"', 'id="2"')))
    check('a call of a thread of the user', True, 'take as long as recorded: 1\n' in calls.predict().stderr)
    alone = Run(program, (30000, region(0, 30, omp('parallel', 10, 20, omp('implicit task', 10, 20, omp('barrier', 15, 16)))), thread(task(0, 30))))
    check('a barrier of one thread', ([30], ''), (ends(alone), alone.predict().stderr))
    nested = Run(program, (30000, region(0, 30, omp('parallel', 10, 20, omp('implicit task', 10, 20))), thread(task(0, 30)),
                           thread(task(10, 20)).replace('id="1"', 'id="2"')))
    check('regions in regions', ([30], True), (ends(nested, '--threads=4'), 'regions or locks are in others' in nested.predict('--threads=4').stderr))
    check('no region', 'hiera-predict: note: --threads: no region of OpenMP is recorded (hiera-run --level=openmp)\n',
          Run(program, (30000, '')).predict('--threads=4').stderr)
    check('nobody asks for arguments', False, 'recorded nowhere' in waits.predict('--threads=4', '--format=json').stdout)
    check('who asks for arguments', True, "'args' is recorded nowhere" in Run(program, (30000, '')).predict('--threads=4', '--speed=has(args)=2').stderr)
    check('ideal', True, 'only main threads' in waits.predict('--threads=2', network='--network=ideal').stderr)
    check('ideal, recorded threads', True, 'all numbers are those of main threads' in waits.predict(network='--network=ideal').stderr)
    check('ideal, cores', True, '--rank-cores: on the ideal' in waits.predict('--rank-cores=1', network='--network=ideal').stderr)
    for words, message in ((('--threads=2', '--output=x'), '--threads: what --output'), (('--cores=1', '--rank-cores=1'), '--cores: all ranks'),
                           (('--threads=-1',), '--threads is a number from 1 to 65536')):
        done = waits.predict(*words)
        check(words, (2, True), (done.returncode, message in done.stderr))


def random_runs(program):
    """Runs of one rank, with all that threads wait in, are predicted as they were recorded. (A probe in vain takes no time.)"""
    n = 0
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(1, 120):
            folder = simulate_teams.make(seed, pathlib.Path(scratch, f'{seed}'))
            if len(list(folder.glob('trace*.xml'))) > 1 or 'iprobe' in (folder / 'trace0.xml').read_text(encoding='utf-8'):
                continue
            n += 1
            for options in ((), ('--threads=3',), ('--rank-cores=1',)):
                done = subprocess.run([program, str(folder), '--quiet', '--format=csv', '--network=latency=0,overhead=0', *options],
                                      capture_output=True, text=True, check=False, timeout=60)
                check(f'{seed} {options}', (0, ''), (done.returncode, done.stderr))
                if not options and done.returncode == 0:
                    row = done.stdout.split('\n\n')[1].splitlines()[1].split(',')
                    check(f'computation of {seed}', 0, round((float(row[4]) - float(row[3])) * 1e6))
    check('there are some', True, n > 5)


def exact_run(program, seed, scratch):
    """A random run as the simulation has it, in which calls take no time but waiting, and its slacks; no slacks: predicted again, it is another one."""
    recorded, folder = simulate_teams.make(seed, pathlib.Path(scratch, f'{seed}'), exact=True), pathlib.Path(scratch, f'{seed}-predicted')
    predict(program, recorded, '--output', folder)
    rows = list(csv.DictReader(predict(program, folder, '--measure=slack').splitlines()))
    return folder, rows if all(row['recorded'] == row['predicted'] for row in rows) else []


def predict(program, folder, *options):
    done = subprocess.run([program, str(folder), '--format=csv', '--network=latency=0,overhead=0,bandwidth=unlimited,eager=unlimited', *map(str, options)],
                          capture_output=True, text=True, check=False, timeout=60)
    check(f'{folder} {options}', (0, False), (done.returncode, 'contradict' in done.stderr))
    return done.stdout


def run_time(program, folder, *options):
    return round(float(next(csv.DictReader(predict(program, folder, *options).splitlines()))['predicted']) * 1e9)


def slacks(program):
    """What takes 5 us longer than it has slack makes the run 5 us longer, and not more: work of any thread of any rank."""
    n = 0
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(1, 33):
            folder, rows = exact_run(program, seed, scratch)
            works = [(*(round(float(row[column]) * 1e9) for column in ('recorded', 'recorded_least')), row['path'].split(':')[-1])
                     for row in rows if row['path'].split(' > ')[-1].startswith('work ') and row['recorded_least'] == row['recorded_mean']]
            end = run_time(program, folder) if works else 0
            path = csv.DictReader(predict(program, folder, '--measure=critical-path').splitlines()) if works else ()
            critical = {row['path'] for row in path} & {row['path'] for row in rows if row['path'].split(' > ')[-1].startswith('work ')}
            check(f'seed {seed}: slack on the critical path', [], [row for row in rows if row['path'] in critical and float(row['recorded_least']) > 0])
            for time, slack, line in works[:3]:
                longer = run_time(program, folder, f'--speed=line=={line}={time / (time + slack + 5000):.17g}') - end
                check(f'seed {seed}, line {line}: {time} ns, {slack} slack', True, abs(longer - 5000) < 20)
                n += 1
    check('there are some', True, n > 40)


def main():
    program, case = sys.argv[1:]
    globals()[case](program)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
