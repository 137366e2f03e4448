"""Lower bounds of tracing, measured by bench/floors.c."""
import os
import subprocess

from measuring.numbers import spread
from measuring.processes import Folder, say


def measure_floors(options):
    say('floors')
    values = {}
    with Folder(options.folder) as folder:
        for _ in range(options.pairs):
            command = [os.path.join(options.programs, 'floors'), os.path.join(folder, 'x')]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for line in out.splitlines():
                name, value = line.split('=')
                values.setdefault(name, []).append(float(value))
    return {name: spread(v) for name, v in values.items()}
