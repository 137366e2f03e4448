#!/usr/bin/env python3
"""Documents say what programs do.

documents.py console BUILD MPICC MPIRUN [DOCUMENT…] runs the console blocks of docs/ and README.md, and compares what they print. README.md has the comments before blocks.
documents.py update BUILD MPICC MPIRUN DOCUMENT… writes what they print into the documents, where it is the same on every machine.
documents.py messages looks up the messages of docs/faq.md in the source."""

import collections
import concurrent.futures
import contextlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / 'tests/golden'))

from run import open_terminal, read_all  # noqa: E402

UNITS = {'ns', 'µs', 'ms', 's', 'B', 'bytes', 'kB', 'MB', 'GB', '%'}
PIECE = re.compile(r'^<!-- (in|run|file|needs|not run):(.*?) -->\n|^( *)```(\w*)\n(.*?)^ *```\n', re.M | re.S)
COMMAND = re.compile(r'^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)', re.M)
LEFT_OUT = re.compile(r'^(?:\.\.\.|…)\n', re.M)
HAVE_NUMBERS_OF_A_MACHINE = re.compile(r'\bmpi(?:run|cc)\b')
EXAMPLE_FOLDER = re.compile(r'(?<![\w.])/(?:tmp|home/me)(?:/(?:ring|run|work|md))?(?=[/ ;)]|$)', re.M)
LIMIT_S = 300
PATIENCE_S = 60


def words(text):
    """What of a text does not depend on the machine."""
    found = re.sub(r'(?<=hiera-)[\da-f]{12,}|(?<![\w.-])-?(?:0x[\da-f]+|\d[\d,.]*(?:-\d+)?)', ' ', text).split()
    return ' '.join(word for word in found if word.rstrip('.,;:)') not in UNITS and not re.fullmatch(r'[▏▎▍▌▋▊▉█]+', word))


def pattern(text):
    """A regular expression for a text in which `...` or `…` may stand for what was left out."""
    return re.sub(r'…|\\\.\\\.\\\.', '.*', re.escape(text))


def is_crash(status):
    return status in (126, 127, 128 + 6, 128 + 11)  # cannot be executed; SIGABRT, SIGSEGV


def says_words(expected, printed):
    """In words alone: of each part the lines in this order, however they are wrapped; or each line of it somewhere, since times give rows their order."""
    at, whole = 0, words(printed)
    lines = [words(line) for line in printed.splitlines()]
    for part in LEFT_OUT.split(expected):
        found = re.compile(rf'(?<!\S){pattern(words(part))}(?!\S)').search(whole, at)
        if found:
            at = found.end()
        elif not all(any(re.fullmatch(pattern(words(line)), other) for other in lines) for line in part.splitlines()):
            return False
    return True


def says(expected, printed, has_numbers):
    if not has_numbers:
        return says_words(expected, printed)
    return re.fullmatch('(?s:.*)'.join(pattern(part) for part in LEFT_OUT.split(expected)), printed) is not None


@dataclass
class Place:
    """Where blocks run."""
    folder: pathlib.Path
    has_numbers: bool = True

    def see(self, script):
        self.has_numbers = self.has_numbers and not HAVE_NUMBERS_OF_A_MACHINE.search(script)


