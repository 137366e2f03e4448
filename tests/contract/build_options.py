#!/usr/bin/env python3
"""Users build no tests; ./run-tests builds them, also in a build folder that was made without them. The collector
can be built alone. build_options.py SOURCE."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# Replaces meson, ninja and dpkg-query: prints its arguments, and creates what `meson setup` creates.
STAND_IN = '''#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
case "$(basename "$0") $1" in
"meson setup") mkdir build && touch build/build.ninja && case $* in *-Dfuzz=true) mkdir -p build/tests/fuzz ;; esac ;;
"meson configure") mkdir -p build/tests/fuzz ;;
"dpkg-query -W") echo installed ;;
esac
'''


def prepared(source, *targets):
    """The calls of meson that scripts/prepare makes when it is called with each of these targets."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / 'scripts').mkdir()
        (top / 'bin').mkdir()
        (top / 'scripts' / 'prepare').write_text((source / 'scripts' / 'prepare').read_text())
        for name in ('meson', 'ninja', 'dpkg-query'):
            (top / 'bin' / name).write_text(STAND_IN)
            (top / 'bin' / name).chmod(0o755)
        env = dict(os.environ, PATH=f'{top}/bin:{os.environ["PATH"]}', LOG=f'{top}/log')
        for target in targets:
            subprocess.run(['sh', 'scripts/prepare', target], cwd=top, env=env, check=True, stdout=subprocess.DEVNULL)
        return [line for line in (top / 'log').read_text().splitlines() if line.startswith('meson ')]


def collector_alone(source):
    """What meson says of a build of the collector alone; None: it is content."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['meson', 'setup', f'{folder}/build', source, '-Dtransform=disabled'], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stdout[-500:] + done.stderr


def main():
    source = pathlib.Path(sys.argv[1])
    options = json.loads(subprocess.run(['meson', 'introspect', '--buildoptions', source / 'meson.build'], capture_output=True,
                                        text=True, check=True).stdout)
    defaults = {option['name']: option['value'] for option in options}
    expected = {('example',): ['meson setup build -Dtests=false -Dfuzz=false'], ('tests', 'tests'): ['meson setup build -Dtests=true -Dfuzz=true'],
                ('example', 'tests', 'tests'): ['meson setup build -Dtests=false -Dfuzz=false', 'meson configure build -Dtests=true -Dfuzz=true']}
    # Without dpkg-architecture, meson would choose lib64, where neither ldconfig nor pkg-config of Debian looks.
    failures = [f'option {name}: expected {value!r}, actual {defaults[name]!r}' for name, value in (('tests', False), ('libdir', 'lib')) if defaults[name] != value]
    for targets, commands in expected.items():
        actual = prepared(source, *targets)
        if actual != commands:
            failures.append(f'scripts/prepare {", ".join(targets)}: expected {commands}, actual {actual}')
    if problem := collector_alone(source):
        failures.append(f'meson setup -Dtransform=disabled: {problem}')
    sys.exit('\n'.join(failures) or 0)


if __name__ == '__main__':
    main()
