#!/usr/bin/env python3
"""Contracts between the parts of Hiera: contract.py NAME [ARGUMENT...] checks one of them; exit status 0 if it holds.

Contracts of a built library: wrapped, fortran, exported, needed, plain. Of hiera-transform: lean. Of the headers: disabled, disabled_fortran.
Of the sources: grammar, names, settings, manual, left_out, oops."""

import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(TOP, 'collector', 'mpi', 'generate'))

import generate  # noqa: E402
import table  # noqa: E402

NAMES, KINDS = (os.path.join(TOP, 'dtd', name) for name in ('names.h', 'kinds.h'))
FUNCTIONS = os.path.join(TOP, 'collector', 'mpi', 'generate', 'functions.table')


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read(*path):
    with open(os.path.join(TOP, *path), encoding='utf-8') as file:
        return file.read()


def dynamic_symbols(library):
    """Names of the functions and variables that a shared library defines."""
    return set(versions(library))


def versions(library):
    """{name: its version} of the functions and variables that a shared library defines; '' without one."""
    fields = [line.split() for line in run('nm', '-D', '--defined-only', library).splitlines()]
    return {name: version.lstrip('@') for _, kind, symbol in fields if kind != 'A' for name, _, version in [symbol.partition('@')]}


# The public functions of each library, with their versions, as the linker gets them.
MAPS = {'libhiera-graph': 'transform/libhiera-graph.map', 'liboops': 'oops_shim/liboops.map', 'libhiera': 'collector/libhiera.map'}


def stated(library):
    """{name: version} of the map of a library."""
    text = re.sub(r'/\*.*?\*/', '', read(next(path for name, path in MAPS.items() if os.path.basename(library).startswith(name))), flags=re.S)
    return {name: version for version, names in re.findall(r'(\S+) \{\s*global:(.*?)\}', text, re.S) for name in re.findall(r'(\w+);', names)}


def mpi_of(library):
    """Path of the MPI library that libhiera is linked with."""
    match = re.search(r'libmpi(?:ch)?\.so\S* => (\S+)', run('ldd', library))
    if not match:
        sys.exit(f'{library}: linked with no MPI library')
    return match.group(1)


def functions():
    return table.read(FUNCTIONS, table.read_kinds(KINDS))


def unwrapped():
    """{symbol: reason why it has no wrapper}, from tests/contract/unwrapped.txt"""
    rows = [line.split(None, 1) for line in read('tests', 'contract', 'unwrapped.txt').splitlines()
            if line.strip() and not line.startswith('#')]
    without = [row[0] for row in rows if len(row) < 2]
    if without:
        sys.exit(f'unwrapped.txt: no reason for {" ".join(without)}')
    return dict(rows)


def complain(problems):
    for problem in problems:
        print(problem)
    return not problems


def check_wrapped(library):
    """Every PMPI_ symbol of the MPI library has a wrapper or a reason why not; there are no other wrappers."""
    there = {name[1:] for name in dynamic_symbols(mpi_of(library)) if name.startswith('PMPI_')}
    ours = {name for name in dynamic_symbols(library) if re.match(r'MPI_(?!.*_f(08)?$)(?!.*[A-Z]{2})|MPI_T_', name)}
    reasons = unwrapped()
    missing = sorted(there - ours - set(reasons))
    strange = sorted(ours - there)
    idle = sorted(name for name in reasons if name in ours)
    print(f'{len(there & ours)} of {len(there)} functions wrapped, {len(there & set(reasons))} excluded with a reason')
    return complain([f'{name}: in {mpi_of(library)}, but neither in functions.table nor in unwrapped.txt' for name in missing]
                    + [f'{name}: wrapped, but not a function of the MPI library' for name in strange]
                    + [f'{name}: wrapped, yet listed in unwrapped.txt' for name in idle]
                    + ([] if len(there) > 300 else [f'{mpi_of(library)}: only {len(there)} PMPI_ symbols: is it an MPI?']))


