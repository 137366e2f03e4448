#!/usr/bin/env python3
"""hiera-predict executable --output beside real runs:
test_executable_traces.py HIERA_PREDICT HIERA_TRANSFORM CASE PROGRAM LIBRARY MPIEXEC…

The calls of a predicted run are those of the real one, with the same arguments, and the traces are as good."""

import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

failures = []
PRELOADED = [path for path in [os.environ.get('LD_PRELOAD')] if path]  # what makes waiting ranks leave the processor
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}

# Which of several requests are complete, and how often it is asked in vain, is a matter of time. Addresses are the machine's.
OF_TIME = {'waitsome', 'waitany', 'testsome', 'testany', 'testall', 'test', 'parrived', 'get_address'}
# Groups with the same members are one in the simulation.
NAMES_OF_GROUPS = {'group', 'group1', 'group2', 'newgroup'}
# What may be left out; all else that a real run has is there.
LEFT_OUT = {'remain_dims', 'weights_in', 'weights_out', 'weights', 'weighted', 'destinations', 'edges', 'user_fn'} | NAMES_OF_GROUPS


def check(what, expected, actual):
    if expected != actual:
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def predict(folder, n, *words, status=0):
    run = subprocess.run([HIERA_PREDICT, 'executable', PROGRAM, '--processes', str(n), '--output', str(folder), '--format', 'csv', *words],
                         capture_output=True, text=True, timeout=120, check=False)
    check(f'exit status of {words}', status, run.returncode)
    return run


def transform(folder, *words):
    return subprocess.run([HIERA_TRANSFORM, str(folder), *words], capture_output=True, text=True, timeout=120, check=False)


