#!/usr/bin/env python3
"""hiera-predict --export: runs for other simulators: test_export.py HIERA_PREDICT CASE.

GOAL is read back by a reader of its own, which checks that each send has its receive, and what comes before what; time-independent traces by
SimGrid, if it is there, whose prediction is compared with ours."""

import collections
import pathlib
import re
import subprocess
import sys
import shutil
import tempfile

import test_predict
from test_predict import GOLDEN, Run, call, check, failures, receive, send

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / 'bench'), str(pathlib.Path(__file__).resolve().parents[1])]

from measuring import simgrid  # noqa: E402
from measuring.processes import Failed  # noqa: E402
from part import part_of  # noqa: E402

SKIPPED = 77


def exported(source, kind, *options):
    """Export a run; return the folder in which `out` is, the text of `out` if it is a file, and what was said."""
    folder = tempfile.TemporaryDirectory()
    path = pathlib.Path(folder.name, 'out')
    done = source.predict('--export', f'{kind}:{path}', *options)
    check('exit status', 0, done.returncode)
    return folder, path.read_text(encoding='utf-8') if path.is_file() else '', done.stderr


def read_goal(text):
    """Tasks by rank and label, and what each requires."""
    ranks, tasks, requires, n = [], None, None, None
    for line in text.splitlines():
        if match := re.fullmatch(r'num_ranks (\d+)', line):
            n = int(match[1])
        elif match := re.fullmatch(r'rank (\d+) \{', line):
            check('order of ranks', len(ranks), int(match[1]))
            tasks, requires = {}, collections.defaultdict(list)
            ranks.append((tasks, requires))
        elif match := re.fullmatch(r'(l\d+): (calc \d+|send \d+b to \d+ tag \d+|recv \d+b from \d+ tag \d+)', line):
            check(f'{match[1]} is new', False, match[1] in tasks)
            tasks[match[1]] = match[2]
        elif match := re.fullmatch(r'(l\d+) (i?requires) (l\d+)', line):
            # Labels are used behind their tasks, so there is no circle.
            check(line, True, match[1] in tasks and match[3] in tasks and int(match[3][1:]) < int(match[1][1:]))
            requires[match[1]].append((match[2], match[3]))
        elif line not in ('', '}'):
            failures.append(f'this is no GOAL: {line}')
    check('ranks', n, len(ranks))
    return ranks


def check_pairs(what, ranks):
    """Each send has a receive of as many bytes."""
    sent, received = collections.Counter(), collections.Counter()
    for rank, (tasks, _) in enumerate(ranks):
        for task in tasks.values():
            if match := re.fullmatch(r'send (\d+)b to (\d+) tag (\d+)', task):
                sent[rank, int(match[2]), match[3], match[1]] += 1
            elif match := re.fullmatch(r'recv (\d+)b from (\d+) tag (\d+)', task):
                received[int(match[2]), rank, match[3], match[1]] += 1
    check(f'{what}: sent and not received, received and not sent', ([], []), (list((sent - received).items())[:3], list((received - sent).items())[:3]))
    return sum(sent.values())


