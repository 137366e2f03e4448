#!/usr/bin/env python3
"""Make the calls of a library a level of Hiera's traces: wrappers from tables of functions, or a draft of such a table.

    hiera-wrap TABLE... [-o FILE.so] [-- FLAG...]
    hiera-wrap --from-header HEADER --library LIB [-o FILE.table] [-- FLAG...]

A TABLE is a file, or the name of one that comes with Hiera. Flags after -- go to the C compiler (CC, default cc).

    hiera-wrap --from-header zlib.h --library z --level zlib -o zlib.table
    hiera-wrap zlib.table
    hiera-run --level=./libhiera-level-zlib.so mpirun -n 4 ./app"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import header  # noqa: E402
import level_table  # noqa: E402
import level_wrappers  # noqa: E402

# hiera.h: beside the sources, or where `meson install` puts it (this file is in PREFIX/share/hiera/levels).
INCLUDES = [os.path.join(HERE, '..'), os.path.join(HERE, '..', '..', '..', 'include')]
CFLAGS = ['-shared', '-fPIC', '-O2', '-g', '-fexceptions', '-fvisibility=hidden', '-Wl,--build-id']


def find_table(name):
    for path in (name, os.path.join(HERE, name), os.path.join(HERE, name + '.table')):
        if os.path.isfile(path):
            return path
    sys.exit(f'hiera-wrap: {name}: there is no such file, and Hiera has no table of this name')


def build(source, output, tables, flags):
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    of_tables = [os.path.dirname(os.path.abspath(table.path)) for table in tables]
    folders = [f'-I{folder}' for folder in dict.fromkeys([*of_tables, HERE, *INCLUDES]) if os.path.isdir(folder)]
    flags = [flag for table in tables for flag in table.flags] + flags
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'wrappers.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(source)
        command = [*compiler, *CFLAGS, f'-Wl,-soname,{os.path.basename(output)}', *folders, *flags, path, '-o', output, '-ldl']
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    first = ''.join(run.stderr.splitlines(keepends=True)[:20])
    if run.returncode != 0:
        sys.exit(f'hiera-wrap: {shlex.join(command)} failed:\n{first}')
    sys.stderr.write(first)


def wrap(arguments):
    tables = [level_table.read(find_table(name)) for name in arguments.tables]
    if arguments.for_library:
        for table in tables:
            table.libraries = [header.soname(header.find_library(arguments.for_library))]
    stem = re.sub(r'\.table$', '', os.path.basename(arguments.tables[-1]))
    name = arguments.name or stem
    source = level_wrappers.source(name, tables)
    if arguments.source:
        with open(arguments.source, 'w', encoding='utf-8') as file:
            file.write(source)
        return
    output = arguments.output or f'libhiera-level-{name}.so'
    build(source, output, tables, arguments.flags)
    functions = [f for table in tables for f in table.functions]
    levels = ', '.join(dict.fromkeys(f.level for f in functions))
    print(f'{output}: {len(functions)} functions wrapped, level {levels}')


def draft(arguments):
    text, counts = header.draft(arguments.from_header, arguments.library, arguments.level, arguments.flags)
    output = arguments.output or '/dev/stdout'
    with open(output, 'w', encoding='utf-8') as file:
        file.write(text)
    print(counts, file=sys.stderr)


def main():
    words, flags = sys.argv[1:], []
    if '--' in words:
        words, flags = words[:words.index('--')], words[words.index('--') + 1:]
    parser = argparse.ArgumentParser(prog='hiera-wrap', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument('--help-all', action='help', help=argparse.SUPPRESS)
    parser.add_argument('tables', nargs='*', metavar='TABLE')
    parser.add_argument('-o', '--output', help='file to be made; default libhiera-level-NAME.so, or standard output for a draft')
    parser.add_argument('--name', help='NAME of the library; default: that of the last table')
    parser.add_argument('--for', dest='for_library', metavar='LIB', help='the wrappers are only for this library: a file, a name as after -l,\nor flags of the linker')
    parser.add_argument('--source', help='only write the C source of the wrappers to this file', metavar='FILE.c')
    parser.add_argument('--from-header', metavar='HEADER', help='draft a table from this C header')
    parser.add_argument('--library', metavar='LIB', help='... with the functions that this library exports, named as in --for')
    parser.add_argument('--level', help='level in the draft; default: the name of the library')
    arguments = parser.parse_args(words)
    arguments.flags = flags
    drafting = arguments.from_header or arguments.library
    if drafting and (arguments.tables or not arguments.from_header or not arguments.library) or not drafting and not arguments.tables:
        parser.error('give one or more tables, or --from-header and --library')
    try:
        draft(arguments) if drafting else wrap(arguments)
    except level_table.TableError as error:
        sys.exit(f'hiera-wrap: {error}')


if __name__ == '__main__':
    main()
