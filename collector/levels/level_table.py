"""Read the table of a library: NAME.table -> Function objects.

Grammar. `#` starts a comment. A line may be continued in indented lines. A line is one of

    level NAME               the level of the functions below
    library PATTERN ...      the shared libraries that have them (sonames, with the shell's * and ?): a program that is
                             linked with one of them gets the wrappers
    include <HEADER>         a C header to be included: types come from it, and the compiler compares the prototypes
    define NAME [TEXT]       a macro that is defined before the headers
    flags FLAG ...           flags of the compiler that the headers need
    language c | fortran     language of the prototypes below; default: c
    spelling NAME_ ...       the symbols of each Fortran function below: some of name_ name__ name NAME NAME_; default: name_
    [RESULT] NAME(PARAMETER, PARAMETER, ...) [: FACT ...]

Braces abbreviate several functions: p{s,d}gesv means psgesv and pdgesv. If an entry has several braces, the first function has
the first word of each, and so on.

With `language c`, RESULT and PARAMETER are written as in C. A parameter with an arithmetic type is recorded, unless it has `-`
before it. `in TYPE *NAME` records the value that a pointer points to; the pointer may be NULL. A type may also be one of the
words below, or `handle`: an integer or a pointer of unknown size.

With `language fortran`, all parameters are addresses, RESULT is a C type (none: a subroutine), and a PARAMETER is `[TYPE] NAME`.
TYPE is int, logical, or a word below; a parameter without type is not recorded.

The words, and what is recorded:
    flag NAME       a text (char *, in Fortran CHARACTER): its first letter
    text NAME       a text (char *, in Fortran CHARACTER): in C at most 200 bytes of it, in Fortran nothing
    context NAME    a BLACS context (int): the shape of its process grid, NAME=2x3
    desc NAME       a ScaLAPACK array descriptor: the sizes of matrix, blocks and grid, NAME=500x500/64x64/2x3

A FACT is
    as=NAME         the operation's name in the trace, if it is not the function's name
    fortran=NAME    the library has the same function for Fortran, with this name. All its parameters are addresses. The
                    operation has this name too, unless `as` is given"""

import os
import re
import shlex
import sys
from dataclasses import dataclass, field

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))

from table_syntax import TableError, logical_lines, split_parameters  # noqa: E402

WORDS = ('flag', 'text', 'context', 'desc')
# Type words of the table -> C types.
C_TYPES = {'flag': 'const char *', 'text': 'const char *', 'context': 'int ', 'desc': 'const int *', 'handle': 'void *'}
FORTRAN_TYPES = WORDS + ('int', 'logical')
SPELLINGS = {'name_': '{}_', 'name__': '{}__', 'name': '{}', 'NAME': '{}', 'NAME_': '{}_'}

# Functions that a wrapper calls before it knows the library's function: they cannot be wrapped.
RESERVED = {'malloc', 'calloc', 'realloc', 'free', 'memcpy', 'memset', 'strlen', 'strnlen', 'snprintf', 'write', '_exit', 'dlsym',
            'dlopen', 'dladdr', '__errno_location', '__tls_get_addr'}

NAME = r'[A-Za-z_]\w*'
PROTOTYPE = re.compile(rf'^(?:([^()]*[\s*]))?({NAME})\s*\((.*)\)\s*(?::\s*([^:]*))?$')
BRACES = re.compile(r'\{([^{}]*)\}')


@dataclass
class Parameter:
    name: str
    declaration: str   # C, with the name
    kind: str          # value, behind, flag, text, context, desc; '' if not recorded
    type: str = ''     # type behind the pointer
    is_character: bool = False  # Fortran's CHARACTER: its length comes after all parameters


@dataclass
class Function:
    symbol: str
    level: str
    operation: str
    result: str
    parameters: list
    fortran: bool
    where: str


@dataclass
class Table:
    path: str
    functions: list = field(default_factory=list)
    libraries: list = field(default_factory=list)
    includes: list = field(default_factory=list)
    levels: list = field(default_factory=list)
    flags: list = field(default_factory=list)


def alternatives(text, where):
    """Expand a line with braces into lines."""
    groups = [group.split(',') for group in BRACES.findall(text)]
    if not groups:
        return [text]
    if len({len(group) for group in groups}) > 1:
        raise TableError(f'{where}: braces with different numbers of words: {text}')
    lines = []
    for i in range(len(groups[0])):
        words = iter(groups)
        lines.append(BRACES.sub(lambda _: next(words)[i].strip(), text))
    return lines


