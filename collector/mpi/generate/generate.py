#!/usr/bin/env python3
"""Makes from functions.table: operation facts, parameters, grammar, wrappers, predefined handles, coverage page. Meson runs it."""

import argparse
import dataclasses
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import fortran  # noqa: E402
import record_layout  # noqa: E402
import table  # noqa: E402
import wrappers  # noqa: E402

NAMES = os.path.join(HERE, '..', '..', '..', 'dtd', 'names.h')
KINDS = os.path.join(os.path.dirname(NAMES), 'kinds.h')


def operations(functions, kinds, _arguments):
    """operations.h for the transform: X(name, KIND, KIND of each start, group)."""
    rows = {f.operation: (kinds[f.kind], kinds[f.values.get('starts', 'local')], f.group) for f in functions}
    lines = ['/* Made by collector/mpi/generate/generate.py from functions.table: the operations of the level `mpi`.',
             ' * X(name, identifier of the kind in HIERA_KINDS, the same of each start of its persistent request, group). */', '#ifndef HIERA_OPERATIONS_H',
             '#define HIERA_OPERATIONS_H', '', '#define HIERA_OPERATIONS(X) \\']
    lines += [f'    X("{name}", {kind}, {starts}, "{group}") \\' for name, (kind, starts, group) in sorted(rows.items())]
    lines += ['', '', '/* Arguments that are recorded: X(name, type), as in dtd/attributes.h; TEXT: not everywhere a number. */',
              '#define HIERA_ARGUMENTS(X) \\']
    lines += [f'    X("{name}", {of_type}) \\' for name, of_type in typed_arguments(functions)]
    lines += ['', '', '/* Parameters of each operation, in their order: X(name, names of the parameters); > is an out parameter, = one that goes in and out. */',
              '#define HIERA_PARAMETERS(X) \\']
    lines += [f'    X("{name}", "{parameters}") \\' for name, parameters in sorted({f.operation: parameter_names(f) for f in functions}.items())]
    return '\n'.join(lines + ['', '', '#endif', ''])


def parameter_names(function):
    return ' '.join({'out': '>', 'inout': '='}.get(p.direction, '') + p.name for p in function.parameters if p.name)


# The type of an argument, by record_layout.kind_of. Lists and the rest are texts.
NUMBERS = {'INT': 'NUMBER', 'LONG': 'NUMBER', 'RANK': 'RANK', 'TAG': 'RANK', 'COLOR': 'RANK'}


def typed_arguments(functions):
    """The arguments that are recorded; a number is what all functions record as one."""
    types = {}
    for p in (p for f in functions for p in f.parameters if record_layout.kind_of(p)):
        types.setdefault(p.name, set()).add('TEXT' if p.length else NUMBERS.get(record_layout.kind_of(p), 'TEXT'))
    return [(name, 'TEXT' if 'TEXT' in found else max(found)) for name, found in sorted(types.items())]


# How wide an argument is in memory: X(identifier) in mpi_parameters.h.
WIDTHS = {'double': 'DOUBLE', 'buffer': 'BUFFER', 'string': 'TEXT', 'MPI_Status': 'STATUS'}


def width_of(parameter):
    if parameter.type in WIDTHS:
        return WIDTHS[parameter.type]
    if parameter.c_type in table.WIDE:
        return 'LONG'
    if parameter.c_type in table.NARROW:
        return 'INTEGER'
    return 'HANDLE' if parameter.type in table.HANDLES or parameter.type == 'MPI_Request' else 'OTHER'


# What a trace has of a parameter, by record_layout.kind_of: X(identifier) in mpi_parameters.h.
TRACED = {None: 'NOT', 'SYMBOL': 'NOT', 'DOUBLE': 'NOT', 'INT': 'INTEGER', 'LONG': 'INTEGER', 'NUMBER': 'REQUEST'}
# How long an array is, if no parameter says it.
SPANS = {'size(comm)': 'MEMBERS', 'local_size(comm)': 'OWN_MEMBERS', 'indegree(comm)': 'SOURCES', 'outdegree(comm)': 'DESTINATIONS'}


