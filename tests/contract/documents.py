#!/usr/bin/env python3
"""Documents say what programs do: documents.py tutorial BUILD MPICC MPIRUN runs the console blocks of docs/tutorial.md, in one folder, one after the other.
documents.py messages looks up the messages of docs/faq.md in the source.

Of what a command of a block prints, numbers, units and bars are left out, since they depend on the machine; so is how lines are wrapped. The words between two
lines with `...` must stand in the output in this order, one behind the other."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
UNITS = {'ns', 'µs', 'ms', 's', 'B', 'kB', 'MB', 'GB', '%'}


def words(text):
    """What of a text does not depend on the machine."""
    text = re.sub(r'/\S*/(?=\w+( |$))', '', text, flags=re.M)  # folders
    found = re.sub(r'(?<![\w.-])-?\d[\d,.]*', ' ', text).split()
    return [word for word in found if word not in UNITS and not re.fullmatch(r'[▏▎▍▌▋▊▉█]+', word)]


def is_in(part, whole):
    return any(whole[i:i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def commands(path):
    """(command, what it prints) of each console block of a document, in order."""
    for block in re.findall(r'^```console\n(.*?)^```', path.read_text(encoding='utf-8'), re.M | re.S):
        for command, output in re.findall(r'^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)', block, re.M):
            yield command, output


def tutorial(build, mpicc, mpirun):
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        place, tools = pathlib.Path(folder, 'work'), pathlib.Path(folder, 'tools')
        place.mkdir()
        tools.mkdir()
        # Four ranks on fewer cores; the compiler of the MPI that is tested.
        for name, line in (('mpirun', f'{mpirun} --oversubscribe "$@"'), ('mpicc', f'{mpicc} "$@"')):
            (tools / name).write_text(f'#!/bin/sh\nexec {line}\n')
            (tools / name).chmod(0o755)
        shutil.copy(TOP / 'examples/tutorial/rows.c', place)
        env = {**{k: v for k, v in os.environ.items() if not k.startswith('HIERA_')}, 'COLUMNS': '80', 'OMPI_ALLOW_RUN_AS_ROOT': '1',
               'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'PATH': f'{tools}:{build}/collector:{build}/transform/cli:{os.environ["PATH"]}'}
        for command, expected in commands(TOP / 'docs/tutorial.md'):
            done = subprocess.run(['bash', '-c', command], cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=120)
            count += 1
            missing = [part for part in re.split(r'^\.\.\.$', expected, flags=re.M) if not is_in(words(part), words(done.stdout))]
            if missing or done.returncode:
                failures.append(f'$ {command}\nexit status {done.returncode}, expected:\n{"...".join(missing)}\nactual:\n{done.stdout}')
    print(f'{count} commands')
    return failures + ['hardly any command'] * (count < 8)


CONVERSION = re.compile(r"%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
MACRO = re.compile(r'%\d*"\s*(?:PRI\w+|G_G\w+_FORMAT)(?:\s*")?')


def formats():
    """The texts of the source, with … for the values that are put in."""
    for room in ('collector', 'transform', 'analyses', 'predict', 'common'):
        for path in (TOP / room).rglob('*.[ch]'):
            text = MACRO.sub('…', re.sub(r'/\*.*?\*/', '', path.read_text(encoding='utf-8'), flags=re.S))
            for chain in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
                yield re.sub('…+', '…', CONVERSION.sub('…', re.sub(r'"\s*"', '', chain))).replace('%%', '%')


def messages():
    """Each heading of docs/faq.md that is code stands in a text of the source."""
    asked = re.findall(r'^### `(.+)`$', (TOP / 'docs/faq.md').read_text(encoding='utf-8'), re.M)
    texts = set(formats())
    print(f'{len(asked)} messages, {len(texts)} texts in the source')
    return [f'docs/faq.md: `{message}` is in no source' for message in asked if not any(message in text for text in texts)] + ['hardly any message'] * (len(asked) < 20)


if __name__ == '__main__':
    sys.exit('\n'.join({'tutorial': tutorial, 'messages': messages}[sys.argv[1]](*sys.argv[2:])) or 0)
