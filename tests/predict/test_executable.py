#!/usr/bin/env python3
"""hiera-predict executable beside real runs: test_executable.py HIERA_PREDICT CASE PROGRAM MPIEXEC…

What is known of a program without running it must be what its run prints: numbers of messages, iterations of loops,
which ranks take which way."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'mpi'))

from expect import counter  # noqa: E402

failures = []
PRELOADED = [path for path in [os.environ.get('LD_PRELOAD')] if path]  # what makes waiting ranks leave the processor
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}


def check(what, expected, actual):
    if expected != actual:
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def predict(*words, status=0, folder=None):
    """status: None if calls of MPI may be missing, or not"""
    run = subprocess.run([HIERA_PREDICT, *words], capture_output=True, text=True, timeout=120, cwd=folder)
    if status is None:
        check(f'exit status of {words}', True, run.returncode in (0, 1))
        return run
    check(f'exit status of {words}', status, run.returncode)
    if status == 0:
        check('complaints', '', ''.join(line for line in run.stderr.splitlines(True) if ' note: ' not in line))
    return run


def tables(*words, folder=None):
    """Tables by the name of their first column: lists of dictionaries."""
    text = predict('executable', PROGRAM, '--format', 'json', *words, folder=folder).stdout
    return json.loads(text)


def rows(answer, name):
    return answer[name] if isinstance(answer, dict) else next(table['rows'] for table in answer if table['title'] == name)


def run(n, *arguments, folder=None):
    """Lines that n ranks print."""
    result = subprocess.run([*MPIEXEC, '-n', str(n), PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                            env=ENVIRONMENT, cwd=folder)
    check('exit status of the program', 0, result.returncode)
    return result.stdout.splitlines()


def spun(answer):
    """Iterations of the functions spin_NAME: by rank and name."""
    return {(int(row['processor']), row['function'].split(' ')[0][5:]): row['iterations'] for row in rows(answer, 'loops') if row['function'].startswith('spin_')}


def exchanges():
    """What a rank was told decides how often its last loop is repeated."""
    for n in 2, 3, 4:
        printed = {int(words[0]): int(words[1]) for words in (line.split() for line in run(n, '50')) if len(words) == 2}
        check(f'ranks of {n}', list(range(n)), sorted(printed))
        loops = rows(tables('--processes', str(n), '--arguments', '50', '--per-process'), 'loops')
        last = {}
        for row in loops:
            if row['function'].startswith('spin') or row['function'] in ('MAIN__', 'exchanges'):
                last[int(row['processor'])] = int(row['iterations'])
        for rank, times in printed.items():
            check(f'iterations of rank {rank} of {n}', True, last.get(rank) in (times, times + 1))


def families():
    """Each family of MPI's functions brings the values that it brings in a run."""
    for n in 1, 2, 4:
        printed = {(int(words[0]), words[1]): int(words[2]) for words in (line.split() for line in run(n, '50')) if len(words) == 3}
        check(f'lines of {n}', 15 * n, len(printed))
        answer = tables('--processes', str(n), '--arguments', '50', '--per-process')
        walked = spun(answer)
        for of, times in printed.items():
            check(f'iterations of {of} of {n}', True, walked.get(of, 0) in (times, times + 1))
        check(f'drawn by {n}', [0] * n, [row['drawn'] for row in rows(answer, 'processes')])


