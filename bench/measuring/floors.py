"""Lower bounds of tracing, measured by bench/floors.c."""
import os
import subprocess

from measuring.numbers import spread
from measuring.processes import Folder, say


def floors_now(options):
    """{step: ns per call}, each measured once."""
    with Folder(options.folder) as folder:
        command = [os.path.join(options.programs, 'floors'), os.path.join(folder, 'x')]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {name: float(value) for name, value in (line.split('=') for line in out.splitlines())}


def measure_floors(options):
    say('floors')
    turns = [floors_now(options) for _ in range(options.pairs)]
    return {name: spread([turn[name] for turn in turns]) for name in turns[0]}