def record(folder, n, *arguments):
    done = subprocess.run([*MPIEXEC, '-n', str(n), PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env={**ENVIRONMENT, 'LD_PRELOAD': ':'.join([LIBRARY, *PRELOADED]), 'HIERA_DIR': str(folder), 'HIERA_FORMAT': 'full'})
    check('exit status of the program', 0, done.returncode)


def root(folder, rank):
    return ElementTree.parse(pathlib.Path(folder, f'trace{rank}.xml')).getroot()


def calls(folder, rank):
    """Calls of MPI: their arguments, with requests in the order in which they are named."""
    requests, found = {}, []
    for element in root(folder, rank).iter('hieraMPI'):
        values = {name: value for name, value in element.attrib.items() if name not in ('start_time', 'finish_time')}
        if values['operation'] in OF_TIME or values.get('flag') == '0' or (values['operation'] == 'type_free_keyval' and values['line'] == '0'):  # MPICH's files in MPI_Finalize
            continue
        values['file'] = os.path.basename(values['file'])
        for name in {'request', 'requests'} & set(values):
            values[name] = ' '.join(str(requests.setdefault(word, len(requests))) for word in values[name].split())
        found.append(values)
    return found


def declared(folder, rank, tag):
    """What a trace declares, without signatures, which predicted traces lack."""
    return {element.get('id'): {name: spread(value) for name, value in element.attrib.items() if name not in ('id', 'signature')}
            for element in root(folder, rank).iter(tag)}


def spread(ranks):
    """0-2 5 is 0 1 2 5."""
    words = [word.split('-') for word in ranks.split()]
    return [i for word in words for i in range(int(word[0]), int(word[-1]) + 1)]


def same():
    """All calls of a real run, one by one; and what checks say of the traces."""
    for n in (1, 2, 4) if 'families-openmpi' in PROGRAM else (1, 2):  # MPICH's ranks poll: more of them than cores take long
        with tempfile.TemporaryDirectory() as folder:
            real, predicted = pathlib.Path(folder, 'real'), pathlib.Path(folder, 'predicted')
            record(real, n, '50')
            time = list(csv.DictReader(io.StringIO(predict(predicted, n, '--arguments', '50').stdout.split('\n\n')[1])))[0]['time']
            check(f'files of {n}', sorted(path.name for path in real.iterdir()), sorted(path.name for path in predicted.iterdir()))
            compared = 0
            for rank in range(n):
                expected, actual = calls(real, rank), calls(predicted, rank)
                check(f'calls of rank {rank} of {n}', [(one['operation'], one['line']) for one in expected], [(one['operation'], one['line']) for one in actual])
                for one, other in zip(expected, actual):
                    what = f'{one["operation"]} in line {one["line"]} of rank {rank} of {n}'
                    names = (set(one) - LEFT_OUT) | (set(other) - NAMES_OF_GROUPS)
                    if '-mpich' in PROGRAM:  # whose statuses do not say all
                        names -= {'sources', 'tags', 'sizes'} if one.get('sources') != other.get('sources') and set(other['sources'].split()) & {'-', 'MPI_PROC_NULL'} or one.get('sources') == '-' else set()
                    check(what, {name: one.get(name) for name in names}, {name: other.get(name) for name in names})
                    compared += len(names)
                for tag in 'hieraComm', 'hieraType':
                    check(f'{tag} of rank {rank} of {n}', declared(real, rank, tag), declared(predicted, rank, tag))
                head = root(predicted, rank).attrib
                check(f'rank {rank}', (f'P{rank}', str(n), os.path.basename(PROGRAM)), (head['rank'], head['size'], head['application']))
            check(f'arguments that are compared: {compared}', True, compared > 30 * n)
            check(f'the end of {n}', True, abs(max(float(root(predicted, rank).get('finalize')) for rank in range(n)) - float(time)) < 5e-6)
            told = transform(predicted, '--validate')
            check(f'checks of {n}', (0, True), (told.returncode, 'errors: 0; warnings: 0;' in told.stdout))


def regions():
    """Functions in which there are calls of MPI, and others that last, if they are not in a loop that is skipped, with the
    lines of their calls; and measures of the run."""
    with tempfile.TemporaryDirectory() as folder:
        made = predict(folder, 2)
        check('complaints', '', ''.join(line for line in made.stderr.splitlines(True) if ' note: ' not in line))
        lines = pathlib.Path(__file__).parent.parent.joinpath('execution', 'circle.c').read_text(encoding='utf-8').splitlines()
        at = {text.strip(): i + 1 for i, text in enumerate(lines)}
        tree = [(element.get('operation'), int(element.get('line'))) for element in root(folder, 0).iter() if 'operation' in element.attrib]
        allreduce = ('allreduce', next(line for text, line in at.items() if 'MPI_Allreduce' in text))
        others = [('work', at['work(100000);']), ('work_often', at['work_often();'])]
        check('functions and calls', [('all_sums', at['all_sums();']), ('sum', at['sum(2);']), allreduce, allreduce, ('sum', at['sum(1);']), allreduce, *others], tree[1:])
        check('the outermost one', 'main', tree[0][0])
        for element in root(folder, 1).iter():
            for inner in element:
                if 'start_time' in element.attrib and 'start_time' in inner.attrib:
                    check('order', True, float(element.get('start_time')) <= float(inner.get('start_time')) <= float(inner.get('finish_time')) <= float(element.get('finish_time')))
        counted = list(csv.DictReader(io.StringIO(transform(folder, '--measure', 'counts', '--format', 'csv').stdout)))
        check('counts', {'main': '2', 'all_sums': '2', 'sum': '4', 'work': '2', 'work_often': '2', 'allreduce': '6'}, {row['operation']: row['count'] for row in counted})
        page = pathlib.Path(folder, 'page.html')
        transform(folder, '--html', str(page))
        check('the page', True, page.exists())
        again = subprocess.run([HIERA_PREDICT, folder, '--format', 'csv'], capture_output=True, text=True, timeout=60, check=False)
        change = {row['part']: float(row['change']) for row in csv.DictReader(io.StringIO(again.stdout.split('\n\n')[0])) if row['change']}
        check(f'the run on its own network takes as long: {change}', True, abs(change['time']) < 25)


def placed():
    """Hosts, and what is refused."""
    with tempfile.TemporaryDirectory() as folder:
        predict(folder, 4, '--mapping', 'block:2')
        hosts = [root(folder, rank).get('host') for rank in range(4)]
        check('hosts', (True, True), (hosts[0] == hosts[1] != hosts[2], hosts[2] == hosts[3]))
        command = root(folder, 0).get('predicted')
        check(f'the command: {command}', True, 'executable' in command and 'block:2' in command)
        check('several runs', True, 'one predicted run' in predict(folder, '1,2', status=2).stderr)
        check('a graph', True, '--graph' in predict(folder, 2, '--graph', 'main', status=2).stderr)
        there = pathlib.Path(folder, 'file')
        there.write_text('', encoding='utf-8')
        check('what was read', True, 'would be overwritten' in predict(folder, 4, '--calibrate-by', folder, status=2).stderr)
        predict(pathlib.Path(folder, 'new'), 2, '--calibrate-by', folder)
        recorded = pathlib.Path(folder, 'recorded', 'trace1.xml')
        recorded.parent.mkdir()
        recorded.write_text('<?xml version="1.0"?>\n<processor rank="P1" init="0" finalize="1"></processor>\n', encoding='utf-8')
        check('a recorded trace', True, f'{recorded}: was recorded' in predict(recorded.parent, 2, status=2).stderr)
        check('which stays alone', ['trace1.xml'], os.listdir(recorded.parent))
        predict(folder, 4)  # a predicted one may be written anew
        told = predict(there / 'run', 2, status=2).stderr
        check(f'no folder: {told}', (True, 1), (str(there) in told, told.count('\n')))


def names():
    """Paths with characters that XML escapes, or does not have."""
    with tempfile.TemporaryDirectory() as folder:
        name = b'a & "b" <c> \xc3\xbc\t\1\xff'
        shutil.copy(PROGRAM, os.fsencode(folder) + b'/' + name)
        done = subprocess.run([HIERA_PREDICT, 'executable', b'./' + name, '--processes', '1', '--output', 'run'], cwd=folder, capture_output=True, timeout=120, check=False)
        check('exit status', 0, done.returncode)
        check('the application', 'a & "b" <c> ü\t\ufffd\ufffd', root(pathlib.Path(folder, 'run'), 0).get('application'))
        check('checks', 0, transform(pathlib.Path(folder, 'run'), '--validate').returncode)
        if shutil.which('strip'):
            subprocess.run(['strip', '-o', pathlib.Path(folder, 'bare'), PROGRAM], check=True)
            subprocess.run([HIERA_PREDICT, 'executable', './bare', '--processes', '1', '--output', 'run'], cwd=folder, capture_output=True, timeout=120, check=True)
            objects = [element.get('path') for element in root(pathlib.Path(folder, 'run'), 0).iter('hieraObject')]
            check('the path of a program without lines', [os.path.join(folder, 'bare')], objects)


def circle():
    """A run that does not end is there until then."""
    with tempfile.TemporaryDirectory() as folder:
        told = predict(folder, 3, '--arguments', 'x', status=1).stderr
        check(f'what is told: {told}', (True, True), ('circle' in told, f'the traces in {folder} show' in told))
        for rank in range(3):
            found = calls(folder, rank)
            check(f'last call of rank {rank}', ('wait', found[-2]['request']), (found[-1]['operation'], found[-1]['requests']))
            ends = [element.get('finish_time') for element in root(folder, rank).iter() if element.get('operation') in ('main', 'meet', 'wait')]
            check(f'ends of rank {rank}', (['', '', ''], ''), (ends, root(folder, rank).get('finalize')))
        check('the circle', True, 'rank 0 in MPI_Wait' in re.sub(r'\s+', ' ', transform(folder).stdout))


def several():
    """Of several simulations the first one is there; it is told which one does not end."""
    with tempfile.TemporaryDirectory() as folder:
        ends = [subprocess.run([HIERA_PREDICT, 'executable', PROGRAM, '--processes', '2', '--arguments', 'x y', '--simulations', '1', '--seed', str(seed)], capture_output=True, timeout=120, check=False).returncode
                for seed in range(1, 12)]
        good = ''.join(map(str, ends)).index('00') + 1
        told = predict(folder, 2, '--arguments', 'x y', '--simulations', '2', '--seed', str(good)).stderr
        found = re.search(r'the traces in (.*) are those of the first one of 2 simulations, which takes ([0-9.]+) s', told)
        check(f'what is told: {told}', (True, folder), (found is not None, found and found[1]))
        check('its time', True, abs(float(root(folder, 0).get('finalize')) - float(found[2])) < 1e-5)
        bad = ''.join(map(str, ends)).index('01') + 1
        told = predict(folder, 2, '--arguments', 'x y', '--simulations', '2', '--seed', str(bad), status=1).stderr
        check(f'which one does not end: {told}', True, f'simulation 2 of 2 (--seed {bad + 1}): ' in told)
        check('the first one is there', True, root(folder, 0).get('finalize') != '')


def ends():
    """How a process has ended without MPI_Finalize, as in recorded traces."""
    killed = {'cause': 'signal', 'value': '6', 'name': 'SIGABRT'}
    for how, end, finalized in (('none', None, True), ('exit', {'cause': 'exit'}, True), ('return', {'cause': 'exit'}, True), ('_exit', {'cause': '_exit', 'value': '4'}, True), ('abort', killed, False),
                                ('MPI_Abort', {'cause': 'MPI_Abort', 'value': '7'}, False)):
        with tempfile.TemporaryDirectory() as folder:
            told = predict(folder, 2, '--arguments', how, status=int(how != 'none')).stderr
            last = root(folder, 1)
            found = [dict(element.attrib) for element in last.iter('hieraEnd')]
            noted = {'exit': 'exit in main', '_exit': '_exit in main', 'abort': 'abort in main', 'return': 'the last return in main'}.get(how)
            check(f'notes of {how}: {told}', noted is not None, 'ends a process without MPI_Finalize' in told and f'{noted} ends' in told)
            check(f'time of {how}', [True] * len(found), [float(one.pop('time')) > 0 for one in found])
            check(f'end by {how}', ([end] if end else [], finalized), (found, last.get('finalize') != ''))
            if how == 'MPI_Abort':
                check(f'what is told: {told}', True, 'P0 waits in MPI_Barrier of main for P1, which has called MPI_Abort in main' in told)
                check('the last call', ('abort', '', '7'), [(one.get('operation'), one.get('finish_time'), one.get('errorcode')) for one in last.iter('hieraMPI')][-1])
            check(f'errors of {how}', how not in ('exit', 'return'), 'errors: 0;' in transform(folder, '--validate').stdout)


HIERA_PREDICT, HIERA_TRANSFORM, CASE, PROGRAM, LIBRARY, *MPIEXEC = sys.argv[1:]
HIERA_PREDICT, HIERA_TRANSFORM, PROGRAM = (os.path.abspath(path) for path in (HIERA_PREDICT, HIERA_TRANSFORM, PROGRAM))
globals()[CASE]()
print('\n'.join(failures))
sys.exit(bool(failures))