def environment(tools, build):
    folders = (tools, *(f'{build}/{room}' for room in ('collector', 'collector/cc', 'transform/cli', 'predict')), os.environ['PATH'])
    return {**{name: value for name, value in os.environ.items() if not name.startswith(('HIERA_', 'COLUMNS'))}, 'PATH': ':'.join(map(str, folders)),
            'TOP': str(TOP), 'BUILD': str(build), 'C_INCLUDE_PATH': str(TOP / 'collector'), 'TERM': 'dumb', 'GCC_COLORS': '', 'LC_ALL': 'C.UTF-8',
            'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_mpi_yield_when_idle': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1'}


class Reader:
    """Runs the blocks of a document."""

    def __init__(self, scratch, build, mpicc, mpirun):
        self.scratch, self.failures, self.notes, self.outcomes, self.places = scratch, [], [], [], itertools.count()
        self.printed = []  # (what a document says, what is printed instead), in order
        (scratch / 'tools').mkdir()
        self.env = environment(scratch / 'tools', build)
        # Four ranks on fewer cores; the compiler of the MPI that is tested.
        for name, line in (('mpirun', f'{mpirun} --oversubscribe'), ('mpicc', mpicc), ('ring-traces', f'{sys.executable} {TOP}/tests/contract/ring_traces.py'),
                           ('hiera-wrap', f'{sys.executable} {TOP}/collector/levels/wrap.py')):
            (scratch / 'tools' / name).write_text(f'#!/bin/sh\nexec {line} "$@"\n')
            (scratch / 'tools' / name).chmod(0o755)

    def place(self, names):
        """A new folder with copies of files and folders of the tree in it; programs in C are compiled."""
        place = Place(self.scratch / str(next(self.places)) / 'run')
        place.folder.mkdir(parents=True)
        for name in names.split():
            source = TOP / name
            if source.is_dir():
                shutil.copytree(source, place.folder, dirs_exist_ok=True)
            else:
                shutil.copy(source, place.folder)
            if source.suffix == '.c':
                self.compile(place, source.name)
        return place

    def compile(self, place, name):
        status, printed = self.shell(f'mpicc -g {name} -o {name[:-2]}', place)
        if status:
            self.failures.append(f'{name}: {printed}')

    @contextlib.contextmanager
    def job(self, script, place):
        """It runs meanwhile, and is ended."""
        place.see(script)
        with subprocess.Popen(['bash', '-c', script], cwd=place.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                yield
            finally:
                process.terminate()  # alone: mpirun takes a second signal as an order to kill its ranks
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)

    def shell(self, script, place):
        """(exit status, what it prints on a terminal)"""
        place.see(script)
        end, terminal = open_terminal(80)
        with subprocess.Popen(['timeout', str(LIMIT_S), 'bash', '-c', script], cwd=place.folder, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal) as process:
            os.close(terminal)
            printed = read_all(end)
        os.close(end)
        return process.returncode, printed

    def check(self, command, expected, place):
        status, printed = self.shell(command, place)
        said, printed = (re.sub(r' +$', '', text, flags=re.M) for text in (EXAMPLE_FOLDER.sub('', expected), printed.replace(str(place.folder), '')))
        if place.has_numbers and expected and not LEFT_OUT.search(expected):
            self.printed.append((f'$ {command}\n{expected}', f'$ {command}\n{printed}'))
        if expected:
            is_right = says(said, printed, place.has_numbers)
        else:  # a program may fail in silence if it has found what it looked for, or if it was to be ended
            is_right = status in (0, 124, place.has_numbers) and not (printed and (place.has_numbers or command.endswith('# prints nothing')))
        return None if is_right and not is_crash(status) else f'$ {command}\nexit status {status}, expected:\n{expected}\nactual:\n{printed}'

    def block(self, where, code, said, place):
        missing = [command for command in said.get('needs', []) if self.shell(command, place)[0]]
        if said.get('not run') == ['']:
            self.failures.append(f'{where}: no reason why it is not run')
        if 'not run' in said or missing:
            self.outcomes.append('skipped' if missing else 'not run')
            self.notes.append(f'{where}: ' + ('skipped, here fails: ' + ' '.join(missing) if missing else 'not run: ' + said['not run'][0]))
            return
        self.outcomes.append('run')
        for command in said.get('run', []):
            status, printed = self.shell(command, place)
            if status:
                self.failures.append(f'{where}: {command}\nexit status {status}\n{printed}')
        found = self.commands(COMMAND.findall(code), place)
        self.failures += [f'{where}: {failure}' for failure in found or ['no command'] if failure]

    def commands(self, commands, place):
        """What is wrong with each. Beside a job they are tried until it has come so far."""
        found, until = [], 0
        with contextlib.ExitStack() as jobs:
            for command, expected in commands:
                if command.endswith(' &'):
                    jobs.enter_context(self.job(command[:-2], place))
                    until = time.monotonic() + PATIENCE_S
                    continue
                failure = self.check(command, expected, place)
                while failure and time.monotonic() < until:
                    time.sleep(0.1)
                    failure = self.check(command, expected, place)
                found.append(failure)
        return found

    def document(self, path):
        text, place, said, end = path.read_text(encoding='utf-8'), self.place(''), {}, 0
        for piece in PIECE.finditer(text):
            where = f'{path.name}:{text.count(chr(10), 0, piece.start()) + 1}'
            word, value, _, language, code = piece.groups()
            value = (value or '').strip()
            if said and text[end:piece.start()].strip():
                self.failures.append(f'{where}: the comment before it is before no block')
            end = piece.end()
            if word == 'in':
                place = self.place(value)
            elif word:
                said.setdefault(word, []).append(value)
            elif 'file' in said:
                self.write(place, said['file'][0], code)
            elif language == 'console':
                self.block(where, code, said, place)
            said = said if word else {}

    def write(self, place, name, code):
        (place.folder / name).write_text(code, encoding='utf-8')
        if name.endswith('.c'):
            self.compile(place, name)


def updated(text, printed):
    """A document that says what was printed."""
    at, parts = 0, []
    for old, new in printed:
        found = text.index(old, at)
        parts += [text[at:found], new]
        at = found + len(old)
    return ''.join(parts) + text[at:]


def read(path, *programs):
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(pathlib.Path(folder), *programs)
        reader.document(path)
    return reader


def update(build, mpicc, mpirun, *names):
    for path in (TOP / name for name in names):
        reader = read(path, build, mpicc, mpirun)
        path.write_text(updated(path.read_text(encoding='utf-8'), reader.printed), encoding='utf-8')
    return []


def console(build, mpicc, mpirun, *names):
    paths = [TOP / name for name in names] or [TOP / 'README.md', *sorted((TOP / 'docs').glob('**/*.md'))]
    paths.sort(key=lambda path: path.stat().st_size, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:  # jobs wait more than they compute
        readers = list(pool.map(lambda path: read(path, build, mpicc, mpirun), paths))
    for number, path in enumerate(paths):
        if readers[number].failures:  # what a busy machine does to a run is no fault of the document
            print(f'{path.name} is read once more, alone, after', *readers[number].failures)
            readers[number] = read(path, build, mpicc, mpirun)
    print('\n'.join(note for reader in readers for note in reader.notes))
    counts = collections.Counter(outcome for reader in readers for outcome in reader.outcomes)
    print(', '.join(f'{count} {outcome}' for outcome, count in counts.items()))
    return [failure for reader in readers for failure in reader.failures] + ['hardly any block'] * (not names and counts['run'] < 90)


CONVERSION = re.compile(r"%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
MACRO = re.compile(r'%\d*"\s*(?:PRI\w+|G_G\w+_FORMAT)(?:\s*")?')


def formats():
    """The texts of the source, with … for the values that are put in."""
    for room in ('collector', 'transform', 'analyses', 'predict', 'common'):
        for path in (TOP / room).rglob('*.[ch]'):
            text = MACRO.sub('…', re.sub(r'/\*.*?\*/', '', path.read_text(encoding='utf-8'), flags=re.S))
            for chain in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
                yield re.sub('…+', '…', CONVERSION.sub('…', re.sub(r'"\s*"', '', chain))).replace('%%', '%')


def messages():
    """Each heading of docs/faq.md that is code stands in a text of the source."""
    asked = re.findall(r'^### `(.+)`$', (TOP / 'docs/faq.md').read_text(encoding='utf-8'), re.M)
    texts = set(formats())
    print(f'{len(asked)} messages, {len(texts)} texts in the source')
    return [f'docs/faq.md: `{message}` is in no source' for message in asked if not any(message in text for text in texts)] + ['hardly any message'] * (len(asked) < 20)


if __name__ == '__main__':
    sys.exit('\n'.join({'console': console, 'update': update, 'messages': messages}[sys.argv[1]](*sys.argv[2:])) or 0)
