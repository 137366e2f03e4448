#!/usr/bin/env python3
"""What --help and --help-all write fits on 80 columns: help_width.py PROGRAM…; also that of each command. --help fits on a screen."""

import re
import subprocess
import sys


def help_of(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0 or not done.stdout:
        print(f'{program} {" ".join(words)}: exit status {done.returncode}, {done.stderr}')
    return done.stdout.splitlines()


SCREEN = 40
failed = False
for program in sys.argv[1:]:
    first = '\n'.join(help_of(program, '--help'))
    commands = [[], *([command] for command in re.findall(r'^  ([a-z]+)   ', first, re.M) if 'COMMAND --help' in first)]
    options = [[*command, tier] for command in commands for tier in ('--help', '--help-all')]
    long = [option for option in options if option[-1] == '--help' and len(help_of(program, *option)) > SCREEN]
    print('\n'.join(f'{program} {" ".join(option)}: more than {SCREEN} lines' for option in long))
    lines = [(option, line) for option in options for line in help_of(program, *option)]
    wide = [f'{program} {" ".join(option)}: {line}' for option, line in lines if len(line) > 80]
    print('\n'.join(wide))
    failed |= bool(wide or long) or len(lines) < 2
sys.exit(failed)
