#!/usr/bin/env python3
"""hiera-predict --output: the predicted run as traces: test_output.py HIERA_PREDICT HIERA_TRANSFORM CASE.

The runs and the network are those of test_predict.py."""

import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

import test_predict  # noqa: E402
from part import part_of  # noqa: E402
from test_predict import GOLDEN, NETWORK, Run, call, check, failures, receive, region, send  # noqa: E402


def transform(program, folder, *options):
    return subprocess.run([program, str(folder), *options], capture_output=True, text=True, check=False, timeout=60)


def rows(program, folder, measure):
    return list(csv.DictReader(io.StringIO(transform(program, folder, '--measure', measure, '--format', 'csv').stdout)))


class Output:
    """A predicted run, in a folder of its own."""

    def __init__(self, predict, source, *options, network=NETWORK):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, 'new', 'run')
        self.done = subprocess.run([predict, str(source), '--quiet', '--format=csv', *([network] if network else []), *options, '--output', str(self.path)],
                                   capture_output=True, text=True, check=False, timeout=60)

    def ranks(self):
        return list(csv.DictReader(io.StringIO(self.done.stdout.split('\n\n')[1])))

    def root(self, rank):
        return ElementTree.parse(self.path / f'trace{rank}.xml').getroot()

    def times(self, rank):
        """Name, begin and end of all that has times, in ns; of the processor its init and finalize."""
        def ns(text):
            return round(float(text) * 1e9) if text else None
        root = self.root(rank)
        found = [('processor', ns(root.get('init')), ns(root.get('finalize')))]
        return found + [(e.get('operation', e.tag), ns(e.get('start_time', e.get('time'))), ns(e.get('finish_time')))
                        for e in root.iter() if 'start_time' in e.attrib or e.tag == 'hieraEnd']


def new_times(predict, transform_program):
    """Operations have the times of the simulation, regions those of what is inside; arguments stay."""
    inner = region('pair', 400000, 600000)
    source = Run(predict, (9000000, region('main', 100000, 8800000, region('force', 200000, 800000, inner) + send(1000000, 3000000, 1, 1000) + receive(3000000, 8000000, 1, 1000))),
                 (9000000, receive(0, 4000000, 0, 1000), send(4500000, 9000000, 0, 1000)))
    out = Output(predict, source.folder.name)
    check('exit status', (0, ''), (out.done.returncode, out.done.stderr))
    # See ping_pong of test_predict.py.
    check('P0', [('processor', 0, 2504800), ('main', 100000, 2304800), ('force', 200000, 800000), ('pair', 400000, 600000), ('send', 1000000, 1000200),
                 ('receive', 1000200, 1504800)], out.times(0))
    check('P1', [('processor', 0, 1502600), ('receive', 0, 1002400), ('send', 1502400, 1502600)], out.times(1))
    check('arguments', {'dest': '1', 'tag': '0', 'comm': 'MPI_COMM_WORLD', 'bytes': '1000', 'line': '1'},
          {name: value for name, value in out.root(0).find('.//*[@dest]').attrib.items() if name not in ('operation', 'file', 'start_time', 'finish_time')})
    check('where it is from', f'hiera-predict {source.folder.name} --quiet --format=csv {NETWORK} --output {out.path}', out.root(1).get('predicted'))
    said = ' '.join(transform(transform_program, out.path, '--measure', 'summary').stdout.split())
    check(f'summary: {said}', True, 'its times are predicted: hiera-predict' in said)
    check('not in a recorded run', False, 'predicted' in transform(transform_program, source.folder.name, '--measure', 'summary').stdout)
    check('page', 0, transform(transform_program, out.path, '--html', str(out.path / 'page.html')).returncode)
    # Of pair the time is an eighth, of the rest of force a half.
    out = Output(predict, source.folder.name, '--speed=inside("app","force")=2', '--speed=inside("app","pair")=4')
    check('faster', [('processor', 0, 2129800), ('main', 100000, 1929800), ('force', 200000, 425000), ('pair', 300000, 325000), ('send', 625000, 625200),
                     ('receive', 625200, 1129800)], out.times(0))


