#!/usr/bin/env python3
"""Loops that hiera-image finds against those that clang says it made: compare_clang.py HIERA_IMAGE BUILD [--turns] [--target=TARGET] [FOLDER|FILE]... [-- OPTION...]

Clang's assembly names the header and depth of each loop in comments. Its labels are kept in the library, so that addresses can be compared.
Files are those of compile_commands.json in BUILD; FOLDER is one of this repository. Fails if precision or recall is below 99 % at any level. With
a FILE (.c, .cc, .cpp), that file is compiled with OPTIONs, such as -I. TARGET is another machine, such as aarch64-linux-gnu; what is missing for
it is said, with exit status 77. With --turns each file is compiled at one level of optimisation, in turns, instead of at all three; in tests that take a
part, every third one of these."""

import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from part import part_of  # noqa: E402

LEVELS = ('-O0', '-O2', '-O3')
TOP = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ('image', 'expressions')


def commands(build, wanted):
    """Source -> options that matter to clang."""
    found = {}
    for entry in json.loads(pathlib.Path(build, 'compile_commands.json').read_text(encoding='utf-8')):
        source = pathlib.Path(entry['directory'], entry['file']).resolve()
        if source.suffix != '.c' or not source.is_relative_to(TOP) or not str(source.relative_to(TOP)).startswith(tuple(f'{folder}/' for folder in wanted)):
            continue
        words = shlex.split(entry['command'])
        found.setdefault(source, (entry['directory'], [word for word in words if word.startswith(('-I', '-D', '-std'))]))
    return found


def truth(text):
    """Header label -> depth, from the comments of clang's assembly."""
    loops, label = {}, None
    for line in text.splitlines():
        match = re.match(r'(LBB\d+_\d+):', line)
        if match:
            label = match[1]
        elif line and not line.startswith((' ', '\t', '#', '//')):
            label = None
        found = re.search(r'(?:#|//) +=>.*Loop Header: Depth=(\d+)', line)
        if found and label:
            loops[label] = int(found[1])
        elif found:
            loops[f'no label {line}'] = int(found[1])
    return loops


def other_machine(target):
    """Options of clang for a target; exits if what it needs is not installed."""
    options = [f'--target={target}', '-fuse-ld=lld']
    done = subprocess.run(['clang', *options, '-shared', '-nostdlib', '-x', 'c', '-o', '/dev/null', '-'], check=False, input='#include <stdlib.h>\n#include <string.h>\n', text=True,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        print(f'skipped: clang compiles nothing for {target} here (it needs lld and the headers of a C library for it, as libc6-dev-arm64-cross has):\n{done.stderr}')
        sys.exit(77)
    return options


def compile_file(folder, number, source, options, level, directory, machine):
    assembly, library = pathlib.Path(folder, f'{number}.s'), pathlib.Path(folder, f'{number}.so')
    subprocess.run(['clang', '-S', *machine, level, '-w', '-fPIC', '-fno-addrsig', *options, '-o', assembly, source], cwd=directory, check=True)
    text = assembly.read_text(encoding='utf-8').replace('.LBB', 'LBB')
    assembly.write_text(text, encoding='utf-8')
    linker = ['clang', *machine] if machine else ['gcc']  # which starts sooner
    linked = subprocess.run([*linker, '-shared', '-nostdlib', '-o', library, assembly], check=False, stderr=subprocess.DEVNULL)
    return (truth(text), library) if linked.returncode == 0 else None


def natural_depth(loops, loop):
    """Clang does not count irreducible regions."""
    depth = 0
    while loop:
        depth += not loop['irreducible']
        loop = loops[loop['parent'] - 1] if loop['parent'] else None
    return depth


def compare(image, folder, number, source, how, level, machine):
    """How many loops both have, only clang, only hiera-image; and which differ."""
    compiled = compile_file(folder, number, source, how[1], level, how[0], machine)
    if not compiled:
        return 0, 0, 0, [f'{source.name} {level}: alone it cannot be linked'], 0
    expected, library = compiled
    symbols = {fields[2]: int(fields[0], 16) for fields in (line.split() for line in subprocess.run(['nm', library], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines())
               if len(fields) == 3}
    done = subprocess.run([image, '--format', 'json', library], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if 'has no functions' in done.stderr or 'has no code' in done.stderr:
        return 0, len(expected), 0, [], 0
    functions = json.loads(done.stdout)['functions']
    theirs = collections.Counter((symbols.get(label, label), depth) for label, depth in expected.items())
    ours = collections.Counter((int(loop['header'], 16), natural_depth(function['loops'], loop)) for function in functions for loop in function['loops'] if not loop['irreducible'])
    doubts = [f'{function["function"]}: {doubt}' for function in functions for doubt in function['doubts']]
    differ = [f'{source.name} {level}: only {who}: {at if isinstance(at, str) else hex(at)} depth {depth}' for who, only in (('clang', theirs - ours), ('hiera-image', ours - theirs)) for at, depth in only]
    return (theirs & ours).total(), (theirs - ours).total(), (ours - theirs).total(), differ + doubts, sum(bool(function['loops']) for function in functions)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    image, build, *wanted = sys.argv[1:]
    image = pathlib.Path(image).resolve()
    machine = [option for word in wanted if word.startswith('--target=') for option in other_machine(word.split('=', 1)[1])]
    wanted = [word for word in wanted if not word.startswith('--target=')]
    step = len(LEVELS) if '--turns' in wanted else 1
    wanted = [word for word in wanted if word != '--turns']
    last = wanted.index('--') if '--' in wanted else len(wanted)
    wanted, options = wanted[:last], wanted[last + 1:]
    files = {pathlib.Path(name).resolve(): ('.', options) for name in wanted if pathlib.Path(name).is_file()}
    folders = [name for name in wanted if not pathlib.Path(name).is_file()]
    sources = sorted((files | (commands(build, folders or FOLDERS) if folders or not files else {})).items())
    bad = not sources
    for turn, level in enumerate(LEVELS):
        compiled = part_of(sources[turn % step::step], 3 if step > 1 else 1)
        both = only_clang = only_image = n_functions = 0
        with tempfile.TemporaryDirectory() as folder:
            for number, (source, how) in enumerate(compiled):
                same, missed, wrong, differ, looping = compare(image, folder, number, source, how, level, machine)
                both, only_clang, only_image, n_functions = both + same, only_clang + missed, only_image + wrong, n_functions + looping
                print(''.join(f'{line}\n' for line in differ), end='')
        precision, recall = (100 * both / max(both + other, 1) for other in (only_image, only_clang))
        print(f'{level}: {len(compiled)} files, {n_functions} functions with loops, {both + only_clang} loops of clang: precision {precision:.2f} %, recall {recall:.2f} %')
        bad |= precision < 99 or recall < 99
    sys.exit(bad)


if __name__ == '__main__':
    main()