def linked():
    """Code and data of shared libraries are those that the dynamic linker finds."""
    printed = {(int(words[0]), words[1]): int(words[2]) for words in (line.split() for line in run(2, '50')) if len(words) == 3}
    check('lines', 34, len(printed))
    answer = tables('--processes', '2', '--arguments', '50', '--per-process')
    walked = spun(answer)
    for of, times in printed.items():
        check(f'iterations of {of}', True, walked.get(of, 0) in (times, times + 1))
    check('drawn', [0, 0], [row['drawn'] for row in rows(answer, 'processes')])
    names = {row['function'].split(' ')[0]: row['function'].split('(')[-1] for row in rows(answer, 'functions')}
    check('libraries are named', ('main', 'liblinked-outer', 'liblinked-inner'), tuple(names[of].split('-openmpi')[0].split('-mpich')[0] for of in ('main', 'outer_sum', 'inner_square')))
    check('a library is chosen', (False, True), tuple(any(row['function'].startswith(of) for row in rows(tables('--processes', '2', '--libraries', 'liblinked-inner*'), 'functions')) for of in ('outer_sum', 'inner_constant')))
    check('no library is', False, any('(' in row['function'] for row in rows(tables('--processes', '2', '--libraries', 'none'), 'functions')))
    told = predict('executable', PROGRAM, '--arguments', '50 no.so').stderr
    check('a library that is loaded is told', True, 'loaded by dlopen in main are not walked' in told)
    libraries = [path for path in pathlib.Path(PROGRAM).parent.glob('liblinked-*.so') if path.stem.split('-')[-1] == PROGRAM.split('-')[-1]]
    check('libraries', 2, len(libraries))
    with tempfile.TemporaryDirectory() as folder:
        moved, other = pathlib.Path(folder, 'linked'), pathlib.Path(folder, 'other')
        other.mkdir()
        for path in pathlib.Path(PROGRAM), *libraries:
            if subprocess.run(['strip', '-o', other / path.name if path.suffix == '.so' else moved, path], check=False).returncode != 0:
                return
        words = 'executable', str(moved), '--processes', '2', '--arguments', '50', '--format', 'json'
        found = os.environ.pop('LD_LIBRARY_PATH', None)
        told = predict(*words).stderr
        check('libraries that are missing', 2, told.count('is not found: its functions'))
        os.environ['LD_LIBRARY_PATH'] = ':'.join(filter(None, [str(other), found]))
        stripped = predict(*words)
        check('stripped', (False, rows(answer, 'processes')), ('is not found' in stripped.stderr, rows(json.loads(stripped.stdout), 'processes')))
        path = other / libraries[0].name
        path.write_bytes(path.read_bytes()[:5000])
        check('damaged', True, 'its functions have the cost' in predict(*words).stderr)


