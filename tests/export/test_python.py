#!/usr/bin/env python3
"""The Python module against hiera-transform: its tables are those of --export csv, its measures those of --format json, and what docs/python.md shows is true.

test_python.py HIERA_TRANSFORM LIBHIERA_GRAPH; further packages (pandas, igraph, …) are tried where they are installed, and DuckDB's library where LIBDUCKDB names it
(npm has it: @duckdb/node-bindings-linux-x64)."""

import copy
import csv
import ctypes
import doctest
import gc
import importlib.util
import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
TRACES, PROFILES = TOP / 'tests/golden/traces', TOP / 'tests/golden/profiles'
PROGRAM, LIBRARY = sys.argv[1:3]
sys.path.insert(0, str(TOP / 'python'))
os.environ['PATH'] = f'{pathlib.Path(PROGRAM).resolve().parent}:{os.environ["PATH"]}'

import hiera_mpi
from hiera_mpi import _library, _run

# One of each kind: several threads, OpenMP, windows, persistent requests, counters, communicators, odd names, profiles, cut ones, folded loops.
NAMES = 'exchange threads teams one-sided persistent counters boundaries forms measured cut folded chain-of-all rendezvous'.split()
HAS = {name: importlib.util.find_spec(name) is not None for name in ('pandas', 'igraph', 'networkx', 'polars', 'pyarrow')}


def transform(*words):
    return subprocess.run([PROGRAM, '--quiet', *map(str, words)], capture_output=True, text=True, check=False).stdout


def seconds(ns):
    if ns is None:
        return None
    sign, ns = '-' * (ns < 0), abs(ns)
    return f'{sign}{ns // 10**9}.{ns % 10**9:09}'


def cells(value):
    """As --export csv writes it."""
    return '' if value is None else str(value)


def sets_of(members):
    """The operations of each collective, whatever its number."""
    sets = {}
    for row in members:
        sets.setdefault(row['collective'], []).append(int(row['operation']))
    return sorted(sets.values())


def release(structure):
    structure.release(structure)