def goal(predict):
    """Blocking and non-blocking messages, a send to receive with, and computation."""
    exchange = call('sendrecv', 600000, 700000, 'dest="{0}" stag="1" rem="{0}" rtag="1" comm="MPI_COMM_WORLD" bytes="30" rbytes="30"')
    source = Run(predict, (800000, send(100000, 200000, 1, 0), receive(200000, 200000, 1, 20, 'request="1"', 'irecv'),
                           call('wait', 500000, 600000, 'requests="1" sources="1" tags="0" sizes="20"'), exchange.format(1)),
                 (800000, receive(0, 100000, 0, 0), send(100000, 200000, 0, 20), exchange.format(0)))
    _, text, said = exported(source, 'goal')
    check('notes', '', said)
    ranks = read_goal(text)
    check('messages', 4, check_pairs('messages', ranks))
    tasks, requires = ranks[0]
    check('tasks of P0', ['calc 100000', 'send 1b to 1', 'recv 20b from 1', 'calc 300000', 'calc 0', 'recv 30b from 1', 'send 30b to 1', 'calc 0', 'calc 100000'],
          [task.split(' tag')[0] for task in tasks.values()])
    # The receive is posted behind the send; what is computed then does not wait for it.
    check('order of P0', {'l2': [('requires', 'l1')], 'l3': [('requires', 'l2')], 'l4': [('requires', 'l2'), ('irequires', 'l3')], 'l5': [('requires', 'l4'), ('requires', 'l3')],
                          'l6': [('requires', 'l5')], 'l7': [('requires', 'l5'), ('irequires', 'l6')],
                          'l8': [('requires', 'l5'), ('irequires', 'l7'), ('requires', 'l6'), ('requires', 'l7')], 'l9': [('requires', 'l8')]}, dict(requires))
    _, text, _ = exported(source, 'goal', '--speed=rank==0=2')
    check('faster', ['calc 50000', 'calc 150000'], [task for task in read_goal(text)[0][0].values() if re.match('calc [1-9]', task)][:2])


COLLECTIVES = {'barrier': '', 'broadcast': 'root="{root}" bytes="{n}"', 'reduce': 'root="{root}" bytes="{n}"', 'allreduce': 'bytes="{n}" rbytes="{n}"', 'scan': 'bytes="{n}" rbytes="{n}"',
               'gather': 'root="{root}" bytes="{n}" rbytes="{n}"', 'scatter': 'root="{root}" bytes="{n}" rbytes="{n}"', 'allgather': 'bytes="{n}" rbytes="{n}"',
               'reduce_scatter': 'bytes="{n}" rbytes="{n}"', 'alltoall': 'bytes="{n}" rbytes="{n}"'}


