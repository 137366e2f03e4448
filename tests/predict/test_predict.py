#!/usr/bin/env python3
"""hiera-predict on small traces whose prediction is worked out by hand: test_predict.py HIERA_PREDICT CASE. The network is that of predicted_runs.py."""

import csv
import io
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as etree

from predicted_runs import NETWORK, Run, allreduce, call, check, failures, receive, region, send

SVG = '{http://www.w3.org/2000/svg}'
GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden'


def ping_pong(program):
    """P0 computes 1 ms, sends, and waits for the answer, which P1 computes in 0.5 ms. All that MPI took is recorded much longer."""
    run = Run(program, (9000000, send(1000000, 3000000, 1, 1000), receive(3000000, 9000000, 1, 1000)),
              (9000000, receive(0, 4000000, 0, 1000), send(4500000, 9000000, 0, 1000)))
    # P1 has the message at 1000000 + 200 + 1000 + 1000 + 200, sends 0.5 ms later: the same again.
    check('times', [1504800, 1502600], run.predicted())
    check('recorded', [9000000, 9000000], [row['recorded'] for row in run.ranks()])
    row = run.ranks()[1]
    check('parts of P1', (500000, 500000, 8500000, 1002600), (row['recorded_compute'], row['predicted_compute'], row['recorded_mpi'], row['predicted_mpi']))
    # It waits until the send begins.
    check('waiting of P1', (1000000, 1000000), (row['recorded_waiting'], row['predicted_waiting']))
    check('no latency', [1502800, 1501600], run.predicted(network='--network=latency=0,bandwidth=1GB/s,overhead=200ns'))
    answer = json.loads(run.predict('--format=json').stdout)
    check('json', ['time', 1504800], [answer['prediction'][0]['part'], round(answer['prediction'][0]['predicted'] * 1e9)])


def same(program):
    """A run that was recorded on such a network is predicted as it was."""
    run = Run(program, (1004800, send(500000, 500200, 1, 1000), receive(500200, 1004800, 1, 1000)),
              (1002600, receive(0, 502400, 0, 1000), send(1002400, 1002600, 0, 1000)))
    for row in run.ranks():
        for part in ('', '_compute', '_mpi', '_waiting'):
            check(row['processor'] + part, row['recorded' + part], row['predicted' + part])


def speed(program):
    """Of 1 ms, 0.6 ms are in the region force, 0.2 ms of it in its function pair."""
    inner = region('pair', 400000, 600000)
    run = Run(program, (2000000, region('force', 200000, 800000, inner), send(1000000, 1000200, 1, 1000)), (2000000, receive(0, 1002400, 0, 1000)))
    # Behind the send P0 computes 999800 more.
    check('as recorded', 2000000, run.predicted()[0])
    check('force', 1700000, run.predicted('--speed=inside("app","force")=2')[0])
    check('force without pair', 1800000, run.predicted('--speed=operation=="force"=2')[0])
    check('pair alone', 1850000, run.predicted('--speed=path=~"pair"=4')[0])
    check('both rules', 1625000, run.predicted('--speed=inside("app","force")=2', '--speed=inside("app","pair")=4')[0])
    check('slower', 2600000, run.predicted('--speed=inside("app","force")=0.5')[0])
    check('all', 1000100, run.predicted('--speed=rank==0=2')[0])
    check('all of its host', 1000100, run.predicted('--speed=host=="n0"=2')[0])
    check('not the other host', 2000000, run.predicted('--speed=host=="n1"=2')[0])
    check('not P1', 2000000, run.predicted('--speed=rank==1=2')[0])
    done = run.predict('--speed=inside("app","nothing")=2')
    check('a rule for nothing', 'hiera-predict: --speed inside("app","nothing")=2: the rule holds nowhere\n', done.stderr)


def message_size(program):
    """Messages are longer where a rule holds for one of their calls; all else is as it was. A message of 1000 bytes takes 1 us of 2.4."""
    run = Run(program, (2000000, send(1000000, 1000200, 1, 1000)), (1100000, receive(0, 1100000, 0, 1000)))

    def end(*sizes, network=NETWORK):
        return run.predicted(*(f'--message-size={size}' for size in sizes), network=network)[1] - 1000000

    check('as recorded', 2400, end())
    check('four times', 2400 + 3000, end('operation=="send"=4'))
    check('half', 2400 - 500, end('rank==0=0.5'))
    check('by the receive', 2400 + 3000, end('operation=="receive"=4'))
    check('both calls are one message', 2400 + 3000, end('rank<2=4'))
    check('two rules', 2400 + 7000, end('operation=="send"=4', 'rank==1=2'))
    check('rounded', 2400 + 1, end('operation=="send"=1.0006'))
    # Above 3999 bytes it waits for its receive: 2 us more.
    check('rendezvous', 2400 + 3000 + 2000, end('operation=="send"=4', network=NETWORK + ',eager=3999B'))
    check('eager', 2400 + 2000, end('operation=="send"=3', network=NETWORK + ',eager=3999B'))
    check('what is computed stays', 1000000 + 999800, run.ranks('--message-size=rank==0=4')[0]['predicted_compute'])
    run = Run(program, *((1000, region('sum', 0, 1000, allreduce(0, 1000))),) * 2)
    check('collectives', [1408 + 24, 1408 + 24], run.predicted('--message-size=inside("app","sum")=4'))
    check('of one member', [1408 + 24, 1408 + 24], run.predicted('--message-size=rank==1=4'))
    done = run.predict('--message-size=operation=="send"=4', '--message-size=level=="app"=2')
    check('holds nowhere', (0, 'hiera-predict: --message-size operation=="send"=4: the rule holds for no MPI call\n'), (done.returncode, done.stderr))
    done = run.predict('--message-size=operation=="send"')
    check('no factor', (2, 'hiera-predict: --message-size \'operation=="send"\' has no factor; write RULE=FACTOR, for example \'inside("app","force")=2\' for messages of twice the size\n'),
          (done.returncode, done.stderr))
    done = run.predict('--message-size=rank==0=2', '--ranks=4')
    check('other ranks', (2, True), (done.returncode, 'at least two different numbers of ranks' in done.stderr))