# Fortran names that have a PMPI name but are not MPI calls: pattern, reason.
NO_CALLS = [(r'mpi_sizeof_\w+_', 'asks the compiler for the size of a variable'),
            (r'mpi_f_sync_reg(_f08|_f08ts|_f)?_{0,2}', 'keeps the compiler from moving a variable, does nothing'),
            (r'mpi_(comm_|type_|win_)?(null_copy|null_delete|dup)_fn_{0,2}', 'a callback that MPI has, not a call'),
            (r'mpi_conversion_fn_null_{0,2}', 'a callback that MPI has, not a call'),
            (r'mpi_aint_(add|diff)(_f08|_f)?_{0,2}', 'address arithmetic; where C has no function for it, there is no record'),
            (r'mpi_delete_error_(class|code|string)_f08_', 'an extension of MPICH (MPIX_Delete_error_class)')]


def fortran_libraries(mpifort):
    """Paths of the libraries with which MPI's Fortran compiler links."""
    flags = run(mpifort, '-show').split()
    folders = [f[2:] for f in flags if f.startswith('-L')]
    return [path for f in flags if f.startswith('-lmpi') for path in
            [next((p for d in [*folders, '/usr/lib/x86_64-linux-gnu', '/usr/lib'] for p in [f'{d}/lib{f[2:]}.so'] if os.path.exists(p)), None)]
            if path]


def check_fortran(library, mpifort):
    """Every Fortran name of the MPI that has a PMPI name is defined in libhiera, or has a reason why not."""
    libraries = fortran_libraries(mpifort)
    names = set().union(*map(dynamic_symbols, libraries))
    c_names = {f.name for f in functions()}
    there = {n for n in names if n not in c_names and (n.startswith('mpi_') and {'p' + n, 'pmpir_' + n[4:]} & names
                                                       or n.startswith('MPI_') and 'P' + n in names)}
    ours = {n for n in dynamic_symbols(library) if n.lower().startswith('mpi_') and n not in c_names}
    excluded = {n for n in there if any(re.fullmatch(p, n, re.I) for p, _ in NO_CALLS)}
    print(f'{len(there & ours)} of {len(there)} Fortran names have an entry point, {len(excluded)} excluded with a reason')
    return complain([f'{n}: no entry point' for n in sorted(there - ours - excluded)][:40]
                    + [f'{n}: an entry point that MPI does not have' for n in sorted(ours - there)][:40]
                    + ([] if len(there) > 1500 else [f'only {len(there)} names in {" ".join(libraries)}']))


# Functions of libc that libhiera replaces, because they end the process without destructors (collector/process/exit_hooks.c, exec_hooks.c), or start
# a program that libhiera may not be loaded into (spawn_hooks.c).
ENDS = {'_exit', '_Exit', 'execve', 'execv', 'execvp', 'execvpe', 'execl', 'execle', 'execlp', 'fexecve', 'execveat', 'posix_spawn', 'posix_spawnp'}

# Functions that -finstrument-functions calls (collector/record/instrumented_functions.c), one for wrappers of levels (level.h),
# and one for hiera-recover (collector/process/recover.h).
HOOKS = {'__cyg_profile_func_enter', '__cyg_profile_func_exit', 'hiera_level_note', 'hiera_level_now', 'hiera_level_report', 'hiera_level_waited', 'hiera_mark_prepared', 'hiera_open_prepared',
         'hiera_recover'}

# Names that the linker gives to a section (collector/base/kept.h): hidden, and listed all the same by GNU ld.
SECTIONS = {'__start_hiera_kept', '__stop_hiera_kept'}

# Functions of MPI to which it reports its errors (collector/mpi/life/error_handlers.c).
REPORTS = {'ompi_errhandler_invoke', 'MPIR_Err_return_comm', 'MPIR_Err_return_win'}


def declared_in(headers, prefix):
    """Names of the functions that public headers declare, in all spellings of Fortran."""
    declared = set()
    for path in headers.split(','):
        if path.endswith('.f90'):  # external names of Fortran procedures
            names = re.findall(r'^ *(?:subroutine|function) (\w+)\([^()]*\)(?: result\(\w+\))?$', read(path), re.M)
            bound = re.findall(r"^ *subroutine (\w+)\([^()]*\) bind\(C(?:, name='(\w+)')?\)", read(path), re.M)
            declared |= {given or name for name, given in bound}
            declared |= {spelled for n in names for spelled in (n, n + '_', n + '__', n.upper())}
        else:
            declared |= set(re.findall(rf'\b({prefix}\w+)\s*\(', read(path)))
    return declared


