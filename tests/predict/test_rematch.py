#!/usr/bin/env python3
"""hiera-predict --rematch: receives from any rank take the message that comes first in the simulation: test_rematch.py HIERA_PREDICT CASE.

P0 receives a message of 1000 bytes, computes 1 ms, and receives another one. P1 sends at 1 ms, P2 at 2 ms; where P2 is four times as fast, at
0.5 ms. A message that is sent at t is received at t + 2.4 us (0.2 + 1 + 1 + 0.2), so P0 ends at 1 or 0.5 ms + 2.4 us + 1 ms + 0.2 us."""

import sys

from predicted_runs import Run, call, check, failures, receive, send

AS_RECORDED, ANEW = 2002600, 1502600
FASTER = '--speed=rank==2=4'
WORLD = 'comm="MPI_COMM_WORLD"'


def senders(more='', tag='0'):
    def made(end):
        return (end + 200, send(end, end + 200, 0, 1000, more).replace('tag="0"', f'tag="{tag}"'))
    return made(1000000), made(2000000)


def master(program, first, second):
    """@param first, second  of begin, end and source: elements that receive"""
    return Run(program, (AS_RECORDED, first(0, 1002400, 1), second(2002400, AS_RECORDED, 2)), *senders())


def blocking(begin, end, source):
    return receive(begin, end, source, 1000, 'posted="any"')


def anew(program):
    """A receive from any rank takes what comes first, and a note says how many took another message; without --rematch all is as recorded."""
    run = master(program, blocking, blocking)
    check('as recorded', AS_RECORDED, run.predicted()[0])
    check('P2 faster, as recorded', AS_RECORDED, run.predicted(FASTER)[0])
    check('P2 faster, anew', ANEW, run.predicted(FASTER, '--rematch')[0])
    check('nothing changed', AS_RECORDED, run.predicted('--rematch')[0])
    for options, n in ((('--rematch',), 0), (('--rematch', FASTER), 2)):
        told = run.predict(*options).stderr
        check(f'note, {options}', f'hiera-predict: note: {n} of 2 receives from any rank, or with any tag, take other messages than recorded; what ranks do then is as recorded\n', told)
    check('quiet', '', run.predict('--rematch', '--quiet').stderr)
    mixed = master(program, lambda begin, end, source: receive(begin, end, source, 1000), blocking)
    check('who asked for P1 gets its message', AS_RECORDED, mixed.predicted(FASTER, '--rematch')[0])


def calls(program):
    """All calls that receive from any rank, also what a probe has found."""
    def probe(begin, end, source):
        return call('probe', begin, end - 100, f'rem="{source}" tag="0" {WORLD} posted="any"') + receive(end - 100, end, source, 1000)

    def iprobe(begin, end, source):
        found = call('iprobe', end - 200, end - 100, f'rem="{source}" tag="0" {WORLD} posted="any" flag="1"')
        return call('iprobe', begin, end - 200, f'rem="MPI_ANY_SOURCE" tag="0" {WORLD} posted="any" flag="0"') + found + receive(end - 100, end, source, 1000)

    def mprobe(begin, end, source):
        message = f'message="P0_message{source}"'
        return call('mprobe', begin, end - 100, f'rem="{source}" tag="0" {WORLD} posted="any" {message}') + call('mrecv', end - 100, end, f'bytes="1000" {message}')

    def started(begin, end, source):
        return call('irecv', begin, begin, f'rem="MPI_ANY_SOURCE" tag="0" {WORLD} request="{source}"') + call('wait', begin, end, f'requests="{source}" sources="{source}" tags="0" sizes="1000"')

    def persistent(begin, end, source):
        makes = call('recv_init', begin, begin, f'rem="MPI_ANY_SOURCE" tag="0" {WORLD} request="1"') if source == 1 else ''
        return makes + call('start', begin, begin, 'requests="1"') + call('wait', begin, end, f'requests="1" sources="{source}" tags="0" sizes="1000"')

    def exchange(begin, end, source):
        return call('sendrecv', begin, end, f'dest="MPI_PROC_NULL" stag="0" rem="{source}" rtag="0" {WORLD} bytes="0" rbytes="1000" posted="any"')

    for form in (probe, iprobe, mprobe, started, persistent, exchange):
        run = master(program, form, form)
        check(f'{form.__name__}, as recorded', AS_RECORDED, run.predicted(FASTER)[0])
        check(f'{form.__name__}, anew', ANEW, run.predicted(FASTER, '--rematch')[0])
        check(f'{form.__name__} counts', True, 'note: 2 of 2 receives' in run.predict(FASTER, '--rematch').stderr)