def measures(predict, transform_program):
    """Measures of the predicted traces say what hiera-predict says."""
    source = Run(predict, (9000000, send(1000000, 3000000, 1, 1000), receive(3000000, 9000000, 1, 1000)),
                 (9000000, receive(0, 4000000, 0, 1000), send(4500000, 9000000, 0, 1000)))
    out = Output(predict, source.folder.name)
    # P1 waits 1 ms, P0 from 1000200 until P1 sends at 1502400.
    check('waits', [('late sender', '0-1', 1502200)],
          sorted((row['class'], row['processors'], round(float(row['time']) * 1e9)) for row in rows(transform_program, out.path, 'waits')))
    check('waiting', ['0.000502200', '0.001000000'], [row['predicted_waiting'] for row in out.ranks()])
    path = rows(transform_program, out.path, 'critical-path')
    check('critical path', 1504800, round(sum(float(row['time']) for row in path) * 1e9))
    run = rows(transform_program, out.path, 'efficiency')[0]
    check('efficiency', ('0.001504800', '0.000750000', '0.001000000'), (run['time'], run['useful-mean'], run['useful-max']))
    said = {row['factor']: row['predicted'] for row in csv.DictReader(io.StringIO(out.done.stdout.split('\n\n')[2]))}
    check('factors', {'efficiency': '49.84', 'load-balance': '75.00', 'communication': '66.45'}, said)
    check('factors of the traces', said, {name: run[name] for name in said})
    was = rows(transform_program, source.folder.name, 'efficiency')[0]
    said = {row['factor']: row['recorded'] for row in csv.DictReader(io.StringIO(out.done.stdout.split('\n\n')[2]))}
    check('recorded factors', ({'efficiency': '8.33', 'load-balance': '75.00', 'communication': '11.11'}, said), (said, {name: was[name] for name in said}))
    # 1 ms and 0.5 ms one after the other, and nothing else on a network without costs.
    check('transfer', '99.68', run['transfer'])


def unchanged(predict, transform_program):
    """A run that was recorded on such a network stays as it was."""
    source = Run(predict, (1004800, region('main', 1000, 1004000, send(500000, 500200, 1, 1000) + receive(500200, 1003800, 1, 1000))),
                 (1002600, receive(0, 502400, 0, 1000), send(1001400, 1001600, 0, 1000)))
    out = Output(predict, source.folder.name)
    for rank in range(2):
        check(f'P{rank}', re.sub(r'> *<', '>\n<', pathlib.Path(source.folder.name, f'trace{rank}.xml').read_text(encoding='utf-8').replace(' />', '/>')).split('\n')[2:],
              [re.sub(' predicted="[^"]*"', '', line.strip()) for line in (out.path / f'trace{rank}.xml').read_text(encoding='utf-8').split('\n')[4:]])
    difference = transform(transform_program, source.folder.name, str(out.path), '--measure', 'diff', '--format', 'csv').stdout
    check('diff', {0.0}, {float(row['change']) for row in csv.DictReader(io.StringIO(difference))})


def loops_of_tests(predict, _transform_program):
    """What a loop of tests does in vain has no length; the last test waits. A region around it ends when it does."""
    tests = ''.join(call('test', at, at + 1000, 'flag="0" pending="1"') for at in range(200000, 300000, 50000))
    last = call('test', 301000, 302000, 'flag="1" requests="1" sources="1" tags="0" sizes="1000"')
    source = Run(predict, (500000, receive(0, 1000, 1, 1000, 'request="1"', 'irecv'), region('loop', 150000, 310000, tests + last)),
                 (500000, send(350000, 350200, 0, 1000)))
    out = Output(predict, source.folder.name)
    # irecv takes no time, 49 us behind the first test are no loop: 199 us until it, 49 behind, and 50 behind the second one are computed.
    arrived = 350000 + 2200 + 200
    check('P0', [('processor', 0, arrived + 198000), ('irecv', 0, 0), ('loop', 149000, arrived + 8000), ('test', 199000, 199000), ('test', 248000, 248000), ('test', 298000, arrived)], out.times(0))


