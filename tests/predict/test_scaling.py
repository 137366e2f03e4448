#!/usr/bin/env python3
"""hiera-predict scale on made-up runs whose times follow laws that are known: test_scaling.py HIERA_PREDICT CASE. The network is that of scaling_runs.py."""

import csv
import io
import math
import pathlib
import sys

from scaling_runs import ALLREDUCE_STEP, RECEIVED, SENT, Rank, Runs, check, check_law, failures, find_fit, near, seconds


def laws(rank, number):
    """Computation of all five forms; rank 0 computes 1 ms more than others; p - 1 messages to it; three allreduces."""
    made = Rank().region('constant', 5000000, 1).region('shared', 48000000 // number, 2).region('partly', 2000000 + 24000000 // number, 3)
    made.region('tree', int(1000000 + 500000 * math.log2(number)), 4).region('linear', 3000000 + 250000 * number, 5)
    made.region('root', 1000000 if rank == 0 else 0, 6)
    for other in range(1, number):
        if rank == 0:
            made.receive(other)
        elif rank == other:
            made.send(0)
    return made.allreduce().allreduce().allreduce()


def forms(program):
    """Forms come out with their coefficients, and extrapolate; so do the numbers of messages and collectives."""
    runs = Runs(program, (1, 2, 4, 8), laws)
    tables = runs.tables('--ranks=64')
    check_law(tables, 'computation', 'constant a.c:1', 'time', 'a', 0.005, None, 0.005)
    check_law(tables, 'computation', 'shared a.c:2', 'time', 'a / p', 0.048, None, 0.00075)
    check_law(tables, 'computation', 'partly a.c:3', 'time', 'a + b / p', 0.002, 0.024, 0.002375)
    check_law(tables, 'computation', 'tree a.c:4', 'time', 'a + b log2 p', 0.001, 0.0005, 0.004)
    check_law(tables, 'computation', 'linear a.c:5', 'time', 'a + b p', 0.003, 0.00025, 0.019)
    check_law(tables, 'computation', 'root a.c:6', 'time', 'a', 0.001, None, 0.001)
    check_law(tables, 'computation', 'root a.c:6', 'time', 'a / p', 0.001, None, 0.001 / 64, 'mean')
    check_law(tables, 'computation', 'root a.c:6', 'time', 'a', 0.001, None, 0.001, 'maximum')
    check_law(tables, 'messages', 'receive a.c:22', 'received', 'a + b p', -1, 1, 63)
    check_law(tables, 'messages', 'receive a.c:22', 'bytes of a received one', 'a', 1000, None, 1000)
    check_law(tables, 'messages', 'send a.c:21', 'sent', 'a + b / p', 1, -1, 63 / 64, 'mean')
    check_law(tables, 'collectives', 'allreduce a.c:20', 'calls', 'a', 3, None, 3)
    check_law(tables, 'collectives', 'allreduce a.c:20', 'members of a call', 'a p', 1, None, 64)
    for row in tables['fits']:
        check(f'residual of {row}', True, row['residual'] < 0.1)
    near('P0 alone neither sends nor waits', 0, tables['check'][0]['fitted_mpi'])
    time = tables['time'][0]
    check('ranks', 64, time['ranks'])
    near('computation', 0.005 + 0.00075 + 0.002375 + 0.004 + 0.019 + 0.001, time['computation'])
    near('messages', 63 * RECEIVED / 1e9, time['messages'])
    near('collectives', 3 * 6 * ALLREDUCE_STEP / 1e9, time['collectives'])
    near('the sum', time['predicted'], sum(float(time[name]) for name in ('computation', 'messages', 'collectives', 'waiting', 'other_calls')))
    near('low', time['predicted'], time['low'], 1e-3)
    near('high', time['predicted'], time['high'], 1e-3)


def checked(program):
    """Recorded runs stand beside what their fits say: an allreduce of 2 us costs 0, 1.408 and 2 * 1.408 us on the network."""
    tables = Runs(program, (1, 2, 4), lambda rank, number: Rank().region('work', 8000000 // number).allreduce()).tables('--ranks=2,16')
    check('recorded', [8.002e-3, 4.002e-3, 2.002e-3], [float(row['recorded']) for row in tables['check']])
    for row, steps in zip(tables['check'], (0, 1, 2)):
        near(f'fitted {row}', 0.008 / row['ranks'] + steps * ALLREDUCE_STEP / 1e9, row['fitted'], 1e-5)
    check('differences', [-0.02, -0.01, 0.04], [row['difference'] for row in tables['check']])
    for row in tables['check']:
        check(f'parts of {row}', [f'{8000000 // row["ranks"] / 1e9:.9f}'] * 2 + [seconds(2000)], [f'{float(row[name]):.9f}' for name in ('recorded_compute', 'fitted_compute', 'recorded_mpi')])
    near('fitted MPI', 2 * ALLREDUCE_STEP / 1e9, tables['check'][2]['fitted_mpi'])
    check('times', [2, 16], [row['ranks'] for row in tables['time']])
    near('on 16 ranks', 0.0005 + 4 * ALLREDUCE_STEP / 1e9, tables['time'][1]['predicted'])
    check('parts by share', ['work', 'allreduce'], [row['part'].split(' ')[0] for row in tables['parts'] if row['predicted'] > 0])
    near('share', 100 * 0.0005 / (0.0005 + 4 * ALLREDUCE_STEP / 1e9), tables['parts'][0]['share'], 1e-3)


def waiting(program):
    """P0 computes 3 ms and the others 2 ms, so that they wait 1 ms in an allreduce. Then P1 computes as many ms as there are ranks, less
    the 7 us of a call that sends nothing, and the others wait. So P1 is the slowest."""
    def make(rank, number):
        late = 1000000 * number
        made = Rank().region('work', 3000000 if rank == 0 else 2000000, 1).allreduce(2000 if rank == 0 else 1002000)
        if rank == 1:
            return made.region('late', late - 500000, 2).call('get_count', 30, 7000, '').region('late', 493000, 2).allreduce()
        return made.call('get_count', 30, 7000, '').allreduce(late - 7000 + 2000)
    runs = Runs(program, (2, 4, 8), make)
    tables = runs.tables('--ranks=16')
    check_law(tables, 'waiting', 'allreduce a.c:20', 'time', 'a', 0.001, None, 0.001)
    check_law(tables, 'other calls', 'get_count a.c:30', 'time', 'a', 7e-6, None, 7e-6)
    check_law(tables, 'computation', 'late a.c:2', 'time', 'a + b p', -7e-6, 0.001, 0.015993)
    near('in all', 0.002 + 0.015993 + 0.001 + 7e-6 + 2 * 4 * ALLREDUCE_STEP / 1e9, tables['time'][0]['predicted'])


def two_runs(program):
    """Forms of one parameter are checked by two runs; others go through both, and their ranges are wide."""
    def make(rank, number):
        return Rank().region('constant', 5000000, 1).region('shared', 48000000 // number, 2).region('falls', 2000000 + 24000000 // number, 3).region('grows', 1000000 + 500000 * number, 4).region('doubles', 1000000 * number, 5).allreduce()
    runs = Runs(program, (2, 4), make)
    tables = runs.tables('--ranks=16')
    check_law(tables, 'computation', 'constant a.c:1', 'time', 'a', 0.005, None, 0.005)
    check_law(tables, 'computation', 'shared a.c:2', 'time', 'a / p', 0.048, None, 0.003)
    check_law(tables, 'computation', 'falls a.c:3', 'time', 'a + b / p', 0.002, 0.024, 0.0035)
    check_law(tables, 'computation', 'grows a.c:4', 'time', 'a + b log2 p', 0.001, 0.001, 0.005)
    check_law(tables, 'computation', 'doubles a.c:5', 'time', 'a p', 0.001, None, 0.016)
    check_law(tables, 'collectives', 'allreduce a.c:20', 'members of a call', 'a p', 1, None, 16)
    doubles = find_fit(tables, 'computation', 'doubles a.c:5', 'time')
    check('range of what is 2 on 2 and 4 on 4: log2 p, too', (0.008, 0.016), (float(doubles['low']), float(doubles['high'])))
    falls, grows = (find_fit(tables, 'computation', part, 'time') for part in ('falls a.c:3', 'grows a.c:4'))
    # As on 4 ranks, or in proportion; as on 4 ranks, or linear.
    check('range of what falls', (0.002, 0.008), (float(falls['low']), float(falls['high'])))
    check('range of what grows', (0.003, 0.009), (float(grows['low']), float(grows['high'])))
    done = runs.run('--ranks=16')
    check('note', True, 'two numbers of ranks check one parameter only' in done.stderr)
    check('no note', '', runs.run('--ranks=16', '--quiet').stderr)


def noise(program):
    """Times that are 3 % off their law do not make another one of it, and the range has the truth."""
    off = {2: 1.03, 4: 0.97, 8: 1.02, 16: 0.98}
    tables = Runs(program, tuple(off), lambda rank, number: Rank().region('shared', int(64000000 * off[number]) // number, 1)).tables('--ranks=64')
    row = find_fit(tables, 'computation', 'shared a.c:1', 'time')
    check('form', 'a / p', row['form'])
    check(f'range {row}', True, float(row['low']) < 0.001 < float(row['high']))
    check(f'residual {row}', True, 2 < row['residual'] < 4)


def tables(program):
    """What people see fits 80 columns, has the laws in words, and says what is assumed."""
    runs = Runs(program, (1, 2, 4, 8), laws)
    done = runs.run('--ranks=64')
    check('exit status', 0, done.returncode)
    for text in ('computation  shared a.c:2', '48.0 ms / p', '2.00 ms + 24.0 ms / p', '1.00 ms + 500 µs log2 p', 'received: -1 + p, of 1.00 kB', 'calls: 3, of 8 B, members: p'):
        check(f'{text} in {done.stdout}', True, text in done.stdout)
    check('no fits', False, 'fits:' in done.stdout)
    for text in ('one form over all numbers of ranks', 'hidden behind computation', 'what the network says', 'run0-1: one rank says nothing of messages'):
        check(f'{text} in {done.stderr}', True, text in done.stderr)
    parts = list(csv.DictReader(io.StringIO(runs.run('--ranks=64', '--format=csv').stdout.split('\n\n')[2])))
    check('csv has parts', True, any(row['law'] == '48.0 ms / p' for row in parts))


def assumed(program):
    """Runs on one rank scale as the user says: computation is shared out or stays, collectives keep their calls, blocks are cut."""
    def make(rank, number):
        return Rank().region('work', 8000000, 1).allreduce(size=4096).call('allgather', 23, 1000, 'bytes="8000" rbytes="8000"').call('alltoall', 24, 1000, 'bytes="8000" rbytes="8000"')
    runs = Runs(program, (1,), make)
    strong, weak = (runs.tables('--ranks=4', f'--scaling={kind}') for kind in ('strong', 'weak'))
    check_law(strong, 'computation', 'work a.c:1', 'time', 'a / p', 0.008, None, 0.002)
    check_law(weak, 'computation', 'work a.c:1', 'time', 'a', 0.008, None, 0.008)
    work = find_fit(strong, 'computation', 'work a.c:1', 'time')
    check('range: all is shared, or nothing', (0.002, 0.008), (float(work['low']), float(work['high'])))
    for tables in (strong, weak):
        check_law(tables, 'collectives', 'allreduce a.c:20', 'members of a call', 'a p', 1, None, 4)
        check_law(tables, 'collectives', 'allreduce a.c:20', 'bytes of a call', 'a', 4096, None, 4096)
        check_law(tables, 'collectives', 'allreduce a.c:20', 'calls', 'a', 1, None, 1)
    check_law(strong, 'collectives', 'allgather a.c:23', 'bytes of a call', 'a / p', 8000, None, 2000)
    check_law(weak, 'collectives', 'allgather a.c:23', 'bytes of a call', 'a', 8000, None, 8000)
    check_law(strong, 'collectives', 'alltoall a.c:24', 'bytes of a call', 'a / p^2', 8000, None, 500)
    check_law(weak, 'collectives', 'alltoall a.c:24', 'bytes of a call', 'a / p', 8000, None, 2000)
    check('no messages', 0, strong['time'][0]['messages'])
    told = runs.tables('--ranks=1,4', '--scaling=strong', '--exchange=neighbours=2,bytes=1kB,times=3')['time']
    check('messages of one rank, and of each of four', [0, 6 * (SENT + RECEIVED) / 1e9], [float(row['messages']) for row in told])
    check('no bound below', strong['time'][0]['predicted'], strong['time'][0]['low'])
    done = runs.run('--ranks=4', '--scaling=strong')
    check(f'said of one run: {done.stderr}', True, 'low is no bound' in done.stderr)
    for text in ('assumed: the ranks share the same problem', 'assumed: no messages', 'work a.c:1', '8.00 ms / p'):
        check(f'{text} in {done.stdout}{done.stderr}', True, text in done.stdout + done.stderr)


def spread(program):
    """Several runs have a range: from what the shortest took."""
    times = iter((8000000, 9000000, 10000000))
    runs = Runs(program, (1, 1, 1), lambda rank, number: Rank().region('work', next(times), 1))
    for kind, shares, high in (('strong', 4, 0.009), ('weak', 1, 0.010)):
        row = runs.tables('--ranks=4', f'--scaling={kind}')['time'][0]
        for name, expected in (('predicted', 0.009 / shares), ('low', 0.008 / shares), ('high', high)):
            near(f'{name}, {kind}', expected, row[name])
    told = runs.run('--ranks=4', '--scaling=strong').stderr
    check(f'not said of several: {told}', False, 'low is no bound' in told)


def together(program):
    """Of runs that ran at once the slowest is predicted, as a whole, though another one is slower in a part; several groups are a mean and a range."""
    times = iter(((5, 3), (6, 1), (2, 4), (9, 1), (3, 5), (1, 1)))

    def make(rank, number):
        first, second = next(times)
        return Rank().region('first', first * 1000000, 1).region('second', second * 1000000, 2).allreduce()
    runs = Runs(program, (1,) * 6, make)
    tables = runs.tables('--ranks=3', '--scaling=weak', '--together=3')
    check_law(tables, 'computation', 'first a.c:1', 'time', 'a', 0.007, None, 0.007)
    check_law(tables, 'computation', 'second a.c:2', 'time', 'a', 0.002, None, 0.002)
    row = tables['time'][0]
    near('computation', 0.009, row['computation'])
    near('low', 0.005 + 0.001 + 2 * ALLREDUCE_STEP / 1e9, row['low'])
    check('the slowest of each three', ['run0-1', 'run3-1'], [pathlib.Path(row['run']).name for row in tables['check']])
    near('shared', 0.009 / 3, runs.tables('--ranks=3', '--scaling=strong', '--together=3')['time'][0]['computation'])
    works = runs.tables('--ranks=4', '--scaling=strong', '--together=3', '--work=1,1,1,2,2,2')
    check_law(works, 'computation', 'first a.c:1', 'time', 'a + b / p', 0.001, 0.008, 0.003)
    near('each alone', 41 / 6000, runs.tables('--ranks=3', '--scaling=weak', '--together=1')['time'][0]['computation'])
    told = runs.run('--ranks=3', '--scaling=weak', '--together=6').stderr
    check(f'said of six at once: {told}', (True, True), ('of each 6 runs that ran at once' in told, 'low is no bound' in told))


def stages(program):
    """In each collective of all, the slowest of the runs at once waits for the one that computed longest before it; not in others, and not if runs do not have the same ones."""
    times = iter(((5, 3, 2), (1, 6, 2), (2, 4, 3)))

    def make(rank, number, between=None):
        made = Rank()
        for ms in next(times):
            made.region('step', ms * 1000000, 1)
            if between != 'bcast':
                made.allreduce()
            else:
                made.call('bcast', 25, 1000, 'root="0" bytes="8" rbytes="8"')
        return made
    runs = Runs(program, (1,) * 3, make)
    tables = runs.tables('--ranks=3', '--scaling=weak', '--together=3')
    near('computation of the first', 0.010, tables['time'][0]['computation'])
    near('waiting', 0.005 + 0.006 + 0.003 - 0.010, tables['time'][0]['waiting'])
    check_law(tables, 'waiting', 'of --together', 'time', 'a', 0.004, None, 0.004)
    near('waiting falls', 0.004 / 4, runs.tables('--ranks=4', '--scaling=strong', '--together=3')['time'][0]['waiting'])
    near('none alone', 0, runs.tables('--ranks=4', '--scaling=weak', '--together=1')['time'][0]['waiting'])
    check('said', True, 'it waits in each collective for the one' in runs.run('--ranks=3', '--scaling=weak', '--together=3').stderr)
    times = iter(((5, 3, 2), (1, 6, 2), (2, 4, 3)))
    rooted = Runs(program, (1,) * 3, lambda rank, number: make(rank, number, 'bcast'))
    near('a broadcast holds up nobody', 0, rooted.tables('--ranks=3', '--scaling=weak', '--together=3')['time'][0]['waiting'])
    times = iter(((5, 3), (1, 6, 2)))
    unlike = Runs(program, (1,) * 2, make)
    near('other collectives', 0, unlike.tables('--ranks=2', '--scaling=weak', '--together=2')['time'][0]['waiting'])
    check('said of others', True, 'run1-1: other collectives than' in unlike.run('--ranks=2', '--scaling=weak', '--together=2').stderr)


def work(program):
    """Problems of several sizes tell how much of the computation is shared out: that which grows with them."""
    def make(rank, number):
        size = next(sizes)
        return Rank().region('setup', 3000000, 1).region('work', 1000000 * size, 2).allreduce(size=64 * size)
    sizes = iter((8, 2, 4))
    runs = Runs(program, (1, 1, 1), make)
    tables = runs.tables('--ranks=2,16', '--scaling=strong', '--work=8,2,4')
    check_law(tables, 'computation', 'setup a.c:1', 'time', 'a', 0.003, None, 0.003)
    check_law(tables, 'computation', 'work a.c:2', 'time', 'a / p', 0.008, None, 0.0005)
    check_law(tables, 'collectives', 'allreduce a.c:20', 'bytes of a call', 'a', 512, None, 512)
    near('computation on 2 and 16', 0.007 + 0.0035, sum(float(row['computation']) for row in tables['time']))
    sizes = iter((8, 2, 4))
    told = Runs(program, (1, 1, 1), make).run('--ranks=2', '--scaling=strong', '--work=8,2,4').stderr
    check(f'assumed: {told}', (True, False), ('a problem of that size alone' in told, 'nothing is shared' in told))
    for row, size in zip(tables['check'], (8, 2, 4)):
        near(f'fitted {row}', 0.003 + size / 1000, row['fitted'], 1e-3)


def wrong_use(program):
    """No extrapolation without two numbers of ranks, of runs without all ranks, or with options of other answers."""
    def make(rank, number):
        return Rank().region('work', 8000000 // number)
    one, same, two = Runs(program, (2,), make), Runs(program, (2, 2), make), Runs(program, (1, 2), make)
    for runs, options, status, message in (
            (one, ('--ranks=4',), 2, 'at least two different numbers of ranks'), (same, ('--ranks=4',), 2, 'at least two different numbers of ranks'),
            (two, ('--ranks=0',), 2, "--ranks '0' is no number of ranks"), (two, ('--ranks=4,x',), 2, "--ranks '4,x' is no number of ranks"),
            (two, ('--ranks=',), 2, "--ranks '' is no number of ranks"), (two, ('--ranks=4', '--cores=2'), 2, "--cores is an option of 'hiera-predict replay'; this is 'hiera-predict scale'"),
            (one, ('--ranks=4', '--scaling=linear'), 2, "--scaling 'linear' is neither strong nor weak"), (two, ('--ranks=4', '--scaling=weak'), 2, '--scaling is for runs on one number of ranks'),
            (one, ('--scaling=weak',), 2, 'say for how many ranks'), (same, ('--ranks=4', '--work=1,2'), 2, 'go with --scaling'), (same, ('--ranks=4', '--together=2'), 2, 'go with --scaling'),
            (same, ('--ranks=4', '--scaling=weak', '--together=3'), 2, '2 runs are not so many'), (same, ('--ranks=4', '--scaling=weak', '--together=0'), 2, "--together '0'"), (same, ('--scaling=weak', '--together=2'), 2, 'say for how many ranks'), (same, ('--ranks=4', '--scaling=strong', '--work=1'), 2, '--work has 1 numbers for 2 runs'),
            (same, ('--ranks=4', '--scaling=weak', '--work=1,2'), 2, 'goes with --scaling strong alone'), (same, ('--ranks=4', '--scaling=strong', '--work=1,0'), 2, "--work '1,0'"),
            (one, ('--ranks=4', '--scaling=weak', '--exchange=bytes=8kB'), 2, 'needs neighbours= and bytes='), (one, ('--ranks=4', '--scaling=weak', '--exchange=near=2'), 2, "--exchange 'near=2'"),
            (one, ('--ranks=4', '--scaling=weak', '--exchange=neighbours=-1,bytes=1'), 2, '--exchange'),
            (two, ('--ranks=4', '--sensitivity'), 2, "--sensitivity is an option of 'hiera-predict replay'"), (two, ('--ranks=4', '/nonexistent'), 3, 'nonexistent'), (two, ('--ranks=4,8',), 0, '')):
        done = runs.run(*options)
        check(f'{options}: exit status ({done.stderr})', status, done.returncode)
        check(f'{options}: {done.stderr}', True, message in done.stderr)
    pathlib.Path(two.names[1], 'trace1.xml').unlink()
    done = two.run('--ranks=4')
    check('a rank is missing', (2, True), (done.returncode, '1 of 2 ranks were read' in done.stderr))


CASES = {case.__name__: case for case in (forms, checked, waiting, two_runs, noise, tables, assumed, spread, together, stages, work, wrong_use)}

CASES[sys.argv[2]](sys.argv[1])
for failure in failures:
    print(failure)
sys.exit(bool(failures))
