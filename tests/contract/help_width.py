#!/usr/bin/env python3
"""What --help writes fits on 80 columns: help_width.py PROGRAM…; also the help of each group of options, and of each command."""

import re
import subprocess
import sys


def help_of(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0 or not done.stdout:
        print(f'{program} {" ".join(words)}: exit status {done.returncode}, {done.stderr}')
    return done.stdout.splitlines()


failed = False
for program in sys.argv[1:]:
    first = '\n'.join(help_of(program, '--help'))
    options = [['--help'], *([option] for option in re.findall(r'--help-(?!all)[a-z]+', first))]
    options += [[command, '--help'] for command in re.findall(r'^  ([a-z]+)   ', first, re.M) if 'COMMAND --help' in first]
    lines = [(option, line) for option in options for line in help_of(program, *option)]
    wide = [f'{program} {" ".join(option)}: {line}' for option, line in lines if len(line) > 80]
    print('\n'.join(wide))
    failed |= bool(wide) or len(lines) < 2
sys.exit(failed)
