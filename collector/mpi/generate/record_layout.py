"""The arguments of a function: which of them a record has and how they are stored; and as C expressions: when an argument is
significant, how long it is, how many bytes the call moves."""

import re

from table import HANDLES, NARROW, TEXT_LISTS, WIDE

# Buffer that may be MPI_IN_PLACE -> parameters that are then not significant.
IN_PLACE = {'sendbuf': ('scount', 'stype', 'scounts', 'sdispls', 'stypes'),
            'recvbuf': ('rcount', 'rtype', 'rcounts', 'rdispls', 'rtypes')}


# Role in a rooted collective -> C expression: has this rank that role? The head of the table explains the roles.
ROLES = {'root': 'my_role & HIERA_MPI_ROLE_ROOT', 'members': 'my_role & HIERA_MPI_ROLE_MEMBER',
         'others': 'my_role == HIERA_MPI_ROLE_MEMBER', 'both': 'my_role'}


def kind_of(p):
    """How a parameter is recorded: identifier of HieraArgumentKind; None: it is not recorded."""
    if p.type in ('buffer', '...', 'MPI_Status') or p.type.startswith('opaque{'):
        return None
    if p.type == 'string' or p.type in TEXT_LISTS:
        return 'TEXT'
    if p.type.startswith('function{'):
        return 'SYMBOL'
    if p.type == 'MPI_Request':
        return 'NUMBER'
    if p.type in HANDLES:
        return f'HANDLE + HIERA_HANDLE_{HANDLES[p.type]}'
    if p.type in ('rank', 'tag', 'color'):
        return p.type.upper()
    if p.c_type in NARROW:
        return 'INT'
    if p.c_type in WIDE:
        return 'LONG'
    if p.c_type == 'double':
        return 'DOUBLE'
    raise ValueError(f'{p.name}: no way to record the type {p.type}')


def member_type(kind):
    if kind in ('LONG', 'SYMBOL'):
        return 'int64_t'
    if kind == 'DOUBLE':
        return 'double'
    return 'uint32_t' if kind == 'NUMBER' or kind.startswith('HANDLE') else 'int32_t'


def is_wide(kind):
    return member_type(kind) in ('int64_t', 'double')


