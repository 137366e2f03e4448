"""Programs that somebody has built: they are in FOLDER/NAME, and lists/NAME.txt says how they are run.

A list consists of lines; lines with `#` are comments. `times REGEX` names text in the output that is a time, for the whole list
(`^` and `$` match at lines). `varies REGEX` names cases whose calls depend on time or chance; they are not counted. All other lines are cases:

    RANKS[,RANKS…] [NAME=VALUE…] PROGRAM [ARGUMENT…]

PROGRAM is a path below FOLDER/NAME, where it also runs, or an absolute path. One word may be a pattern (`*`, `?`): then there is a case for
each file that matches it, except files in earlier lines."""

import glob
import os
import re
import sys

from subject import Case

LISTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lists')


def names():
    return sorted(os.path.splitext(name)[0] for name in os.listdir(LISTS))


def settings(rows, key):
    return tuple(row.split(None, 1)[1] for row in rows if row.split(None, 1)[0] == key)


def read(name):
    with open(os.path.join(LISTS, f'{name}.txt'), encoding='utf-8') as file:
        return [line.strip() for line in file if line.strip() and not line.startswith('#')]


def cases(name, folder):
    """The cases of the list NAME with programs in FOLDER."""
    rows, seen = read(name), set()
    times, varies = tuple(f'(?m){pattern}' for pattern in settings(rows, 'times')), settings(rows, 'varies')
    for row in rows:
        words = row.split()
        if words[0] in ('times', 'varies'):
            continue
        ranks, environment, command = split(words)
        found = list(commands(command, folder, seen))
        if not found:
            print(f'{name}: {folder} has nothing for "{row}"', file=sys.stderr)
        for label, words in found:
            for n in ranks:
                title = f'{" ".join(label)}, {n}'
                counted = not any(re.search(pattern, title) for pattern in varies)
                yield Case(title, words, n, folder, environment, timings=times, counted=counted)


def split(words):
    """Split words into ranks, environment and command."""
    ranks = [int(n) for n in words[0].split(',')]
    first = next(i for i, word in enumerate(words[1:], 1) if not re.match(r'\w+=', word))
    return ranks, dict(word.split('=', 1) for word in words[1:first]), words[first:]


def commands(command, folder, seen):
    """For each program: its name in the results, and the command that runs it."""
    pattern = next((i for i, word in enumerate(command) if '*' in word or '?' in word), None)
    if pattern is None:
        files = [command[0]] if os.path.exists(os.path.join(folder, command[0])) else []
        seen.update(files)
        place = 0
    else:
        files = sorted(os.path.relpath(f, folder) for f in glob.glob(os.path.join(folder, command[pattern])) if os.path.isfile(f))
        files = [file for file in files if file not in seen]
        seen.update(files)
        place = pattern
    for file in files:
        words = command[:place] + [file] + command[place + 1:]
        yield words, [os.path.join(folder, words[0])] + words[1:]