def of_mpi(library, mpifort):
    """{reason: names of MPI that libhiera may export}: those that this MPI has, with a PMPI name."""
    known, here = functions(), dynamic_symbols(mpi_of(library))
    there = set().union(here, *map(dynamic_symbols, fortran_libraries(mpifort)))
    forms = (generate.fortran.F77, generate.fortran.CPTR, generate.fortran.F08, generate.fortran.F08TS)
    spelled = {name for f in known for form in forms for name, twin in generate.fortran.spell(f, form) if {name, twin} <= there}
    return {"a function of MPI's C library": {f.name for f in known if 'P' + f.name in here},
            "a name of MPI's Fortran library": spelled}


def check_exported(library, header, prefix, mpifort=''):
    """Every symbol that a library exports has a reason; here they are, all of them. Those of the map are there, with their versions, and no others have one."""
    reasons = {f'declared in {header}': declared_in(header, prefix)}
    if 'libhiera-graph' not in library:
        reasons.update({'ends the process, a function of libc': ENDS, 'called by the compiler, by wrappers of levels, by hiera-recover': HOOKS,
                        'ends of a section, which the linker names': SECTIONS, 'called by MPI for its errors': REPORTS})
    if mpifort:
        reasons.update(of_mpi(library, mpifort))
    shown = dynamic_symbols(library)
    if not mpifort:  # OOPS, and what has no MPI
        shown = {name for name in shown if not re.match(r'MPI_[A-Z]|mpi_', name)}
    for reason, names in reasons.items():
        here = sorted(shown & names)
        print(f'{len(here)}: {reason}: {" ".join(here)}')
    expected, found = stated(library), {name: version for name, version in versions(library).items() if version or name.lower().startswith(prefix)}
    print(f'{len(expected)} names with the versions {" ".join(sorted(set(expected.values())))}')
    return complain([f'{name}: exported without a reason' for name in sorted(shown - set().union(*reasons.values()))]
                    + [f'{name}: {found.get(name, "nothing")} in the library, {expected.get(name, "nothing")} in its map'
                       for name in sorted(set(expected) | set(found)) if expected.get(name) != found.get(name)]
                    + ([] if shown else [f'{library}: exports nothing']))


def check_needed(library):
    """libhiera needs no libraries but MPI and the C library."""
    allowed = r'libc\.|libmpi|libopen-(pal|rte)|libpthread|libdl|libm\.|ld-linux|libmpich'
    needed = re.findall(r'NEEDED\).*\[(.+)\]', run('readelf', '-d', library))
    print('needs', ' '.join(needed))
    return complain([f'{library} needs {name}' for name in needed if not re.match(allowed, name)]
                    + ([] if needed else ['readelf shows no needed library']))


def check_lean(program):
    """hiera-transform starts without the libraries that few runs need (transform/base/on_demand.h)."""
    needed = re.findall(r'NEEDED\).*\[(.+)\]', run('readelf', '-d', program))
    print('needs', ' '.join(needed))
    return complain([f'{program} needs {name} at its start' for name in needed if re.match(r'libigraph|libmicrohttpd|libgnutls|libgio|libdw|libelf', name)]
                    + ([] if needed else ['readelf shows no needed library']))


def sources(room):
    for folder, _, names in os.walk(os.path.join(TOP, room)):
        for name in names:
            if name.endswith(('.c', '.h')):
                yield os.path.relpath(os.path.join(folder, name), TOP)


