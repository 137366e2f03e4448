"""The test programs of mpiP: its folder `testing` has a program beside each source that could be built without mpiP. They run in that
folder, with the ranks and arguments of mpiP's own test suite (files *.exp)."""

import os
import re

from subject import Case

KINDS = ('.c', '.C', '.f')
TIMINGS = (r'\d+\.\d+(e[+-]\d+)?',)  # times and durations that the programs print


def cases(folder):
    for part in (os.path.join(folder, 'testing'), os.path.join(folder, 'testing', 'mt')):
        for stem in programs(part):
            expected = os.path.join(part, f'{stem}.exp')
            arguments = setting(expected, 'test_args', '').split()
            command = [os.path.join(part, stem)] + arguments
            yield Case(' '.join([stem] + arguments), command, int(setting(expected, 'procs', '2')), folder, timings=TIMINGS, counted=True)


def programs(folder):
    """Programs by the name of their source. Some need mpiP's library and are missing."""
    sources = (os.path.splitext(name) for name in sorted(os.listdir(folder)))
    return [stem for stem, kind in sources if kind in KINDS and os.access(os.path.join(folder, stem), os.X_OK)]


def setting(expected, name, default):
    """The value of `set NAME VALUE` in an .exp file."""
    if not os.path.exists(expected):
        return default
    with open(expected, encoding='utf-8') as file:
        found = re.search(rf'^set {name} "?([^"\n]*)"?$', file.read(), re.M)
    return found.group(1) if found else default
