"""MPICH's own test suite: test/mpi of the release in Debian, built in its own folder. Its files `testlist` say how the tests are run."""

import os

from subject import Case

# Tests that are not run: those of a launcher or a network, and those of speed.
LEFT_OUT = {'ckpoint', 'ft', 'impls', 'manual', 'perf'}


def cases(folder):
    for there, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        if 'testlist' in files:
            yield from listed(there, os.path.relpath(there, folder))


def listed(there, name):
    """The tests of one folder that were built, from lines `program ranks key=value …`."""
    with open(os.path.join(there, 'testlist'), encoding='utf-8') as file:
        rows = [line.split('#')[0].split() for line in file]
    seen = set()
    for program, ranks, *keys in (row + ['2'] if len(row) == 1 else row for row in rows if row):
        values = [key.split('=', 1) for key in keys]
        case = Case(' '.join([f'{name}/{program}', ranks] + keys), [os.path.join(there, program)] + pick(values, 'arg'), int(ranks),
                    there, dict(value.split('=', 1) for value in pick(values, 'env')), pick(values, 'mpiexecarg'), counted=True)
        if case.name not in seen and os.path.isfile(case.command[0]):
            seen.add(case.name)
            yield case


def pick(values, key):
    return [value[1] for value in values if value[0] == key]