def c_parameter(text, where):
    hidden = text.startswith('-')
    text = text[1:].strip() if hidden else text
    if text == '...':
        raise TableError(f'{where}: takes a variable number of arguments, which a wrapper cannot pass on')
    pointed = re.match(rf'in\s+(.*?)\s*\*\s*({NAME})$', text)
    if pointed:
        return Parameter(pointed[2], f'{pointed[1]} *{pointed[2]}', 'behind', pointed[1])
    function = re.match(rf'.*\(\s*\*\s*({NAME})\s*\)\s*[(\[].*[)\]]$', text)
    if function:
        return Parameter(function[1], text, '')
    match = re.match(rf'(.*?[\s*])({NAME})\s*((?:\[[^\]]*\])*)$', text)
    if not match:
        raise TableError(f'{where}: parameter not understood: {text}')
    ctype, name, array = match[1].strip(), match[2], match[3]
    if ctype in C_TYPES:
        kind = '' if hidden or ctype == 'handle' else ctype
        return Parameter(name, C_TYPES[ctype] + name, kind, is_character=ctype in ('flag', 'text'))
    by_value = not array and '*' not in ctype
    return Parameter(name, text, 'value' if by_value and not hidden else '', ctype if by_value else '')


def fortran_parameter(text, where):
    words = text.split()
    if len(words) == 1 and re.fullmatch(NAME, text):
        return Parameter(text, f'void *{text}', '')
    if len(words) != 2 or words[0] not in FORTRAN_TYPES:
        raise TableError(f'{where}: parameter not understood: {text}')
    word, name = words
    if word in ('int', 'logical'):
        return Parameter(name, f'const int *{name}', 'behind' if word == 'int' else 'logical', 'int')
    if word == 'context':
        return Parameter(name, f'const int *{name}', 'context behind')
    # C callers give no length, so only the first letter is read.
    return Parameter(name, C_TYPES[word] + name, '' if word == 'text' else word, is_character=word in ('flag', 'text'))


def by_address(p):
    """The parameter of the Fortran version of a C function."""
    if p.is_character or p.kind == 'desc':
        return p
    if p.kind == 'context':
        return Parameter(p.name, f'const int *{p.name}', 'context behind')
    if p.type and p.kind in ('value', ''):
        return Parameter(p.name, f'const {p.type} *{p.name}', 'behind' if p.kind else '', p.type)
    return p


def parse_facts(text, where):
    facts = {}
    for word in (text or '').split():
        key, _, value = word.partition('=')
        if key not in ('as', 'fortran') or not value:
            raise TableError(f'{where}: unknown fact: {word}')
        facts[key] = value
    return facts


def spelled(name, spellings):
    """Symbols of a Fortran function."""
    return [SPELLINGS[s].format(name.upper() if s.isupper() else name) for s in spellings]


def parse_function(text, language, spellings, level, where):
    """Functions of one prototype: the function and its Fortran version."""
    match = PROTOTYPE.match(text)
    if not match:
        raise TableError(f'{where}: not understood: {text}')
    result, name, parameters, facts = match.groups()
    if name in RESERVED or name.startswith('hiera_'):
        raise TableError(f'{where}: {name}: wrappers call it themselves')
    result, facts, where = (result or '').strip(), parse_facts(facts, where), f'{where}: {name}'
    parts = [] if parameters.strip() == 'void' else split_parameters(parameters)
    if language == 'fortran':
        made = [fortran_parameter(part, where) for part in parts]
        return [Function(symbol, level, facts.get('as', name), result or 'void', made, True, where) for symbol in spelled(name, spellings)]
    if not result:
        raise TableError(f'{where}: the result is missing; write void')
    result = C_TYPES.get(result, result)
    made = [c_parameter(part, where) for part in parts]
    twin = facts.get('fortran')
    functions = [Function(name, level, facts.get('as', twin or name), result, made, False, where)]
    if twin:
        by_addresses = [by_address(p) for p in made]
        functions += [Function(symbol, level, facts.get('as', twin), result, by_addresses, True, where) for symbol in spelled(twin, spellings)]
    return functions


def read(path):
    table = Table(path)
    language, spellings, level, seen = 'c', ['name_'], '', {}
    for number, text in logical_lines(path):
        where = f'{path}:{number}'
        word, _, rest = text.partition(' ')
        rest = rest.strip()
        if word == 'level':
            level = rest
            table.levels.append(level)
        elif word == 'library':
            table.libraries += rest.split()
        elif word == 'include':
            table.includes.append(f'#include {rest}')
        elif word == 'flags':
            table.flags += shlex.split(rest)
        elif word == 'define':
            table.includes.append(f'#define {rest}')
        elif word == 'language':
            if rest not in ('c', 'fortran'):
                raise TableError(f'{where}: unknown language: {rest}')
            language = rest
        elif word == 'spelling':
            spellings = rest.split()
            unknown = [s for s in spellings if s not in SPELLINGS]
            if unknown or not spellings:
                raise TableError(f'{where}: unknown spelling: {" ".join(unknown)}')
        else:
            if not level:
                raise TableError(f'{where}: a function before the line `level`')
            for line in alternatives(text, where):
                for function in parse_function(line, language, spellings, level, where):
                    if function.symbol in seen:
                        raise TableError(f'{where}: {function.symbol} is already in {seen[function.symbol]}')
                    seen[function.symbol] = where
                    table.functions.append(function)
    if not table.functions:
        raise TableError(f'{path}: the table has no function')
    return table