def check_oops():
    """Each function of oops.h is one operation in traces: it begins with one HIERA_CALL, and uses nothing else of Hiera."""
    text = read('oops_shim', 'oops.h')
    blocks = re.findall(r'/\*\*(.*?)\*/\n((?:OOPS_PUBLIC.*?;\n)+)', text, re.S)
    quiet = {name for comment, block in blocks if '(accessor' in comment for name in re.findall(r'\b(oops_\w+)\(', block)}
    quiet |= {'oops_init', 'oops_finalize'}  # MPI is not initialized before the one and after the other
    declared = set(re.findall(r'^OOPS_PUBLIC .*?\b(oops_\w+)\(', text, re.M))
    bodies, problems = {}, []
    for path in sources('oops_shim'):
        code = re.sub(r'/\*.*?\*/', '', read(path), flags=re.S)
        problems += [f'{path}: {word}' for word in re.findall(r'\b(?:hiera_\w+|HIERA_(?!CALL\b)\w+)', code) if word != 'hiera_h']
        bodies.update({name: body for name, body in re.findall(r'^\w[^;{}]*?\b(oops_\w+)\([^;{}]*\)\n\{\n(.*?)^\}', code, re.M | re.S)})
    for name in sorted(declared):
        calls = bodies.get(name, '').count('HIERA_CALL(')
        if name not in bodies:
            problems.append(f'{name} is defined nowhere')
        elif name in quiet and calls:
            problems.append(f'{name} is an accessor and has a HIERA_CALL')
        elif name not in quiet and (calls != 1 or not bodies[name].lstrip().startswith('HIERA_CALL("oops", ')):
            problems.append(f'{name}: {calls} HIERA_CALL, expected one, first in the function')
    problems += [f'{name} has a HIERA_CALL and is not in oops.h' for name in sorted(set(bodies) - declared) if 'HIERA_CALL(' in bodies[name]]
    print(f'{len(declared - quiet)} methods, {len(quiet)} others')
    return complain(problems + ([] if len(declared - quiet) > 70 and len(quiet) > 10 else ['hardly any function was found']))


def check_plain(plain, traced):
    """If OOPS is compiled with HIERA_DISABLE, it does not use Hiera; otherwise it does."""
    needed = {line.split()[-1] for line in run('nm', plain).splitlines() if ' U ' in line}
    ours = sorted(name for name in needed if name.startswith('hiera_'))
    known = {line.split()[-1].split('@')[0] for line in run('nm', '-D', '--undefined-only', traced).splitlines()}
    print(f'{len(needed)} symbols needed by {os.path.basename(plain)}')
    return complain([f'{plain} needs {name}' for name in ours] + ([] if 'MPI_Bcast' in needed else [f'{plain} does not call MPI'])
                    + sorted(f'{traced} does not call {name}' for name in {'hiera_open_scope', 'hiera_close_scope'} - known))


def check_grammar():
    """dtd/trace.dtd and docs/mpi-functions.md are what the generator makes of the table."""
    arguments = type('Arguments', (), {'template': os.path.join(TOP, 'dtd', 'trace.dtd.in')})
    made = generate.dtd(functions(), table.read_kinds(KINDS), arguments)
    page = generate.coverage(functions(), table.read_kinds(KINDS), arguments)
    remake = 'is out of date; run: python3 collector/mpi/generate/generate.py'
    return complain(([] if made == read('dtd', 'trace.dtd') else [f'dtd/trace.dtd {remake} dtd --output dtd/trace.dtd'])
                    + ([] if page == read('docs', 'mpi-functions.md') else [
                        f'docs/mpi-functions.md {remake} coverage --output docs/mpi-functions.md']))


def check_names():
    """Every name that a trace can hold is in a grammar, the collector writes the elements of names.h and no other ones, and no argument
    takes the name of something else."""
    grammar = read('dtd', 'trace.dtd') + read('dtd', 'hieraCollector.dtd')
    names = read('dtd', 'names.h')
    elements = re.findall(r'X\(\w+, "(\w+)"\)', names[names.index('HIERA_ELEMENTS'):names.index('HIERA_ATTRIBUTES')])
    attributes = re.findall(r'X\(\w+, "(\w+)"\)', names[names.index('HIERA_ATTRIBUTES'):names.index('HIERA_OOPS')])
    problems = [f'element {name} is in no grammar' for name in elements if f'<!ELEMENT {name} ' not in grammar]
    problems += [f'attribute {name} is in no grammar' for name in attributes
                 if not re.search(rf'^  {name} ', grammar, re.M)]
    others = set(re.findall(r'<!ELEMENT (\w+) ', read('dtd', 'hieraCollector.dtd')))
    texts = [read(path) for path in sources('collector')] + [read('collector', 'mpi', 'generate', 'wrappers.py')]
    written = set(re.findall(r'<(hiera\w+|processor|c|p)\b', '\n'.join(texts)))
    problems += [f'the collector does not write the element {name} of names.h' for name in elements if name not in written]
    problems += [f'the collector writes the element {name}, which is not in names.h' for name in sorted(written - set(elements) - others)]
    taken = {'operation', 'file', 'line', 'start_time', 'finish_time', 'level', 'class', 'method', 'args', 'bytes', 'rbytes',
             'posted', 'posted_tag', 'error', 'sources', 'tags', 'sizes'}
    seen = {}
    for function in functions():
        if seen.setdefault(function.operation, function.name) != function.name:
            problems.append(f'{function.name} and {seen[function.operation]} have the same operation')
        problems += [f'functions.table:{function.line}: {function.name}: `{p.name}` means something else in a trace'
                     for p in function.parameters if p.name in taken and generate.wrappers.kind_of(p)]
        names_here = [p.name for p in function.parameters if p.name]
        if len(set(names_here)) != len(names_here):
            problems.append(f'functions.table:{function.line}: {function.name}: two parameters of one name')
    print(f'{len(elements)} elements, {len(attributes)} attributes, {len(seen)} operations')
    return complain(problems + ([] if len(elements) > 5 and len(attributes) > 20 and len(seen) > 400 else ['names.h not read']))


