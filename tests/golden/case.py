"""A golden case is one file, which reads like a terminal:

    $ [NAME=VALUE…] hiera-transform ARGUMENT…    what is asked, quoted as for a shell
    terminal COLUMNS                             (without it: a pipe) standard output is a terminal of so many columns
    exit STATUS
    --- standard error                           (without it: nothing) a regular expression for each line
    --- standard output                          byte by byte, to the end of the file"""
import os
import re
import shlex
from dataclasses import dataclass, field

FORM = re.compile(r'\$ (?P<command>.*?)\n(?:terminal (?P<columns>\d+)\n)?exit (?P<status>\d+)\n'
                  r'(?:--- standard error\n(?P<errors>.*?))?--- standard output\n(?P<output>.*)', re.S)
PROGRAM = 'hiera-transform'


@dataclass
class Case:
    """arguments: of hiera-transform;  settings: variables of the environment;  columns: None for a pipe;  errors: regular expressions"""
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


def read(path):
    text = path.read_text(encoding='utf-8')
    found = FORM.fullmatch(text)
    if not found and re.fullmatch(r'\$ [^\n]*\n?', text):  # a new case
        found = FORM.fullmatch(text.rstrip('\n') + '\nexit 0\n--- standard output\n')
    if not found:
        raise SystemExit(f'{path}: is no golden case; what one looks like stands in tests/golden/case.py')
    words = shlex.split(found['command'])
    if PROGRAM not in words:
        raise SystemExit(f'{path}: asks no {PROGRAM}')
    at = words.index(PROGRAM)
    return Case(words[at + 1:], dict(word.split('=', 1) for word in words[:at]), int(found['columns'] or 0) or None, int(found['status']),
                (found['errors'] or '').splitlines(), found['output'])
