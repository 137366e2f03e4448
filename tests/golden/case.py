"""A golden case reads like a terminal:

    $ [NAME=VALUE…] hiera-transform ARGUMENT…    what is asked, quoted as for a shell
    terminal COLUMNS                             (without it: a pipe) standard output is a terminal of so many columns
    exit STATUS
    --- standard error                           (without it: nothing) a regular expression for each line
    --- standard output                          byte by byte, to the end of the case

A file has one case, which has its name, or several small ones: `=== NAME` stands before each further one, whose name is FILE-NAME."""
import os
import pathlib
import re
import shlex
from dataclasses import dataclass, field

FORM = re.compile(r'\$ (?P<command>.*?)\n(?:terminal (?P<columns>\d+)\n)?exit (?P<status>\d+)\n'
                  r'(?:--- standard error\n(?P<errors>.*?))?--- standard output\n(?P<output>.*)', re.S)
PROGRAM = 'hiera-transform'


@dataclass
class Case:
    """path: the file that it is in;  arguments: of hiera-transform;  settings: variables of the environment;  columns: None for a pipe;  errors: regular expressions"""
    path: pathlib.Path
    name: str
    arguments: list
    settings: dict = field(default_factory=dict)
    columns: int = None
    status: int = None
    errors: list = field(default_factory=list)
    output: str = ''

    def environment(self):
        return {name: value for name, value in os.environ.items() if name != 'COLUMNS'} | self.settings

    def text(self):
        command = shlex.join([*(f'{name}={value}' for name, value in self.settings.items()), PROGRAM, *self.arguments])
        terminal = f'terminal {self.columns}\n' if self.columns else ''
        errors = ''.join(line + '\n' for line in ['--- standard error', *self.errors] if self.errors)
        return f'$ {command}\n{terminal}exit {self.status}\n{errors}--- standard output\n{self.output}'


def texts(path):
    """{name: text} of the cases in a file, in its order."""
    first, *parts = re.split(r'^=== (\S+)\n', path.read_text(encoding='utf-8'), flags=re.M)
    found = {path.name: first} if first else {}
    found.update((f'{path.name}-{name}', part) for name, part in zip(parts[::2], parts[1::2]))
    if len(found) != bool(first) + len(parts) // 2:
        raise SystemExit(f'{path}: two cases have one name')
    return found


def read(folder):
    """{name: case} of all cases in the files of a folder."""
    paths = [(name, path, text) for path in folder.iterdir() for name, text in texts(path).items()]
    return {name: parse(path, name, text) for name, path, text in sorted(paths)}


def write(case):
    """Put a case into its file, in which the others stay as they are."""
    every = {**texts(case.path), case.name: case.text()}
    heads = {name: f'=== {name.removeprefix(case.path.name + "-")}\n' for name in every if name != case.path.name}
    case.path.write_text(''.join(heads.get(name, '') + text for name, text in every.items()), encoding='utf-8')


def parse(path, name, text):
    found = FORM.fullmatch(text)
    if not found and re.fullmatch(r'\$ [^\n]*\n?', text):  # a new case
        found = FORM.fullmatch(text.rstrip('\n') + '\nexit 0\n--- standard output\n')
    if not found:
        raise SystemExit(f'{path}: {name} is no golden case; what one looks like stands in tests/golden/case.py')
    words = shlex.split(found['command'])
    if PROGRAM not in words:
        raise SystemExit(f'{path}: {name} asks no {PROGRAM}')
    at = words.index(PROGRAM)
    return Case(path, name, words[at + 1:], dict(word.split('=', 1) for word in words[:at]), int(found['columns'] or 0) or None, int(found['status']),
                (found['errors'] or '').splitlines(), found['output'])