class Layout:
    """One function, and the C expressions for its arguments."""

    def __init__(self, function):
        self.f = function
        self.id = function.name[4:]
        self.recorded = [(p, kind_of(p)) for p in function.parameters]
        self.recorded = [(p, k) for p, k in self.recorded if k]
        self.requests = self.completed_requests()
        self.started = self.started_requests()
        self.status = self.own_status()
        self.frees = function.values.get('frees')
        freed = function.parameter(self.frees) if self.frees else None
        self.freed_request = freed if freed is not None and freed.type == 'MPI_Request' else None

    # --- facts of the function ---

    def completed_requests(self):
        """The parameter whose requests a completing call completes, or None."""
        if self.f.kind != 'complete':
            return None
        return next((p for p in self.f.parameters if p.type == 'MPI_Request'), None)

    def started_requests(self):
        """The parameter whose persistent requests a call starts, or None."""
        if self.f.kind != 'start':
            return None
        return next((p for p in self.f.parameters if p.type == 'MPI_Request' and p.direction == 'inout'), None)

    def own_status(self):
        """The status with source, tag and size of a received or probed message, or None."""
        if self.f.kind not in ('receive', 'send-receive', 'probe') and self.f.values.get('received') != 'status':
            return None
        return next((p for p in self.f.parameters if p.type == 'MPI_Status' and p.direction == 'out' and not p.length), None)

    def is_tail(self, p, kind):
        return kind == 'TEXT' or bool(p.length)

    def comes_out(self, p):
        return p.direction in ('out',) or (p.direction == 'inout' and p.type not in HANDLES and p.type != 'MPI_Request')

    @property
    def members(self):
        """Recorded parameters that are in the fixed part of the record: (index, parameter, kind)."""
        return [(i, p, k) for i, (p, k) in enumerate(self.recorded)
                if not self.is_tail(p, k) and p is not self.requests]

    @property
    def sends(self):
        """Does the call itself send a message?"""
        return self.f.kind in ('send', 'send-receive') and 'starts' not in self.f.values

    @property
    def has_tail(self):
        return self.requests is not None or any(self.is_tail(p, k) for p, k in self.recorded)

    @property
    def tail_room(self):
        """How long the tail of the record may be."""
        one = self.requests is not None and not self.requests.length and \
            not any(self.is_tail(p, k) for p, k in self.recorded if p is not self.requests)
        return 'HIERA_TAIL_OF_ONE' if one else 'HIERA_TAIL_ROOM' if self.has_tail else '0'

    @property
    def lists_requests(self):
        """Is there a list of requests after the record while the call is in progress (listed.h)?"""
        return self.requests is not None or (self.started is not None and bool(self.started.length))

    @property
    def call(self):
        """Arguments of the PMPI call."""
        names = []
        for p in self.f.parameters:
            if p.type == '...':
                continue
            if p is self.status:
                names.append(f'{p.name}_seen')
            elif self.requests and p.type == 'MPI_Status':
                names.append('my_completion.statuses')
            else:
                names.append(p.name)
        return ', '.join(names)

    # --- conditions ---

    def condition(self, p):
        """C expression: is the parameter significant? '': always."""
        conditions = []
        if p.maybe:
            conditions.append(p.name)
        if p.flag:
            conditions.append(f'*{p.flag}' if p.flag == 'flag' else f'*{p.flag} >= 0')
        if p.role:
            conditions.append(f'({ROLES[p.role]})')
        buffer = self.f.values.get('in-place')
        if buffer and p.name in IN_PLACE[buffer]:
            conditions.append('!my_in_place')
        return ' && '.join(conditions)

    # --- lengths, sizes ---

    def length(self, text):
        if text.isdigit():
            return text
        function = re.match(r'(\w+)\((\w+)\)$', text)
        if function and function.group(1) == 'last':
            array = self.f.parameter(function.group(2))
            return f'hiera_last({array.name}, {self.length(array.length)})'
        if function and function.group(1) == 'sum':
            return self.sum(function.group(2))
        if function and function.group(1) == 'contents':
            return f'hiera_type_contents(type, HIERA_CONTENTS_{function.group(2).upper()})'
        if function and function.group(1) == 'members':
            return f'hiera_tool_members(cat_index, HIERA_MEMBERS_{function.group(2).upper()}, len)'
        if '*' in text:
            name, factor = text.split('*')
            return f'{factor} * {self.length(name)}'
        if '(' in text:
            what, comm = text.rstrip(')').split('(')
            if what in ('indegree', 'outdegree'):
                return f'hiera_comm_degree({comm}, {"true" if what == "outdegree" else "false"})'
            if what == 'ndims':
                return f'hiera_comm_dimensions({comm})'
            return f'hiera_comm_facts(my_r->{comm})->{"size" if what == "local_size" else "peers"}'
        p = self.f.parameter(text)
        if p.direction == 'inout':
            return f'hiera_least(my_room_{text}, {text})'
        return f'*{text}' if p.direction == 'out' else text

    @property
    def rooms(self):
        """The inout parameters that have the size of an array or a text."""
        return sorted({p.length for p in self.f.parameters
                       if p.length and (q := self.f.parameter(p.length)) and q.direction == 'inout'})

    def save_rooms(self):
        return [f'int my_room_{name} = {name} ? *{name} : 0;' for name in self.rooms]

    def sum(self, inside):
        counts, _, types = inside.partition('*')
        p = self.f.parameter(counts)
        width = 'longs' if p.c_type in WIDE else 'ints'
        values = f'(const int64_t *){counts}' if width == 'longs' else counts
        there = 'NULL'
        if p.length.startswith(('indegree', 'outdegree')):
            there = f'hiera_comm_facts(my_r->comm)->{"sources" if p.length.startswith("in") else "destinations"}_there'
        if types:
            return f'hiera_sum_typed_{width}({values}, {types}, {self.length(p.length)}, {there})'
        return f'hiera_sum_{width}({values}, {self.length(p.length)}, {there})'

    def own(self, name):
        """C expression: the element of an array for this rank."""
        width = 'longs' if self.f.parameter(name).c_type in WIDE else 'ints'
        return f'hiera_own_{width}({"(const int64_t *)" if width == "longs" else ""}{name}, my_r->comm)'

    def term(self, text):
        """C expression for the bytes of a product."""
        if text == '0':
            return '0'
        if text == 'status':
            return f'{self.status.name}_bytes'
        if text.startswith('sum(') and '*' in text[4:text.index(')')]:
            return self.sum(text[4:text.index(')')])
        ctype, factors = None, []
        depth, word, words = 0, '', []
        for c in text + '*':
            depth += (c == '(') - (c == ')')
            if c == '*' and depth == 0:
                words.append(word)
                word = ''
            else:
                word += c
        for word in words:
            p = self.f.parameter(word)
            if word in ('size', 'local_size'):
                factors.append(self.length(f'{word}(comm)'))
            elif word in ('indegree', 'outdegree'):
                factors.append(f'hiera_comm_facts(my_r->comm)->n_{"sources" if word == "indegree" else "destinations"}')
            elif word.startswith('own('):
                factors.append(self.own(word[4:-1]))
            elif word.startswith('sum('):
                factors.append(self.sum(word[4:-1]))
            elif p.type == 'MPI_Datatype':
                ctype = word
            else:
                factors.append(f'(int64_t){word}')
        return f'hiera_type_bytes(my_r->{ctype}, {" * ".join(factors)})'

    def bytes(self, text):
        """C expression for `sent=` or `received=`."""
        who, _, rest = text.rpartition(':')
        first, _, second = rest.partition('|')
        expression = self.term(first)
        if second:
            expression = f'my_in_place ? {self.term(second)} : {expression}'
        if who:
            expression = f'({ROLES[who]}) ? ({expression}) : 0'
        if self.f.kind == 'update' and self.f.parameter('op') and text == self.f.values.get('sent'):
            expression = f'op == MPI_NO_OP ? 0 : {expression}'
        peer = 'target_rank' if self.f.parameter('target_rank') else 'dest'
        if self.f.parameter(peer) and text != 'status':
            expression = f'{peer} == MPI_PROC_NULL ? 0 : {expression}'
        return expression

    @property
    def has_roles(self):
        """Does it depend on the rank's role which arguments or bytes are significant?"""
        return any(p.role for p in self.f.parameters) or any(':' in self.f.values.get(key, '') for key in ('sent', 'received'))