def other_times(predict, transform_program):
    """All other times move with those of the main thread around them; before init and behind finalize nothing is moved."""
    text = ('<processor rank="P0" init="0.001000000" finalize="0.002000000" size="2" host="h" format="1" pid="7" clock="a" clock_error="0.000001" clock_offset="0.000500000">'
            '<hieraComm id="MPI_COMM_WORLD" ranks="0-1"/>'
            '<hieraRegion level="app" operation="main" file="a.c" line="1" start_time="0.000400000" finish_time="0.002200000">'
            '<hieraMPI operation="init" file="a.c" line="1" start_time="0.000900000" finish_time="0.001000000"/>'
            '<hieraFlush start_time="0.001100000" finish_time="0.001200000"/>' + send(1200000, 1600000, 1, 1000) +
            '<hieraPause start_time="0.001300000" finish_time="0.001700000" count="1"/>'
            '<hieraMPI operation="finalize" file="a.c" line="1" start_time="0.002000000" finish_time="0.002100000"/></hieraRegion>'
            '<hieraThread id="1">' + call('work', 1000000, 1400000, 'level="app"', call('part', 1100000, 1200000, 'level="app"', '', 'hieraRegion'), 'hieraRegion') +
            '</hieraThread></processor>\n')
    source = Run(predict, (2000000,), (2000000, receive(0, 1000000, 0, 1000)))
    pathlib.Path(source.folder.name, 'trace0.xml').write_text(text, encoding='utf-8')
    out = Output(predict, source.folder.name)
    # Times of P0 are 0.5 ms more. Its send takes 0.2 us of 400. P1 begins first, at 0.
    check('P0', [('processor', 1500000, 2100200), ('main', 900000, 2300200), ('init', 1400000, 1500000), ('hieraFlush', 1600000, 1700000), ('send', 1700000, 1700200),
                 ('hieraPause', 1700050, 1800200), ('finalize', 2100200, 2200200), ('work', 1500000, 1700100), ('part', 1600000, 1700000)], out.times(0))
    check('of clocks and process', set(), {'pid', 'clock', 'clock_error', 'clock_offset'} & set(out.root(0).attrib))
    check('findings', 'errors: 0; warnings: 0', transform(transform_program, out.path, '--validate').stdout.splitlines()[-1].rsplit(';', 1)[0])


def refused(predict, transform_program):
    source = Run(predict, (1000,))
    check('exports of hiera-predict', True, transform(transform_program, source.folder.name, '--export', 'goal:x').stderr.endswith('for goal:FILE and ti:DIR ask hiera-predict\n'))
    for options, message in ((['--output', source.folder.name], 'would be overwritten; name another folder'),
                             (['--output', '/dev/null/x'], '/dev/null/x: '),
                             (['--output', '/tmp/x', '--sweep=latency=1us..2us'], '--output is one predicted run, --sweep many; give one of them')):
        done = source.predict(*options)
        check(f'{options}: {done.stderr}', (2, True), (done.returncode, message in done.stderr))


def all_traces(predict, transform_program):
    """Of all traces that can be predicted the predicted ones are valid, with the same operations, and the times that hiera-predict says."""
    n = 0
    for folder in part_of(sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}), 2):
        out = Output(predict, folder, network=None)
        if out.done.returncode != 0:
            continue
        n += 1
        check(f'{folder}: counts', rows(transform_program, folder, 'counts'), rows(transform_program, out.path, 'counts'))
        errors = [re.findall(r'^errors: (\d+)', transform(transform_program, path, '--validate').stdout, re.M) for path in (folder, out.path)]
        check(f'{folder}: errors of {errors}', True, not errors[0] or int(errors[1][0]) <= int(errors[0][0]))
        # Filtered calls are in the sums alone; a call that began before init takes time in the simulation only.
        if folder.name in ('sums', 'drift'):
            continue
        for row, measured in zip(out.ranks(), rows(transform_program, out.path, 'times')):
            for column, name in (('predicted_mpi', 'communication'), ('predicted_compute', 'computation'), ('predicted', 'total')):
                if name == 'computation' and folder.name in ('own-time', 'perturbed'):  # what Hiera took is simulated as computation
                    continue
                check(f'{folder}, {row["processor"]}, {name}: {row[column]}, {measured[name]}', True, abs(float(row[column]) - float(measured[name])) < 2e-8)
    check('folders', True, n > 50)


