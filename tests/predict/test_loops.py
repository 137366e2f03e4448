#!/usr/bin/env python3
"""hiera-predict --speed with loops that were timed (hieraLoops): test_loops.py HIERA_PREDICT CASE. The network is that of predicted_runs.py."""

import csv
import io
import pathlib
import subprocess
import sys

from predicted_runs import NETWORK, Run, check, failures, receive, region, seconds, send

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden' / 'traces' / 'timed'
IDEAL = '--network=latency=0,bandwidth=unlimited,overhead=0,eager=unlimited'


def times(ns, threads=1):
    return f'count="1" time="{seconds(ns)}" own="{seconds(ns)}" min="0" max="0" threads="{threads}" longest="{seconds(ns)}" uncertainty="0"'


def loops(*inside):
    return f'<hieraLoops event="{seconds(0)}">{"".join(inside)}</hieraLoops>'


def function(name, ns, *inside, lines=(1, 99), file='src/f.c', **more):
    return f'<hieraTimed operation="{name}" file="{file}" line="{lines[0]}" last_line="{lines[1]}" {times(ns, **more)}>{"".join(inside)}</hieraTimed>'


def loop(first, last, ns, *inside, file='src/f.c', **more):
    return f'<hieraTimedLoop file="{file}" line="{first}" last_line="{last}" iterations="1" {times(ns, **more)}>{"".join(inside)}</hieraTimedLoop>'


def run_of(program, timed):
    """P0 computes 2 ms, of them 0.6 ms before the send in the region force, 1 ms behind it; the send is at line 1 of a.c, and was recorded as long as it takes."""
    return Run(program, (2000200, region('force', 200000, 800000), send(1000000, 1000200, 1, 1000), timed), (2000000, receive(0, 1002400, 0, 1000)))


def rules(program):
    """A rule about a loop changes its time, spread over what its rank computes, or over what an expression chooses."""
    run = run_of(program, loops(function('pair', 500000, loop(20, 30, 400000, loop(22, 24, 100000)), loop(40, 41, 50000))))

    def ends(*rule):
        return tuple(run.predicted(*(f'--speed={text}' for text in rule)))
    check('as recorded', 2000200, ends()[0])
    # Of 2 ms 0.2 ms are saved: half before the send.
    half = (1800200, 902400 + 997600)
    for name in ('f.c:20-30', 'f.c:20', 'src/f.c:20', 'src/f.c:20-30'):
        check(name, half, ends(f'loop("{name}")=2'))
    check('single quotes', half, ends("loop('f.c:20')=2"))
    check('slower', 2400200, ends('loop("f.c:20")=0.5')[0])
    check('the function', 1750200, ends('loop("pair")=2')[0])
    check('a loop inside', 1950200, ends('loop("f.c:22-24")=2')[0])
    check('where it runs', (1800200, 802400 + 997600), ends('loop("f.c:20") and inside("app","force")=2'))
    check('where it runs, &&', (1800200, 802400 + 997600), ends('loop("f.c:20") && inside("app","force")=2'))
    check('on another rank', ends(), ends('loop("f.c:20") and rank==1=2'))
    for name in ('g.c:20', 'f.c:20-31', 'f.c:21', 'c:20', 'other/f.c:20', 'force'):
        done = run.predict(f'--speed=loop("{name}")=2')
        check(f'{name}: {done.stderr}', True, f'--speed loop("{name}")=2: the rule holds nowhere' in done.stderr)
    told = run.predict('--speed=loop("f.c:20")=2').stderr
    check('note', 'hiera-predict: note: --speed loop("f.c:20")=2: the trace does not tell when the loop ran; what changes is spread evenly over all that its rank computes\n', told)
    for rule in ('loop(f.c:20)=2', 'loop("f.c:20=2', 'loop("f.c:20") or rank==0=2', 'loop("")=2'):
        done = run.predict(f'--speed={rule}')
        check(f'{rule}: {done.stderr}', (2, True), (done.returncode, 'write loop("force.c:70-82")' in done.stderr))
    done = run.predict('--speed=loop("f.c:20") and rnk==0=2')
    check(f'a wrong expression: {done.stderr}', (2, True), (done.returncode, "unknown name 'rnk'" in done.stderr))


