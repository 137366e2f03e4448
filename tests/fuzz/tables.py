#!/usr/bin/env python3
"""Any text as a table of functions is either accepted or refused with file and line; there is never a traceback.

tables.py [--runs N | --seconds N] [--seed N] [--artifact PREFIX] [FILE...] changes entries of the tables of Hiera, and
makes from each table all that the build makes from it. Files of corpus/levels and corpus/functions, or FILE..., are
also used unchanged."""

import argparse
import contextlib
import glob
import io
import os
import random
import re
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, 'collector', 'levels'), os.path.join(TOP, 'collector', 'mpi', 'generate')]

import fortran  # noqa: E402
import generate  # noqa: E402
import level_table  # noqa: E402
import level_wrappers  # noqa: E402
import table  # noqa: E402
import wrappers  # noqa: E402
from table_syntax import TableError  # noqa: E402

KINDS = table.read_kinds(generate.KINDS)
ENTRIES = 4  # entries of a table in one input
WORDS = ['', '{', '}', '{a,b}', '(', ')', '[', ']', ',', ':', '#', '=', '?', '@root', '...', 'in', 'out', 'inout', 'int', 'void', 'MPI_Comm',
         'MPI_Status', 'MPI_Request', 'buffer', 'string', 'words', 'rank', 'tag', 'opaque{', 'function{T}', 'double', 'float', 'count', 'comm',
         'as=', 'sent=', 'received=status', 'starts=send', 'frees=', 'in-place=sendbuf', 'large', 'special', 'root:', 'sum(x)', 'last(x)',
         'size(comm)', 'contents(x)', 'text', 'flag', 'desc', 'context', 'logical', 'language fortran', 'spelling', 'level', 'include',
         'define', 'library', '\n', '\n ', '\t', '\0', 'é', '\udcff', '*', '**', '-', '1', '99999999999', 'snet=count*type']


def use_functions(path):
    functions = table.read(path, KINDS)
    wrappers.source(functions)
    fortran.source(functions, functions, set(), [])
    arguments = argparse.Namespace(template=os.path.join(TOP, 'dtd', 'trace.dtd.in'))
    for made in (generate.operations, generate.dtd, generate.coverage):
        made(functions, KINDS, arguments)


def use_levels(path):
    level_wrappers.source('fuzz', [level_table.read(path)])


# Kind of table -> the function that uses it, the tables of this kind.
SORTS = {'functions': (use_functions, [os.path.join(TOP, 'collector', 'mpi', 'generate', 'functions.table')]),
         'levels': (use_levels, sorted(glob.glob(os.path.join(TOP, 'collector', 'levels', '*.table'))))}


def fault_of(sort, text, path):
    """What is wrong with the answer to a table; '' if it was accepted, or refused with a proper message."""
    with open(path, 'wb') as file:
        file.write(text.encode('utf-8', 'surrogateescape'))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            SORTS[sort][0](path)
    except TableError as error:
        if not re.match(re.escape(path) + r':(\d+:)? \S', str(error)):
            return f'the message names no file: {error}'
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc()
    return ''


def entries_of(path):
    """Entries with their continuation lines, without comments."""
    entries = []
    with open(path, encoding='utf-8') as file:
        for line in file:
            line = line.split('#', 1)[0].rstrip()
            if line and line[0].isspace() and entries:
                entries[-1] += '\n' + line
            elif line:
                entries.append(line)
    return entries


def mutate(chance, text):
    tokens = re.findall(r'\w+|\s+|.', text)
    for _ in range(chance.randint(1, 3)):
        if not tokens:
            break
        at = chance.randrange(len(tokens))
        what = chance.randrange(6)
        if what == 0:
            del tokens[at]
        elif what == 1:
            tokens.insert(at, tokens[chance.randrange(len(tokens))])
        elif what == 2:
            tokens[at] = chance.choice(WORDS)
        elif what == 3:
            tokens.insert(at, chance.choice(WORDS))
        elif what == 4:
            tokens[at] = tokens[at][::-1]  # a misspelt name
        else:
            del tokens[at:at + chance.randint(1, 5)]
    return ''.join(tokens)


def make(chance, sort, entries):
    first = '[env]\n' if sort == 'functions' else 'level x\n' + chance.choice(['', 'language fortran\n'])
    return first + mutate(chance, '\n'.join(chance.sample(entries, min(ENTRIES, len(entries))))) + '\n'


def report(sort, text, fault, artifact):
    print(f'a table of {sort}:\n{text}\n{fault}')
    if artifact:
        with open(f'{artifact}{sort}', 'wb') as file:
            file.write(text.encode('utf-8', 'surrogateescape'))
    return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--runs', type=int, default=0)
    parser.add_argument('--seconds', type=float, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--artifact', default='')
    parser.add_argument('files', nargs='*')
    arguments = parser.parse_args()
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'fuzz.table')
        for sort in SORTS:
            for name in arguments.files or sorted(glob.glob(os.path.join(HERE, 'corpus', sort, '*'))):
                with open(name, encoding='utf-8', errors='surrogateescape') as file:
                    text = file.read()
                fault = fault_of(sort, text, path)
                n += 1
                if fault:
                    return report(sort, text, f'{name}: {fault}', '')
        chance = random.Random(arguments.seed)
        entries = {sort: sum(map(entries_of, paths), []) for sort, (_, paths) in SORTS.items()}
        end = time.monotonic() + arguments.seconds
        made = 0
        while made < arguments.runs or time.monotonic() < end:
            sort = list(SORTS)[made % len(SORTS)]
            text = make(chance, sort, entries[sort])
            fault = fault_of(sort, text, path)
            made += 1
            if fault:
                return report(sort, text, fault, arguments.artifact)
    print(f'{n} tables of the corpus, {made} made from those of Hiera: no fault')
    return 0


if __name__ == '__main__':
    sys.exit(main())