def settings_of_the_collector():
    """The variables, and the names in those that have several."""
    text = read('collector', 'base', 'settings.h')
    return set(re.findall(r'X\(\w+, \w+, "(HIERA_[A-Z_]+)", "', text)), set(re.findall(r'X\(\w+, \w+, "HIERA_[A-Z_]+", "(\w+)", "(?:HIERA_[A-Z_]+)?", "', text))


def check_settings():
    """Every setting is documented, and every documented setting exists."""
    settings, names = settings_of_the_collector()
    documented = set(re.findall(r'^\| `(HIERA_[A-Z_]+)`', read('docs', 'settings.md'), re.M))
    words = set(re.findall(r'^\| `([a-z_]+)` \|(?: `\w+`)? \| ', read('docs', 'settings.md'), re.M))
    groups = {f.group for f in functions()}
    text = read('docs', 'settings.md')
    listed = set(re.search(r'the groups are ([^"]*)"', re.sub(r'"\s*"', '', read('collector', 'write', 'filter_rules.c')))[1].split())
    print(f'{len(settings)} settings, {len(groups)} groups')
    return complain([f'{name} is not in docs/settings.md' for name in sorted(settings - documented)]
                    + [f'docs/settings.md: {name} does not exist' for name in sorted(documented - settings)]
                    + [f'{name} is in only one of settings.h and the tables of names of docs/settings.md' for name in sorted(names ^ words)]
                    + [f'{len(settings)} settings are more than 31: give a new one a name in HIERA_MORE'] * (len(settings) > 31)
                    + [f'group {name} is in only one of filter_rules.c and functions.table' for name in sorted(groups ^ listed)]
                    + [f'group {name} is not in docs/settings.md' for name in sorted(groups) if f'`{name}`' not in text]
                    + ([] if settings else ['no setting found']))


def check_manual():
    """Every setting, option, function of hiera.h, environment variable and measure is in the manual; each page has the sections ENVIRONMENT and FILES."""
    pages = {os.path.basename(path): read('docs/man', os.path.basename(path)) for path in glob.glob(os.path.join(TOP, 'docs/man', '*.[13]'))}
    sections = [f'{name} has no section {section}' for name, page in pages.items() for section in ('ENVIRONMENT', 'FILES') if f'\n.SH {section}\n' not in page]
    plain = {name: page.replace('\\-', '-').replace('\\fR', '').replace('\\fB', '') for name, page in pages.items()}
    settings = settings_of_the_collector()[0]
    options = set(re.findall(r'X\(\w+, "([a-z-]+)"', read('collector', 'run', 'options.h')))
    functions_of = set(re.findall(r'\b(hiera_\w*[a-z]|HIERA_(?:REGION|CALL|CALLER))\(', re.sub(r'/\*.*?\*/', '', read('collector', 'hiera.h'), flags=re.S)))
    variables = set(re.findall(r'getenv\("(\w+)"', ''.join(map(read, glob.glob(os.path.join(TOP, 'transform', '**', '*.c'), recursive=True)))))
    measures = [name.replace('_', '-') for name in re.findall(r'^    X\((\w+)\)', read('analyses', 'measures.h'), re.M)]
    missing = [f'measure {name} is not in docs/man/hiera-transform.1' for name in measures if not re.search(rf'\n\.TP\n\.BR? {name}\b', plain['hiera-transform.1'])]
    print(f'{len(pages)} pages, {len(measures)} measures, {len(settings)} settings, {len(options)} options, {len(functions_of)} functions')
    return complain(sections + missing + [f'{word} is not in docs/man/{page}' for page, words in (
        ('hiera-run.1', settings | {f'--{name}' for name in options}), ('hiera.3', functions_of), ('hiera-transform.1', variables)) for word in sorted(words) if word not in plain[page]])


