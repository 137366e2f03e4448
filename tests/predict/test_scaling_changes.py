#!/usr/bin/env python3
"""hiera-predict scale with --speed, --message-size, --network-inside and --mapping, on runs whose times follow laws that are known:
test_scaling_changes.py HIERA_PREDICT CASE. The network is that of scaling_runs.py; inside of hosts messages cost nothing."""

import pathlib
import sys

from scaling_runs import ALLREDUCE_STEP, RECEIVED, SENT, Rank, Runs, check, check_law, failures, near

INSIDE = '--network-inside=latency=0,overhead=0,bandwidth=unlimited'


def speed(program):
    """What is computed where a rule holds is divided by its factor, then fitted; the runs as recorded stand beside it."""
    def make(rank, number):
        return Rank().region('constant', 5000000, 1).region('shared', 48000000 // number, 2).allreduce()
    runs = Runs(program, (2, 4, 8), make)
    tables, unchanged = runs.tables('--ranks=16,64', '--speed=operation=="shared"=2'), runs.tables('--ranks=16,64')
    check_law(tables, 'computation', 'shared a.c:2', 'time', 'a / p', 0.024, None, 0.024 / 64)
    check_law(tables, 'computation', 'constant a.c:1', 'time', 'a', 0.005, None, 0.005)
    for row, plain, number in zip(tables['time'], unchanged['time'], (16, 64)):
        near(f'computation on {number}', 0.005 + 0.024 / number, row['computation'])
        near(f'unchanged on {number}', plain['predicted'], row['unchanged'])
        near(f'change on {number}', 100 * (float(row['predicted']) / float(plain['predicted']) - 1), row['change'], 1e-2)
    check('no change, no columns', False, 'unchanged' in unchanged['time'][0])
    check('the check is of what was recorded', unchanged['check'], tables['check'])
    check_law(runs.tables('--ranks=16', '--speed=operation=="shared"=2', '--speed=operation=="shared"=3'), 'computation', 'shared a.c:2', 'time', 'a / p', 0.008, None, 0.0005)
    check_law(runs.tables('--ranks=16', '--speed=rank==0=2'), 'computation', 'shared a.c:2', 'time', 'a / p', 0.048, None, 0.003)
    done = runs.run('--ranks=16', '--speed=operation=="shared"=2', '--speed=operation=="no"=2')
    check(f'said: {done.stderr}', (0, True, True), (done.returncode, '--speed operation=="no"=2: the rule holds nowhere' in done.stderr, 'check is of the runs as recorded' in done.stderr))
    one = Runs(program, (1,), lambda rank, number: Rank().region('shared', 8000000, 2))
    near('from one rank', 0.001, one.tables('--ranks=4', '--scaling=strong', '--speed=operation=="shared"=2')['time'][0]['predicted'])


def waiting(program):
    """P0 computes 3 ms and the others 2 ms, so that they wait 1 ms. Three times as fast, P0 waits 1 ms for them, and they do not."""
    def make(rank, number):
        return Rank().region('work', 3000000 if rank == 0 else 2000000, 1).allreduce(2000 if rank == 0 else 1002000)
    runs = Runs(program, (2, 4, 8), make)
    row = runs.tables('--ranks=16', '--speed=rank==0=3')['time'][0]
    near('computation of the slowest', 0.002, row['computation'])
    near('it does not wait', 0, row['waiting'])
    near('in all', 0.002 + 4 * ALLREDUCE_STEP / 1e9, row['predicted'])
    near('unchanged', 0.003 + 4 * ALLREDUCE_STEP / 1e9, row['unchanged'])
    # Half as fast: P0 is the slowest and waits for nobody, the others wait 4 ms in the mean of two ranks.
    tables = runs.tables('--ranks=16', '--speed=rank==0=0.5')
    near('slower', 0.006, tables['time'][0]['computation'])
    waits = [row for row in tables['fits'] if row['kind'] == 'waiting' and row['of'] == 'maximum']
    check_law(tables, 'waiting', 'allreduce a.c:20', 'time', 'a', 0.004, None, 0.004, 'maximum')
    check('one part waits', 1, len(waits))


def message_size(program):
    """Messages are longer where a rule holds; calls of other paths keep theirs."""
    def make(rank, number):
        made = Rank().region('work', 48000000 // number, 1)
        made = made.send((rank + 1) % number).later().receive((rank - 1) % number)
        return made.allreduce()
    runs = Runs(program, (2, 4, 8), make)
    tables = runs.tables('--ranks=16', '--message-size=operation=="send"=4', '--message-size=operation=="allreduce"=1000')
    check_law(tables, 'messages', 'receive a.c:22', 'bytes of a received one', 'a', 4000, None, 4000)
    check_law(tables, 'collectives', 'allreduce a.c:20', 'bytes of a call', 'a', 8000, None, 8000)
    near('messages', (SENT + RECEIVED + 3000) / 1e9, tables['time'][0]['messages'])
    near('collectives', 4 * (1400 + 8000) / 1e9, tables['time'][0]['collectives'])
    near('unchanged', 0.003 + (SENT + RECEIVED + 4 * ALLREDUCE_STEP) / 1e9, tables['time'][0]['unchanged'])
    done = runs.run('--ranks=16', '--message-size=operation=="bcast"=4')
    check(f'said: {done.stderr}', True, '--message-size operation=="bcast"=4: the rule holds for no MPI call' in done.stderr)


def ring(rank, number):
    return Rank().region('work', 48000000 // number, 1).send((rank + 1) % number).later().receive((rank - 1) % number).allreduce()


def places(program):
    """Of a ring's messages those that pass the border of a host are between hosts; of 16 ranks in blocks of four, a fourth."""
    runs = Runs(program, (2, 4, 8), ring)

    def row(*options):
        return runs.tables('--ranks=16', *options)['time'][0]
    message, collective = (SENT + RECEIVED) / 1e9, 4 * ALLREDUCE_STEP / 1e9
    for mapping, part, collectives in (('block:4', 1 / 4, collective), ('block:16', 0, 0), ('block:1', 1, collective), ('cyclic:4', 1, collective), ('cyclic:1', 0, 0)):
        there = row(f'--mapping={mapping}', INSIDE)
        near(f'messages, {mapping}', part * message, there['messages'])
        near(f'collectives, {mapping}', collectives, there['collectives'])
        near(f'no other network, {mapping}', message, row(f'--mapping={mapping}')['messages'])
    checked = runs.tables('--ranks=16', '--mapping=block:4', INSIDE)['check']
    check('recorded runs were on one host', [0, 0, 0], [round(float(row['fitted_mpi']) * 1e9) for row in checked])
    told = runs.run('--ranks=16', '--mapping=block:4', INSIDE).stderr
    check(f'said: {told}', True, 'as pairs of ranks so far apart do' in told)
    told = [runs.run('--ranks=16', '--mapping=block:4', *more).stderr for more in ([], [INSIDE])]
    check(f'said without another network: {told}', [True, False], ['--mapping counts with --network-inside alone' in text for text in told])
    file = pathlib.Path(runs.folder.name, 'places')
    file.write_text('0-7 a\n8-15 b\n', encoding='utf-8')
    near('by a file', message * 2 / 16, row(f'--mapping={file}', INSIDE)['messages'])
    done = runs.run('--ranks=16,32', f'--mapping={file}', INSIDE)
    check(f'ranks without a host: {done.stderr}', (2, True), (done.returncode, 'rank 16 has no host' in done.stderr))


def far(program):
    """Messages whose distance grows with the ranks: to the rank half of the ring away. Of two runs on hosts of 4 all of them leave theirs."""
    def make(rank, number):
        other = (rank + number // 2) % number
        return Rank().region('work', 48000000 // number, 1).send(other).receive(other)
    runs = Runs(program, (2, 4, 8), make)
    message = (SENT + RECEIVED) / 1e9
    for mapping, part in (('block:4', 1), ('block:8', 1), ('block:16', 0), ('cyclic:2', 0), ('cyclic:16', 1)):
        near(mapping, part * message, runs.tables('--ranks=16', f'--mapping={mapping}', INSIDE)['time'][0]['messages'])
    one = Runs(program, (1,), lambda rank, number: Rank().region('work', 8000000, 1))
    told = one.tables('--ranks=16', '--scaling=weak', '--exchange=neighbours=2,bytes=1kB,times=1', '--mapping=block:4', INSIDE)['time'][0]
    near('neighbours of --exchange are the next ranks', 2 * message / 4, told['messages'])


def group(program):
    """Where collectives have not all ranks, nobody knows which: they are between hosts, and low has them inside."""
    def make(rank, number):
        made = Rank().region('work', 48000000 // number, 1)
        first = rank // 2 * 2
        made.text += f'<hieraComm id="P{first}_comm1" ranks="{first}-{first + 1}"/>'
        made.call('allreduce', 20, 2000, 'op="MPI_SUM" bytes="8" rbytes="8"')
        made.text = made.text.replace('comm="MPI_COMM_WORLD"', f'comm="P{first}_comm1"')
        return made
    row = Runs(program, (2, 4, 8), make).tables('--ranks=16', '--mapping=block:4', INSIDE)['time'][0]
    near('collectives', ALLREDUCE_STEP / 1e9, row['collectives'])
    near('low', 0.003, row['low'], 1e-5)
    near('high', 0.003 + ALLREDUCE_STEP / 1e9, row['high'], 1e-5)


def refused(program):
    """What the runs do not tell of other numbers of ranks is refused with a reason."""
    runs = Runs(program, (1, 2), lambda rank, number: Rank().region('work', 8000000 // number))
    for options, message in ((('--cores=2',), "--cores is an option of 'hiera-predict replay'"), (('--links=1',), "--links is an option of 'hiera-predict replay'"),
                             ((INSIDE,), 'say it with --mapping block:N'), (('--collectives=algorithms',), "--collectives is an option of 'hiera-predict replay'"), (('--mapping=block:0', INSIDE), "--mapping 'block:0'"),
                             (('--mapping=/nonexistent', INSIDE), 'nonexistent'), (('--speed=operation==2',), "unexpected '='"), (('--sweep=latency=0..1us',), "--sweep is an option of 'hiera-predict replay'")):
        done = runs.run('--ranks=4', *options)
        check(f'{options}: {done.stderr}', (2, True), (done.returncode, message in done.stderr))


CASES = {case.__name__: case for case in (speed, waiting, message_size, places, far, group, refused)}

CASES[sys.argv[2]](sys.argv[1])
for failure in failures:
    print(failure)
sys.exit(bool(failures))
