#!/usr/bin/env python3
"""Programs that use hiera.h, built by each installed compiler in many ways: places.py CASE LIBRARY [HIERA-TRANSFORM].

places      regions have the line of the program that made them
afterwards  hiera-transform finds lines that the collector could not find
optional    one binary runs with and without the library
functions   number of instructions to find the caller of an inlined function, in a compilation unit with many types
units       number of instructions to find lines in an object with many compilation units and without .debug_aranges"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'page'))

import pages  # noqa: E402

HEADERS = HERE.parent.parent / 'collector'
FIXED, MOVED = ['-fno-pie', '-no-pie'], ['-fPIE', '-pie']

# Ways to build C++ in which lines must be found.
WAYS = {
    'g++': ['-O0', '-O2', '-O2 -flto', '-O2 -gsplit-dwarf -gz'],
    'clang++': ['-O0 -gdwarf-4', '-O2 -gdwarf-5', '-O2 -gdwarf-4 -gsplit-dwarf', '-O2 -gdwarf-5 -gsplit-dwarf -gz',
                '-O2 -gline-tables-only -ffunction-sections -Wl,--gc-sections'],
}
INSTRUCTIONS_PER_UNIT = 12000  # half as much again as the present cost
INSTRUCTIONS_PER_PLACE = 400000  # twice the present cost; it was 130 million when the unit was walked through for each place


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **more)
    if done.returncode != 0:
        sys.exit(f'{shlex.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def traced(program, library, folder):
    """The attributes of the regions in the trace of a program, and its output."""
    out = run([program], env=dict(os.environ, HIERA_DIR=folder, LD_PRELOAD=library))
    trace = pathlib.Path(folder, 'trace0.xml').read_text(encoding='utf-8')
    return [dict(re.findall(r'(\w+)="([^"]*)"', element)) for element in re.findall('<hiera(?:Region|OOPS) [^>]*>', trace)], out


def expected_places(source):
    lines = source.read_text(encoding='utf-8').splitlines()
    return {name: i for i, line in enumerate(lines, 1) for name in re.findall(r'"app", "([^"]+)"', line)}


def check_places(program, library, folder, what):
    expected = expected_places(HERE / 'places.cc')
    expected['of the caller'] = next(i for i, line in enumerate((HERE / 'places.cc').read_text().splitlines(), 1) if line == '    helper();')
    found = {region['operation']: (region['file'], int(region['line'])) for region in traced(program, library, folder)[0]}
    wrong = [f'{name}: expected places.cc:{expected[name]}, actual {place[0]}:{place[1]}'
             for name, place in found.items() if pathlib.Path(place[0]).name != 'places.cc' or place[1] != expected[name]]
    missing = set(expected) - set(found) - ({'optional', 'unique'} if 'OPTIMISED' not in what else set())
    if wrong or missing:
        sys.exit('\n'.join([what, *wrong, *(f'{name}: not recorded' for name in sorted(missing))]))


def places(library, top):
    count = 0
    for compiler, ways in WAYS.items():
        for way in ways if shutil.which(compiler) else []:
            flags = way.split() + (['-DOPTIMISED'] if '-O2' in way else [])
            run([compiler, '-std=c++17', '-g', *flags, f'-I{HEADERS}', HERE / 'places.cc', '-o', f'{top}/program'], cwd=top)
            check_places(f'{top}/program', library, top, f'{compiler} {" ".join(flags)}')
            count += 1
    strip(library, top)
    print(f'places: {count} ways to build')


def strip(library, top):
    """Debug information in a file of its own beside the program, found by .gnu_debuglink and not by the build id."""
    compiler = shutil.which('clang++') or 'g++'
    program = f'{top}/program'
    run([compiler, '-std=c++17', '-g', f'-I{HEADERS}', HERE / 'places.cc', '-o', program])
    run(['objcopy', '--only-keep-debug', program, f'{program}.debug'])
    run(['objcopy', '--strip-debug', f'--add-gnu-debuglink={program}.debug', program])
    check_places(program, library, top, f'{compiler}, debug information beside it')


def check_optional(program, library, folder, names, what):
    plain = run([program])
    regions, out = traced(program, library, folder)
    recorded = {region.get('operation', region.get('method')) for region in regions}
    if (plain, out, recorded) != ('2\n', '2\n', names):
        sys.exit(f'{what}: expected the output 2 twice and {sorted(names)}, actual {plain!r}, {out!r}, {sorted(recorded)}')


def optional(library, top):
    names = {'main', 'by hand', 'method', 'scope', 'work', 'left'}
    program, count = f'{top}/program', 0
    for compiler, language in (('gcc', 'c'), ('g++', 'c++'), ('clang', 'c'), ('clang++', 'c++')):
        for way in (FIXED, MOVED) if shutil.which(compiler) else ():
            if way == FIXED and 'clang' in compiler:
                continue  # the linker refuses this
            for level in ('-O0', '-O2'):
                run([compiler, '-Wall', '-Wextra', '-Werror', '-x', language, level, *way, f'-I{HEADERS}', HERE / 'annotated.c', '-o', program])
                check_optional(program, library, top, names, f'{compiler} {level} {way}')
                count += 1
    if shutil.which('gfortran'):
        run(['gfortran', '-g', HEADERS / 'hiera.f90', HERE / 'annotated.f90', HEADERS / 'hiera_fortran.c', '-o', program], cwd=top)
        check_optional(program, library, top, {'main', 'work'}, 'gfortran')
        place = [(pathlib.Path(region['file']).name, region['line'], region.get('args')) for region in traced(program, library, top)[0]]
        if place != [('annotated.f90', '5', 'a=1'), ('annotated.f90', '6', None)]:
            sys.exit(f'gfortran: places {place}')
    print(f'optional: {count} ways to build')


def lines_of(transform, folder):
    rows = run([transform, folder, '--measure', 'operations', '--format', 'csv']).splitlines()[1:]
    return {row.split(',')[2]: row.split(',')[3:5] for row in rows}


def afterwards(library, top, transform):
    """The program runs without debug information. Afterwards it has it; then another program has its name."""
    program, whole, folder = f'{top}/program', f'{top}/whole', f'{top}/traces'
    expected = {'main': '27', 'by hand': '28', 'scope': '9', 'work': '10', 'method': '31'}
    for way, level in (FIXED, 'full'), (MOVED, 'compact'):
        run(['gcc', '-g', *way, '-Wl,--build-id', '-DMARK=1', f'-I{HEADERS}', HERE / 'annotated.c', '-o', program])
        shutil.copy(program, whole)
        run(['strip', program])
        run([program], env=dict(os.environ, HIERA_DIR=folder, LD_PRELOAD=library, HIERA_FORMAT=level))
        run(['xmllint', '--noout', '--valid', f'{folder}/trace0.xml'])
        before = lines_of(transform, folder)
        shutil.copy(whole, program)
        after = lines_of(transform, folder)
        functions_without_lines(program, whole, folder, transform)
        run([transform, folder, '--export', f'full:{folder}/out', '--quiet'])
        exported = re.findall(r'file="([^"]*)" line="([0-9]+)"', pathlib.Path(folder, 'out', 'trace0.xml').read_text())
        if not {('annotated.c', line) for line in expected.values()} <= {(pathlib.Path(file).name, line) for file, line in exported}:
            sys.exit(f'{way}: exports have places without a line: {exported}')
        run([transform, folder, '--html', f'{folder}/page.html', '--quiet'])
        shown = pages.text(f'{folder}/page.html')
        if 'annotated.c' not in shown or 'program+0x' in shown:
            sys.exit(f'{way}: the page shows places without a line')
        run(['gcc', '-g', *way, '-Wl,--build-id', '-DMARK=2', '-O1', f'-I{HEADERS}', HERE / 'annotated.c', '-o', program])
        another = lines_of(transform, folder)
        found = {name: after[name][1] for name in expected}
        if found != expected or not all(place[0].startswith('program+0x') for table in (before, another) for place in table.values()):
            sys.exit(f'{way}: before {before}, after {after}, another program {another}')
    path_that_is_not_valid_text(library, top, transform)
    nameless_functions(library, top, transform)
    print('afterwards: lines of 5 places, a file name that is no text')


def nameless_functions(library, top, transform):
    """Names of recorded and counted functions, and of unmatched ends, in a program that runs without symbols."""
    program, whole, folder = f'{top}/program', f'{top}/whole', f'{top}/functions'
    named = {'main', 'plain', 'space::work(int)'}
    for short, level in ('0', 'full'), ('0', 'compact'), ('1s', 'full'):
        run(['g++', '-g', '-O0', '-finstrument-functions', '-Wl,--build-id', f'-I{HEADERS}', HERE / 'nameless.cc', '-o', program])
        shutil.copy(program, whole)
        run(['strip', program])
        run([program], env=dict(os.environ, HIERA_DIR=folder, LD_PRELOAD=library, HIERA_FORMAT=level, HIERA_SHORT=short))
        run(['xmllint', '--noout', '--valid', f'{folder}/trace0.xml'])
        before = functions_of(transform, folder)
        shutil.copy(whole, program)
        after = functions_of(transform, folder)
        if not named <= after or named & before:
            sys.exit(f'functions, {short}, {level}: before {before}, after {after}')
        said = subprocess.run([transform, folder, '--validate'], capture_output=True, text=True, check=False).stdout
        if not re.search(r"end of a region \(\S*nameless.cc:22\)", said) or 'program+0x' in said:
            sys.exit(f'unmatched ends, {short}, {level}: {said}')
        run([transform, folder, '--export', f'full:{folder}/out', '--html', f'{folder}/page.html', '--quiet'])
        if short == '0' and 'space::work(int)' not in pathlib.Path(folder, 'out', 'trace0.xml').read_text():
            sys.exit(f'exports have functions without a name, {level}')
        if 'program+0x' in pages.text(f'{folder}/page.html'):
            sys.exit(f'the page shows functions without a name, {short}, {level}')


def functions_of(transform, folder):
    return {row.split(',')[1] for row in run([transform, folder, '--measure', 'counts', '--format', 'csv']).splitlines()[1:]}


def functions_without_lines(program, whole, folder, transform):
    """Of a program with symbols and without debug information, places have the function at least."""
    run(['strip', '--strip-debug', program])
    places = lines_of(transform, folder)
    shutil.copy(whole, program)
    functions = {name: re.fullmatch(r'program\+0x[0-9a-f]+ in (\w+)', place[0]) for name, place in places.items()}
    if not all(functions.values()) or functions['main'][1] != 'main':
        sys.exit(f'functions without lines: {places}')


def path_that_is_not_valid_text(library, top, transform):
    """The path of a source file may be any bytes, but every output must be valid text."""
    program, folder, source = f'{top}/program', f'{top}/bytes', os.path.join(os.fsencode(top), b'caf\xe9\x01.c')
    shutil.copy(HERE / 'annotated.c', source)
    run(['gcc', '-g', '-Wl,--build-id', f'-I{HEADERS}', source, '-o', program])
    shutil.copy(program, f'{top}/whole')
    run(['strip', program])
    run([program], env=dict(os.environ, HIERA_DIR=folder, LD_PRELOAD=library))
    shutil.copy(f'{top}/whole', program)
    run([transform, folder, '--export', f'full:{folder}/out', '--quiet'])
    run(['xmllint', '--noout', '--valid', f'{folder}/out/trace0.xml'])
    run([transform, folder, '--html', f'{folder}/page.html', '--quiet'])
    pages.text(f'{folder}/page.html')
    if {file for file, _ in lines_of(transform, folder).values()} != {'caf\ufffd\ufffd.c'}:
        sys.exit(f'a path that is not valid text: {lines_of(transform, folder)}')


UNIT = 'int PREFIX_f(int n);\nint PREFIX_f(int n)\n{\n    return n + 1;\n}\n'


def instructions(program, library, top, source='annotated.c'):
    env = dict(os.environ, HIERA_DIR=top, LD_PRELOAD=library)
    done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', program], capture_output=True, text=True, check=False,
                          env=env, timeout=300)
    if done.returncode != 0:
        sys.exit(f'units: exit {done.returncode}\n{done.stdout}{done.stderr}')
    if f'{source}" line=' not in pathlib.Path(top, 'trace0.xml').read_text():
        sys.exit('units: no line was found')
    return int(re.search(r'Collected : (\d+)', done.stderr).group(1))


def units(library, top):
    if not shutil.which('clang') or not shutil.which('valgrind'):
        sys.exit(77)
    # valgrind cannot read the DWARF 5 of clang.
    run(['clang', '-g', '-gdwarf-4', f'-I{HEADERS}', '-c', HERE / 'annotated.c', '-o', f'{top}/main.o'])
    pathlib.Path(top, 'unit.c').write_text(UNIT)
    run(['clang', '-g', '-gdwarf-4', '-c', f'{top}/unit.c', '-o', f'{top}/unit.o'])
    many = []
    for i in range(200):
        run(['objcopy', f'--prefix-symbols=u{i}_', f'{top}/unit.o', f'{top}/u{i}.o'])
        many.append(f'{top}/u{i}.o')
    cost = []
    for objects in (many[:100], many):
        run(['clang', f'{top}/main.o', *objects, '-o', f'{top}/program'])
        cost.append(instructions(f'{top}/program', library, top))
    per_unit = (cost[1] - cost[0]) / 100
    print(f'units: {per_unit:.0f} instructions for each, {cost[0]} with a hundred')
    if per_unit > INSTRUCTIONS_PER_UNIT:
        sys.exit(f'expected at most {INSTRUCTIONS_PER_UNIT}')


def functions(library, top):
    """The tree of a compilation unit is walked through once, not once for each place in it."""
    if not shutil.which('g++') or not shutil.which('valgrind'):
        sys.exit(77)
    members = ' '.join(f'int m{k}(int);' for k in range(30))
    many = '\n'.join(f'struct S{i} {{ {members} }} s{i};' for i in range(300))
    cost = []
    for places in (1, 41):
        body = ''.join(f'    {{ hiera::Region region("app", "r{i}"); }}\n' for i in range(places))
        source = pathlib.Path(top, 'annotated.cc')
        source.write_text(f'#include <hiera.hpp>\n{many}\nint main()\n{{\n{body}    return 0;\n}}\n')
        run(['g++', '-g', '-gdwarf-4', '-O1', f'-I{HEADERS}', source, '-o', f'{top}/program'])
        cost.append(instructions(f'{top}/program', library, top, source='annotated.cc'))
    per_place = (cost[1] - cost[0]) / 40
    print(f'functions: {per_place:.0f} instructions for each place, {cost[0]} for one')
    if per_place > INSTRUCTIONS_PER_PLACE:
        sys.exit(f'expected at most {INSTRUCTIONS_PER_PLACE}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        {'places': places, 'optional': optional, 'functions': functions, 'units': units, 'afterwards': afterwards}[sys.argv[1]](sys.argv[2], folder, *sys.argv[3:])
