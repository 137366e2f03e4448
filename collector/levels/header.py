"""Draft a table from a C header: the prototypes after preprocessing, of functions that a library exports.

The header is preprocessed by the compiler, and its declarations are split into tokens. A declaration that is not a plain
prototype becomes a comment with the reason; nothing is guessed."""

import os
import re
import shlex
import subprocess
import textwrap

import macros
import near
from level_table import RESERVED, TableError

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.]*|\.\.\.|\S')
# Compiler keywords without effect on a call; their parentheses are removed too.
ATTRIBUTES = {'__attribute__', '__attribute', '__asm__', '__asm', 'asm', '__declspec', '_Alignas', 'alignas', '__nonnull'}
DECORATIONS = {'extern', '__extension__', '__restrict', '__restrict__', 'restrict', '__inline', '__inline__', 'inline', '_Noreturn',
               '__const', 'register', '__signed__', 'noexcept', '__volatile__'}
BASIC = {'void', 'char', 'short', 'int', 'long', 'float', 'double', 'signed', 'unsigned', '_Bool', 'const', 'volatile', '_Complex',
         '__int128', '__complex__'}
# Names of `const char *` parameters that are recorded as text ending with NUL.
TEXTS = re.compile(r'(name|path|file|title|label|key|url)\d?$', re.I)
# Libraries that libhiera itself uses, or that are a level already.
REFUSED = re.compile(r'(libc|libdl|libpthread|ld-linux.*|libhiera.*|libmpi|libmpich|libmpi_.*)\.so')


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, LC_ALL='C'), check=False)
    if done.returncode != 0:
        raise TableError(f'{shlex.join(command)} failed:\n{done.stderr}')
    return done.stdout


def find_library(name):
    """Find a library: given as file, as name for -l, or as linker flags (the first -l counts)."""
    if os.path.isfile(name):
        return os.path.realpath(name)
    flags = shlex.split(name)
    short = next((f[2:] for f in flags if f.startswith('-l')), name)
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    places = [os.path.join(f[2:], f'lib{short}.so') for f in flags if f.startswith('-L')]
    path = next(filter(os.path.isfile, places), None) or run([*compiler, f'-print-file-name=lib{short}.so']).strip()
    if not os.path.isfile(path):
        raise TableError(f'{name}: no such library{near.other_libraries(short)}')
    with open(path, 'rb') as file:
        if file.read(4) != b'\x7fELF':
            raise TableError(f'{path} is not a library but a list of libraries; give the file of one of them')
    return os.path.realpath(path)


def exported(path):
    lines = run(['nm', '-D', '--defined-only', path]).splitlines()
    return {fields[2].split('@')[0] for fields in (line.split() for line in lines) if len(fields) == 3 and fields[1] in 'TWi'}


def soname(path):
    match = re.search(r'SONAME\).*\[(.+)\]', run(['readelf', '-d', path]))
    return match[1] if match else os.path.basename(path)


def preprocessed(header, flags, library):
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    given = f'"{os.path.abspath(header)}"' if os.path.isfile(header) else f'<{header}>'
    command = [*compiler, '-E', '-P', '-x', 'c', *flags, '-']
    done = subprocess.run(command, input=f'#include {given}\n', capture_output=True, text=True, check=False)
    if done.returncode != 0:
        missing = 'No such file' in done.stderr or 'not found' in done.stderr
        raise TableError(f'{shlex.join(command)} failed{near.flags_of(library) if missing else ""}:\n{done.stderr}')
    return re.sub(r'^#.*', '', done.stdout, flags=re.M), given  # -P leaves pragmas


def closing(tokens, i):
    """Index after the bracket that closes the bracket at i."""
    depth = 0
    while i < len(tokens):
        depth += tokens[i] in ('(', '[', '{')
        depth -= tokens[i] in (')', ']', '}')
        i += 1
        if depth == 0:
            break
    return i