def requests(program):
    """Non-blocking messages and their waits; the answer comes while P0 computes, or later."""
    for busy in (100000, 1000000):
        run = Run(program, (2000000, receive(0, 100, 1, 1000, 'request="1"', 'irecv'), call('wait', 100 + busy, 2000000, 'requests="1" sources="1" tags="0" sizes="1000"')),
                  (2000000, call('comm_rank', 0, 99000), send(99000, 2000000, 0, 1000)))
        # Sent at 99000: arrives at 101200. The wait begins at `busy`, since irecv takes no time.
        check(f'wait after {busy}', max(busy, 101200) + 200, run.predicted()[0])


def polls(program):
    """A loop of tests becomes a wait, however often it tests: 1 us between tests, all in all 1 ms recorded."""
    tests = ''.join(call('test', at, at + 1000, 'flag="0" pending="1"') for at in range(100000, 1100000, 2000))
    last = call('test', 1100000, 1101000, 'flag="1" requests="1" sources="1" tags="0" sizes="1000"')
    run = Run(program, (1101000, receive(0, 1000, 1, 1000, 'request="1"', 'irecv'), tests, last), (1200000, send(1000000, 1000200, 0, 1000)))
    check('a slow sender', 1000000 + 2200 + 200, run.predicted()[0])
    check('a fast sender', (1000000 + 199800) // 2 + 200, run.predicted('--speed=rank==1=2')[1])
    check('the loop is shorter', 500000 + 2200 + 200, run.predicted('--speed=rank==1=2')[0])


def collectives(program):
    """Two ranks meet at 300 us: an exchange of 8 bytes takes 0.2 + 0.008 + 1 + 0.2 us, one step as long."""
    run = Run(program, (500000, allreduce(100000, 400000)), (500000, allreduce(300000, 400000)))
    check('in one step', [301408 + 100000, 301408 + 100000], run.predicted('--collectives=one-step'))
    # P1 sends, and has the message of P0 already.
    check('by algorithm', [301408 + 100000, 300400 + 100000], run.predicted('--collectives=algorithms'))
    # It waits from when it has sent its own part.
    check('waiting', 199800, run.ranks()[0]['predicted_waiting'])
    check('waiting in one step', 200000, run.ranks('--collectives=one-step')[0]['predicted_waiting'])


def deadlock(program):
    """Both send first: that works only for eager messages."""
    run = Run(program, (500000, send(0, 100, 1, 1000), receive(100, 3000, 1, 1000)), (500000, send(0, 100, 0, 1000), receive(100, 3000, 0, 1000)))
    check('eager', [497000 + 2400, 497000 + 2400], run.predicted())
    done = run.predict(network=NETWORK + ',eager=0')
    check('exit status', 1, done.returncode)
    check('the circle', ['hiera-predict:   P0 waits in send a.c:1 for P1', 'hiera-predict:   P1 waits in send a.c:1 for P0'], done.stderr.splitlines()[1:])


def two_runs(program):
    """A prediction is of one run; a bandwidth may stand alone."""
    one, other = (Run(program, (500000, send(0, 100, 1, 1000)), (500000, receive(100, 3000, 0, 1000))) for _ in range(2))
    done = subprocess.run([program, one.folder.name, other.folder.name], capture_output=True, text=True, check=False)
    check('two runs', (2, '', True), (done.returncode, done.stdout, 'are different runs: name one of them' in done.stderr))
    check('bandwidth', one.predict(network=NETWORK + ',bandwidth=1MB/s').stdout, one.predict('--bandwidth=1MB/s').stdout)
    check('it counts', True, one.predict('--bandwidth=1MB/s').stdout != one.predict().stdout)
    check('a wrong one', 2, one.predict('--bandwidth=much').returncode)


def matched_probes(program):
    """A receive of a message that a probe has taken blocks until the message is there."""
    message = 'message="P0_message1"'
    run = Run(program, (1500000, call('mprobe', 0, 1400000, f'rem="1" tag="0" comm="MPI_COMM_WORLD" {message}'), call('mrecv', 1400000, 1500000, f'bytes="1000" {message}')),
              (1500000, send(1000000, 1000200, 0, 1000)))
    check('end', 1002400, run.predicted()[0])


def neighbors(program):
    """In a ring of three each rank sends 1000 bytes to the next one; the last one comes at 1 ms. Who it sends to waits for it, the others do not."""
    for name, more in (('neighbor_alltoall', ''), ('ineighbor_alltoall', 'request="1"')):
        wait = [call('wait', 1002000, 1003000, 'requests="1"')] if more else []
        ranks = []
        for rank, begin in enumerate((0, 0, 1000000)):
            comm = f'<hieraComm id="n" ranks="0-2" neighbors_in="{(rank + 2) % 3}" neighbors_out="{(rank + 1) % 3}"/>'
            end = begin + 100 if more else 1003000
            rest = wait if not more or rank == 2 else [call('wait', begin + 100, 1003000, 'requests="1"')]
            ranks.append((1003000, comm, call(name, begin, end, f'comm="n" bytes="1000" rbytes="1000" {more}'), *rest))
        # Between the call and the wait P2 computes, as recorded, until the wait begins.
        last = 1000200 + (1002000 - 1000100) + 200 if more else 1000400
        check(name, [1002400, 2400, last], Run(program, *ranks).predicted())


def persistent(program):
    """Persistent sends have the mode of the call that made them: buffered ones do not wait for their receives."""
    def rank(other, mode):
        return (500000, send(0, 1000, other, 1000, 'request="1"', mode + '_init'), call('start', 1000, 2000, 'requests="1"'),
                call('wait', 2000, 3000, 'requests="1"'), receive(3000, 10000, other, 1000))
    slow = NETWORK + ',eager=0'
    # bsend_init stays as recorded, 1 us. Announced at 1200 ns; the receive, posted then, is answered from 2200 on; the data leave from 3200 to
    # 4200, arrive at 5200; 490 us follow.
    check('buffered', [5400 + 490000] * 2, Run(program, rank(1, 'bsend'), rank(0, 'bsend')).predicted(network=slow))
    check('standard', 1, Run(program, rank(1, 'send'), rank(0, 'send')).predict(network=slow).returncode)


def hosts(program):
    """Ranks of a host have a network of their own, and share its cores and links."""
    ranks = ((9000000, send(1000000, 3000000, 1, 1000)), (1000000, receive(0, 1000000, 0, 1000)))
    check('on two hosts', 1002400, Run(program, *ranks).predicted('--network-inside=latency=0,overhead=0,bandwidth=unlimited')[1])
    run = Run(program, *ranks, hosts=('n', 'n'))
    check('on one host', 1000000, run.predicted('--network-inside=latency=0,overhead=0,bandwidth=unlimited')[1])
    run = Run(program, (1000000,), (1000000,), hosts=('n', 'n'))
    check('two cores', [1000000, 1000000], run.predicted('--cores=2'))
    check('one core', [2000000, 2000000], run.predicted('--cores=1'))
    # Arrived at 200 + 65536 + 1000. On one link the second one leaves, and arrives, 65536 later.
    pair = [(100, send(0, 100, 2 + i, 65536)) for i in (0, 1)] + [(100, receive(0, 100, i, 65536)) for i in (0, 1)]
    run = Run(program, *pair, hosts=('n', 'n', 'm', 'm'))
    check('no links', [66936, 66936], run.predicted()[2:])
    check('one link', [66936, 132472], run.predicted('--links=1')[2:])


def mapping(program):
    """Four ranks; P0 sends to P1 and P2 to P3. A message inside a host takes nothing, one between hosts 200 + 1000 + 1000 + 200."""
    pairs = [(100, send(0, 100, 1, 1000)), (100, receive(0, 100, 0, 1000)), (100, send(0, 100, 3, 1000)), (100, receive(0, 100, 2, 1000))]
    run, inside = Run(program, *pairs), '--network-inside=latency=0,overhead=0,bandwidth=unlimited'
    check('as recorded', [2400, 2400], run.predicted(inside)[1::2])
    check('two on each host', [0, 0], run.predicted(inside, '--mapping=block:2')[1::2])
    check('three on the first host', [0, 2400], run.predicted(inside, '--mapping=block:3')[1::2])
    check('two hosts in turn', [2400, 2400], run.predicted(inside, '--mapping=cyclic:2')[1::2])
    check('one host', [0, 0], run.predicted(inside, '--mapping=cyclic:1')[1::2])
    computing = Run(program, (1000000,), (1000000,))
    check('a core for both', [2000000, 2000000], computing.predicted('--mapping=block:2', '--cores=1'))
    # Both messages of P0 and P1 leave their host by one link; from two hosts they leave by two. See hosts.
    pair = [(100, send(0, 100, 2 + i, 65536)) for i in (0, 1)] + [(100, receive(0, 100, i, 65536)) for i in (0, 1)]
    check('one link of two hosts', [66936, 132472], Run(program, *pair).predicted('--mapping=block:2', '--links=1')[2:])
    check('one link of four hosts', [66936, 66936], Run(program, *pair).predicted('--links=1')[2:])
    path = pathlib.Path(run.folder.name, 'places')
    path.write_text('# where they are\n0 3 a\n1-2\tb # the others\n\n', encoding='utf-8')
    check('file', [2400, 2400], run.predicted(inside, f'--mapping={path}')[1::2])
    path.write_text('0-1 a\n2 b\n3 c\n', encoding='utf-8')
    check('another file', [0, 2400], run.predicted(inside, f'--mapping={path}')[1::2])
    out = pathlib.Path(run.folder.name, 'out')
    run.predicted(inside, f'--mapping={path}', f'--output={out}')
    check('hosts of the predicted traces', ['a', 'a', 'b', 'c'], [re.search(' host="([^"]*)"', (out / f'trace{rank}.xml').read_text(encoding='utf-8'))[1] for rank in range(4)])
    for text, message in (('0-2 a\n', f'{path}: rank 3 has no host'), ('0-3 a\n2 b\n', f'{path}:2: rank 2 has a host already'), ('0\n', f"{path}:1: '0' is not ranks and a host, like '0-3 node1'"),
                          ('x a\n', f'{path}:1: ')):
        path.write_text(text, encoding='utf-8')
        done = run.predict(f'--mapping={path}')
        check(f'{text}: {done.stderr}', (2, True), (done.returncode, done.stderr.startswith(f'hiera-predict: {message}')))
    for option, message in (('block:0', "--mapping 'block:0': write block:4 for 4 ranks on each host, with a number from 1 on"), ('cyclic:x', "--mapping 'cyclic:x': write cyclic:4 for 4 hosts"),
                            ('/nonexistent', '/nonexistent')):
        done = run.predict(f'--mapping={option}')
        check(f'{option}: {done.stderr}', (2, True), (done.returncode, message in done.stderr))


def doubts(program):
    """Calls without partners stay as recorded, and are told; sums cannot be simulated."""
    run = Run(program, (500000, send(0, 1000, 1, 10)), (500000,))
    done = run.predict('--format=csv')
    check('kept', True, 'note: 1 calls take as long as recorded' in done.stderr)
    check('as recorded', [500000, 500000], run.predicted())
    check('quiet', '', run.predict('--quiet').stderr)
    done = subprocess.run([program, str(GOLDEN / 'profiles' / 'ring')], capture_output=True, text=True, check=False)
    check('a profile', (2, True), (done.returncode, 'HIERA_MODE=trace' in done.stderr))
    done = subprocess.run([program, str(GOLDEN / 'traces' / 'past'), '--format=json'], capture_output=True, text=True, check=False)
    factors = {row['factor']: (row['recorded'], row['predicted']) for row in json.loads(done.stdout)['efficiency']}
    threads = subprocess.run([program, str(GOLDEN / 'traces' / 'unrecorded')], capture_output=True, text=True, check=False)
    check('threads that were not recorded', True, '4 of 6 ranks have threads that were not recorded' in threads.stdout)
    check('calls that went past Hiera', dict.fromkeys(('efficiency', 'load-balance', 'communication'), (None, None)), factors)


def options(program):
    """Wrong options are told, with what may stand there."""
    run = Run(program, (1000,))
    for option, message in (('--network=speed=2', "--network does not know 'speed=2'; write latency=, bandwidth="),
                            ('--network=latency=2', "--network: latency '2' is not a time, for example 2us"),
                            ('--network=latency=2kB', "--network: latency '2kB' is not a time"),
                            ('--network=latency=-1us', "--network: latency '-1us' is not a time"),
                            ('--network=bandwidth=12GB', "--network: bandwidth '12GB' is not bytes per second, for example 12GB/s"),
                            ('--network=bandwidth=0GB/s', "--network: bandwidth '0GB/s' is not bytes per second"),
                            ('--network-inside=eager=3s', "--network-inside: eager '3s' is not a number of bytes"),
                            ('--speed=inside("app","x")', "has no factor; write RULE=FACTOR"),
                            ('--speed=rank==0=0', "has no factor; write RULE=FACTOR"),
                            ('--speed=rnk==0=2', "--speed: column 1: unknown name 'rnk'; did you mean 'rank'?"),
                            ('--format=xml', "there is no format 'xml'; choose table, csv or json"),
                            ('--collectives=fast', "--collectives 'fast' is neither algorithms nor one-step"),
                            ('--cores=-1', "--cores and --links are numbers from 1 on"),
                            ('--columns=processor,time', "--columns: there is no column 'time'; choose from"),
                            *((f'{option}=1', f"{option} is an option of 'hiera-predict executable'; this is 'hiera-predict replay'") for option in
                              '--libraries --arguments --processes --clock --message --files --loops --branches --draw --decide --cycles --cost --reduce --calibrate-by --profile --simulations --seed --graph --dot'.split()),
                            ('--per-process', "--per-process is an option of 'hiera-predict executable'"),
                            ('--columns=', "--columns: there is no column ''; choose from"),
                            ('--columns=processor,', "--columns: there is no column ''; choose from"),
                            ('--nothing', 'Unknown option --nothing')):
        done = run.predict(option, network=None)
        check(f'{option}: exit status', 2, done.returncode)
        check(f'{option}: {done.stderr}', True, message in done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for words in (['--output', '-'], ['--export', 'goal:-'], ['--export=ti:-'], ['--sweep=latency=1us..2us', '--plot', '-'], ['calibrate', '-']):
            done = subprocess.run([os.path.abspath(program), *words, *([] if 'calibrate' in words else [run.folder.name])], capture_output=True, text=True, check=False, cwd=folder)
            check(f'{words}: {done.stderr}', (2, True, []), (done.returncode, ': the answer goes to standard output; name a f' in done.stderr, os.listdir(folder)))
    for words in (['--network=', '-n', 'latency=1us'], ['--export=ti:a', '--export', 'ti:b'], ['--cores=1', '--cores=2']):
        done = run.predict(*words, network=None)
        check(f'{words}: {done.stderr}', (2, True), (done.returncode, ' is given twice; give it once' in done.stderr))
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    check('no trace', (2, True), (done.returncode, 'no trace is named' in done.stderr))
    done = subprocess.run([program, '/nonexistent'], capture_output=True, text=True, check=False)
    check('no such trace', 3, done.returncode)
    check('default network', 0, run.predict(network=None).returncode)
    check('columns of one table', (0, 'processor,recorded_mpi\n0,0.000000000\n'), ((done := run.predict('--format=csv', '--columns=processor, recorded_mpi', network=None)).returncode, done.stdout))


def commands(program):
    """A command has its own options and help; the way before there were commands means the same, with a note."""
    def ask(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=60)

    run = Run(program, (2000000, ''), (2000000, ''))
    trace = run.folder.name
    plain, named = (ask(*words, trace, '--format=csv') for words in ((), ('replay',)))
    check('replay is what is meant without a command', (0, '', plain.stdout), (named.returncode, named.stderr, named.stdout))
    helps = {command: set(re.findall(r'(--[a-z-]+)', ask(command, '--help').stdout)) for command in ('replay', 'scale', 'executable', 'calibrate')}
    for command, own, other in (('replay', '--sweep', '--ranks'), ('scale', '--ranks', '--sweep'), ('executable', '--processes', '--speed'), ('calibrate', '--format', '--network-inside')):
        check(f'help of {command}', (True, False), (own in helps[command], other in helps[command]))
        done = ask(command, f'{other}=1', trace)
        check(f'{command} {other}: {done.stderr}', (2, True), (done.returncode, f"{other} is an option of 'hiera-predict" in done.stderr))
        check('all commands', True, command in ask('--help').stdout)
    for old, new, form in (((trace, '--ranks=4'), ('scale', trace, '--ranks=4'), 'scale RUN… --ranks=N'), (('--executable', '/nonexistent'), ('executable', '/nonexistent'), 'executable PROGRAM'),
                           (('--calibrate=/nonexistent/x',), ('calibrate', '/nonexistent/x'), 'calibrate FILE')):
        before, now = ask(*old), ask(*new)
        lines = before.stderr.splitlines()
        check(f'{old}: {before.stderr}', (now.returncode, now.stdout, now.stderr.splitlines()), (before.returncode, before.stdout, lines[1:]))
        check('the note', True, f"note: write 'hiera-predict {form}'" in lines[0])
        check('quiet', True, 'note: write' not in ask(*old, '--quiet').stderr)
    for words, message in ((('executable',), 'name one program'), (('executable', 'a', 'b'), 'name one program'), (('calibrate', 'a', 'b'), 'name one file'), (('scale', trace), 'say for how many ranks'),
                           (('executable', 'a', '--clock=1GHz', '--clock', '2GHz'), '--clock is given twice')):
        check(f'{words}', (2, True), ((done := ask(*words)).returncode, message in done.stderr))


def network_files(program):
    """A network may begin with a file, whose words are lines; sizes may go in steps; words behind it change it."""
    run = Run(program, (2000000, send(1000000, 1000200, 1, 1000)), (1100000, receive(0, 1100000, 0, 1000)))

    def end(*words):
        return run.predicted(network='--network=' + ','.join(words))[1] - 1000000

    file = pathlib.Path(run.folder.name, 'net')
    file.write_text('# a comment\n\nlatency=1us\nbandwidth=1GB/s  # 1 ns a byte\noverhead=200ns\n', encoding='utf-8')
    check('file', 2400, end(str(file)))
    check('changed', 3400, end(str(file), 'latency=2us'))
    check('copied', 2400 + 1000 + 500, end(str(file), 'send-copy=1GB/s', 'receive-copy=2GB/s'))
    check('copied at both sides', 2400 + 2000, end(str(file), 'copy=1GB/s'))
    check('a step below', 2400 + 5000 - 500, end(str(file), 'extra@999B=5us', 'bandwidth@999B=2GB/s'))
    check('a step above', 2400, end(str(file), 'extra@1000B=5us'))
    check('the last step holds', 2400 + 7000, end(str(file), 'extra@10B=5us', 'extra@20B=7us'))
    check('steps in any order', 2400 + 7000, end(str(file), 'extra@20B=7us', 'extra@10B=5us'))
    check('bandwidth of all sizes', 1400 + 5000, end(str(file), 'extra@10B=5us', 'bandwidth@10B=2GB/s', 'bandwidth=unlimited'))
    check('acknowledged eager', 2400, end(str(file), 'acknowledgement=1us', 'request-overhead=1us'))
    sent = run.predicted(network=f'--network={file},eager=0,acknowledgement=7us')[0] - 1999800
    check('acknowledged', 200 + 2000 + 1000 + 7000, sent)
    for words, message in ((f'{file}.no', f"--network: a word without = is a file, and this one cannot be read: Failed to open file “{file}.no”"),
                           (f'latency=1us,{file}', f"--network does not know '{file}'"),
                           ('extra@x=1us', "--network does not know 'extra@x=1us'"),
                           ('latency@1kB=1us', "--network does not know 'latency@1kB=1us'"),
                           (','.join(f'extra@{i}B=1us' for i in range(1, 18)), "up to 16 sizes of bandwidth@SIZE=, extra@SIZE= and duplex@SIZE="),
                           ('duplex=0.9', "--network: duplex '0.9' is not a number from 1 to 2"), ('duplex=2x', "--network: duplex '2x' is not a number from 1 to 2")):
        done = run.predict(network='--network=' + words)
        check(f'{words}: exit status', 2, done.returncode)
        check(f'{words}: {done.stderr}', True, message in done.stderr)
    file.write_text('latency=1us\nlatency=2\n', encoding='utf-8')
    check('line', f"hiera-predict: --network {file}:2: latency '2' is not a time, for example 2us\n", run.predict(network=f'--network={file}').stderr)


def shares(run, *options, network=NETWORK):
    """Rows of --sensitivity: what is saved in ns, and the share."""
    done = run.predict('--sensitivity', '--format=csv', *options, network=network)
    check('exit status, notes', (0, ''), (done.returncode, done.stderr))
    return {row['part'] or row['kind']: (round(float(row['saved']) * 1e9), float(row['share'])) for row in csv.DictReader(io.StringIO(done.stdout))}


def both_directions(program):
    """Two messages of 10000 bytes at 1 ms: each is 10 us; together 20 of each rank, or 16."""
    run = Run(program, *((2000000, call('sendrecv', 1000000, 2000000, f'dest="{other}" stag="0" scount="10000" stype="MPI_BYTE" rem="{other}" rtag="0" rcount="10000" rtype="MPI_BYTE" comm="MPI_COMM_WORLD" bytes="10000" rbytes="10000"'))
                         for other in (1, 0)))

    def ends(words):
        return [end - 1000000 for end in run.predicted(network=NETWORK + words)]

    check('alone', [11400, 11400], ends(''))
    check('none disturbs', [11400, 11400], ends(',duplex=2'))
    check('shared', [11400, 21400], ends(',duplex=1'))
    check('in part', [11400, 17400], ends(',duplex=1.25'))
    check('a step', [11400, 21400], ends(',duplex@9999B=1'))
    check('a step above', [11400, 11400], ends(',duplex@10kB=1'))
    check('of all sizes again', [11400, 11400], ends(',duplex@9999B=1,duplex=2'))
    check('with requests', [11400 + 6000, 11400 + 6000], ends(',request-overhead=3us'))


def sensitivity(program):
    """What 1 % less saves is 1 % of its share of the longest path, and all shares are the whole run."""
    run = Run(program, (9000000, send(1000000, 3000000, 1, 1000), receive(3000000, 9000000, 1, 1000)),
              (9000000, receive(0, 4000000, 0, 1000), send(4500000, 9000000, 0, 1000)))
    # 1504800 ns: 1.5 ms before the sends, and two messages of 0.2 + 1 + 1 + 0.2 us.
    check('shares', {'before send a.c:1': (15000, 99.68), 'latency': (20, 0.13), 'bytes': (20, 0.13), 'send-overhead': (4, 0.03), 'receive-overhead': (4, 0.03), 'rest': (0, 0)}, shares(run))
    check('table', ['before send a.c:1', 'bytes', 'latency'], sorted(re.split('  +', line)[1] for line in run.predict('--sensitivity').stdout.splitlines()[1:]))
    # Half of the time now, so that it is less of the path.
    check('with a rule', (7500, 99.36), shares(run, '--speed=operation=="send"=2', '--speed=rank<2=2')['before send a.c:1'])
    found = shares(run, '--network-inside=latency=0')
    check('both networks', ((20, 0.13), False), (found.get('latency, between hosts'), 'latency, inside hosts' in found))
    # P1 is long there when the message comes, and P0 later: only P0 counts. What is recorded as it is has no part.
    run = Run(program, (2000000, region('force', 0, 800000), call('comm_rank', 900000, 1000000), send(1000000, 1000200, 1, 1000)), (1100000, receive(200000, 1100000, 0, 1000)))
    found = shares(run)
    check('of the rank that is waited for', ((8000, 40), (1000, 5), (9998, 49.99), 5), (found['force a.c:1'], found['before comm_rank a.c:1'], found['processors'], round(found['rest'][1])))
    check('not of the other one', False, 'before receive a.c:1' in found)
    done = run.predict('--sensitivity', '--sweep=latency=1us..2us')
    check('two answers', (2, 'hiera-predict: --sensitivity and --sweep are two answers; give one of them\n'), (done.returncode, done.stderr))


def progress(program):
    """A long message goes on while its receiver computes, or when it waits: P1 at 2 ms, while the announcement is there at 1001200 ns."""
    run = Run(program, (1010000, send(1000000, 1010000, 1, 1000)),
              (2001000, receive(0, 100, 0, 1000, 'request="1"', 'irecv'), call('wait', 2000100, 2001000, 'requests="1" sources="0" tags="0" sizes="1000"')))
    # Answered at 1002200, sent until 1003200, there at 1004200.
    check('in the background', [1003200, 2000200], run.predicted(network=NETWORK + ',eager=0'))
    check('the same word', [1003200, 2000200], run.predicted(network=NETWORK + ',eager=0,progress=background'))
    # The answer comes at 2001000; sent until 2002000, there at 2003000.
    check('in calls', [2002000, 2003200], run.predicted(network=NETWORK + ',eager=0,progress=calls'))
    check('eager', [1000200, 2000200], run.predicted(network=NETWORK + ',progress=calls'))
    done = run.predict(network='--network=progress=often')
    check('wrong', (2, "hiera-predict: --network: progress 'often' is not background or calls\n"), (done.returncode, done.stderr))


def all_traces(program):
    """Whatever is in a trace, a prediction ends with an exit status of its own."""
    folders = sorted({path.parent for path in GOLDEN.rglob('trace*.xml')})
    for folder in folders:
        for more in ([], ['--rematch']):
            done = subprocess.run([program, '--format=csv', *more, str(folder)], capture_output=True, text=True, check=False, timeout=60)
            if done.returncode not in (0, 1, 2, 3) or 'operation ' in done.stderr.split('note:')[0] and ' of rank ' in done.stderr:
                failures.append(f'{folder} {more}: exit status {done.returncode}: {done.stderr}')
    check('folders', True, len(folders) > 50)


def curve(run, parameter, *options):
    """Rows of the curve: the parameter and the time in ns, the change, how often the parameter is on the path; and of the tolerance."""
    done = run.predict(f'--sweep={parameter}', '--format=csv', *options)
    check(f'{parameter}: exit status, notes', (0, ''), (done.returncode, done.stderr))
    tables = [list(csv.reader(io.StringIO(text)))[1:] for text in done.stdout.strip().split('\n\n')]
    return [[(round(float(row[0]) * 1e9), round(float(row[1]) * 1e9), float(row[2]), int(row[3])) for row in tables[0]],
            [(float(row[0]), round(float(row[1]) * 1e9)) for row in tables[1]]]


def in_terminal(command):
    """What a terminal shows of it."""
    end, terminal = pty.openpty()
    text = b''
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL) as process:
        os.close(terminal)
        try:
            while part := os.read(end, 65536):
                text += part
        except OSError:  # the other end is closed
            pass
        process.wait(60)
    os.close(end)
    return text.decode('utf-8').replace('\r', '')


def sweep(program):
    """Breakpoints are where another path becomes the longest."""
    run = Run(program, (9000000, send(1000000, 3000000, 1, 1000), receive(3000000, 9000000, 1, 1000)),
              (9000000, receive(0, 4000000, 0, 1000), send(4500000, 9000000, 0, 1000)))
    line, tolerance = curve(run, 'latency=0..100us')
    check('two latencies one after the other', [(0, 1502800, 0, 2), (100000, 1702800, 13.31, 2)], line)
    check('tolerance', [(1, 7514), (2, 15028), (5, 37570), (10, 75140)], tolerance)
    # P0 is there at 1000000. The message is there at 900000 + 200 + 1000 + latency.
    run = Run(program, (2000000, receive(1000000, 2000000, 1, 1000)), (900200, send(900000, 900200, 0, 1000)))
    line, tolerance = curve(run, 'latency=0..1ms')
    check('a message that is early at first', [(0, 1000200, 0, 0), (98800, 1000200, 0, 1), (1000000, 1901400, 90.1, 1)], line)
    check('tolerance', (1, 98800 + 10002), tolerance[0])
    # Both overheads: the one of P0 is always there, that of P1 from where the message comes later than P0.
    line, _ = curve(run, 'overhead=0..1ms')
    check('overheads', [(0, 1000000, 0, 1), (98000, 1098000, 9.8, 2), (1000000, 2902000, 190.2, 2)], line)
    # Three messages, each of which decides from some latency on: of P1 one latency behind 900000, then two behind 700000, of a ring.
    run = Run(program, (3000000, receive(0, 1000000, 1, 0), receive(1000000, 2000000, 2, 0)),
              (2000000, send(900000, 900200, 0, 0), receive(900200, 900300, 2, 0)), (1000000, send(700000, 700200, 1, 0), send(700200, 700400, 0, 0)))
    text = run.predict('--sweep=latency=0..1ms', '--format=csv').stdout
    slopes = [int(row.split(',')[3]) for row in text.split('\n\n')[0].splitlines()[1:]]
    check('slopes only grow, and do', (sorted(slopes), True), (slopes, len(set(slopes)) > 1))
    done = run.predict('--sweep=bandwidth=1MB/s..1GB/s', '--format=csv')
    check('samples', (18, 'hiera-predict: note: the curve is sampled: it has no breakpoints that could be found\n'), (len(done.stdout.splitlines()), done.stderr))
    command = [program, run.folder.name, '--quiet', '--sweep=bandwidth=1MB/s..1GB/s']
    check('bandwidth in a terminal', ('1.00 MB/s', '1.00 GB/s'), tuple(in_terminal(command).splitlines()[row].split('  ')[0].strip() for row in (1, -1)))
    check('its unit elsewhere', 'bandwidth [B/s]', subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout.splitlines()[0].split('  ')[0].strip())
    wrong(run)


def plot(program):
    """The picture of a sweep has its curve where the axes say it is, marks with values, and units."""
    run = Run(program, (2000000, receive(1000000, 2000000, 1, 1000)), (900200, send(900000, 900200, 0, 1000)))
    file = pathlib.Path(run.folder.name, 'plot.svg')

    def draw(parameter):
        done = run.predict(f'--sweep={parameter}', f'--plot={file}')
        check(f'{parameter}: exit status', 0, done.returncode)
        return etree.parse(file).getroot()

    def texts(root):
        return [text.text for text in root.iter(SVG + 'text')]

    # From (0, 1000200 ns) and (98800 ns, 1000200 ns) to (1 ms, 1901400 ns); axes from 84 to 690, and from 384 at 1 ms up to 44 at 2 ms.
    root = draw('latency=0..1ms')
    check('curve', '84.00,383.93 143.87,383.93 690.00,77.52', next(root.iter(SVG + 'polyline')).get('points'))
    check('marks', ['latency 0 ms: 1.0002 ms (0 %), 0 on the path', 'latency 0.0988 ms: 1.0002 ms (0 %), 1 on the path', 'latency 1 ms: 1.9014 ms (+90.1 %), 1 on the path'],
          [title.text for circle in root.iter(SVG + 'circle') for title in circle])
    check('axes', [*'0 0.2 0.4 0.6 0.8 1'.split(), 'latency [ms]', *'1 1.2 1.4 1.6 1.8 2'.split(), 'predicted time [ms]', '0 %', '+20 %', '+40 %', '+60 %', '+80 %', '×1'], texts(root))
    root = draw('bandwidth=1MB/s..1GB/s')
    check('samples', 17, len(list(root.iter(SVG + 'circle'))))
    check('axis of factors', ['0.001', '0.002', '0.005', '0.01'], texts(root)[:4])
    check('unit', True, 'bandwidth [GB/s]' in texts(root))
    done = run.predict('--sweep=latency=0..1ms', '--plot=/nonexistent/x.svg')
    check('no such folder', (2, '', True), (done.returncode, done.stdout, '/nonexistent/x.svg' in done.stderr))
    done = run.predict(f'--plot={file}')
    check('no sweep', (2, 'hiera-predict: --plot draws the curve of --sweep; give that, too\n'), (done.returncode, done.stderr))


def wrong(run):
    for option, message in (('latency=1us', "--sweep 'latency=1us' is not like latency=1us..100us; it takes latency, bandwidth, overhead, send-overhead, receive-overhead or gap"),
                            ('eager=1..2', "--sweep 'eager=1..2' is not like latency=1us..100us; it takes latency, bandwidth, overhead, send-overhead, receive-overhead or gap"),
                            ('latency=1..2', "--sweep 'latency=1..2': write it with units, as latency=1us..100us"),
                            ('bandwidth=unlimited..1GB/s', "--sweep 'bandwidth=unlimited..1GB/s': write it with units, as bandwidth=1GB/s..100GB/s"),
                            ('latency=5us..1us', "--sweep 'latency=5us..1us': the first value must be less than the second one")):
        done = run.predict(f'--sweep={option}')
        check(option, (2, f'hiera-predict: {message}\n'), (done.returncode, done.stderr))


def main():
    program, case = sys.argv[1:]
    globals()[case](program)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