def parameter_row(p, named):
    """P(…) of one parameter."""
    length, _, factor = p.length.partition('*')
    kind = record_layout.kind_of(p)
    is_handle = p.type in table.HANDLES
    of_class = table.read_prefixes(table.CLASSES)[table.HANDLES[p.type]] if is_handle else ''
    traced = 'HANDLE' if is_handle else TRACED.get(kind, kind)
    span = 'NAMED' if length in named else SPANS.get(p.length, 'OTHER')
    words = [(p.direction or 'value').upper(), width_of(p), p.name.upper(), length.upper() if length in named else 'NONE', factor or (1 if p.length else 0),
             span, traced, f'"{of_class}"', (p.role or 'all').upper(), p.flag.upper() or 'NONE']
    return f'P({", ".join(str(word) for word in words)})'


def parameters(functions, _kinds, _arguments):
    """mpi_parameters.h for execution/: the parameters of all functions, by the name in lower case."""
    named = sorted({p.name for f in functions for p in f.parameters if p.name})
    lines = ['/* Made by collector/mpi/generate/generate.py from functions.table: the parameters of the functions of MPI. */', '#ifndef HIERA_MPI_PARAMETERS_H',
             '#define HIERA_MPI_PARAMETERS_H', '', '/* Names of parameters: X(identifier, name). */', '#define HIERA_MPI_NAMES(X) \\']
    lines += [f'    X({name.upper()}, "{name}") \\' for name in named] + ['', '']
    lines += ['/* Functions, by name without MPI_: X(name in lower case, name in traces, kind, group, bytes that are sent, bytes that are received, buffer that may',
              ' * be MPI_IN_PLACE, its parameters). Each of them is P(direction, width, name, name of the parameter that is its length, or NONE; factor of the',
              ' * length, how long it is without such a parameter, what a trace has of it, prefix of the names of handles, role, flag). */',
              '#define HIERA_MPI_FUNCTIONS(X, P) \\']
    for f in sorted(functions, key=lambda f: f.name[4:].lower()):
        pieces = [parameter_row(p, named) for p in f.parameters if p.name]
        facts = [f.name[4:].lower(), f.operation, f.kind, f.group] + [f.values.get(key, '') for key in ('sent', 'received', 'in-place')]
        lines.append(f'    X({", ".join(chr(34) + fact + chr(34) for fact in facts)}, {" ".join(pieces)}) \\')
    return '\n'.join(lines + ['', '', '#endif', ''])


def fill(words, separator, indent):
    """Put words into lines of at most 118 columns."""
    lines, line = [], indent
    for i, word in enumerate(words):
        piece = word + (separator if i + 1 < len(words) else '')
        if len(line) + len(piece) > 118 and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += piece
    return '\n'.join(lines + [line.rstrip()])


def attribute_names(functions):
    """The attributes of hieraMPI that functions have: parameters, requests, bytes, error, …"""
    names = set()
    for function in functions:
        names.update(p.name for p in function.parameters if record_layout.kind_of(p))
        if any(p.type == 'MPI_Request' for p in function.parameters):
            names.update(('request', 'requests', 'pending', 'sources', 'tags', 'sizes'))
    return sorted(names | {'buffers', 'bytes', 'rbytes', 'posted', 'posted_tag', 'error', 'left'})


def dtd(functions, _kinds, arguments):
    """trace.dtd from its template."""
    text = open(arguments.template, encoding='utf-8').read()
    names = sorted({f.operation for f in functions})
    attributes = [f'  {name} CDATA #IMPLIED' for name in attribute_names(functions)]
    oops = table.read_oops_arguments(NAMES)
    common = ['level', 'class', 'method', 'operation', 'file', 'line', 'args']
    union = common + [n for n in dict.fromkeys(attribute_names(functions) + oops) if n not in common]
    text = text.replace('@CALL@', '\n'.join(f'  {name} CDATA #IMPLIED' for name in union))
    text = text.replace('@USE@', '\n'.join(f'  {name} CDATA #IMPLIED' for name in union if name not in ('r', 't', 'd')))
    text = text.replace('@OOPS@', '\n'.join(f'  {name} CDATA #IMPLIED' for name in oops))
    text = text.replace('@OPERATIONS@', fill(names, ' | ', '    '))
    return text.replace('@ATTRIBUTES@', '\n'.join(attributes))