def all_collectives(predict, n_ranks, size, comm='MPI_COMM_WORLD', members=None, started=False):
    """Each collective once on `comm`; other ranks do nothing. Times do not matter."""
    ranks = []
    for rank in range(n_ranks):
        calls = [f'<hieraComm id="part" ranks="{" ".join(map(str, members))}"/>'] if members else []
        for i, (name, words) in enumerate(COLLECTIVES.items()):
            begin, more = 100000 * i, words.format(root=(n_ranks if not members else len(members)) // 2, n=size)
            if members and rank not in members:
                continue
            if started:
                calls.append(call('i' + ('bcast' if name == 'broadcast' else name), begin, begin + 10, f'comm="{comm}" {more} request="{i + 1}"'))
                if i % 2:
                    calls.append(call('waitall', begin + 1000, begin + 2000, f'count="2" requests="{i} {i + 1}"'))
            else:
                calls.append(call(name, begin, begin + 1000, f'comm="{comm}" {more}'))
        ranks.append((2000000, *calls))
    return Run(predict, *ranks, hosts=[f'h{i}' for i in range(n_ranks)])


def collectives(predict):
    """Collectives are messages between their members: of one byte, and of a million, where others algorithms are used."""
    for n_ranks in (1, 2, 3, 4, 5, 7, 8, 13, 16):
        for size in (8, 1000000):
            ranks = read_goal(exported(all_collectives(predict, n_ranks, size), 'goal')[1])
            n = check_pairs(f'{n_ranks} ranks, {size} bytes', ranks)
            check(f'{n_ranks} ranks have messages', n_ranks > 1, n >= 10 * (n_ranks - 1) and n > 0)
    part = all_collectives(predict, 6, 8, 'part', [4, 1, 3])
    ranks = read_goal(exported(part, 'goal')[1])
    check_pairs('a part of the ranks', ranks)
    check('who takes part', [False, True, False, True, True, False], [any('send' in task for task in tasks.values()) for tasks, _ in ranks])
    ranks = read_goal(exported(all_collectives(predict, 5, 8, started=True), 'goal')[1])
    check('of collectives that do not block as many', check_pairs('started', ranks), check_pairs('blocking', read_goal(exported(all_collectives(predict, 5, 8), 'goal')[1])))
    # The second step of a barrier is behind the first one; computation is not.
    tasks, requires = ranks[0]
    first = [label for label, task in tasks.items() if 'calc' not in task]
    check('steps', [('requires', first[0]), ('requires', first[1])], [edge for edge in requires[first[2]] if edge[0] == 'requires'][-2:])
    calc = next(label for label, task in tasks.items() if task == 'calc 99990')
    check('computation', [], [edge for edge in requires[calc] if edge[0] == 'requires'])


def ti(predict):
    """Actions, and the list of the files of the ranks."""
    exchange = call('sendrecv', 600000, 700000, 'dest="{0}" stag="1" rem="{0}" rtag="1" comm="MPI_COMM_WORLD" bytes="30" rbytes="30"')
    source = Run(predict, (800000, send(100000, 200000, 1, 0), receive(200000, 200000, 1, 20, 'request="1"', 'irecv'),
                           call('wait', 500000, 600000, 'requests="1" sources="1" tags="0" sizes="20"'), exchange.format(1)),
                 (800000, receive(0, 100000, 0, 0), send(100000, 200000, 0, 20), exchange.format(0)))
    folder, _, _ = exported(source, 'ti')
    out = pathlib.Path(folder.name, 'out')
    check('list', 'rank0.txt\nrank1.txt\n', (out / 'ranks.txt').read_text(encoding='utf-8'))
    tags = {}
    text = re.sub(r'(send \d+|recv \d+|wait \d+ \d+) (\d+)', lambda m: f'{m[1]} #{tags.setdefault(m[2], len(tags))}', (out / 'rank0.txt').read_text(encoding='utf-8'))
    check('P0', ['0 init', '0 compute 100000', '0 send 1 #0 1', '0 irecv 1 #1 20', '0 compute 300000', '0 wait 1 0 #1', '0 irecv 1 #2 30', '0 isend 1 #3 30', '0 wait 1 0 #2', '0 wait 0 1 #3',
                 '0 compute 100000', '0 finalize'], text.splitlines())
    folder, _, _ = exported(all_collectives(predict, 3, 12), 'ti')
    text = pathlib.Path(folder.name, 'out', 'rank2.txt').read_text(encoding='utf-8')
    check('collectives', ['barrier', 'bcast 12 1', 'reduce 12 0 1', 'allreduce 12 0', 'scan 12 0', 'gather 12 12 1', 'scatter 12 12 1', 'allgather 12 12', 'reducescatter 4 4 4 0', 'alltoall 4 4'],
          [line[2:] for line in text.splitlines() if 'compute' not in line][1:-1])


def words(predict):
    """What cannot be exported is told."""
    source = Run(predict, (500000, send(0, 1000, 1, 10)), (500000,))
    _, _, said = exported(source, 'goal')
    check('kept', True, ': 1 calls are computation, because their partners are not known\n' in said)
    window = call('win_create', 0, 1000, 'comm="MPI_COMM_WORLD" win="w" size="8"'), call('win_fence', 2000, 3000, 'win="w"')
    source = Run(predict, (500000, *window, call('put', 4000, 5000, 'target_rank="1" win="w" bytes="8"'), call('win_fence', 5000, 6000, 'win="w"')), (500000, *window, call('win_fence', 5000, 6000, 'win="w"')))
    _, text, said = exported(source, 'goal')
    check('one-sided', True, ': 1 one-sided calls are computation, because the format has none\n' in said)
    check('computation, the put, and computation', True, 'calc 2000\n' in text)
    for option, message in (('goal', "cannot export 'goal'; write goal:FILE or ti:DIR (hiera-transform --export has other kinds)"), ('otf2:x', "cannot export 'otf2:x'"),
                            ('goal:/nonexistent/x', '/nonexistent/x: No such file or directory'), ('ti:/dev/null/x', '/dev/null/x: ')):
        done = source.predict('--export', option)
        check(f'{option}: {done.stderr}', (2, True), (done.returncode, message in done.stderr))


def all_traces(predict):
    """Of all traces that can be exported each send has its receive."""
    n = 0
    with tempfile.TemporaryDirectory() as out:
        for folder in sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}):
            for option in (f'goal:{out}/goal', f'ti:{out}/ti'):
                done = subprocess.run([predict, '--quiet', '--export', option, str(folder)], capture_output=True, text=True, check=False, timeout=60)
                if done.returncode == 0 and option.startswith('goal'):
                    n += check_pairs(str(folder), read_goal(pathlib.Path(out, 'goal').read_text(encoding='utf-8'))) > 0
    check('folders with messages', True, n > 40)