class Tables(unittest.TestCase):
    maxDiff = 2000

    def test_they_are_those_of_the_csv_export(self):
        for name in NAMES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                transform(TRACES / name, '--export', f'csv:{folder}/csv')
                tables = {path.stem: list(csv.DictReader(path.read_text(encoding='utf-8').splitlines())) for path in pathlib.Path(folder, 'csv').iterdir()}
                run = hiera_mpi.open(TRACES / name)
                self.compare(run.operations, tables['operations'],
                             'processor:rank thread parent depth level name file line start:start_ns finish:finish_ns comm peer source tag bytes rbytes')
                self.compare(run.messages, tables['messages'], 'send receive ended_by comm bytes')
                self.compare(run.collectives, tables['collectives'], 'comm root')
                self.assertEqual(sets_of(tables['members']), sets_of(run.members))
                self.compare(run.ranks, tables['processors'], 'processor:rank application host init:init_ns finalize:finalize_ns first_operation operations')
                self.compare(run.counters, tables['counted'], 'operation counter unit')
                self.assertEqual([float(row['value']) for row in tables['counted']], list(run.counters['value']))

    def compare(self, table, expected, columns):
        pairs = [(theirs, ours or theirs) for theirs, _, ours in (word.partition(':') for word in columns.split())]
        found = [[seconds(row[ours]) if ours.endswith('_ns') else cells(row[ours]) for _, ours in pairs] for row in table]
        self.assertEqual(len(expected), len(found))
        # Where an end is not known, CSV has the last time of the trace.
        wanted = [[row[theirs] if value is not None else None for (theirs, _), value in zip(pairs, values)] for row, values in zip(expected, found)]
        if table.name in ('messages', 'collectives'):  # in another order
            found, wanted = sorted(found), sorted(wanted)
        self.assertEqual(wanted, found)

    def test_whatever_hiera_transform_takes_can_be_opened(self):
        folder = TRACES / 'exchange'
        expected = list(hiera_mpi.open(folder).operations.select('rank', 'name', 'start_ns', 'bytes'))
        with tempfile.TemporaryDirectory() as scratch:
            transform(folder, '--export', f'compact:{scratch}/compact')
            transform(folder, '--export', f'otf2:{scratch}/otf2')
            archives = [path for path in (f'{scratch}/otf2/traces.otf2',) if os.path.exists(path)]  # a build may be without libotf2
            for paths in ([folder / f'trace{rank}.xml' for rank in range(3)], [f'{scratch}/compact'], *([path] for path in archives)):
                self.assertEqual(expected, list(hiera_mpi.open(paths).operations.select('rank', 'name', 'start_ns', 'bytes')), paths)
                self.assertEqual(expected, list(hiera_mpi.open(*paths).operations.select('rank', 'name', 'start_ns', 'bytes')), paths)

    def test_messages_and_collectives_know_their_operations(self):
        self.assertEqual(1, self.check_partners(hiera_mpi.open(TRACES / 'exchange')))
        self.assertEqual(165, self.check_partners(hiera_mpi.open(TRACES / 'forms')))  # also nonblocking and persistent ones

    def check_partners(self, run):
        operations, rows = list(run.operations), list(run.vertices['operation'])
        completed = {rows[edge['from']]: rows[edge['to']] for edge in run.edges if edge['kind'] == 'request'}
        for message in run.messages:
            sent, received = operations[message['send']], operations[message['receive']]
            found = tuple(message[name] for name in ('sender', 'receiver', 'start_ns', 'tag'))
            tag = message['tag'] if sent['tag'] is None else sent['tag']  # the start of a persistent request has none
            self.assertEqual((sent['rank'], received['rank'], sent['start_ns'], tag), found)
            self.assertEqual(completed.get(message['receive'], message['receive']), message['ended_by'])
            self.assertEqual(operations[message['ended_by']]['finish_ns'], message['finish_ns'])
        members = {}
        for row in run.members:
            members.setdefault(row['collective'], []).append(row['operation'])
        for number, collective in enumerate(run.collectives):
            of = members[number]
            starts = [operations[row]['start_ns'] for row in of]
            expected = {'members': len(of), 'start_ns': min(starts), 'last_start_ns': max(starts),
                        'finish_ns': max(operations[completed.get(row, row)]['finish_ns'] for row in of)}
            self.assertEqual(expected, {name: collective[name] for name in expected}, collective)
            self.assertIn(operations[of[0]]['comm'], (collective['comm'], None))  # likewise
            self.assertTrue(collective['whole'])
        return len(run.collectives)

    def test_what_has_not_ended_has_no_finish(self):
        run = hiera_mpi.open(TRACES / 'cut')
        ended = [(row['name'], row['finish_ns'], row['duration_ns']) for row in run.operations]
        self.assertEqual([('step', None, None), ('barrier', 300000000, 100000000)], ended)
        self.assertEqual([{'finalize_ns': None, 'cut': True}], list(run.ranks.select('finalize_ns', 'cut')))
        self.assertEqual([None], list(hiera_mpi.open(TRACES / 'hang-barrier').collectives['finish_ns']))
        self.assertEqual({None}, {row['finish_ns'] for row in hiera_mpi.open(TRACES / 'hang-waitall').messages if row['ended_by'] is None})

    def test_the_graph_is_that_of_graphml(self):
        text = transform(TRACES / 'exchange', '--export', 'graphml:-')
        run = hiera_mpi.open(TRACES / 'exchange')
        self.assertEqual((text.count('<node '), text.count('<edge ')), (len(run.vertices), len(run.edges)))
        for kind in run.edges['kind'].texts:
            self.assertEqual(len(re.findall(rf'<edge [^>]*>\s*<data key="\w+">{kind}<', text)), list(run.edges['kind']).count(kind), kind)
        for package, make in (('igraph', 'to_igraph'), ('networkx', 'to_networkx')):
            if HAS[package]:
                graph = getattr(run, make)()
                sizes = (graph.vcount(), graph.ecount()) if package == 'igraph' else (graph.number_of_nodes(), graph.number_of_edges())
                self.assertEqual((len(run.vertices), len(run.edges)), sizes)
                self.assertIsNotNone(run.graph)

    def test_columns_are_no_copies_and_outlive_the_run(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        address = lambda exported: exported.array.children[0].contents.buffers[1]
        for name, same in (('start_ns', True), ('bytes', True), ('parent', True), ('rank', False)):
            first, second = run.operations._export((name,)), run.operations._export((name,))
            self.assertEqual(same, address(first) == address(second), name)
        values = run.operations['start_ns'].values
        expected = values.tolist()
        self.assertRaises(TypeError, values.__setitem__, 0, 1)
        del run, first, second
        gc.collect()
        hiera_mpi.open(TRACES / 'threads')
        self.assertEqual(expected, values.tolist())

    def test_columns_are_sequences(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        column = run.operations['bytes']
        values = list(column)
        self.assertEqual((values[-1], values[2:5], values[::-3], values.count(None)), (column[-1], column[2:5], column[::-3], column.null_count))
        self.assertRaises(IndexError, column.__getitem__, len(column))
        self.assertEqual([row['bytes'] for row in run.operations], values)
        rows = list(run.operations)
        self.assertEqual((rows[3], rows[-1], rows[:2], rows[::-5]), (run.operations[3], run.operations[-1], run.operations[:2], run.operations[::-5]))
        for row in (len(rows), -len(rows) - 1, -30):
            self.assertRaisesRegex(IndexError, 'operations has 19 rows', run.operations.__getitem__, row)
        part = run.operations.select('bytes', 'rank')
        self.assertEqual((('bytes', 'rank'), {'bytes': values[0], 'rank': 0}), (part.columns, part[0]))
        self.assertIn('… 9 rows more', repr(run.operations))
        self.assertEqual([True] * len(run.collectives), list(run.collectives['whole']))


    def test_copies_are_the_thing_itself_and_stay_in_the_process(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        for thing in (run, run.operations, run.operations['bytes'], run.measure('waits')):
            self.assertEqual([thing] * 2, [copy.copy(thing), copy.deepcopy(thing)])
            self.assertRaisesRegex(TypeError, 'cannot be pickled', pickle.dumps, thing)
            gc.collect()
        self.assertEqual((19, 9), (len(run.operations), run.operations['bytes'].null_count))

    def test_a_folder_may_have_any_name(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = os.fsencode(scratch) + b'/n\xffn'
            shutil.copytree(os.fsencode(TRACES / 'cut'), folder)
            run = hiera_mpi.open(folder)
            self.assertEqual((f'{scratch}/n\ufffdn/trace0.xml',), run.ranks['file'].texts)
            said = [repr(run), *map(str, run.notes)]
            self.assertEqual((said, 2), ([text.encode().decode() for text in said], len(run.measure('counts'))))


def address_in(capsule):
    return ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(('PyCapsule_GetPointer', ctypes.pythonapi))(capsule, b'arrow_array_stream')


class Arrow(unittest.TestCase):
    """A reader of Arrow's stream, by its specification."""

    def read(self, table):
        capsule = table.__arrow_c_stream__()
        stream = _library.ArrowArrayStream.from_address(address_in(capsule))
        call = lambda address, to: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)(ctypes.addressof(stream), ctypes.addressof(to))
        schema, array, end = _library.ArrowSchema(), _library.ArrowArray(), _library.ArrowArray()
        self.assertEqual([0, 0, 0], [call(stream.get_schema, schema), call(stream.get_next, array), call(stream.get_next, end)])
        self.assertFalse(end.release)
        release(stream)
        return schema, array

    def test_the_stream_has_the_table(self):
        for name in ('exchange', 'counters'):
            run = hiera_mpi.open(TRACES / name)
            for table in (run.operations, run.messages, run.collectives, run.counters, run.measure('efficiency'), run.operations.select('tag')):
                schema, array = self.read(table)
                self.assertEqual((b'+s', len(table.columns), len(table)), (schema.format, schema.n_children, array.length))
                for i, column in enumerate(table.columns):
                    child, values = schema.children[i].contents, array.children[i].contents
                    self.assertEqual((column, table[column].null_count, len(table)), (child.name.decode(), values.null_count, values.length))
                    self.assertEqual(table.types[column] == 'text', bool(child.dictionary))
                    self.assertTrue(values.null_count == 0 or child.flags & 2)
                release(array)
                release(schema)

    def test_capsules_that_nobody_reads_are_freed(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        for _ in range(100):
            run.operations.__arrow_c_stream__()
        self.assertEqual({}, _library._given)

    def test_what_is_left_at_the_end_is_freed_quietly(self):
        code = ('import builtins, hiera_mpi, sys\nrun = hiera_mpi.open(sys.argv[1])\nleft = run.operations.__arrow_c_stream__()\n'
                'builtins.late = run, run.measure("waits"), run.messages.__arrow_c_stream__(), run.operations["start_ns"].values\nbuiltins.late += (builtins.late,)')
        env = {**os.environ, 'PYTHONPATH': str(TOP / 'python'), 'PYTHONDONTWRITEBYTECODE': '1'}
        done = subprocess.run([sys.executable, '-S', '-X', 'dev', '-c', code, TRACES / 'exchange'], env=env, capture_output=True, text=True, check=False)
        self.assertEqual((0, '', ''), (done.returncode, done.stdout, done.stderr))

    def test_packages_take_the_tables(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        if HAS['pandas']:
            frame = run.operations.to_pandas()
            self.assertEqual(list(run.operations['bytes']), [None if missing else value for missing, value in zip(frame.bytes.isna(), frame.bytes)])
            self.assertEqual((list(run.operations['name']), list(run.operations['start_ns'])), (list(frame.name), list(frame.start_ns)))
            exported = run.operations._export(('start_ns',))
            self.assertEqual(exported.array.children[0].contents.buffers[1], frame.start_ns.to_numpy().ctypes.data)
            frame = frame.copy()
            frame['start_ns'] -= frame.start_ns.min()
            self.assertEqual(min(run.operations['start_ns']) + frame.start_ns.max(), max(run.operations['start_ns']))
            waits = run.measure('waits').to_pandas()
            self.assertEqual(('wait at N x N', 1.5), (waits['class'][0], waits.time_s[0]))
        for package, make in (('polars', 'to_polars'), ('pyarrow', 'to_arrow')):
            if HAS[package]:
                table = getattr(run.operations, make)()
                self.assertEqual(list(run.operations['bytes']), table['bytes'].to_list() if package == 'polars' else table['bytes'].to_pylist())
            else:
                self.assertRaisesRegex(ImportError, f'needs the package {package}', getattr(run.operations, make))


@unittest.skipUnless('LIBDUCKDB' in os.environ, 'LIBDUCKDB names no library')
class Engine(unittest.TestCase):
    """DuckDB reads the tables by Arrow's C data interface."""

    def setUp(self):
        self.duck, self.connection, database = ctypes.CDLL(os.environ['LIBDUCKDB']), ctypes.c_void_p(), ctypes.c_void_p()
        for name, kind in (('duckdb_row_count', ctypes.c_uint64), ('duckdb_value_varchar', ctypes.c_char_p)):
            getattr(self.duck, name).restype = kind
        self.assertEqual([0, 0], [self.duck.duckdb_open(None, ctypes.byref(database)), self.duck.duckdb_connect(database, ctypes.byref(self.connection))])

    def rows(self, table):
        """The texts of all cells."""
        capsule, result = table.__arrow_c_stream__(), (ctypes.c_uint64 * 8)()
        name = f'{table.name}_{id(capsule)}'.replace('-', '_').encode()
        self.assertEqual(0, self.duck.duckdb_arrow_scan(self.connection, name, ctypes.c_void_p(address_in(capsule))))
        self.assertEqual(0, self.duck.duckdb_query(self.connection, b'select * from ' + name, result))
        cells = [[self.duck.duckdb_value_varchar(result, ctypes.c_uint64(column), ctypes.c_uint64(row)) for column in range(len(table.columns))]
                 for row in range(self.duck.duckdb_row_count(result))]
        self.duck.duckdb_destroy_result(result)
        return [[None if cell is None else cell.decode() for cell in row] for row in cells]

    def test_it_has_the_same_tables(self):
        for name in NAMES:
            run = hiera_mpi.open(TRACES / name)
            for table in (run.operations, run.messages, run.collectives, run.members, run.ranks, run.counters, run.vertices, run.edges, run.measure('waits')):
                found = [[float(cell) if isinstance(value, float) else cell for value, cell in zip(row.values(), cells)] for row, cells in zip(table, self.rows(table))]
                wanted = [[value if isinstance(value, (float, type(None))) else str(value).lower() if isinstance(value, bool) else str(value) for value in row.values()] for row in table]
                self.assertEqual(wanted, found, f'{name}: {table.name}')


class Measures(unittest.TestCase):
    def test_they_are_those_of_hiera_transform(self):
        for name, words in (('waits', {}), ('statistics', {'by': 'site'}), ('efficiency', {}), ('profile', {'level': 'app'}), ('over-time', {'bins': 3}),
                            ('counts', {'where': 'rank == 1', 'sort': 'count:up'}), ('summary', {})):
            options = [f'--{key}={value}' for key, value in words.items()]
            found = json.loads(transform(TRACES / 'exchange', '--measure', name, '--format', 'json', *options))[name]
            table = hiera_mpi.open(TRACES / 'exchange').measure(name, **words)
            self.assertEqual([list(row.values()) for row in found], [list(row.values()) for row in table], name)
            self.assertTrue(found)
            for column, ours in zip(found[0], table.columns):
                self.assertIn(ours, [column.replace('-', '_') + ending for ending in ('', '_s', '_percent', '_bytes', '_bytes_per_s')])

    def test_units_are_in_the_names(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        expected = 'class operation file line path processors count time_s share_percent worst_s unsure_s'
        self.assertEqual(tuple(expected.split()), run.measure('waits').columns)
        nothing = run.measure('waits', ranks=2)
        self.assertEqual((0, run.measure('waits').types, []), (len(nothing), nothing.types, list(nothing)))
        self.assertIsNone(run.measure('efficiency')[0]['openmp_percent'])

    def test_several_runs_are_compared(self):
        before, after = hiera_mpi.open(TRACES / 'exchange'), hiera_mpi.open(TRACES / 'exchange')
        found = after.measure('diff', against=before)
        self.assertEqual(('diff', 'whole run', 10.0, 10.0, 0.0), (found.name, *(found[0][name] for name in ('path', 'time_a_s', 'time_b_s', 'change_s'))))

    def test_the_summary_is_that_of_hiera_transform(self):
        self.assertEqual(transform(TRACES / 'exchange'), hiera_mpi.open(TRACES / 'exchange').summary)

    def test_relative_paths_stay_those_of_the_start(self):
        here, runs = os.getcwd(), []
        with tempfile.TemporaryDirectory() as folder:
            for name in ('exchange', 'phases'):
                shutil.copytree(TRACES / name, f'{folder}/{name}/run')
                os.chdir(f'{folder}/{name}')
                runs.append(hiera_mpi.open('run'))
            gone = pathlib.Path(folder, 'gone')
            gone.mkdir()
            os.chdir(gone)
            gone.rmdir()
            try:
                self.assertEqual(hiera_mpi.open(f'{folder}/exchange/run').summary, runs[0].summary)
                found = runs[0].measure('diff', against=runs[1])
            finally:
                os.chdir(here)
        self.assertTrue(repr(runs[0]).startswith('<run run: 3 ranks'))
        expected = json.loads(transform(TRACES / 'phases', TRACES / 'exchange', '--measure', 'diff', '--format', 'json'))['diff']
        self.assertEqual([list(row.values()) for row in expected], [list(row.values()) for row in found])
        self.assertNotEqual(found[0]['time_a_s'], found[0]['time_b_s'])


class Mistakes(unittest.TestCase):
    def says(self, pattern, function, *words, **more):
        with self.assertRaisesRegex(hiera_mpi.HieraError, pattern) as raised:
            function(*words, **more)
        return raised.exception

    def test_input_that_cannot_be_read_is_an_error_with_its_place(self):
        self.says('/nothing/here: cannot be opened: No such file', hiera_mpi.open, '/nothing/here')
        self.says('no trace was named', hiera_mpi.open, [])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'trace0.xml')
            path.write_text('<?xml version="1.0"?>\n<processor rank="0">\n<hieraMPI operation=\n', encoding='utf-8')
            found = self.says(r'trace0.xml:\d+: ', hiera_mpi.open, path)
            self.assertEqual(('error', str(path)), (found.notes[0].severity, found.notes[0].file))
            self.assertTrue(found.notes[0].line)

    def test_what_limits_an_answer_is_in_the_notes(self):
        run = hiera_mpi.open(TRACES / 'cut')
        found = json.loads(transform(TRACES / 'cut', '--measure', 'counts', '--format', 'json'))
        self.assertEqual((found['partial'], [tuple(f.values()) for f in found['findings']]),
                         (run.partial, [(n.severity, n.kind, n.file, n.line, n.count, n.message) for n in run.notes]))
        self.assertEqual(run.notes, run.measure('counts').notes)
        self.assertTrue(run.partial and run.measure('counts').partial and str(run.notes[0]).startswith(str(TRACES)))

    def test_calls_that_are_only_sums_are_noted(self):
        for name, rows in (('ring', 0), ('turns', 8)):
            run = hiera_mpi.open(PROFILES / name)
            self.assertEqual((rows, True, ['sums']), (len(run.operations), run.partial, [note.kind for note in run.notes]))
            self.assertRegex(run.notes[0].message, 'only as sums')
            self.assertGreater(sum(run.measure('counts')['count']), rows)
            self.assertTrue(run.operations.partial)

    def test_a_program_that_fails_is_an_error(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        with tempfile.TemporaryDirectory() as folder:
            false = pathlib.Path(folder, 'hiera-transform')
            false.write_text('#!/bin/sh\necho half\nkill -SEGV $$\n', encoding='utf-8')
            false.chmod(0o755)
            kept, _run.program = _run.program, lambda: str(false)
            try:
                self.says('ended with status -11', lambda: run.summary)
                false.chmod(0o644)
                self.says('cannot be started: .*denied', lambda: run.summary)
            finally:
                _run.program = kept

    def test_questions_that_make_no_sense_say_what_would(self):
        run = hiera_mpi.open(TRACES / 'exchange')
        self.says('no column "byte" in operations; there are rank thread', run.operations.select, 'byte')
        self.says('no column "byte"', lambda: run.operations['byte'])
        self.says('no table "x"; there are operations messages', run._export, 'x', None)
        self.says('no column "x"; there are rank', run._export, 'ranks', ('x',))
        self.says("did you mean 'waits'", run.measure, 'wait')
        self.says('--by', run.measure, 'waits', by='planet')
        self.says('answers with no table', run.measure, 'list')
        self.says('answers with no table', run.measure, 'waits,counts')
        self.says('zero byte', hiera_mpi.open, f'{TRACES}/exchange\0b')
        self.says('cannot be started: .*null', run.measure, 'waits', where='rank\0')
        self.says('1: |rank ==', run.measure, 'waits', where='rank ==')

    def test_a_missing_hiera_is_said(self):
        bare = {'PATH': '/nothing', 'PYTHONPATH': str(TOP / 'python'), 'PYTHONDONTWRITEBYTECODE': '1'}
        code = 'import hiera_mpi\ntry: hiera_mpi.open("x")\nexcept hiera_mpi.HieraError as error: print(error)'
        said = subprocess.run([sys.executable, '-S', '-c', code], env=bare, capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, 'libhiera-graph.so.1.* hiera-mpi-tools|x: cannot be opened')  # the second where a system has it
        bare['LD_LIBRARY_PATH'] = str(pathlib.Path(LIBRARY).parent)
        said = subprocess.run([sys.executable, '-S', '-c', code], env=bare, capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, '^x: cannot be opened')


class Documents(unittest.TestCase):
    def test_what_the_document_shows_is_true(self):
        text = (TOP / 'docs/python.md').read_text(encoding='utf-8')
        blocks = re.findall(r'^```pycon\n(.*?)^```', text, re.M | re.S)
        self.assertGreater(len(blocks), 5)
        here, said = os.getcwd(), []
        names = {}
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(TRACES / 'exchange', f'{folder}/run')
            os.chdir(folder)
            try:
                for number, block in enumerate(blocks):
                    if 'pandas' in block and not HAS['pandas']:
                        continue
                    test = doctest.DocTestParser().get_doctest(block, names, f'block {number + 1}', 'docs/python.md', 0)
                    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.append, clear_globs=False)
                    names = test.globs
            finally:
                os.chdir(here)
        self.assertEqual('', ''.join(said))

    def test_it_names_all_columns(self):
        text = (TOP / 'docs/python.md').read_text(encoding='utf-8')
        run = hiera_mpi.open(TRACES / 'exchange')
        for table in (run.operations, run.messages, run.collectives, run.members, run.ranks, run.counters, run.vertices, run.edges):
            row = re.search(rf'^\| `{table.name}` \|.*$', text, re.M)
            self.assertEqual(list(table.columns), re.findall(r'`(\w+)`', row[0])[1:] if row else None)

    def test_examples_of_the_help_can_be_asked(self):
        texts = [path.read_text(encoding='utf-8') for path in [TOP / 'python/README.md', *(TOP / 'python/hiera_mpi').glob('*.py')]]
        asked = [question for text in texts for question in re.findall(r'^(?: *>>> )?((?:run|after)\.measure\(".*?\))', text, re.M)]
        run = hiera_mpi.open(TRACES / 'exchange')
        self.assertEqual([], [question for question in asked if not isinstance(eval(question, {'run': run, 'after': run, 'before': run}), hiera_mpi.Table)])
        self.assertGreater(len(asked), 4)

    def test_help_reads_well(self):
        import pydoc
        said = pydoc.render_doc(hiera_mpi, renderer=pydoc.plaintext)
        for word in ('run.measure("waits"', 'class Table', 'to_pandas', 'HieraError'):
            self.assertIn(word, said)
        for holder in (hiera_mpi, hiera_mpi.Run, hiera_mpi.Table, hiera_mpi.Column):
            self.assertEqual([], [name for name, member in vars(holder).items() if callable(member) and not name.startswith('_') and not member.__doc__])


if __name__ == '__main__':
    print('packages:', ' '.join(name for name, there in HAS.items() if there) or 'none')
    unittest.main(argv=sys.argv[:1])
