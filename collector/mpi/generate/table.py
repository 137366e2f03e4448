"""Reads functions.table into Function objects. The grammar is in the head of the table."""

import functools
import os
import re
import sys
from dataclasses import dataclass, field, replace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))

import table_check  # noqa: E402
from table_syntax import TableError, logical_lines, split_parameters  # noqa: E402

CLASSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'call', 'handle_classes.h')


def read_classes(path):
    """The C type of a handle -> identifier of its class, from the table HIERA_HANDLE_CLASSES."""
    with open(path, encoding='utf-8') as file:
        return {ctype: identifier for identifier, ctype in re.findall(r'^ +X\((\w+), (MPI_\w+), "', file.read(), re.M)}


HANDLES = read_classes(CLASSES)


@functools.cache
def read_prefixes(path):
    """The identifier of a class of handles -> prefix of the names of handles that the program made."""
    with open(path, encoding='utf-8') as file:
        return dict(re.findall(r'^ +X\((\w+), MPI_\w+, "(\w*)"', file.read(), re.M))


# Type words of the table -> (C type in the small form, C type in the large form).
WORDS = {'rank': ('int', 'int'), 'tag': ('int', 'int'), 'color': ('int', 'int'), 'logical': ('int', 'int'),
         'Count': ('int', 'MPI_Count'),
         'Displ': ('int', 'MPI_Aint'), 'Bigaint': ('MPI_Aint', 'MPI_Count')}

# Types of lists of texts -> number of stars in the C type.
TEXT_LISTS = {'words': 1, 'wordlists': 2, 'cmdline': 3}

# C types that a record stores in 32 bits; those that it stores in 64 bits.
NARROW = {'int', 'MPI_Fint', 'unsigned', 'MPI_T_source_order', 'MPI_T_cb_safety'}
WIDE = {'MPI_Aint', 'MPI_Count', 'MPI_Offset', 'MPI_ADDRESS', 'long', 'size_t'}

# All types that a parameter may have, besides opaque{T} and function{T}.
TYPES = {*HANDLES, *WORDS, *TEXT_LISTS, *NARROW, *WIDE, 'double', 'buffer', 'string', '...', 'MPI_Status', 'MPI_Request'}


@dataclass
class Parameter:
    direction: str  # '', 'in', 'out', 'inout'
    type: str       # as in the table
    name: str
    length: str = ''
    flag: str = ''
    role: str = ''  # significant only at this role: a key of record_layout.ROLES
    large: bool = False
    maybe: bool = False  # the pointer may be NULL: the caller does not want this result

    @property
    def c_type(self):
        """The C type of one element."""
        word = WORDS.get(self.type)
        return word[self.large] if word else self.type

    @property
    def declaration(self):
        const = 'const ' if self.direction == 'in' else ''
        if self.type == '...':
            return '...'
        if self.type == 'buffer':
            return f'{const}void *{self.name}'
        if self.type == 'string':
            return f'{const}char *{self.name}'
        if self.type in TEXT_LISTS:
            return f'char {"*" * TEXT_LISTS[self.type]}{self.name}' + ('' if self.type == 'cmdline' else '[]')
        if self.type.startswith('opaque{'):
            return f'{self.type[7:-1]} {self.name}'
        if self.type.startswith('function{'):
            return f'{self.type[9:-1]} {self.name}'
        if '*' in self.length:  # ranges[n*3]
            return f'{self.c_type} {self.name}[][{self.length.split("*")[1]}]'
        if self.length:
            return f'{const}{self.c_type} {self.name}[]'
        star = '*' if self.direction else ''
        return f'{const}{self.c_type} {star}{self.name}'


