#!/usr/bin/env python3
"""Order of the folders: rooms.py prints and counts includes that break it; rooms.py --calls BUILD the calls to later folders, by the object
files of a build; rooms.py --names names with two meanings. Exit status 0 if there are none.

A folder with sources is a room. A file may include only files of its own room and of rooms that stand before it in ORDER, and of other houses
only what SEES and PUBLIC say. No two files include each other in a circle, except those in CIRCLES. Some libraries and words may be used only
in some files."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys

import meanings

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

# All rooms in one order: (house, its rooms). A file may include those of its own room and of rooms before it.
ORDER = [
    ('dtd', '.'),
    ('common/lines', '.'),
    ('common/options', '.'),
    ('common/text', '.'),
    ('common/expressions', '.'),
    ('common/assertions', '. meter'),
    ('common/probes', '. firing'),
    ('collector', '. malloc base loaded memory helper attach job counters folder store record places write profile latest sampling expect probing/shared '
                  'probing loops document process '
                  'mpi/call mpi/handle mpi/write mpi/probe mpi/agree mpi/life mpi/fortran levels markers levels/openmp levels/threads run recover'),
    ('oops_shim', '.'),
    ('collector/cc', '. parse'),
    ('image', '. object link code graph flow places move lookup program'),
    ('transform', '. base code parallel otf2 xml trace reading/context reading/loops reading/elements reading sharing convert matching matching/passes graph report checks checks/memory checks/order checks/all '
                  'export export/otf2 export/formats arrow'),
    ('analyses', '. values calls threads waiting objects inside counting causes paths efficiency alike hang runs search asserting summary'),
    ('transform/page', 'base timeline .'),
    ('transform/serve', '.'),
    ('transform', 'probing where cli/findings cli/options cli/run cli/assert cli'),
    ('predict/simulator', '. schedule engine'),
    ('predict/execution', 'code state graph walk mpi attributes .'),
    ('predict', 'machine run answers export calibration scaling traces executable .'),
]

# House -> the other ones that it may include.
SEES = {
    'dtd': '',
    'common/lines': '',
    'common/options': '',
    'common/text': '',
    'common/expressions': 'common/text',
    'common/assertions': 'dtd common/text common/expressions',
    'common/probes': 'dtd common/text common/expressions',
    'collector': 'dtd common/lines common/text common/expressions common/assertions common/probes',
    'oops_shim': 'collector',
    'collector/cc': 'common/expressions common/assertions collector',
    'image': 'dtd common/lines common/options common/text',
    'transform': 'dtd common/lines common/options common/text common/expressions common/assertions common/probes analyses image transform/page transform/serve',
    'analyses': 'dtd common/text common/expressions common/assertions common/probes transform',
    'transform/page': 'dtd common/text common/expressions analyses transform',
    'transform/serve': 'transform/page transform',
    'predict/simulator': '',
    'predict/execution': 'common/text image predict/simulator',
    'predict': 'dtd common/options common/text common/expressions analyses transform image predict/simulator predict/execution',
}

# House -> the headers that others may include; not given: all.
PUBLIC = {
    'collector': 'hiera.h hiera.hpp run/words.h',
    'common/expressions': 'arithmetic.h expression.h floats.h units.h',
    'common/assertions': 'assertions.h meter/meter.h meter/meter_sums.h meter/outcome_text.h',
    'common/probes': 'format.h probes.h ready.h',
    'image': 'code/decoder.h flow/flow.h flow/no_return.h link/program.h lookup/lookup.h object/object.h places/places.h places/readable_name.h',
    'transform': 'base/attribute_columns.h base/on_demand.h base/output_file.h base/parse_numbers.h export/export_attributes.h export/export_labels.h hiera_arrow.h hiera_code.h hiera_findings.h '
                 'hiera_graph.h hiera_load.h hiera_match.h hiera_measure.h hiera_pack.h hiera_parts.h hiera_retime.h hiera_summed.h hiera_trace.h '
                 'parallel/launcher.h parallel/library.h parallel/pings.h where/where.h',
    'transform/page': 'page.h',
    'transform/serve': 'serve.h',
    'predict/simulator': 'machine.h schedule/schedule.h simulator.h',
    'predict/execution': 'ends.h run.h graph/execution_graph.h graph/graph_report.h attributes/attribute.h attributes/call_arguments.h',
}
PLACES = {f'{house}/{room}'.removesuffix('/.'): (number, house) for number, (house, room) in
          enumerate((house, room) for house, rooms in ORDER for room in rooms.split())}

# Files (without suffix) that include each other in a circle, each with a reason.
CIRCLES = []

# Functions and variables of a later room that an earlier one uses, each with a reason. The earlier room has their declarations: an interface that
# the linker fills in.
CALLS = [
    ('hiera_script_bind hiera_script_check_change', 'a script is bound to its host while it is compiled: types come from both'),
    ('hiera_level', 'the level of the library: how MPI writes its calls'),
    ('hiera_counters_mpi', 'a row of the table of families of counters'),
    ('hiera_flush hiera_thread_attach hiera_idle_at_last', 'slow ends of writing a record, in record.h: a pointer would cost a load for each call'),
    ('hiera_call_left hiera_call_check_left', 'record.h: MPI alone knows which of its calls longjmp has left'),
    ('hiera_watch_functions hiera_watch_name hiera_watch_start hiera_watch_stop', 'watch.h: probes see regions on the call path'),
    ('hiera_assertion_find hiera_assertion_is_judged_now hiera_assertion_judge', 'assertion.h: rules are kept behind the call path'),
    ('hiera_assertion_processes hiera_assertion_may_be_comm', 'assertion.h: whether a variable is a communicator is known to MPI'),
    ('hiera_probes_start hiera_probes_stop', 'functions of hiera_probe.h, which Fortran calls as C does'),
    ('hiera_scratch_hold hiera_scratch_left', 'callbacks.h: requests of a call that callbacks interrupt'),
    ('hiera_pack_bytes hiera_pack_number hiera_pack_text', 'hiera_pack.h, which findings use to be packed'),
    ('hiera_unpack_bytes hiera_unpack_number hiera_unpack_text', 'hiera_pack.h, likewise'),
    ('hiera_scope_gather hiera_scope_leads', 'hiera_measure.h: processes tell each other what is left over'),
]
# They define functions of libc, or of Capstone, in the place of these libraries.
OF_LIBRARIES = {'collector/malloc/malloc.c', 'collector/levels/threads/threads.c', 'collector/process/spawn_hooks.c', 'predict/executable/capstone_on_demand.c'}

# Folder -> what its files must not include, and the files that may.
XML_READERS = {'transform/xml/xml', 'transform/xml/validator', 'transform/xml/grammar'}
# libotf2 may be missing: these files are compiled only with it.
OTF2_USERS = {'transform/otf2/definitions', 'transform/otf2/otf2_error', 'transform/export/otf2/otf2_collectives', 'transform/export/otf2/otf2_numbers', 'transform/export/otf2/otf2_together'}
FORBIDDEN = [
    ('collector', r'glib|libxml|igraph', set()),
    ('transform', r'mpi\.h', {'transform/parallel/mpi_transport', 'transform/parallel/mpi_pings'}),
    ('transform', r'libxml/', XML_READERS),
    ('transform', r'otf2/OTF2|otf2/otf2\.h', OTF2_USERS),
    ('transform/page', r'libxml/', set()),
    ('transform', r'microhttpd', set()),
    ('transform/page', r'microhttpd', set()),
    ('analyses', r'libxml/|gio/|stdio\.h|fcntl\.h', set()),
    ('common/text', r'(?!(std\w+|strings?)\.h$)', set()),
    ('common/expressions', r'(?!(fenv|math|std\w+|strings?)\.h$)', set()),
    ('common/assertions', r'(?!(locale|math|std\w+|string|operations|call_classes|rules|assertions|meter|meter_parts|meter_sums|outcome_text|expressions/expression)\.h$)', set()),
    ('common/probes', r'glib|libxml|igraph|mpi\.h|pthread\.h|unistd\.h|dlfcn\.h|sys/', set()),
    ('oops_shim', r'(?!(mpi|limits|std\w+|string)\.h$)', set()),
]
# Folder -> words that are not to stand in its files, and the files that may have them.
WORDS = [
    # Fails now and then while threads run: transform/base/parse_numbers.h. These read options, before there are threads.
    ('transform', r'g_ascii_string_to_', {'transform/cli/options/measure_options', 'transform/cli/options/options', 'transform/cli/options/shape', 'transform/xml/read_limits'}),
    ('transform/page', r'g_ascii_string_to_', set()),
    ('transform/serve', r'g_ascii_string_to_', {'transform/serve/address'}),
    ('analyses', r'g_ascii_string_to_', set()),
    # In a program with libhiera.a these names lead to Hiera: its own calls go by hiera_own.
    ('collector', r'\bPMPI_\w+(?<!_[cf]2[cf])\(', {'collector/mpi/abi/mpi_abi'}),
]
# The only folders and files that may use MPI.
MPI = ('collector/mpi', 'oops_shim', 'transform/parallel/mpi_transport.c', 'transform/parallel/mpi_pings.c')


def sources():
    """Path of each C file and header in these folders, relative to the top of the tree."""
    for top in sorted({house.split('/')[0] for house in SEES}):
        for path in sorted((TOP / top).rglob('*.[ch]')):
            yield path.relative_to(TOP)


def included(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', (TOP / path).read_text(encoding='utf-8'), re.M)


@functools.lru_cache(None)
def house_of(path):
    """The house of a file; that of the top folder if its room has no place."""
    return PLACES.get(path.parent.as_posix(), (0, path.parts[0]))[1]


@functools.lru_cache(None)
def roots(house):
    """Folders in which headers are looked for: houses, and what they stand in."""
    return [folder for name in [house, *SEES[house].split()] for folder in (name, str(pathlib.Path(name).parent))]


@functools.lru_cache(None)
def is_file(path):
    return (TOP / path).is_file()


def find(path, header):
    """The file of the tree that is included by this name; None for headers of the system and generated ones."""
    for folder in [path.parent.as_posix(), *roots(house_of(path)), '.']:
        there = os.path.normpath(f'{folder}/{header}')
        if is_file(there):
            return pathlib.Path(there)
    return None


def judge(path, other):
    """Why a file may not include another one; None if it may."""
    for unknown in {p.parent.as_posix() for p in (path, other)} - set(PLACES):
        return f'{unknown} has no place in the order'
    (place, house), (other_place, other_house) = PLACES[path.parent.as_posix()], PLACES[other.parent.as_posix()]
    if house != other_house:
        if other_house not in SEES[house].split():
            return f'{house}/ may not include files of {other_house}/'
        if other_house in PUBLIC and other.relative_to(other_house).as_posix() not in PUBLIC[other_house].split():
            return f'{house}/ may include only public headers of {other_house}/'
    if other_place > place:
        return f'{other.parent}/ comes after {path.parent}/ in the order'
    return None


def circles(edges):
    """Sets of nodes that reach each other (Tarjan's strongly connected components of more than one node)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            place = stack.index(node)
            component = set(stack[place:])
            del stack[place:]
            if len(component) > 1:
                found.append(component)

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def objects(build):
    """Object file -> source, relative to the top of the tree; one for each source in a room."""
    found = {}
    for command in json.loads((build / 'compile_commands.json').read_text(encoding='utf-8')):
        path = os.path.relpath(build / command['file'], TOP)
        if os.path.dirname(path) in PLACES and path not in OF_LIBRARIES and path not in found and (build / command['output']).exists():
            found[path] = command['output']
    return {output: pathlib.Path(path) for path, output in found.items()}


def check_calls(build):
    source_of, uses, defined, problems, reasons = objects(build), set(), {}, [], {word: reason for words, reason in CALLS for word in words.split()}
    for line in subprocess.run(['nm', '-A', '-P', '-g', *source_of], cwd=build, stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout.splitlines():
        output, symbol = line.split(': ', 1)
        name, kind = symbol.split()[:2]
        if kind in 'Uw':
            uses.add((source_of[output], name))
        else:
            defined.setdefault(name, set()).add(source_of[output].parent.as_posix())
    # A name that several rooms define is that of the first one: programs have functions `main` of their own.
    later = {(path, name) for path, name in uses if name in defined and
             min(PLACES[room][0] for room in defined[name]) > PLACES[path.parent.as_posix()][0]}
    for path, name in sorted(later):
        if name not in reasons:
            problems.append(f'{path} uses {name} of {" ".join(sorted(defined[name]))}, which comes later in the order')
    problems += [f'nobody uses {name} of a later room any more' for name in sorted((set(reasons) & set(defined)) - {name for _, name in later})]
    for problem in problems:
        print(problem)
    print(f'{len(uses)} uses in {len(source_of)} object files, {len({name for _, name in later})} names of later rooms')
    return 1 if problems or len(uses) < 1000 else 0


def check_names():
    return meanings.check(sources(), lambda path: (TOP / path).read_text(encoding='utf-8'),
                          lambda path: [find(path, header) for header in included(path)])


def main():
    sys.setrecursionlimit(10000)
    problems, edges, seen, rooms = [], {}, 0, set()
    for path in sources():
        rooms.add(path.parent)
        name = path.with_suffix('').as_posix()
        text = (TOP / path).read_text(encoding='utf-8')
        problems += [f'{path} has {word}' for folder, word, allowed in WORDS
                     if house_of(path) == folder and name not in allowed and re.search(word, text)]
        for header in included(path):
            seen += 1
            problems += [f'{path} includes {header}' for folder, pattern, allowed in FORBIDDEN
                         if house_of(path) == folder and not find(path, header) and name not in allowed and re.match(pattern, header)]
            if header == 'mpi.h' and not path.as_posix().startswith(MPI):
                problems.append(f'{path} includes mpi.h: MPI types belong in {" and ".join(MPI)}')
            other = find(path, header)
            if not other:
                continue
            reason = judge(path, other)
            if reason:
                problems.append(f'{path} includes {other}: {reason}')
            if other.with_suffix('') != path.with_suffix(''):
                edges.setdefault(name, set()).add(other.with_suffix('').as_posix())
    found = circles(edges)
    allowed = [set(names) for names, _ in CIRCLES]
    problems += [f'in a circle: {" ".join(sorted(circle))}' for circle in found if circle not in allowed]
    problems += [f'this is no longer a circle: {" ".join(sorted(circle))}' for circle in allowed if circle not in found]
    for problem in problems:
        print(problem)
    print(f'{seen} inclusions in {len(rooms)} folders, {len(found)} circles')
    return 1 if problems or seen < 1000 else 0


if __name__ == '__main__':
    if sys.argv[1:2] == ['--calls']:
        sys.exit(check_calls(pathlib.Path(sys.argv[2]).resolve()))
    sys.exit(check_names() if sys.argv[1:] == ['--names'] else main())
