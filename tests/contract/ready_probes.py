#!/usr/bin/env python3
"""Each ready probe script is built in, installed, explained by its first comment in the document and the man page, and has a golden case.
Use: ready_probes.py SOURCE HIERA_RUN"""

import pathlib
import re
import subprocess
import sys


def plain(text):
    """Text of a document or man page without marks and line breaks."""
    text = re.sub(r'\n\.(BR?|I|PP|TP) ?', '\n', text.replace('\\-', '-').replace('\\(->', '->'))
    return ' '.join(text.replace('`', '').replace('\\&', '').split())


def main(source, hiera_run):
    top = pathlib.Path(source)
    documents = {name: plain((top / name).read_text(encoding='utf-8')) for name in ('docs/probes.md', 'docs/man/hiera-probes.7')}
    built = (top / 'common/probes/meson.build').read_text(encoding='utf-8')
    scripts = sorted((top / 'common/probes/ready').glob('*.probe'))
    golden = (top / 'tests/golden/cases/ready').read_text(encoding='utf-8')
    problems = [] if scripts else ['there are no scripts']
    for script in scripts:
        name = script.stem
        use = re.match(r'/\* (.*?) \*/\n', script.read_text(encoding='utf-8'), re.S)
        if not use:
            problems.append(f'{name}: does not begin with a comment that says what it answers')
            continue
        problems += [f'{name}: {path} does not have "{use[1]}"' for path, text in documents.items() if name not in text or plain(use[1]) not in text]
        if f"'{name}'" not in built:
            problems.append(f'{name}: is not in common/probes/meson.build')
        if not re.search(rf'^=== {name}\n\$ .* {name}$', golden, re.M):
            problems.append(f'{name}: has no golden case')
        run = subprocess.run([hiera_run, '--probe', name, '--print', 'mpirun', 'true'], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            problems.append(f'hiera-run --probe {name}: {run.stderr}')
    print(*problems, sep='\n', end='')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:3]))
