#!/usr/bin/env python3
"""Recompute the numbers of an answer of hiera-transform from the XML of the
traces. The answer says of each number what it is (--references); this program
has no line of the analyser, and trusts nothing but docs/format.md. What it
cannot recompute it lists."""
import argparse
import ast
import collections
import decimal
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

NS = 10 ** 9
# Traces with one of these are not recomputed.
FOREIGN = {'hieraFiltered': 'calls that a filter left out', 'hieraPause': 'a pause', 'hieraLost': 'lost calls', 'hieraThread': 'further threads', 'hieraTurns': 'loops as sums', 'hieraSeam': 'sums of calls',
           'hieraCall': 'the compact encoding'}
OPERATIONS = {'hieraMPI': 'mpi', 'hieraOOPS': 'oops', 'hieraRegion': None}
UNITS = {'ns': 1, 'µs': 10 ** 3, 'ms': 10 ** 6, 's': NS, 'B': 1, 'kB': 10 ** 3, 'MB': 10 ** 6, 'GB': 10 ** 9, '%': 100, '': 1}
# How many units of its last digit a number may differ, since docs do not say how it is rounded.
LOOSE = ('mean', 'deviation', 'percent', 'imbalance', 'rank_mean')


class Unsuitable(Exception):
    """This program has no opinion on a trace."""


def nanoseconds(text):
    return int(decimal.Decimal(text) * NS)


class Call:
    """An operation: what references can ask of it are its members."""
    def __init__(self, element, parent, rank, offset):
        method, kind = element.get('method'), element.get('class')
        self.level = OPERATIONS[element.tag] or element.get('level')
        self.name = method if element.tag == 'hieraOOPS' else element.get('operation')
        self.call = f'{kind}::{self.name}' if kind else self.name
        self.whole_file, self.file, self.line = element.get('file', ''), element.get('file', '').rpartition('/')[2], int(element.get('line') or 0)
        self.rank, self.depth, self.parent, self.children = rank, parent.depth + 1 if parent else 0, parent, []
        self.is_inside_mpi = self.level == 'mpi' or bool(parent and parent.is_inside_mpi)
        self.start, self.finish = (element.get(name) and nanoseconds(element.get(name)) + offset for name in ('start_time', 'finish_time'))
        self.bytes, self.own = element.get('bytes') and int(element.get('bytes')), 0
        step = f'{self.call} {self.file}' + f':{self.line}' * (self.line > 0) if self.file else self.call
        self.path = (parent.path if parent else 'processors') + ' > ' + re.sub(r'(^|(?<= ))>', r'\\>', step.replace('\\', '\\\\'))
        if element.get('error') or element.get('left') or not (self.file and self.line):
            raise Unsuitable('a call that failed, was left, or has no line')

    @property
    def time(self):
        return self.finish - self.start

    @functools.cached_property
    def mpi(self):
        """Time in the outermost MPI calls inside it."""
        return self.time if self.level == 'mpi' else sum(child.mpi for child in self.children)

    @functools.cached_property
    def has_mpi(self):
        return self.level == 'mpi' or any(child.has_mpi for child in self.children)

    @property
    def itself(self):
        return self.time - self.own - sum(child.time for child in self.children)


class Flush:
    """What Hiera took, outside of MPI calls; a node of the call tree."""
    level, mpi = '', 0

    def __init__(self, element, parent, rank):
        self.rank, self.path = rank, parent.path + ' > Hiera itself'
        self.time = self.itself = nanoseconds(element.get('finish_time')) - nanoseconds(element.get('start_time'))


class Rank:
    """A trace. It is an operation, too: the root of the call tree."""
    path, level = 'processors', ''

    def __init__(self, path):
        root = ET.parse(path).getroot()
        drifts = decimal.Decimal(root.get('clock_drift', '0'))
        if root.get('mode') or drifts or not root.get('init'):
            raise Unsuitable(root.get('mode') or ('a clock that drifts' if drifts else 'no begin'))
        self.offset = nanoseconds(root.get('clock_offset', '0'))
        self.rank, self.size, self.host, self.job = int(root.get('rank')[1:]), int(root.get('size', 0)), root.get('host'), root.get('job')
        self.init, self.finalize, end = (text and nanoseconds(text) + self.offset for text in (root.get('init'), root.get('finalize'), root.findtext('hieraEnd') is not None and root.find('hieraEnd').get('time')))
        self.calls, self.children, self.flushes, self.own = [], [], [], 0
        for element in root:
            self.read(element, None)
        last = end or max([self.init, *(time for call in self.calls for time in (call.start, call.finish) if time)])
        if self.finalize and not all(call.finish for call in self.calls):
            raise Unsuitable('a call without an end')
        self.finalize = self.finalize or last
        for call in self.calls:  # what is open ends with the trace
            call.finish = call.finish or last
        if any(call.finish > self.finalize or call.start < self.init for call in self.calls):
            raise Unsuitable('calls before MPI_Init or after MPI_Finalize')
        for siblings in [self.children, *(call.children for call in self.calls)]:
            outer = siblings[0].parent if siblings else None
            if any(a.finish > b.start for a, b in zip(siblings, siblings[1:])) or (outer and (siblings[0].start < outer.start or siblings[-1].finish > outer.finish)):
                raise Unsuitable('calls that overlap')
        self.total = self.time = self.finalize - self.init
        self.mpi = sum(child.mpi for child in self.children)
        self.itself = self.time - self.own - sum(child.time for child in self.children)
        self.useful, self.operations = self.total - self.mpi - sum(flush.time for flush in self.flushes), len(self.calls)
        self.mpi_calls = sum(call.level == 'mpi' for call in self.calls)

    def read(self, element, parent):
        if element.tag in FOREIGN:
            raise Unsuitable(FOREIGN[element.tag])
        if element.tag == 'hieraFlush' and not (parent and parent.is_inside_mpi):
            self.flushes.append(Flush(element, parent or self, self.rank))
            (parent or self).own += self.flushes[-1].time
        if element.tag in OPERATIONS:
            call = Call(element, parent, self.rank, self.offset)
            self.calls.append(call)
            (parent or self).children.append(call)
            for child in element:
                self.read(child, call)