def check_left_out():
    """docs/levels.md says what each table leaves out. Functions that it names have no wrapper, unless it says that they are in the table."""
    sys.path.insert(0, os.path.join(TOP, 'collector', 'levels'))
    import level_table
    text, problems, name, named = read('docs', 'levels.md'), [], '', {}
    for first, cells in re.findall(r'^\| (?:`([a-z0-9-]+)` )?\| (.*) \|$', text[text.index('### What they leave out'):], re.M):
        name = first or name
        named.setdefault(name, set()).update(re.findall(r'`(\w+)`(?! is in the table)', cells.split(' | ')[0]))
    for path in glob.glob(os.path.join(TOP, 'collector', 'levels', '*.table')):
        table_name = os.path.basename(path).removesuffix('.table')
        wrapped = {f.symbol for f in level_table.read(path).functions} - {'VecView', 'MatView', 'VecLoad', 'MatLoad', 'fftw_execute'}
        if not named.get(table_name):
            problems.append(f'docs/levels.md does not say what {table_name} leaves out')
        problems += [f'{word} is in {table_name}, though docs/levels.md says that it is left out' for word in sorted(wrapped & named.get(table_name, set()))]
    print(', '.join(f'{name}: {len(words)}' for name, words in sorted(named.items())))
    return complain(problems)


def check_disabled(*compiler):
    """With -DHIERA_DISABLE, the headers leave no reference to the library and no code."""
    with tempfile.TemporaryDirectory() as folder:
        sections = {}
        for flag in ('-DHIERA_DISABLE', '-DNOTHING', '-DWITH'):
            path = os.path.join(folder, flag + '.o')
            run(*compiler, '-O2', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', flag, '-I' + os.path.join(TOP, 'collector'), '-c',
                os.path.join(HERE, 'disabled.cc'), '-o', path)
            code = run('objdump', '-d', '--no-show-raw-insn', path)
            sections[flag] = code[code.index('<'):], [n for n in run('nm', '-u', path).split() if 'hiera' in n]
    problems = [] if sections['-DWITH'][1] else ['with Hiera there is no reference to it: nothing was tested']
    problems += [f'-DHIERA_DISABLE leaves {name}' for name in sections['-DHIERA_DISABLE'][1]]
    if sections['-DHIERA_DISABLE'][0] != sections['-DNOTHING'][0]:
        problems.append('-DHIERA_DISABLE leaves code:\n' + sections['-DHIERA_DISABLE'][0])
    return complain(problems)


def check_disabled_fortran(compiler):
    """hiera_disabled.f90 has the same procedures as hiera.f90, and needs no library."""
    with tempfile.TemporaryDirectory() as folder:
        run(compiler, '-J', folder, '-o', os.path.join(folder, 'a'), os.path.join(TOP, 'collector', 'hiera_disabled.f90'),
            os.path.join(HERE, 'disabled.f90'))
        run(os.path.join(folder, 'a'))
    public = [re.findall(r'public :: (.*)', read('collector', name)) for name in ('hiera.f90', 'hiera_disabled.f90')]
    return complain([] if public[0] == public[1] and public[0] else [f'the modules differ: {public}'])


def main():
    check = globals().get('check_' + sys.argv[1]) if len(sys.argv) > 1 else None
    if not check:
        sys.exit(__doc__)
    sys.exit(0 if check(*sys.argv[2:]) else 1)


if __name__ == '__main__':
    main()