def declarations(text):
    """Split into declarations at file level, as lists of tokens. Bodies of functions are removed, bodies of structs
    emptied. Attributes are removed from the tokens and collected."""
    tokens, i, current, notes = TOKEN.findall(text), 0, [], set()
    while i < len(tokens):
        token = tokens[i]
        if token in ATTRIBUTES and i + 1 < len(tokens) and tokens[i + 1] == '(':
            end = closing(tokens, i + 1)
            notes.update(tokens[i + 1:end])
            i = end
        elif token == 'extern' and i + 2 < len(tokens) and tokens[i + 1].startswith('"') and tokens[i + 2] == '{':
            i += 3
        elif token == '{':
            end = closing(tokens, i)
            if ')' in current and not {'struct', 'union', 'enum', '='} & set(current[:1] + [t for t in current if t == '=']):
                current, notes = [], set()  # end of a function with a body
            else:
                current += ['{', '}']
            i = end
        elif token == ';' or token == '}' and not current:
            if current:
                yield current, notes
            current, notes = [], set()
            i += 1
        else:
            if token not in DECORATIONS:
                current.append('const' if token == '__const' else token)
            i += 1


def spelled(tokens):
    text = ' '.join(tokens)
    text = re.sub(r'\s*\*\s*', ' *', text)
    return re.sub(r'\(\s+|\s+(?=[\),\[\]])|(?<=\[)\s+', lambda m: m[0].strip(), text).replace('* *', '**').replace(' (', '(').strip()


def split_at_commas(tokens):
    parts, depth, current = [], 0, []
    for token in tokens:
        depth += token in ('(', '[', '{')
        depth -= token in (')', ']', '}')
        if token == ',' and depth == 0:
            parts.append(current)
            current = []
        else:
            current.append(token)
    return parts + [current] if current or parts else []


class Types:
    """Classifies a type name by the typedefs of the header: number, pointer, aggregate, other."""

    def __init__(self):
        self.known = {}

    def add(self, tokens):
        """Add a typedef, given without the keyword."""
        if '(' in tokens:
            match = next((tokens[i + 2] for i in range(len(tokens) - 2) if tokens[i] == '(' and tokens[i + 1] == '*'), None)
            if match:
                self.known[match] = 'pointer'
            return
        for part in split_at_commas(tokens):
            array = '[' in part
            part = part[:part.index('[')] if array else part
            if part and re.match(r'[A-Za-z_]', part[-1]):
                self.known[part[-1]] = 'array' if array else self.kind(part[:-1])

    def kind(self, tokens):
        if '*' in tokens:
            return 'pointer'
        if 'enum' in tokens:
            return 'number'
        if {'struct', 'union'} & set(tokens):
            return 'aggregate'
        names = [t for t in tokens if t not in ('const', 'volatile')]
        if '__int128' in names or {'_Complex', 'long', 'double'} <= set(names):
            return 'other'
        if names and all(name in BASIC for name in names):
            return 'void' if names == ['void'] else 'number'
        return self.known.get(names[0], 'other') if len(names) == 1 else 'other'


def parameter(tokens, number, types):
    """Spell a parameter for the table. Numbers are recorded."""
    if '(' in tokens:
        if tokens.count('*') and re.search(r'\(\s*\*\s*[A-Za-z_]\w*\s*\)\s*[(\[]', ' '.join(tokens)):
            return spelled(tokens)
        star = next((i for i in range(len(tokens) - 2) if tokens[i:i + 3] == ['(', '*', ')']), None)
        if star is None:
            return None
        return spelled(tokens[:star + 2] + [f'argument{number}'] + tokens[star + 2:])
    array = tokens[tokens.index('['):] if '[' in tokens else []
    tokens = tokens[:len(tokens) - len(array)]
    has_name = len(tokens) > 1 and re.match(r'[A-Za-z_]', tokens[-1]) and tokens[-1] not in BASIC and (
        tokens[-2] not in ('struct', 'union', 'enum')) and not all(t in ('const', 'volatile') for t in tokens[:-1])
    ctype, name = (tokens[:-1], tokens[-1]) if has_name else (tokens, f'argument{number}')
    if not ctype:
        return None
    kind = 'pointer' if array else types.kind(ctype)
    if spelled(ctype) == 'const char *' and not array and TEXTS.search(name):
        return f'text {name}'
    mark = '' if kind == 'number' or '*' in ctype or array else '- '
    return mark + spelled(ctype + [name] + array)


