"""Checks an entry of functions.table: all names in it must exist. Otherwise a misspelt fact would be ignored, and bytes would
be missing in each trace."""

import re

from table_syntax import TableError

FACTS = ('as', 'in-place', 'sent', 'received', 'starts', 'frees')
COMM_SIZES = ('size', 'local_size', 'indegree', 'outdegree', 'ndims')
REQUESTS = ('request', 'requests')
IN_PLACE = ('sendbuf', 'recvbuf')
SORTED = {'contents': 'type', 'members': 'cat_index'}
NAME = r'[A-Za-z_]\w*'
FACTOR = rf'(?:{NAME}|(?:sum|own)\({NAME}\))'


def check_names(function, names, what, where):
    for name in names:
        if function.parameter(name) is None:
            raise TableError(f'{where}: {function.name}: {what} names {name}, which is not a parameter')


def check_length(function, p, where):
    """NUMBER, NAME, NAME*NUMBER, sum(NAME), last(NAME), size(comm), contents(SORT), members(SORT)"""
    what = f'the length of {p.name}'
    call = re.fullmatch(r'(\w+)\((\w+)\)', p.length)
    if re.fullmatch(rf'\d+|{NAME}|{NAME}\*\d+', p.length):
        check_names(function, re.findall(NAME, p.length), what, where)
    elif call and call[1] in (*COMM_SIZES, 'sum', 'last'):
        check_names(function, [call[2]], what, where)
        if call[1] in ('sum', 'last') and not function.parameter(call[2]).length:
            raise TableError(f'{where}: {function.name}: {what}: {call[2]} has no length of its own')
    elif call and call[1] in SORTED:
        check_names(function, [SORTED[call[1]]], what, where)
    else:
        raise TableError(f'{where}: {function.name}: {what} is not understood: {p.length}')


def check_parameter(function, p, types, where):
    if p.type == '...':
        return
    if not p.name:
        raise TableError(f'{where}: {function.name}: a parameter without a name: {p.type}')
    if p.type not in types and not p.type.startswith(('opaque{', 'function{')):
        raise TableError(f'{where}: {function.name}: {p.name}: no way to record the type {p.type}')
    if p.name in REQUESTS and p.type != 'MPI_Request':
        raise TableError(f'{where}: {function.name}: {p.name}: the trace uses this name for requests, but the type is {p.type}')
    if p.type == 'MPI_Request' and p.direction == 'out' and p.length:
        raise TableError(f'{where}: {function.name}: {p.name}: a call starts one request, not a list of them')
    if p.length:
        check_length(function, p, where)
    if p.flag:
        check_names(function, [p.flag], f'the flag of {p.name}', where)
    if p.role:
        check_names(function, ['root'], f'@{p.role} of {p.name}', where)


def check_product(function, key, words, where):
    """The factors of a product must be one datatype and counts."""
    types = 0
    for word in words:
        p = function.parameter(word)
        if word in COMM_SIZES:
            check_names(function, ['comm'], f'{key}=', where)
        elif word.startswith(('sum(', 'own(')):
            check_names(function, [word[4:-1]], f'{key}=', where)
            if not function.parameter(word[4:-1]).length:
                raise TableError(f'{where}: {function.name}: {key}={word}: {word[4:-1]} is not an array')
        else:
            check_names(function, [word], f'{key}=', where)
            types += p.type == 'MPI_Datatype'
    if types != 1:
        raise TableError(f'{where}: {function.name}: {key}={"*".join(words)}: expected one datatype among the factors')


def check_term(function, key, term, where):
    """0, status, or a product; sum(counts*types)"""
    both = re.fullmatch(rf'sum\(({NAME})\*({NAME})\)', term)
    if term == 'status':
        if not any(p.type == 'MPI_Status' and p.direction == 'out' and not p.length for p in function.parameters):
            raise TableError(f'{where}: {function.name}: {key}=status, but no parameter is a status')
    elif both:
        check_names(function, both.groups(), f'{key}=', where)
        if not all(function.parameter(name).length for name in both.groups()):
            raise TableError(f'{where}: {function.name}: {key}={term}: expected two arrays')
    elif re.fullmatch(rf'{FACTOR}(?:\*{FACTOR})*', term):
        check_product(function, key, term.split('*'), where)
    elif term != '0':
        raise TableError(f'{where}: {function.name}: {key}: not understood: {term}')


def check_bytes(function, key, text, where):
    """[root:|members:|others:] TERM [| TERM]"""
    condition = re.match(r'(root|members|others):', text)
    if condition:
        check_names(function, ['root'], f'{key}={condition[0]}', where)
        text = text[condition.end():]
    terms = text.split('|')
    if len(terms) > 2 or (len(terms) == 2 and 'in-place' not in function.values):
        raise TableError(f'{where}: {function.name}: {key}={text}: a second term needs in-place=')
    for term in terms:
        check_term(function, key, term, where)


def check(function, types, handles, where):
    """Raise TableError if a name in the entry does not exist. `types`: all types that a parameter may have; `handles`: the types of
    handles."""
    names = [p.name for p in function.parameters if p.name]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f'{where}: {function.name}: two parameters are called {name}')
    for p in function.parameters:
        check_parameter(function, p, types, where)
    for key, value in function.values.items():
        if key not in FACTS:
            raise TableError(f'{where}: {function.name}: unknown fact: {key}=; there are {" ".join(fact + "=" for fact in FACTS)}')
        if key in ('sent', 'received'):
            check_bytes(function, key, value, where)
        elif key == 'in-place' and value not in IN_PLACE:
            raise TableError(f'{where}: {function.name}: {key}={value}: expected one of {" ".join(IN_PLACE)}')
        elif key in ('in-place', 'frees'):
            check_names(function, [value], f'{key}=', where)
        if key == 'frees' and function.parameter(value).type not in (*handles, 'MPI_Request'):
            raise TableError(f'{where}: {function.name}: {key}={value}: {value} is not a handle')