def by_place(table, column):
    """Sums of a column of a measure by what its rows are about."""
    sums = {}
    for row in table:
        key = tuple(row.get(name) for name in ('class' if 'worst' in row or 'recorded_worst' in row else '', 'operation', 'file', 'line', 'path', 'kind', 'level'))
        sums[key] = sums.get(key, 0) + round(float(row[column]) * 1e9)
    return {key: value for key, value in sums.items() if value}


def beside(predict, transform_program):
    """Measures of both runs are those of hiera-transform of the recorded traces, and of the predicted ones."""
    n = 0
    measures = {'waits': 'time', 'causes': 'time', 'critical-path': 'time', 'hotspots': 'mpi'}
    for folder in part_of(sorted({path.parent for path in GOLDEN.rglob('trace*.xml')}), 4):
        out = Output(predict, folder, network=None)
        asked = subprocess.run([predict, str(folder), '--quiet', '--format=csv', '--measure', ','.join([*measures, 'efficiency'])], capture_output=True, text=True, check=False, timeout=60)
        if out.done.returncode != 0 or asked.returncode != 0:
            check(f'{folder}: refused', True, out.done.returncode != 0 or 'threads' in asked.stderr)
            continue
        n += 1
        *others, factors = asked.stdout.split('\n\n')
        for (measure, column), text in zip(measures.items(), others):
            table = list(csv.DictReader(io.StringIO(text)))
            for path, name in (folder, 'recorded'), (out.path, 'predicted'):
                check(f'{folder}: {measure}, {name}', by_place(rows(transform_program, path, measure), column), by_place(table, name))
        for path, name in (folder, 'recorded'), (out.path, 'predicted'):
            whole = next(iter(rows(transform_program, path, 'efficiency')), {})
            table = {row['factor']: row[name] for row in csv.DictReader(io.StringIO(factors))}
            check(f'{folder}: efficiency, {name}', {factor: whole[factor] for factor in table}, table)
    check('folders', True, n > 20)


def beside_shown(predict, _transform_program):
    """In a table the ten rows with most time; what cannot be asked is told."""
    ranks = [''.join(region(f'part{i}', 1000000 * i, 1000000 * i + 900000, call_of(1000000 * i + 300000 - i, 1000000 * i + 600000, 1 - rank, 1000)) for i in range(1, 13))
             for rank, call_of in enumerate((send, receive))]
    source = Run(predict, (20000000, ranks[0]), (20000000, ranks[1]))
    shown = {format_: subprocess.run([predict, source.folder.name, '--measure', 'critical-path', '--format', format_, NETWORK], capture_output=True, text=True, check=False, timeout=60)
             for format_ in ('table', 'csv')}
    n = {format_: len(asked.stdout.splitlines()) - 1 for format_, asked in shown.items()}
    check('rows of the table', 10, n['table'])
    check('how many more there are', [str(n['csv'] - 10)], re.findall(r'critical-path: (\d+) more rows', shown['table'].stderr))
    check('all rows', '', shown['csv'].stderr)
    for words in (['--measure', 'summary'], ['--measure', ''], ['--measure', 'waits', '--sweep', 'latency=1us..2us'], ['--measure', 'waits', '--rematch'], ['--measure', 'waits', '--ranks', '4']):
        asked = subprocess.run([predict, source.folder.name, *words], capture_output=True, text=True, check=False, timeout=60)
        check(f'{words}: refused', (2, True), (asked.returncode, '--measure' in asked.stderr or '--ranks' in asked.stderr))


def main():
    predict, transform_program, case = sys.argv[1:]
    globals()[case](predict, transform_program)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == '__main__':
    assert failures is test_predict.failures
    sys.exit(main())