def present(names, compiler):
    """The names that the MPI library defines: the linker reports the others as undefined."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'symbols.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.writelines(f'extern void {n}(void);\n' for n in names)
            file.write('void (*all[])(void) = {' + ','.join(names) + '};\nint main(void) { return !all[0]; }\n')
        run = subprocess.run([compiler[0], source, '-o', os.path.join(folder, 'symbols'), *compiler[1:]], capture_output=True, text=True,
                             env=dict(os.environ, LC_ALL='C'), check=False)
    missing = set(re.findall(r"undefined (?:reference to|symbol:) [`'\"]?(\w+)", run.stderr))
    if run.returncode != 0 and not missing:
        sys.exit(f'{" ".join(compiler)}: cannot link a program with MPI:\n{run.stderr}')
    return [n for n in names if n not in missing]


def needed(compiler):
    """The sonames of the shared libraries that the compiler links a program with, in order."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'program')
        subprocess.run([compiler[0], '-x', 'c', '-', '-o', program, '-Wl,--no-as-needed', *compiler[1:]], input='int main(void) { return 0; }',
                       text=True, check=True)
        show = subprocess.run(['readelf', '-d', program], capture_output=True, text=True, env=dict(os.environ, LC_ALL='C'), check=True).stdout
    return re.findall(r'NEEDED\).*\[(.+)\]', show)


def in_library(functions, compiler):
    """The functions that the installed MPI has."""
    here = set(present(sorted({'P' + f.name for f in functions}), compiler))
    return [f for f in functions if 'P' + f.name in here]


def in_abi(functions):
    """The functions of the ABI of MPI 5.0: without what MPI removed, and without what needs a type of Fortran. Its prototypes are those of the table."""
    return [dataclasses.replace(f, facts=f.facts - {'varies'}) for f in functions if 'removed' not in f.facts and not re.search(r'MPI_(Fint|F08_status)', ' '.join([f.result, *(p.type for p in f.parameters)]))]


def abi(functions, _kinds, arguments):
    """<mpi.h> of the ABI: abi/mpi_abi.h with the prototypes. All are weak: libhiera-abi is linked with no MPI."""
    lines = []
    for f in in_abi(functions):
        parameters = ', '.join(p.declaration for p in f.parameters) or 'void'
        lines += [f'{f.result} {f.name}({parameters});', f'{f.result} P{f.name}({parameters}) __attribute__((weak));']
    with open(arguments.header, encoding='utf-8') as file:
        return file.read().replace('/* PROTOTYPES */', '\n'.join(lines))


def wrap(functions, _kinds, arguments):
    library = in_abi(functions) if arguments.abi else in_library(functions, arguments.compiler.split(' '))
    return wrappers.source(library)


def wrap_fortran(functions, _kinds, arguments):
    if arguments.abi:
        return fortran.source(functions, in_abi(functions), set(), [])
    compiler = arguments.compiler.split(' ')
    library = in_library(functions, compiler)
    if not arguments.fortran:
        return fortran.source(functions, library, set(), [])
    mpifort = compiler + arguments.fortran.split(' ')
    own = set(needed(compiler))
    libraries = [name for name in needed(mpifort) if name not in own and 'mpi' in name]
    return fortran.source(functions, library, set(present(fortran.candidates(functions), mpifort)), libraries)


def predefined(_functions, _kinds, arguments):
    """predefined.h: the predefined handles that mpi.h defines, by class."""
    classes, name = {}, None
    for line in open(arguments.handles, encoding='utf-8'):
        line = line.split('#', 1)[0].strip()
        if line.startswith('['):
            name = line.strip('[]')
            classes[name] = []
        elif line:
            classes[name] += line.split()
    types = {identifier: ctype for ctype, identifier in table.HANDLES.items()}
    out = ['/* Made by collector/mpi/generate/generate.py from predefined.table. */', '#include <mpi.h>', '']
    for name, handles in classes.items():
        out.append(f'#ifdef {handles[0]}' if handles else '#if 0')
        for what, ctype, row in (('predefined', types[name], '{},'), ('predefined_names', 'char *const', '"{}",')):
            out.append(f'__attribute__((unused)) static const {ctype} hiera_{what}_{name}[] = {{')
            for handle in handles:
                out += [f'#ifdef {handle}', '    ' + row.format(handle), '#endif']
            out.append('};')
        out += [f'enum {{ N_{name} = sizeof hiera_predefined_{name} / sizeof hiera_predefined_{name}[0] }};', '#else',
                f'static const int hiera_predefined_{name}[1];', f'static const char *const hiera_predefined_names_{name}[1];',
                f'enum {{ N_{name} = 0 }};', '#endif']
    order = list(types)
    out.append('__attribute__((unused)) static const char *const *const hiera_predefined_names[] = {'
               + ', '.join(f'hiera_predefined_names_{n}' for n in order) + '};')
    out.append('__attribute__((unused)) static const uint32_t hiera_predefined_count[] = {'
               + ', '.join(f'N_{n}' for n in order) + '};')
    return '\n'.join(out) + '\n'