def inputs():
    """Files that are there are read, also in formats; those that are not are known to be missing."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, 'deck.txt').write_text('# the deck\n52 1f seventeen 2.5,0.5\n3 4 5\n6\n', encoding='ascii')
        pathlib.Path(folder, 'lines.txt').write_text('# steps\nsteps 15 # of time\n\nedge\t1.5\nstep 12x more\nalone\n', encoding='ascii')
        printed = {(int(words[0]), words[1]): int(words[2]) for words in (line.split() for line in run(2, folder=folder)) if len(words) == 3}
        check('lines', 22, len(printed))
        answer = tables('--processes', '2', '--per-process', folder=folder)
        walked = spun(answer)
        for of, times in printed.items():
            check(f'iterations of {of}', True, walked.get(of, 0) in (times, times + 1))
        check('drawn', [0, 0], [row['drawn'] for row in rows(answer, 'processes')])
        for name in 'deck.txt', 'lines.txt':
            pathlib.Path(folder, name).unlink()
        without = rows(tables('--processes', '2', folder=folder), 'loops')
        check('without the deck but one loop is repeated', ['spin_missing'], [row['function'] for row in without if row['iterations'] > 2])


def fortran_inputs():
    """Likewise in Fortran: lists, arrays, logicals, texts, the end of a file, files that exist."""
    with tempfile.TemporaryDirectory() as folder:
        for deck in '# the deck\n52 31 seventeen 2.5d0,0.5\n3 4 5\n6\n.true. 9\n11\n12 13\n', None:
            if deck:
                pathlib.Path(folder, 'deck.txt').write_text(deck, encoding='ascii')
            else:
                pathlib.Path(folder, 'deck.txt').unlink()
            printed = {int(words[0]): int(words[1]) for words in (line.split() for line in run(2, folder=folder)) if len(words) == 2}
            loops = rows(tables('--processes', '2', '--per-process', folder=folder), 'loops')
            last = {int(row['processor']): row['iterations'] for row in loops if row['function'] in ('MAIN__', 'inputs')}
            check(f'ranks with {deck}', [0, 1], sorted(printed))
            for rank, times in printed.items():
                check(f'iterations of rank {rank} with {deck}', True, last.get(rank) in (times, times + 1))


def integral():
    answer = tables('--processes', '8', '--arguments', '400 100000')
    processes = rows(answer, 'processes')
    check('messages', [(7, 7)] + [(1, 1)] * 7, [(row['sent'], row['received']) for row in processes])
    check('bytes of the slaves', [(8, 24)] * 7, [(row['bytes_sent'], row['bytes_received']) for row in processes[1:]])
    computed = [float(row['compute']) for row in processes]
    for slave in range(1, 8):
        check(f'share of slave {slave}', True, abs(computed[slave] / computed[7] / (8 - slave) - 1) < 0.01)
    roles = [(row['taken_by'], row['not_taken_by']) for row in rows(answer, 'decisions') if row['decided'] == 'by rank']
    check('roles', True, roles in ([('1-7', '0')], [('0', '1-7')]))
    loops = [row for row in rows(answer, 'loops') if row['iterations'] > 50]
    check('trapezoids', True, len(loops) == 1 and 99990 <= loops[0]['iterations'] <= 100010)
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder, 'stripped')
        if subprocess.run(['strip', '-o', stripped, PROGRAM], check=False).returncode == 0:
            text = predict('executable', str(stripped), '--processes', '8', '--arguments', '400 100000', '--format', 'json').stdout
            check('stripped', processes, rows(json.loads(text), 'processes'))


def first_rows(*words, network='bandwidth=1MB/s'):
    """The processes of a run on two, by name and number."""
    answer = rows(tables('--processes', '2', '--network', network, *words), 'processes')
    return [{name: float(value) if name != 'processor' else value for name, value in row.items()} for row in answer]


def machine():
    """What others use, accesses that caches do not have, and the wait for the network."""
    words = '--arguments', '400 1000'
    base, loaded = first_rows(*words), first_rows(*words, '--machine', 'load=75%,link-load=50%')
    for one, other in zip(base, loaded):
        check(f'a quarter of {one["processor"]} is left', True, abs(other['compute'] / one['compute'] - 4) < 0.01)
        check(f'half of the link of {one["processor"]} is left', True, one['sending'] > 0 and abs(other['sending'] / one['sending'] - 2) < 0.01)
        check(f'link of {one["processor"]}', True, abs(one['link'] - 100 * one['sending'] / base[0]['time']) < 1)
    seconds = sum(row['compute'] for row in base)
    scaled = first_rows(*words, '--calibrate-by', f'{seconds:.12f}s', '--machine', 'load=50%')
    check(f'a load beside a calibration: {scaled}', True, sum(row['compute'] for row in scaled) > 1.2 * seconds)
    misses = {hits: first_rows(*words, '--machine', f'hits={hits}%,miss=10')[0]['cycles'] for hits in (0, 50, 100)}
    check('all hit', base[0]['cycles'], misses[100])
    check(f'half of them miss: {misses}', True, misses[0] > misses[100] and abs(misses[0] + misses[100] - 2 * misses[50]) <= 2)
    many = '--simulations', '400', '--machine', 'access=1ms'
    waits = first_rows(*words, *many, network='latency=0')[1]['mpi'] - first_rows(*words, network='latency=0')[1]['mpi']
    check(f'a slave waits for the order and for its answer, 1 ms each in the mean: {waits}', True, 0.0017 < waits < 0.0023)
    check('the same each time', first_rows(*words, *many), first_rows(*words, *many))
    for wrong in '', 'load=100%', 'load=3', 'hits=101%', 'miss=-1', 'access=3', 'memory=1GB':
        check(f'{wrong} is told', True, '--machine' in predict('executable', PROGRAM, '--machine', wrong, status=2).stderr)


def placed():
    """Between two hosts MPI_Init, the order, its answer and MPI_Finalize take a latency each; inside a host none."""
    words = '--arguments', '400 1', '--processes', '2', '--network', 'latency=1ms', '--network-inside', 'latency=0'
    with tempfile.TemporaryDirectory() as folder:
        places = pathlib.Path(folder, 'places')
        places.write_text('0 a\n1 b\n', encoding='utf-8')
        time = {mapping: round(float(rows(tables(*words, *mapping), 'executable')[0]['time']) * 1e9)
                for mapping in ((), ('--mapping', 'block:2'), ('--mapping', 'block:1'), ('--mapping', 'cyclic:2'), ('--mapping', str(places)))}
        check('latencies', [0, 0, 4000000, 4000000, 4000000], [at - time[()] for at in time.values()])
        told = predict('executable', PROGRAM, '--processes', '4', '--mapping', str(places), status=2).stderr
        check('a process without a host', f'hiera-predict: {places}: rank 2 has no host\n', told)
    for mapping in 'block:0', '/nosuch':
        check(f'{mapping} is named', True, mapping in predict('executable', PROGRAM, '--mapping', mapping, status=2).stderr)


def ratios():
    """Speedup, efficiency and their like are what times and cycles say; cycles of functions are exclusive, so that their sums are those of the processes."""
    words = '--arguments', '400 100000'
    (one,), (four,) = (rows(tables(*words, '--processes', n), 'executable') for n in ('1', '4'))
    cycles = [sum(row['cycles'] for row in rows(tables(*words, '--processes', n), 'processes')) for n in ('1', '4')]
    answer = tables(*words, '--processes', '1,4', '--per-process')
    row = rows(answer, 'executable')[1]
    speedup, redundancy = float(one['time']) / float(four['time']), cycles[1] / cycles[0]
    expected = {'speedup': speedup, 'efficiency': 100 * speedup / 4, 'redundancy': redundancy, 'utilization': 100 * redundancy * speedup / 4, 'quality': speedup**2 / 4 / redundancy}
    for name, value in expected.items():
        check(f'{name} of four: {row[name]}, {value}', True, abs(float(row[name]) / value - 1) < 0.001)
    check('a master that only waits', True, 1.9 < speedup < 2.01)
    ratios = list(expected)
    (law,) = rows(answer, 'scalability')
    serial = (1 / speedup - 1 / 4) / (1 - 1 / 4)
    for name, value in {'speedup': speedup, 'serial': 100 * serial, 'limit': 1 / serial, 'scaled': 4 - serial * speedup * 3, 'power': speedup**2 / 4}.items():
        check(f'law of four, {name}: {law}, {value}', True, abs(float(law[name]) / value - 1) < 0.001)
    for order in '4,1', '1,4':
        told = predict('executable', PROGRAM, *words, '--processes', order, '--format', 'json')
        check(f'ratios of {order}', [[row[name] for name in ratios]], [[row[name] for name in ratios] for row in rows(json.loads(told.stdout), 'executable') if row['processes'] == 4])
        check(f'note of {order}', False, 'speedup' in told.stderr)
    told = predict('executable', PROGRAM, *words, '--processes', '4,2')
    check('note', ['hiera-predict: note: speedup and efficiency are those beside 2 processes, as if these were 2 times as fast as one; name 1 in --processes, too'], [line for line in told.stderr.splitlines() if 'speedup' in line])
    time = float(row['time'])
    for process in rows(answer, 'processes'):
        own = [function for function in rows(answer, 'functions') if function['processor'] == process['processor']]
        check(f'calls of main, {process["processor"]}', [1], [function['calls'] for function in own if function['function'] == 'main'])
        check(f'cycles of functions, {process["processor"]}', True, abs(sum(function['cycles'] for function in own) - process['cycles']) <= len(own))
        check(f'occupied, {process["processor"]}', True, abs(process['occupied'] - 100 * float(process['compute']) / time) < 0.01)


def matrix():
    for n in 1, 2, 4, 8:
        answer = tables('--processes', str(n), '--arguments', '400')
        processes = rows(answer, 'processes')
        check(f'sends of {n}', 2 * (n - 1), sum(row['sent'] for row in processes))
        check(f'receives of {n}', 2 * (n - 1), sum(row['received'] for row in processes))
        most = max(row['iterations'] for row in rows(answer, 'loops'))
        check(f'multiplications of {n}', True, most in (64000000, 64000000 + 160000))
    answer = tables('--processes', '1,2,4', '--arguments', '400')
    runs = rows(answer, 'executable')
    check('processes', [1, 2, 4], [row['processes'] for row in runs])
    check('speedup of one', 1.0, runs[0]['speedup'])
    check('speedup of four', True, 3.8 < float(runs[2]['speedup']) < 4)


def trusted():
    """An answer begins with what it depends on: where calls of MPI may be missing, its exit status is 1."""
    for mode, first, status, collectives in ((0, ('exact', ''), 0, 22), (1, ('drawn', 'trusted.c:46'), 0, None), (2, ('incomplete', 'trusted.c:50'), 1, 22),
                                             (3, ('likely', ''), 0, 22), (4, ('drawn', 'trusted.c:58'), 0, None), (5, ('likely', ''), 0, 22)):
        run = predict('executable', PROGRAM, '--processes', '2', '--arguments', str(mode), '--format', 'json', '--explain', status=status)
        answer = json.loads(run.stdout)
        check(f'the first table of mode {mode}', 'trust', next(iter(answer)))
        rest = rows(answer, 'trust')
        check(f'mode {mode}', first, (rest[0]['answer'], rest[0]['place']))
        if collectives:
            check(f'collective calls of mode {mode}', [collectives] * 2, [row['collectives'] for row in rows(answer, 'processes')])
        check(f'what mode {mode} depends on', mode > 0, any(row['answer'] == 'if' for row in rest))
        check(f'errors that do not occur in mode {mode}', ['trusted.c:61'] * (mode == 5), [row['place'] for row in rest if row['because'].startswith('the way to an error')])
    check('what a decision decides', True, 'decides about MPI_Barrier (trusted.c:' in predict('executable', PROGRAM, '--processes', '2', '--arguments', '1').stdout)


def operations():
    """Containers, texts and virtual functions of C++ are followed through its library, and what runs before main and behind it."""
    for words in (), ('--arguments', 'exit'):
        answer = tables('--processes', '2', *words)
        check('trust', ['exact'], [row['answer'] for row in rows(answer, 'trust')])
        for row in rows(answer, 'processes'):
            check(f'calls of {row["processor"]}', (10, 10, 8000, 53, 0), tuple(row[name] for name in ('sent', 'received', 'bytes_sent', 'collectives', 'drawn')))


def draws():
    """Where values are not known: the number of repetitions is drawn, with a mean, capped, or fixed."""
    fixed = tables('--processes', '2', '--loops', 'mean=400,max=400', '--simulations', '1', '--branches', 'taken=0,distribution=fixed')
    check('fixed', {'400', '401'} >= {str(row['iterations'] // row['executions']) for row in rows(fixed, 'loops')}, True)
    check('capped', {'yes'}, {row['capped'] for row in rows(fixed, 'loops')})
    check('decisions', {'drawn'}, {row['decided'] for row in rows(fixed, 'decisions')})
    drawn = [predict('executable', PROGRAM, '--seed', seed, '--simulations', '3').stdout for seed in ('1', '1', '2')]
    check('the same seed', drawn[0], drawn[1])
    check('another seed', True, drawn[0] != drawn[2])
    apart = rows(tables('--processes', '8', '--draw', 'apart', '--loops', 'mean=100,max=120', '--simulations', '1', '--per-process'), 'loops')
    check('capped are those that came to the maximum', [('yes' if row['iterations'] >= 120 else '') for row in apart], [row['capped'] for row in apart])
    check('of eight some are, others not', {'yes', ''}, {row['capped'] for row in apart})
    alone = [float(rows(tables('--seed', seed, '--simulations', '1'), 'executable')[0]['time']) for seed in ('1', '2', '3')]
    row = {name: float(value) for name, value in rows(tables('--simulations', '3'), 'executable')[0].items()}
    for name, value in (('time', statistics.mean(alone)), ('least', min(alone)), ('most', max(alone)), ('deviation', statistics.stdev(alone))):
        check(f'{name} of three: {row[name]}, {value}', True, abs(row[name] - value) < 2e-9)
    line = rows(fixed, 'decisions')[-1]['line']
    decided = tables('--processes', '2', '--decide', f'{line}=no')
    check('a role', decided, tables('--processes', '2', '--role', f'{line}=no'))
    check('decided', False, line in [row['line'] for row in rows(decided, 'decisions')])


def alike():
    """What no process can know is drawn alike for all, so that they meet; arrays end where they end."""
    for seed in '1', '2', '3':
        answer = tables('--processes', '3', '--loops', 'mean=20,max=10000', '--simulations', '1', '--seed', seed)
        sent = [row['sent'] for row in rows(answer, 'processes')]
        check(f'sent by all with seed {seed}', [sent[0]] * 3, sent)
    long = rows(tables('--processes', '3', '--loops', 'mean=10000,max=10000', '--simulations', '1'), 'loops')
    check('the last loop is known', True, any(row['iterations'] in (156, 159) and row['capped'] != 'yes' for row in long))
    apart = subprocess.run([HIERA_PREDICT, 'executable', PROGRAM, '--draw', 'apart', '--processes', '3'], capture_output=True, text=True, timeout=120, check=False)
    check('apart, they do not meet', (1, True), (apart.returncode, 'waits' in apart.stderr))


def converging():
    """A loop of steps that a counter ends goes on to it, unless that is more than the maximum; errors that do not occur are no such end."""
    for seed in '1', '2', '3':
        words = ['--processes', '2', '--loops', 'mean=20,max=400', '--simulations', '1', '--seed', seed]
        loops = rows(tables(*words, '--arguments', '150'), 'loops')
        check(f'steps with seed {seed}', [(True, '')], [(row['iterations'] in (300, 302), row['capped']) for row in loops])
        loops = rows(tables(*words, '--arguments', '1000'), 'loops')
        check(f'more steps with seed {seed}', [(800, 'yes')], [(row['iterations'], row['capped']) for row in loops])
        loops = rows(tables(*words, '--arguments', '0 errors'), 'loops')
        check(f'steps without an error with seed {seed}', [(True, '')], [(row['iterations'] < 700, row['capped']) for row in loops if row['iterations'] > 0])


def unlikely():
    """Errors that the compiler takes for unlikely do not occur: 31 collective calls with MPI_Init, and MPI_Finalize."""
    if '.cold' not in subprocess.run(['nm', PROGRAM], capture_output=True, text=True, check=True).stdout:
        sys.exit(77)  # this compiler leaves them where they are
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, 'stripped')
        subprocess.run(['strip', '-o', stripped, PROGRAM], check=True)
        for program in PROGRAM, stripped:
            for seed in '1', '2', '3':
                answer = json.loads(predict('executable', program, '--format', 'json', '--processes', '3', '--seed', seed).stdout)
                check(f'collective calls of {program} with seed {seed}', [32] * 3, [row['collectives'] for row in rows(answer, 'processes')])
            ends_early(program)


def ends_early(program):
    """A process that ends early is told, with what was drawn before, and how to decide that: by a line, or an address."""
    words = ['executable', program, '--processes', '1', '--arguments', 'x', '--simulations', '1', '--format', 'json']
    told = next(note for note in (predict(*words, '--seed', str(seed), status=None).stderr for seed in range(1, 30)) if 'without MPI_Finalize' in note)
    place = re.search(r'--decide (\S+)=yes', told)
    check(f'how to decide is told: {told}', True, place is not None)
    if place:
        check('a line, or an address', True, re.fullmatch(r'unlikely.c:\d+|stripped:0x[0-9a-f]+', place[1]) is not None)
        decided = [rows(json.loads(predict(*words, '--decide', f'{place[1]}={how}', status=None).stdout), 'processes')[0] for how in ('yes', 'no')]
        check('decided', {1, 32}, {row['collectives'] for row in decided})
    drawn = [row['line'] for row in rows(json.loads(predict(*words, status=None).stdout), 'decisions') if row['decided'] == 'drawn']
    check(f'decisions of {program}', True, len(drawn) > 0)
    for place in drawn:
        check(f'{place} can be decided', False, place in [row['line'] for row in rows(json.loads(predict(*words, '--decide', f'{place}=no', status=None).stdout), 'decisions')])


def regions():
    """Regions of OpenMP: 45 + 32 + 11 barriers; of 9 equal parts of the work 8 are in a region, which 4 threads share."""
    if '_omp_fn' not in subprocess.run(['nm', PROGRAM], capture_output=True, text=True, check=True).stdout:
        sys.exit(77)  # another compiler's
    words = ['--processes', '2', '--arguments', '100000']
    one, four = (rows(tables(*words, *more), 'processes') for more in ([], ['--machine', 'threads=4']))
    for row in one + four:
        check(f'collective calls, and decisions that are drawn, of {row["processor"]}', (90, 0), (row['collectives'], row['drawn']))
    check(f'9 parts with one thread, 3 with four: {one[0]["compute"]}, {four[0]["compute"]}', True,
          abs(float(one[0]['compute']) / float(four[0]['compute']) - 3) < 0.01)
    for more, told in ([], True), (['--machine', 'threads=4'], False):
        check(f'told with {more}', told, 'regions of OpenMP' in predict('executable', PROGRAM, *words, *more).stderr)
    for wrong in 'threads=0', 'threads=x':
        check(f'{wrong} is told', True, '--machine' in predict('executable', PROGRAM, '--machine', wrong, status=2).stderr)


def memory_of(*words):
    """Peak memory of a prediction in MB."""
    process = subprocess.Popen([HIERA_PREDICT, 'executable', PROGRAM, '--simulations', '1', *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    check(f'exit status of {words}', 0, process.returncode)
    return usage.ru_maxrss / 1024


def freed():
    """Types of 20,000 blocks, which are freed, and groups of many ranks, in which nothing differs."""
    for processes, more, what in ('2', 60, ''), ('200', 100, ' groups'):
        few, many = (memory_of('--processes', processes, '--arguments', f'{times}{what}') for times in (2, more))
        check(f'memory of {processes} processes{what}: {few}, {many} MB', True, many < few + 12)


def named():
    """Messages that say whether ranks know types that a program has asked for: see named.c."""
    told = rows(tables('--processes', '3'), 'processes')
    check('sent', [0, 29, 29], [row['sent'] for row in told])
    check('received', [58, 0, 0], [row['received'] for row in told])
    check('drawn', [0, 0, 0], [row['drawn'] for row in told])


def written():
    """Rank 0 writes 4000, 2000 and 1000 bytes, rank 1 8000, 2000 and 2000: at 1 MB/s with 3 calls of 1 ms 10 and 15 ms. Rank 0 waits for rank 1 in the end."""
    network = ['--network', 'latency=0,bandwidth=unlimited,overhead=0', '--processes', '2']
    told = rows(tables(*network, '--files', 'latency=1ms,bandwidth=1MB/s'), 'processes')
    check('in MPI', [15.0, 15.0], [round(float(row['mpi']) * 1000, 3) for row in told])
    check('waited for', [5.0, 0.0], [round(float(row['waiting']) * 1000, 3) for row in told])
    check('calls alone', 3.0, round(float(rows(tables(*network, '--files', 'latency=1ms'), 'processes')[1]['mpi']) * 1000, 3))
    run = predict('executable', PROGRAM, *network)
    check('said', True, 'MPI_File_write_at takes no time in the simulation: --files says how much' in run.stderr)
    check('not said', False, 'MPI_File_close' in run.stderr)


def profile():
    """A loop whose end is not known is repeated as often as in a recorded run."""
    library, *launch = MPIEXEC
    if not counter.is_steady():
        print('skipped:', counter.NONE)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*launch, '-n', '1', PROGRAM], capture_output=True, text=True, timeout=120,
                              env={**ENVIRONMENT, 'LD_PRELOAD': ':'.join([library, *PRELOADED]), 'HIERA_DIR': folder, 'HIERA_LOOPS': 'main', **counter.SETTINGS})
        check('exit status of the program', 0, done.returncode)
        text = pathlib.Path(folder, 'trace0.xml').read_text(encoding='utf-8')
        recorded = [int(times) for times in re.findall(r'<hieraTimedLoop [^>]*iterations="(\d+)"', text)]
        check('loops that were timed', 1, len(recorded))
        answer = tables('--processes', '2', '--profile', folder)
        check('iterations', [2 * times for times in recorded], [row['iterations'] for row in rows(answer, 'loops')])


def messages():
    """Each process sends and receives what it does in a traced run."""
    library, *launch = MPIEXEC
    sizes, arguments = ([8], '400 1000') if 'integral' in PROGRAM else ([2, 4, 8], '40')
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*launch, '-n', str(n), PROGRAM, *arguments.split()], capture_output=True, text=True, timeout=120, env={**ENVIRONMENT, 'LD_PRELOAD': ':'.join([library, *PRELOADED]), 'HIERA_DIR': folder})
            check('exit status of the program', 0, done.returncode)
            traces = [pathlib.Path(folder, f'trace{rank}.xml').read_text(encoding='utf-8') for rank in range(n)]
        recorded = [tuple(len(re.findall(f'<hieraMPI [^>]*operation="{name}"', text)) for name in ('send', 'receive')) for text in traces]
        check(f'sends and receives of {n}', recorded, [(row['sent'], row['received']) for row in rows(tables('--processes', str(n), '--arguments', arguments), 'processes')])
        check(f'there are some in the run of {n}', 2 * (n - 1), sum(sent for sent, _ in recorded))


def graph():
    text = predict('executable', PROGRAM, '--graph', 'main', '--format', 'csv').stdout
    vertices = list(csv.DictReader(io.StringIO(text)))
    check('kinds', set(), {'execution', 'communication', 'branch forward', 'return'} - {row['kind'] for row in vertices})
    known = {row['vertex'] for row in vertices}
    for row in vertices:
        check(f'next of {row["vertex"]}', set(), set(row['next'].split()) - known - {'none'})
        if row['kind'] == 'execution' and row['next']:
            check(f'first edge of {row["vertex"]} is the next address', True, len(row['next'].split()) == 1)
    reduced = predict('executable', PROGRAM, '--graph', 'main', '--format', 'csv', '--reduce', 'all').stdout
    check('fewer vertices', True, len(reduced.splitlines()) < len(text.splitlines()))
    if shutil.which('llvm-mca'):
        asked = list(csv.DictReader(io.StringIO(predict('executable', PROGRAM, '--graph', 'main', '--format', 'csv', '--cost', 'llvm-mca').stdout)))
        check('vertices by llvm-mca', [(row['begin'], row['kind'], row['next']) for row in vertices], [(row['begin'], row['kind'], row['next']) for row in asked])
        costs = [(float(row['cycles']), float(other['cycles'])) for row, other in zip(vertices, asked) if row['kind'] == 'execution']
        check(f'other costs, none of them nothing: {costs}', True, any(a != b for a, b in costs) and all(b > 0 for _, b in costs))
        check('no such processor', True, 'nosuch' in predict('executable', PROGRAM, '--graph', 'main', '--cost', 'llvm-mca:nosuch', status=2).stderr)
    path = os.environ['PATH']
    os.environ['PATH'] = '/nonexistent'
    check('llvm-mca is not there', True, 'llvm-mca' in predict('executable', PROGRAM, '--graph', 'main', '--cost', 'llvm-mca', status=2).stderr)
    os.environ['PATH'] = path
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, 'main.dot')
        predict('executable', PROGRAM, '--graph', 'main', '--dot', str(path))
        drawing = path.read_text(encoding='utf-8')
        drawn = set(re.findall(r'^v(\d+) \[', drawing, re.M))
        check('drawn', known, drawn)
        check('edges', set(), set(re.findall(r'v(\d+)', drawing)) - drawn)


def options():
    for words, message in ((['--clock', '3'], '--clock'), (['--processes', '0'], '--processes'), (['--loops', 'most=3'], '--loops'),
                           (['--branches', 'taken=2'], '--branches'), (['--decide', 'x'], '--decide'), (['--cycles', 'sqrt'], '--cycles'),
                           (['--reduce', 'x'], '--reduce'), (['--cost', 'x'], '--cost'), (['--message', 'x'], '--message'),
                           (['--dot', 'x'], '--dot'), (['--graph', 'nosuch'], 'nosuch'), (['--sweep', 'latency=1us..2us'], '--sweep'),
                           (['--speed', 'rank==0=2'], '--speed'), (['--sensitivity'], '--sensitivity'), (['--arguments', "'"], '--arguments'), (['--simulations', '-1'], '--simulations'), (['--seed', '-1'], '--seed'), (['--output', '/dev/null/out'], '/dev/null/out'), (['--export', 'goal:/nosuch/out'], '--export'),
                           (['--calibrate-by', '0s'], '--calibrate-by'), (['--draw', 'x'], '--draw'), (['--files', 'bandwidth=3'], '--files'), (['--files', ''], '--files')):
        text = predict('executable', PROGRAM, *words, status=2).stderr
        check(f'{words} is named', True, message in text)
    check('no program', True, 'cannot be opened' in predict('executable', '/nosuch', status=3).stderr)
    check('no ELF file', True, 'ELF' in predict('executable', __file__, status=3).stderr)
    for program, told in (PROGRAM, False), (shutil.which('true'), True):
        check(f'{program} calls no MPI', told, 'calls no function of MPI' in predict('executable', program, '--processes', '1').stderr)
    slow = tables('--processes', '2', '--clock', '1GHz', '--arguments', '100')
    fast = tables('--processes', '2', '--clock', '2000MHz', '--arguments', '100')
    for a, b in zip(rows(slow, 'processes'), rows(fast, 'processes')):
        check('twice the clock', True, abs(float(a['compute']) / float(b['compute']) - 2) < 0.01)
    twice = tables('--processes', '1', '--calibrate-by', '2s', '--arguments', '100')
    check('calibrated', True, abs(float(rows(twice, 'processes')[0]['compute']) - 2) < 0.001)
    own = float(rows(tables('--processes', '1', '--arguments', '100'), 'processes')[0]['compute'])
    for seconds, told in ((f'{2 * own:.9f}s', False), (f'{2000 * own:.9f}s', True)):
        notes = predict('executable', PROGRAM, '--processes', '1', '--calibrate-by', seconds, '--arguments', '100').stderr
        check(f'calibrated by {seconds}: a factor that nobody believes is told', told, 'not to be believed' in notes)
    check('bits', predict('executable', PROGRAM, '--network', 'bandwidth=100Mbit/s').stdout,
          predict('executable', PROGRAM, '--network', 'bandwidth=12.5MB/s').stdout)


HIERA_PREDICT, CASE, PROGRAM, *MPIEXEC = sys.argv[1:]
HIERA_PREDICT, PROGRAM = os.path.abspath(HIERA_PREDICT), os.path.abspath(PROGRAM)
globals()[CASE]()
print('\n'.join(failures))
sys.exit(bool(failures))