def prototype(tokens, notes, types):
    """Read a declaration: (name, entry of the table or None, reason); None if it is not a function."""
    opening = next((i for i, t in enumerate(tokens) if t == '(' and i > 0 and re.match(r'[A-Za-z_]', tokens[i - 1])), None)
    if opening is None or '=' in tokens:
        return None
    name, result, end = tokens[opening - 1], tokens[:opening - 1], closing(tokens, opening)
    if '(' in result or end < len(tokens):
        inner = next((t for t in tokens if re.match(r'[A-Za-z_]\w*$', t) and tokens[tokens.index(t) - 1] in ('*', '(')), name)
        return inner, None, 'returns a pointer to a function, or is declared together with something else'
    if not result or 'static' in result:
        return None
    if name in RESERVED:
        return name, None, 'wrappers call it themselves'
    if 'returns_twice' in notes or '__returns_twice__' in notes:
        return name, None, 'returns twice'
    parts = split_at_commas(tokens[opening + 1:end - 1])
    if not parts:
        return name, None, 'its parameters are not declared'
    if ['...'] in parts:
        return name, None, 'takes a variable number of arguments'
    made = [] if parts == [['void']] else [parameter(part, i + 1, types) for i, part in enumerate(parts)]
    if None in made:
        return name, None, 'a parameter is not understood'
    return name, f'{spelled(result + [name])}({", ".join(made) or "void"})', ''


def folded(entry):
    """Break an entry after commas into lines of at most 118 columns."""
    lines = textwrap.wrap(re.sub(r'(?<!,) ', '\0', entry), 118, subsequent_indent='    ', break_long_words=False, break_on_hyphens=False)
    return '\n'.join(lines).replace('\0', ' ')


def draft(header, library, level, flags):
    """Make the table: (its text, a line with counts)."""
    path = find_library(library)
    own = soname(path)
    if REFUSED.match(own):
        raise TableError(f'{own}: Hiera uses it itself, or records it already')
    there, types, entries, refused = exported(path), Types(), {}, {}
    text, given = preprocessed(header, flags, re.sub(r'^lib|\.so.*$', '', os.path.basename(library)))
    hidden = macros.behind_constants(macros.definitions(given, flags))
    for tokens, notes in declarations(text):
        if tokens[0] == 'typedef':
            types.add(tokens[1:])
            continue
        found = prototype(tokens, notes, types)
        if not found or found[0] not in there:
            continue
        name, entry, reason = found
        if name in hidden:
            entry, reason = None, f'called by the macro {hidden[name]}'
        if entry:
            entries.setdefault(name, entry)
        else:
            refused.setdefault(name, reason)
    level = level or re.sub(r'^lib|\.so.*$', '', own)
    lines = [f'# Drafted by hiera-wrap from {header} for {own}. Read it, and leave out functions that are called very often and do little.',
             f'level {level}', 'library ' + re.sub(r'(\.so\.\d+).*', r'\1*', own), f'include {given}',
             *([f'flags {shlex.join(flags)}'] if flags else []), '']
    lines += map(folded, entries.values())
    left = {name: reason for name, reason in refused.items() if name not in entries}
    if left:
        lines += ['', '# Not wrapped:', *(f'#   {name}: {reason}' for name, reason in left.items())]
    missing = len(there - set(entries) - set(left))
    if not entries:
        raise TableError(f'{header} declares no function that {own} exports')
    counts = f'{len(entries)} functions in the table, {len(left)} are left out, {missing} more are not declared in {header}'
    return '\n'.join(lines) + '\n', f'{own}: {counts}'