@dataclass
class Function:
    result: str
    name: str       # MPI_Send
    group: str
    parameters: list
    facts: set = field(default_factory=set)
    values: dict = field(default_factory=dict)  # as, sent, received, starts, in-place, new, frees
    kind: str = 'local'
    line: int = 0

    @property
    def operation(self):
        return self.values.get('as', self.name[4:].lower())

    @property
    def has_error(self):
        """Whether the result is an error code; else it may be the integer of a handle."""
        return self.result == 'int' and not self.name.endswith('_toint')

    def parameter(self, name):
        return next((p for p in self.parameters if p.name == name), None)


PARAMETER = re.compile(r'''(?:(in|out|inout)(\??)\s+)?
    ((?:opaque|function)\{[^}]*\}|\.\.\.|[A-Za-z_][\w ]*?)
    (?:\s+([A-Za-z_]\w*)(?:\[([^\]]+)\])?(?:\?(\w+))?(?:@(root|members|both))?)?$''', re.X)
FUNCTION = re.compile(r'^(\w+)\s+(MPI_\w+)\s*\((.*)\)\s*:\s*(.*)$')


def parse_parameter(text, where):
    match = PARAMETER.match(text)
    if not match:
        raise TableError(f'{where}: parameter not understood: {text}')
    direction, maybe, ctype, name, length, flag, role = match.groups()
    return Parameter(direction or '', ctype.strip(), name or '', length or '', flag or '', role or '',
                     maybe=bool(maybe))


def parse_facts(function, text, kinds, where):
    words = re.findall(r'(?:\w[\w-]*=(?:(?:root|members|others):)?[^\s|]+(?:\s*\|\s*[^\s|]+)?)|[\w-]+', text)
    if ' '.join(words).replace(' ', '') != text.replace(' ', ''):
        raise TableError(f'{where}: facts not understood: {text}')
    for word in words:
        if '=' in word:
            key, value = word.split('=', 1)
            function.values[key] = value.replace(' ', '')
            if key == 'starts' and value not in kinds:
                raise TableError(f'{where}: unknown kind: {value}')
        elif word in kinds:
            function.kind = word
        elif word in ('large', 'old-fortran', 'removed', 'varies', 'beyond', 'special'):
            function.facts.add(word)
        else:
            raise TableError(f'{where}: unknown fact: {word}')


def large_twin(function):
    """MPI_Send -> MPI_Send_c."""
    parameters = [replace(p, large=True) for p in function.parameters]
    values = {k: v for k, v in function.values.items() if k != 'as'}
    return Function(function.result, function.name + '_c', function.group, parameters, function.facts, values,
                    function.kind, function.line)


def read(path, kinds):
    """All functions of a table, including the large twins."""
    functions, group, seen = [], '', {}
    for number, text in logical_lines(path):
        where = f'{path}:{number}'
        if text.startswith('['):
            group = text.strip('[] ')
            continue
        match = FUNCTION.match(text)
        if not match:
            raise TableError(f'{where}: function not understood: {text}')
        result, name, parameters, facts = match.groups()
        function = Function(result, name, group, [parse_parameter(p, where) for p in split_parameters(parameters)])
        function.line = number
        parse_facts(function, facts, kinds, where)
        table_check.check(function, TYPES, HANDLES, where)
        if name in seen:
            raise TableError(f'{where}: {name} is already in line {seen[name]}')
        seen[name] = number
        functions.append(function)
        if 'large' in function.facts:
            functions.append(large_twin(function))
    return functions


def read_kinds(path):
    """The kinds of dtd/kinds.h: spelling -> identifier."""
    text = open(path, encoding='utf-8').read()
    block = text[text.index('#define HIERA_KINDS'):]
    return {name: identifier for identifier, name in re.findall(r'X\((\w+),\s*"([\w-]+)",\s*[01]\)', block)}


def read_oops_arguments(path):
    """The attributes of hieraOOPS for arguments, from dtd/names.h."""
    text = open(path, encoding='utf-8').read()
    block = text[text.index('#define HIERA_OOPS_ARGUMENTS'):text.index('#define HIERA_SPECIAL_VALUES')]
    return re.findall(r'X\("(\w+)"\)', block)