def read_run(folder):
    ranks = sorted((Rank(path) for path in pathlib.Path(folder).glob('trace*.xml')), key=lambda rank: rank.rank)
    if not ranks or len({rank.rank for rank in ranks}) < max(len(ranks), *(rank.size for rank in ranks)) or len({rank.job for rank in ranks}) > 1:
        raise Unsuitable('no trace, a rank that is missing, or several runs')
    files = {call.whole_file for rank in ranks for call in rank.calls}
    if len({name.rpartition('/')[2] for name in files}) < len(files):
        raise Unsuitable('files with one name')
    return ranks


def things(run, kind):
    """What the rows of a reference are made of."""
    if kind == 'node':  # of the call tree
        return run + [node for rank in run for node in rank.calls + rank.flushes if node.time > 0 or node.level]
    if kind == 'outermost':
        return [call for rank in run for outer in rank.children for call in without_functions(outer)]
    return run if kind == 'rank' else [call for rank in run for call in rank.calls]


def without_functions(call):
    """The outermost calls in it that are no functions of the program."""
    return [inner for child in call.children for inner in without_functions(child)] if call.level == 'function' else [call]


# --- expressions: functions over the things of a row ---

FUNCTIONS = {'sum': sum, 'mean': lambda x: sum(x) // len(x), 'min': min, 'max': max, 'distinct': lambda x: len(set(x)),
             'deviation': lambda x: math.isqrt((len(x) * sum(v * v for v in x) - sum(x) ** 2) // len(x) ** 2),
             **{name: lambda x, k=k: sorted(x)[-(-k * len(x) // 4) - 1] for k, name in enumerate(('q1', 'median', 'q3'), 1)}}
OF_RANKS = {'rank_min': min, 'rank_mean': FUNCTIONS['mean'], 'rank_max': max}


def evaluate(node, of, run):
    """The value of an expression; None: unknown."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left, of, run), evaluate(node.right, of, run)
        return {ast.Add: lambda: left + right, ast.Sub: lambda: left - right, ast.Mult: lambda: left * right}[type(node.op)]()
    name = node.func.id
    if name == 'count':
        return len([one for one in of if not node.args or getattr(one, node.args[0].id) is not None])
    if name == 'ranks':
        return len(run)
    if name in ('percent', 'imbalance'):  # in hundredths
        part, whole = (evaluate(argument, of, run) for argument in node.args)
        return round(decimal.Decimal(10000 * part) / whole) if whole else 0 if name == 'imbalance' else None
    values = [(one.rank, getattr(one, node.args[0].id)) for one in of]
    if name in OF_RANKS:
        by_rank = {rank.rank: 0 for rank in run}
        for rank, value in values:
            by_rank[rank] += value
        return OF_RANKS[name](by_rank.values())
    known = [value for _, value in values if value is not None]
    return FUNCTIONS[name](known) if known or name == 'sum' else None


class Reference:
    """`each THING: COLUMN = EXPRESSION; …`; a key of the rows is a member of the thing alone."""
    def __init__(self, text):
        self.kind, _, rest = text.removeprefix('each ').partition(': ')
        parts = [part.split(' = ') for part in rest.split('; ')]
        self.columns = {name.strip('"'): ast.parse(expression, mode='eval').body for name, expression in parts}
        self.keys = {name: node.id for name, node in self.columns.items() if isinstance(node, ast.Name)}
        self.loose = {name for name, node in self.columns.items() if name not in self.keys and any(isinstance(part, ast.Name) and part.id in LOOSE for part in ast.walk(node))}

    def rows(self, run):
        groups = collections.defaultdict(list)
        for thing in things(run, self.kind):
            groups[tuple(getattr(thing, member) for member in self.keys.values())].append(thing)
        return {key: {name: evaluate(node, of, run) for name, node in self.columns.items() if name not in self.keys} for key, of in groups.items()
                if self.kind != 'outermost' or any(one.has_mpi for one in of)}


class Check:
    def __init__(self):
        self.agree, self.differences, self.not_recomputed = 0, [], set()

    def compare(self, where, mine, theirs, slack):
        good = mine == theirs if mine is None or theirs is None else abs(mine - theirs) <= slack
        self.agree += good
        if not good:
            self.differences.append(f'{where}: {theirs}, recomputed {mine}')

    def table(self, measure, rows, types, reference, run):
        mine = reference.rows(run)
        found = {tuple(row[name] if row[name] is not None else 0 for name in reference.keys): row for row in rows}
        for key in set(mine) ^ set(found):
            self.differences.append(f'{measure}: the row {key} is only in {"the traces" if key in mine else "the answer"}')
        for key in set(mine) & set(found):
            for name, value in mine[key].items():
                theirs = found[key][name]
                self.compare(f'{measure} {key} {name}', value, theirs if theirs is None else int(theirs * {'seconds': NS, 'percent': 100}.get(types[name], 1)), name in reference.loose)
        self.not_recomputed |= {f'{measure}.{name}' for name, kind in types.items() if name not in reference.columns and kind != 'text'}

    def sentences(self, rows, reference, run):
        """Numbers in sentences: `# rank` is the one before this text."""
        said = [' '.join(row['sentence'].split()) for row in rows]
        for name, node in reference.columns.items():
            pattern = re.escape(name).replace(r'\#', r'(\d[\d.,]*)(?: (ns|µs|ms|s|B|kB|MB|GB|%))?').replace(r'\ ', ' ')
            for number, unit in [found for sentence in said for found in re.findall(pattern, sentence)][:1]:
                value, digits = evaluate(node, run, run), decimal.Decimal(number.strip('.,').replace(',', ''))
                exact = None if value is None else decimal.Decimal(value) / UNITS[unit]
                self.compare(f'summary {name}', exact, digits, decimal.Decimal(1).scaleb(digits.as_tuple().exponent) / 2)
        self.not_recomputed |= {f'summary ({row["topic"]})' for row in rows} - {'summary (Run)'} | {'summary (Run: bytes)'}

    def answer(self, answer, run):
        references = answer.get('references', {})
        for measure, types in answer['columns'].items():
            if measure not in references:
                self.not_recomputed.add(measure)
            elif measure == 'summary':
                self.sentences(answer[measure], Reference(references[measure]), run)
            else:
                self.table(measure, answer[measure], types, Reference(references[measure]), run)


def ask(program, folder, measure, *options):
    done = subprocess.run([program, str(folder), '--measure', measure, '--format', 'json', '--references', '--quiet', *options], capture_output=True, text=True, check=False)
    return json.loads(done.stdout, parse_float=decimal.Decimal) if done.stdout and done.returncode in (0, 1) else None


def check_folder(program, folder):
    """A Check of all measures on a run."""
    try:
        run = read_run(folder)
    except ET.ParseError:
        raise Unsuitable('a trace that is cut short') from None
    except Unsuitable as reason:
        if str(reason) != 'the compact encoding':
            raise
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([program, str(folder), '--export', f'full:{scratch}/full', '--quiet'], check=True)
            run = read_run(f'{scratch}/full')
    check = Check()
    measures = re.findall(r'^([a-z]\S*)  ', subprocess.run([program, '--measure', 'list'], capture_output=True, text=True, check=True).stdout, re.M)
    together = ask(program, folder, ','.join(set(measures) - {'diff'}))  # which is of several runs
    for answer in [together] if together else filter(None, (ask(program, folder, measure) for measure in measures)):
        check.answer(answer, run)
        measures = set(measures) - set(answer['columns'])
    check.not_recomputed |= set(measures)
    for by in ('site', 'level'):
        check.answer(ask(program, folder, 'statistics', '--by', by), run)
    return check


def main():
    parser = argparse.ArgumentParser(prog='hiera-check', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folders', metavar='FOLDER', nargs='+', help='folder of a run')
    parser.add_argument('--program', help='hiera-transform (default: that beside this program, or in PATH)')
    options = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), 'hiera-transform')
    program, failed = options.program or (beside if os.path.exists(beside) else 'hiera-transform'), False
    for folder in options.folders:
        try:
            check = check_folder(program, folder)
        except Unsuitable as reason:
            print(f'{folder}: not recomputed: {reason}')
            continue
        print(f'{folder}: {check.agree} numbers agree, {len(check.differences)} differ')
        print(''.join(f'  {line}\n' for line in check.differences[:20]), end='')
        print(f'  not recomputed: {", ".join(sorted(check.not_recomputed))}')
        failed |= bool(check.differences)
    sys.exit(failed)


if __name__ == '__main__':
    main()
