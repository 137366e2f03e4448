"""Finds functions that are called by macros that look like constants (H5T_NATIVE_INT). Users do not write such calls."""

import re
import shlex
import subprocess
import os

DEFINE = re.compile(r'#define (\w+)(\([^)]*\))?\s*(.*)')
CALL = re.compile(r'\b([A-Za-z_]\w*)\s*\(')
WORD = re.compile(r'\b[A-Za-z_]\w*\b')


def definitions(header, flags):
    """Macros of a header with its includes: name -> (has arguments, body)."""
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    done = subprocess.run([*compiler, '-E', '-dM', '-x', 'c', *flags, '-'], input=f'#include {header}\n', capture_output=True, text=True, check=False)
    rows = filter(None, map(DEFINE.match, done.stdout.splitlines()))
    return {row[1]: (bool(row[2]) and row[2] != '()', row[3]) for row in rows}


def behind_constants(macros):
    """Function -> macro without arguments that calls it, also through other macros."""
    found = {}
    for first, (has_arguments, _) in macros.items():
        todo, seen = [first] if not has_arguments else [], set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            body = macros[name][1]
            for called in CALL.findall(body):
                if called not in macros:
                    found.setdefault(called, first)
            todo += [word for word in WORD.findall(body) if word in macros]
    return found