COVERAGE_HEAD = '''# The functions of MPI

libhiera wraps every function of this list that the installed MPI has. There are {all}, of which {large} are large-count forms: `+ _c` after the name.
Each section is a group, a word of `HIERA_FILTER` ([settings.md](settings.md#filters)).

| column | meaning |
|---|---|
| operation | its name in traces |
| kind | the other ranks on which the operation depends; `local`: none. For a persistent request: also the kind of each start |
| bytes, rbytes | how these attributes are computed: `bytes` is the payload that the rank gives (of a receive: that it gets), `rbytes` the payload that it gets in calls that also send. `status`: the size of the received message. `root:`, `members:`, `others:`: only on ranks of that role, else 0. `in place`: with `MPI_IN_PLACE` |
| recorded arguments | attributes in the trace ([format.md](format.md#arguments)) |

For example, `MPI_Gather` of 4 integers on 3 ranks has `bytes="16"` on each rank, and `rbytes="48"` on the root (`rbytes="0"` elsewhere).

(Made from `functions.table` by `collector/mpi/generate/generate.py coverage`.)'''


def coverage(functions, _kinds, _arguments):
    """docs/mpi-functions.md: the facts of each function, as tables."""
    large = {f.name[:-2] for f in functions if f.name.endswith('_c') and 'large' in f.facts}
    shown = [f for f in functions if not (f.name.endswith('_c') and f.name[:-2] in large)]
    lines = [COVERAGE_HEAD.format(all=len(functions), large=len(large))]
    group = None
    for f in shown:
        if f.group != group:
            group = f.group
            lines += ['', f'## {group}', '', '| function | operation | kind | bytes | rbytes | recorded arguments |',
                      '|---|---|---|---|---|---|']
        arguments = ' '.join(p.name for p in f.parameters if record_layout.kind_of(p))
        sent, received = f.values.get('sent', ''), f.values.get('received', '')
        if not sent:
            sent, received = received, ''
        name = f'`{f.name}`' + (' + `_c`' if f.name in large else '')
        kind = f.kind + (f'; each start:{f.values["starts"]}' if 'starts' in f.values else '')
        cells = [name, f.operation, kind, sent, received, arguments]
        lines.append('| ' + ' | '.join(cell.replace('|', ', in place ').replace(':', ': ') for cell in cells) + ' |')
    return '\n'.join(lines) + '\n'


COMMANDS = {'operations': operations, 'parameters': parameters, 'dtd': dtd, 'wrappers': wrap, 'fortran': wrap_fortran, 'predefined': predefined,
            'coverage': coverage, 'abi': abi}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('command', choices=COMMANDS)
    parser.add_argument('--table', default=os.path.join(HERE, 'functions.table'))
    parser.add_argument('--handles', default=os.path.join(HERE, 'predefined.table'))
    parser.add_argument('--template', default=os.path.join(HERE, '..', '..', '..', 'dtd', 'trace.dtd.in'))
    parser.add_argument('--compiler', help='command that compiles and links a program with MPI', default='mpicc')
    parser.add_argument('--abi', action='store_true', help='for the ABI of MPI 5.0, in place of the MPI of a compiler')
    parser.add_argument('--header', default=os.path.join(HERE, '..', 'abi', 'mpi_abi.h'))
    parser.add_argument('--fortran', help='flags that link MPI\'s Fortran library; without them: no entry points', default='')
    parser.add_argument('--output')
    arguments = parser.parse_args()
    kinds = table.read_kinds(KINDS)
    try:
        text = COMMANDS[arguments.command](table.read(arguments.table, kinds), kinds, arguments)
    except table.TableError as error:
        sys.exit(f'generate.py: {error}')
    if arguments.output:
        with open(arguments.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == '__main__':
    main()
