#!/usr/bin/env python3
"""Users build no tests; ./run-tests builds them, also in a build folder that was made without them. The collector
can be built alone. build_options.py SOURCE."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# Replaces meson and ninja: prints its arguments, and creates what `meson setup` creates.
STAND_IN = '''#!/bin/sh
echo "${0##*/} $*" >>"$LOG"
case "${0##*/} $1" in
"meson setup") mkdir build && touch build/build.ninja && case $* in *-Dfuzz=true) mkdir -p build/tests/fuzz ;; esac ;;
"meson configure") mkdir -p build/tests/fuzz ;;
esac
'''
STAND_INS = {'meson': STAND_IN, 'ninja': STAND_IN, 'dpkg-query': '#!/bin/sh\necho installed\n'}


def prepared(source, *targets):
    """The calls of meson that scripts/prepare makes when it is called with each of these targets."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / 'scripts').mkdir()
        (top / 'bin').mkdir()
        (top / 'scripts' / 'prepare').write_text((source / 'scripts' / 'prepare').read_text())
        for name, text in STAND_INS.items():
            (top / 'bin' / name).write_text(text)
            (top / 'bin' / name).chmod(0o755)
        env = dict(os.environ, PATH=f'{top}/bin:{os.environ["PATH"]}', LOG=f'{top}/log')
        for target in targets:
            subprocess.run(['sh', 'scripts/prepare', target], cwd=top, env=env, check=True, stdout=subprocess.DEVNULL)
        return [line for line in (top / 'log').read_text().splitlines() if line.startswith('meson ')]


def collector_alone(source, *more):
    """What meson says of a build of the collector alone, the values of options that nobody has set, and the targets; none if there is no build. In a build
    without optimisation, compilers refuse other inline assembler: its files are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['meson', 'setup', f'{folder}/build', source, '-Dtransform=disabled', *more], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stdout[-500:] + done.stderr, {}, []
        options, targets = (json.loads(pathlib.Path(folder, 'build', 'meson-info', f'intro-{name}.json').read_text()) for name in ('buildoptions', 'targets'))
        if '--buildtype=debug' in more:
            commands = json.loads(pathlib.Path(folder, 'build', 'compile_commands.json').read_text())
            sources = {command['output']: pathlib.Path(folder, 'build', command['file']) for command in commands}
            objects = [output for output, file in sources.items() if file.exists() and '__asm__' in file.read_text()]
            done = subprocess.run(['ninja', '-C', f'{folder}/build', *objects], capture_output=True, text=True, check=False)
            if done.returncode != 0 or not objects:
                return f'{len(objects)} files with assembler: {done.stdout[-500:]}', {}, []
    return '', {option['name']: option['value'] for option in options}, [target['name'] for target in targets]


def main():
    source = pathlib.Path(sys.argv[1])
    problem, defaults, _ = collector_alone(source)
    problem_without, _, targets = collector_alone(source, '-Dmpi=none=none', '-Dimage=disabled', '-Dcc=disabled', '--buildtype=debug')
    if problem or problem_without:
        sys.exit(f'meson setup -Dtransform=disabled: {problem}{problem_without}')
    expected = {('example',): ['meson setup build -Dtests=false -Dfuzz=false'], ('tests', 'tests'): ['meson setup build -Dtests=true -Dfuzz=true'],
                ('example', 'tests', 'tests'): ['meson setup build -Dtests=false -Dfuzz=false', 'meson configure build -Dtests=true -Dfuzz=true']}
    # Without dpkg-architecture, meson would choose lib64, where neither ldconfig nor pkg-config of Debian looks.
    failures = [f'option {name}: expected {value!r}, actual {defaults[name]!r}' for name, value in (('tests', False), ('libdir', 'lib')) if defaults[name] != value]
    failures += [f'without an MPI there is no target {name}' for name in ('hiera-abi', 'hiera-run') if name not in targets]
    for arguments, commands in expected.items():
        actual = prepared(source, *arguments)
        if actual != commands:
            failures.append(f'scripts/prepare {", ".join(arguments)}: expected {commands}, actual {actual}')
    sys.exit('\n'.join(failures) or 0)


if __name__ == '__main__':
    main()