LINKS = '--network=latency=10us,bandwidth=1GB/s,overhead=0,eager=unlimited'

def need_simgrid():
    if not shutil.which('smpirun'):
        print('SimGrid (smpirun) is not installed')
        sys.exit(SKIPPED)


def predicted_by_simgrid(out, algorithms=()):
    """Seconds that SimGrid replays the actions in a folder for, on the links above."""
    # Plain links, without the factors that SMPI has measured; no message waits for its receive.
    words = [*(f'smpi/{algorithm}' for algorithm in algorithms), 'network/model:CM02', 'network/latency-factor:1', 'network/bandwidth-factor:1', 'network/TCP-gamma:0', 'smpi/async-small-thresh:1000000000', 'smpi/send-is-detached-thresh:1000000000']
    network = simgrid.read_network(LINKS.partition('network=')[2].split(','))
    try:
        return simgrid.replay(out, *simgrid.plain(network), words, timeout=120)
    except Failed as error:
        check(str(error), True, False)
        return 0


def compare(what, source, bound, algorithms=()):
    """Predict a run with SimGrid and with hiera-predict."""
    folder, _, _ = exported(source, 'ti')
    theirs, ours = predicted_by_simgrid(pathlib.Path(folder.name, 'out'), algorithms), max(source.predicted(network=LINKS)) / 1e9
    print(f'{what}: SimGrid {theirs:.6f} s, hiera-predict {ours:.6f} s: {100 * (ours / theirs - 1) if theirs else 0:+.2f} %')
    check(f'{what}: SimGrid {theirs}, hiera-predict {ours}', True, abs(theirs - ours) <= bound * ours)


def replayed(predict):
    """SimGrid takes what is exported, and predicts the same within a bound."""
    need_simgrid()
    ball, rally = [], []
    for i in range(40):
        size, at = (100, 1000000)[i % 2], 100000 * i
        ball += [send(at, at + 1000, 1, size), receive(at + 10000, at + 50000, 1, size)]
        rally += [receive(at, at + 10000, 0, size), send(at + 20000, at + 50000, 0, size)]
    compare('ping-pong', Run(predict, (4000000, *ball), (4000000, *rally)), 0.01)
    ring = []
    for rank in range(4):
        calls = []
        for i in range(10):
            at, left, right = 300000 * i, (rank + 3) % 4, (rank + 1) % 4
            calls += [receive(at, at, left, 200000, 'request="1"', 'irecv'), send(at, at, right, 200000, 'request="2"', 'isend'),
                      call('waitall', at + 20000 * (rank + 1), at + 200000, f'count="2" requests="1 2" sources="{left} -" tags="0 -" sizes="200000 -"')]
        ring.append((3000000, *calls))
    compare('ring of requests', Run(predict, *ring), 0.01)
    # The same algorithms, where SimGrid has them: its scan is one of its own.
    scan = COLLECTIVES.pop('scan')
    same = ['reduce:binomial', *(f'{name}:mpich' for name in ('gather', 'scatter', 'allgather', 'reduce_scatter', 'alltoall'))]
    for size, bound, allreduce in ((8, 0.02, 'rdb'), (1000000, 0.05, 'lr')):
        compare(f'all collectives but scan, {size} bytes', all_collectives(predict, 4, size), bound, [*same, f'allreduce:{allreduce}'])
    COLLECTIVES['scan'] = scan
    compare('all collectives, other algorithms', all_collectives(predict, 4, 8), 0.1)
    compare('collectives of a part', all_collectives(predict, 5, 1000, 'part', [4, 1, 3]), 0.05)
    compare('collectives that do not block', all_collectives(predict, 4, 1000, started=True), 0.1)


