"""The test programs of mpiP: below its folder `testing` a program beside each source that could be built, without mpiP. They get the
ranks and arguments that mpiP's own suite (files *.exp) gives them, and run where `testing` lies."""

import os
import re

from subject import Case

KINDS = ('.c', '.C', '.f')
TIMINGS = (r'\d+\.\d+(e[+-]\d+)?',)  # clocks and durations that the programs print


def cases(folder):
    for part in (os.path.join(folder, 'testing'), os.path.join(folder, 'testing', 'mt')):
        for stem in programs(part):
            expected = os.path.join(part, f'{stem}.exp')
            arguments = setting(expected, 'test_args', '').split()
            command = [os.path.join(part, stem)] + arguments
            yield Case(' '.join([stem] + arguments), command, int(setting(expected, 'procs', '2')), folder, timings=TIMINGS, counted=True)


def programs(folder):
    """What has a source, by the source's name: some need mpiP's own library and are not there."""
    sources = (os.path.splitext(name) for name in sorted(os.listdir(folder)))
    return [stem for stem, kind in sources if kind in KINDS and os.access(os.path.join(folder, stem), os.X_OK)]


def setting(expected, name, default):
    """`set NAME VALUE` of an .exp file."""
    if not os.path.exists(expected):
        return default
    with open(expected, encoding='utf-8') as file:
        found = re.search(rf'^set {name} "?([^"\n]*)"?$', file.read(), re.M)
    return found.group(1) if found else default
