#!/usr/bin/env python3
"""What --help writes fits on 80 columns: help_width.py PROGRAM…; also the help of each group of options."""

import re
import subprocess
import sys


def help_of(program, option):
    done = subprocess.run([program, option], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0 or not done.stdout:
        print(f'{program} {option}: exit status {done.returncode}, {done.stderr}')
    return done.stdout.splitlines()


failed = False
for program in sys.argv[1:]:
    options = ['--help'] + re.findall(r'--help-(?!all)[a-z]+', '\n'.join(help_of(program, '--help')))
    lines = [(option, line) for option in options for line in help_of(program, option)]
    wide = [f'{program} {option}: {line}' for option, line in lines if len(line) > 80]
    print('\n'.join(wide))
    failed |= bool(wide) or len(lines) < 2
sys.exit(failed)