def shares(program):
    """MPI calls at its lines are not of a loop; several threads count as their mean; no more than all is changed."""
    for what, timed, expected in (('threads', loops(loop_of(800000, threads=2)), 2000200 - 200000),
                                  ('more than all', loops(loop_of(900000000)), 1000200), ('calls at its lines', loops(function('send', 400200, loop(1, 9, 400200, file='a.c'), file='a.c')), 2000200 - 200000),
                                  ('two with the same lines', loops(function('pair', 500000, loop(20, 30, 200000), loop(20, 30, 200000))), 2000200 - 200000),
                                  ('one inside another one with its lines', loops(function('pair', 500000, loop(20, 30, 400000, loop(20, 30, 100000)))), 2000200 - 200000)):
        name = 'a.c:1' if 'calls' in what else 'f.c:20'
        run = run_of(program, timed)
        check(what, expected, run.predicted(f'--speed=loop("{name}")=2')[0])
    for timed, text in ((loops(loop_of(800000, threads=2)), 'several threads execute it'), (loops(loop_of(900000000)), 'so it has MPI calls inside'), (loops(function('send', 400200, loop(1, 9, 400200, file='a.c'), file='a.c')), 'MPI calls at its lines are left out')):
        name = 'a.c:1' if 'at its' in text else 'f.c:20'
        told = run_of(program, timed).predict(f'--speed=loop("{name}")=2').stderr
        check(f'{text} in {told}', True, text in told)


def loop_of(ns, **more):
    return function('pair', ns, loop(20, 30, ns, **more), **more)


def golden(program):
    """Two ranks wait for each other in a barrier at 7.5 s. P0's loop takes 4.5 s on two threads, P1's 1.8 s on one."""
    def rows(*options):
        done = subprocess.run([program, str(GOLDEN), IDEAL, '--format=csv', '--quiet', *options], capture_output=True, text=True, check=False, timeout=60)
        return [[round(float(row[name]) * 1e9) for name in ('predicted', 'predicted_compute')] for row in csv.DictReader(io.StringIO(done.stdout.split('\n\n')[1]))]
    first, second = 4500000000 // 2 // 2, 1800000000 // 2
    check('as recorded', [[9500000000] * 2, [9500000000, 5500000000]], rows())
    changed = rows('--speed=loop("f.c:20-30")=2')
    check('P0', [9500000000 - first] * 2, changed[0])
    check('P1', 5500000000 - second, changed[1][1])
    # P1 computes 2.5 s behind the barrier, at which P0 is later: at 7 s less its share.
    expected = 7e9 * (9.5e9 - first) / 9.5e9 + 2.5e9 * (5.5e9 - second) / 5.5e9
    check(f'P1 waits for P0: {expected}, {changed[1][0]}', True, abs(expected - changed[1][0]) < 2)
    other = subprocess.run([program, 'scale', str(GOLDEN), str(GOLDEN.parent / 'timed-deep'), NETWORK, '--ranks=4', '--speed=loop("f.c:20-30")=2', '--format=csv'], capture_output=True, text=True, check=False, timeout=60)
    check(f'other numbers of ranks: {other.stderr}', (0, True), (other.returncode, 'loop("f.c:20-30")=2: the trace does not tell' in other.stderr))
    check('with changes', True, ',unchanged,change' in other.stdout.splitlines()[0])


CASES = {case.__name__: case for case in (rules, shares, golden)}

CASES[sys.argv[2]](sys.argv[1])
for failure in failures:
    print(failure)
sys.exit(bool(failures))