def tags(program):
    """A receive with any tag takes the first message of its rank, one from any rank with a tag only messages that have it."""
    tagged = [(1000200, send(1000000, 1000200, 0, 1000)), (2000200, send(2000000, 2000200, 0, 1000).replace('tag="0"', 'tag="7"'))]
    for first, second, expected in (('posted_tag="any"', 'posted_tag="any"', AS_RECORDED), ('posted="any"', 'posted="any"', AS_RECORDED), ('posted="any" posted_tag="any"', 'posted="any" posted_tag="any"', ANEW)):
        run = Run(program, (AS_RECORDED, receive(0, 1002400, 1, 1000, first), receive(2002400, AS_RECORDED, 2, 1000, second).replace('tag="0"', 'tag="7"')), *tagged)
        check(f'{first}', expected, run.predicted(FASTER, '--rematch')[0])
    # A message that was sent later comes later, however short it is: 1 MB takes a millisecond. 10 bytes are there after it.
    pair = (1000400, send(0, 200, 0, 60000), send(200, 400, 0, 10).replace('tag="0"', 'tag="7"'))
    run = Run(program, (2000000, receive(0, 1000, 1, 60000, 'posted_tag="any"'), receive(1000, 2000, 1, 10, 'posted_tag="any"').replace('tag="0"', 'tag="7"')), pair)
    check('in order', 'hiera-predict: note: 0 of 2', run.predict('--rematch').stderr[:27])


def any_of(program):
    """Calls that complete one or some of several requests take those that are complete first; those of another place their own."""
    def run_of(name, first, second, more=''):
        posts = call('irecv', 0, 0, f'rem="1" tag="0" {WORLD} request="1"') + call('irecv', 0, 0, f'rem="2" tag="0" {WORLD} request="2"')
        waits = (call(name, 0, 1002400, f'requests="{first}" sources="{first}" tags="0" sizes="1000"'), call(name, 2002400, AS_RECORDED, f'requests="{second}" sources="{second}" tags="0" sizes="1000"'))
        return Run(program, (AS_RECORDED, posts, *waits, more), *senders())
    for name in ('waitany', 'waitsome', 'testany', 'testsome'):
        run = run_of(name, 1, 2)
        check(f'{name}, as recorded', AS_RECORDED, run.predicted(FASTER)[0])
        check(f'{name}, anew', ANEW, run.predicted(FASTER, '--rematch')[0])
    check('wait', AS_RECORDED, run_of('wait', 1, 2).predicted(FASTER, '--rematch')[0])
    # Both are complete before P0 looks: it takes both at once, or one after the other. The second call finds nothing to do.
    late = '--speed=rank in 1-2=8'
    posts = call('irecv', 0, 0, f'rem="1" tag="0" {WORLD} request="1"') + call('irecv', 0, 0, f'rem="2" tag="0" {WORLD} request="2"')
    for name in ('waitany', 'waitsome'):
        waits = (call(name, 500000, 1002400, 'requests="1" sources="1" tags="0" sizes="1000"'), call(name, 2002400, AS_RECORDED, 'requests="2" sources="2" tags="0" sizes="1000"'))
        run = Run(program, (AS_RECORDED, posts, *waits), *senders())
        check(f'{name} of what is complete', 500000 + 1000000 + 400, run.predicted(late, '--rematch')[0])
    # The last call waits for what is left, though the first one took only one of two.
    waits = (call('waitsome', 0, 2002400, 'requests="1 2" sources="1 2" tags="0 0" sizes="1000 1000"'),)
    check('one call for both', 2002400, Run(program, (2002400, posts, *waits), *senders()).predicted('--rematch')[0])


def deadlock(program):
    """P0 receives from any rank, then from P1. If the first one takes the message of P1, there is no other: that is told as other runs that do not end."""
    run = Run(program, (1002600, receive(0, 502400, 2, 1000, 'posted="any"'), receive(502400, 1002400, 1, 1000)), (1000200, send(1000000, 1000200, 0, 1000)), (500200, send(500000, 500200, 0, 1000)))
    check('as recorded', (0, 0), (run.predict().returncode, run.predict('--rematch').returncode))
    done = run.predict('--rematch', '--speed=rank==2=0.25')
    check('P2 slower', 1, done.returncode)
    for text in ('for a rank that has ended', 'P0 waits in receive a.c:1 for P1', 'before, 1 of 1 receives from any rank, or with any tag, took other messages than recorded'):
        check(f'{text} in {done.stderr}', True, text in done.stderr)
    check('not without', 0, run.predict('--speed=rank==2=0.25').returncode)


def options(program):
    """What does not go with --rematch is told; curves are sampled, since the order depends on the parameter."""
    run = master(program, blocking, blocking)
    for more, message in ((('--output=/tmp/nothing',), '--rematch: what --output and --export write'), (('--export=goal:/tmp/nothing',), '--rematch: what --output'), (('--ranks=4',), "--rematch is an option of 'hiera-predict replay'; this is 'hiera-predict scale'")):
        done = run.predict('--rematch', *more)
        check(f'{more}: {done.stderr}', (2, True), (done.returncode, message in done.stderr))
    check('sampled', True, 'the curve is sampled' in run.predict('--rematch', '--sweep=latency=0..1ms').stderr)
    check('sensitivity', 0, run.predict('--rematch', '--sensitivity').returncode)


CASES = {case.__name__: case for case in (anew, calls, tags, any_of, deadlock, options)}

CASES[sys.argv[2]](sys.argv[1])
for failure in failures:
    print(failure)
sys.exit(bool(failures))
