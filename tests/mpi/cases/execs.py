"""The program replaces itself by another one (exec): its trace is complete, and exec behaves as libc specifies, also in static programs."""

import os

from cases.guest import BUFFER, ended
from expect.case import case
from expect.judgement import expect
from expect.trace import validate

SEARCH = ('execvp', 'execvpe', 'execlp')
FUNCTIONS = ('execve', 'execv', 'execl', 'execle', 'fexecve', 'execveat') + SEARCH
WITH_ENVIRONMENT = ('execve', 'execvpe', 'execle', 'fexecve', 'execveat')

SCRIPT = '#!/bin/sh\necho "$1 $2 $NAME"\n'
NO_MAGIC = 'echo "shell $1 $2 $NAME"\n'


def write(folder, name, text, mode=0o755):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def run(job, function, file, *others, barriers=10, end=('exec', None, None)):
    """Run the program and return the lines of its output. The trace must contain no calls of the child processes."""
    result = job.run(function, file, *others, direct=True, settings=dict(BUFFER, NAME='outer'))
    expect(f'{function}: exit code', result.code, 0 if end else 4)
    expect(f'{function}: messages', result.messages(), [])
    validate([result.path(0)])
    trace = result.trace(0)
    trace.check_sound()
    expect(f'{function}: barriers', len(trace.all(operation='barrier')), barriers)
    expect(f'{function}: end', ended(trace), end)
    return result.out.splitlines()


def name_of(function):
    return 'value' if function in WITH_ENVIRONMENT else 'outer'


@case('execs', smoke=True)
@case('execs', linked='static')
def trace_is_written_before_exec(job):
    """Children of vfork and fork call exec, then the program calls it: first with a missing file, then with a script."""
    script = write(job.folder(), 'script', SCRIPT)
    for function in FUNCTIONS:
        said = f'one two {name_of(function)}'
        nothing = 'Invalid argument' if function == 'fexecve' else 'No such file or directory'
        expect(function, run(job, function, script), [said, said, nothing, said])


@case('execs')
@case('execs', linked='static')
def exec_finds_programs_as_libc_does(job):
    folder = job.folder()
    good, shell, denied, broken = (os.path.dirname(write(folder, f'{place}/tool', text, mode)) for place, text, mode in (
        ('good', SCRIPT, 0o755), ('shell', NO_MAGIC, 0o755), ('denied', SCRIPT, 0o644), ('broken', '#!/nowhere\n', 0o755)))
    is_folder, file = os.path.join(folder, 'folder'), write(folder, 'file', '')
    os.makedirs(os.path.join(is_folder, 'tool'))
    triples, expected = [], []
    for function in SEARCH:
        said = f'one two {name_of(function)}'
        rows = [('tool', ':'.join(path), said) for path in (
            [good], [denied, good], [broken, good], [file, good], [is_folder, good], ['/nowhere', '', good], ['x' * 5000, good])]
        rows += [('tool', shell, f'shell {said}'), (f'{shell}/tool', '/nowhere', f'shell {said}'), ('echo', '-', 'one two'),
                 ('tool', '/nowhere', 'No such file or directory'), ('tool', f'{denied}:/nowhere', 'Permission denied'),
                 ('tool', is_folder, 'Permission denied'), (f'{denied}/tool', good, 'Permission denied'),
                 ('', good, 'No such file or directory'), ('x' * 300, good, 'File name too long')]
        for name, path, line in rows:
            triples += [function, name, path]
            expected.append((function, name[:20], path[:100], line))
    lines = run(job, 'execv', '/nowhere', *triples, barriers=15, end=None)
    expect('lines', len(lines), len(expected) + 3)
    expect('of libc', [(*row[:3], line) for row, line in zip(expected, lines[1:])], expected)
