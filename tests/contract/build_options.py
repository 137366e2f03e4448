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


def collector_alone(source):
    """What meson says of a build of the collector alone, and the values of options that nobody has set; none if there is no build."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['meson', 'setup', f'{folder}/build', source, '-Dtransform=disabled'], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stdout[-500:] + done.stderr, {}
        options = json.loads(pathlib.Path(folder, 'build', 'meson-info', 'intro-buildoptions.json').read_text())
    return '', {option['name']: option['value'] for option in options}


def main():
    source = pathlib.Path(sys.argv[1])
    problem, defaults = collector_alone(source)
    if problem:
        sys.exit(f'meson setup -Dtransform=disabled: {problem}')
    expected = {('example',): ['meson setup build -Dtests=false -Dfuzz=false'], ('tests', 'tests'): ['meson setup build -Dtests=true -Dfuzz=true'],
                ('example', 'tests', 'tests'): ['meson setup build -Dtests=false -Dfuzz=false', 'meson configure build -Dtests=true -Dfuzz=true']}
    # Without dpkg-architecture, meson would choose lib64, where neither ldconfig nor pkg-config of Debian looks.
    failures = [f'option {name}: expected {value!r}, actual {defaults[name]!r}' for name, value in (('tests', False), ('libdir', 'lib')) if defaults[name] != value]
    for targets, commands in expected.items():
        actual = prepared(source, *targets)
        if actual != commands:
            failures.append(f'scripts/prepare {", ".join(targets)}: expected {commands}, actual {actual}')
    sys.exit('\n'.join(failures) or 0)


if __name__ == '__main__':
    main()