ALONE = """0 init
0 compute 700
0 allreduce 8 0
0 compute 1000000
0 bcast 4 0
0 alltoall 900 900
0 allgather 300 300
0 reducescatter 60 0
0 isend 0 5 100
0 irecv 0 5 100
0 wait 0 0 5
0 compute 2000000
0 finalize
"""
SHARED = """2 init
2 allreduce 8 0
2 compute 333333
2 bcast 4 0
2 alltoall 100 100
2 allgather 100 100
2 reducescatter 20 20 20 0
2 isend 2 5 100
2 irecv 2 5 100
2 wait 2 2 5
2 compute 666667
2 finalize
"""


def spread_out(_):
    """Actions of a run on one rank become those of several, for bench/predict_accuracy --on-one --smpi."""
    def spread(text, *how):
        folder = tempfile.TemporaryDirectory()
        pathlib.Path(folder.name, 'rank0.txt').write_text(text, encoding='utf-8')
        simgrid.spread_out(folder.name, *how)
        return folder
    strong, weak = spread(ALONE, 3), spread(ALONE, 3, False)
    check('a share of each', SHARED, pathlib.Path(strong.name, 'rank2.txt').read_text(encoding='utf-8'))
    check('all of each', ALONE.replace('0 compute 700\n', '').replace('60 0', '60 60 60 0'), pathlib.Path(weak.name, 'rank0.txt').read_text(encoding='utf-8'))
    check('ranks', 'rank0.txt\nrank1.txt\nrank2.txt\n', pathlib.Path(strong.name, 'ranks.txt').read_text(encoding='utf-8'))
    need_simgrid()
    told = spread('0 init\n0 barrier\n0 compute 3000000\n0 finalize\n', 3, True, (2, 10, 1000))
    without = spread('0 init\n0 barrier\n0 compute 3000000\n0 finalize\n', 3)
    took = predicted_by_simgrid(told.name) - predicted_by_simgrid(without.name)
    # Two messages of 11 us each on links of their own, ten times.
    check(f'messages take {took} s', True, abs(took - 110e-6) < 2e-6)


def replayed_traces(predict):
    """SimGrid replays all traces that can be predicted, and predicts the same within 1 % and 0.1 ms."""
    need_simgrid()
    compared = 0
    for folder in part_of(sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}), 2):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([predict, '--quiet', '--format=csv', LINKS, '--export', f'ti:{out}', str(folder)], capture_output=True, text=True, check=False, timeout=60)
            if done.returncode != 0:
                continue
            n = len(pathlib.Path(out, 'ranks.txt').read_text(encoding='utf-8').splitlines())
            if n < 2:
                continue
            compared += 1
            ours, theirs = float(done.stdout.splitlines()[1].split(',')[2]), predicted_by_simgrid(pathlib.Path(out))
            check(f'{folder}: SimGrid {theirs} s, hiera-predict {ours} s', True, abs(ours - theirs) < 0.01 * ours + 1e-4)
    print(f'{compared} folders')
    check('folders', True, compared > 35)


def main():
    predict, case = sys.argv[1:]
    globals()[case](predict)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == '__main__':
    assert failures is test_predict.failures
    sys.exit(main())
