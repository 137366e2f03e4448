#!/usr/bin/env python3
"""Memory of --validate does not grow with the run: parts_memory.py HIERA_TRANSFORM GENERATE."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The parent's own peak is what a child has at first, so each child is started by one that is small.
WATCH = ('import os, sys\npid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\nstatus = os.wait4(pid, 0)\n'
         'print(os.waitstatus_to_exitcode(status[1]), status[2].ru_maxrss)')


def validated(transform, folder, *options):
    """What --validate says, and its peak memory in KB."""
    out = subprocess.run([sys.executable, '-c', WATCH, transform, folder, '--validate', *options], capture_output=True, text=True, check=True).stdout
    *said, end = out.splitlines()
    status, kb = map(int, end.split())
    return said, status, kb


def drop_collectives(folder):
    """Leave messages alone."""
    for path in pathlib.Path(folder).glob('trace*.xml'):
        text = path.read_text(encoding='utf-8')
        call = re.search(r'<hieraCall id="(\w+)"[^>]*operation="allreduce"', text)[1]
        path.write_text(re.sub(rf'<c r="{call}"[^>]*/>', '', text), encoding='utf-8')


def main(transform, generate):
    kb = {}
    with tempfile.TemporaryDirectory() as folder:
        for calls in (50000, 200000):
            place = os.path.join(folder, str(calls))
            os.mkdir(place)
            subprocess.run([generate, place, '2', str(calls), 'compact'], check=True)
            said, status, kb[calls] = validated(transform, place)
            whole = validated(transform, place, '--threads=1')  # fewer threads than traces: as a whole
            if (said, status) != whole[:2] or status != 0:
                return f'{calls} calls: exit {status}, {said}; as a whole: exit {whole[1]}, {whole[0]}'
        drop_collectives(place)
        said, status, apart = validated(transform, place)
        if status != 0 or apart > 1.1 * kb[200000]:
            return f'without collectives: exit {status}, {apart} KB, with them {kb[200000]} KB: {said}'
    print(f'{kb} KB, as a whole {whole[2]} KB')
    return 0 if kb[200000] < 1.1 * kb[50000] and kb[200000] < whole[2] / 2 else 'it grows'


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
