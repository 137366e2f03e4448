"""From the function table: the C source of the wrappers and of the descriptions by which format.c prints their records.

A wrapper reads: enter; make room; store what goes in; start; PMPI; store what came out; finish. Whatever is not recorded
goes straight to PMPI with the same arguments."""

import re

from table import HANDLES, NARROW, TEXT_LISTS, WIDE

# Classes of which MPI may give out one handle several times, each to be freed: one object, one number. Types too, where
# the call is no constructor.
AGAIN = ('GROUP', 'ERRHANDLER', 'ENUM')

IN_PLACE = {'sendbuf': ('scount', 'stype', 'scounts', 'sdispls', 'stypes'),
            'recvbuf': ('rcount', 'rtype', 'rcounts', 'rdispls', 'rtypes')}


def kind_of(p):
    """How a parameter is recorded: identifier of HieraArgumentKind, or None if it is not."""
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


class Wrapper:
    """One function on its way to C."""

    def __init__(self, function):
        self.f = function
        self.id = function.name[4:]
        self.recorded = [(p, kind_of(p)) for p in function.parameters]
        self.recorded = [(p, k) for p, k in self.recorded if k]
        self.requests = self.completed_requests()
        self.status = self.own_status()
        self.frees = function.values.get('frees')
        freed = function.parameter(self.frees) if self.frees else None
        self.freed_request = freed if freed is not None and freed.type == 'MPI_Request' else None

    # --- what the function is like ---

    def completed_requests(self):
        """The parameter whose requests a completing call completes, or None."""
        if self.f.kind != 'complete':
            return None
        return next((p for p in self.f.parameters if p.type == 'MPI_Request'), None)

    def own_status(self):
        """The status that says what a receive or probe saw, or None."""
        if self.f.kind not in ('receive', 'send-receive', 'probe') and self.f.values.get('received') != 'status':
            return None
        return next((p for p in self.f.parameters if p.type == 'MPI_Status' and p.direction == 'out' and not p.length), None)

    def is_tail(self, p, kind):
        return kind == 'TEXT' or bool(p.length)

    def comes_out(self, p):
        return p.direction in ('out',) or (p.direction == 'inout' and p.type not in HANDLES and p.type != 'MPI_Request')

    @property
    def members(self):
        """Recorded parameters with a place of their own in the record."""
        return [(i, p, k) for i, (p, k) in enumerate(self.recorded)
                if not self.is_tail(p, k) and p is not self.requests]

    @property
    def has_tail(self):
        return self.requests is not None or any(self.is_tail(p, k) for p, k in self.recorded)

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
        """C expression under which a parameter means something, or ''."""
        conditions = []
        if p.maybe:
            conditions.append(p.name)
        if p.flag:
            conditions.append(f'*{p.flag}' if p.flag == 'flag' else f'*{p.flag} >= 0')
        if p.at_root:
            conditions.append('my_root')
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
        """The inout parameters that say how much room an array or a text has."""
        return sorted({p.length for p in self.f.parameters
                       if p.length and (q := self.f.parameter(p.length)) and q.direction == 'inout'})

    def save_rooms(self):
        return [f'int my_room_{name} = {name} ? *{name} : 0;' for name in self.rooms]

    def sum(self, inside):
        counts, _, types = inside.partition('*')
        p = self.f.parameter(counts)
        width = 'longs' if p.c_type in WIDE else 'ints'
        values = f'(const int64_t *){counts}' if width == 'longs' else counts
        if types:
            return f'hiera_sum_typed_{width}({values}, {types}, {self.length(p.length)})'
        return f'hiera_sum_{width}({values}, {self.length(p.length)})'

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
            if word in ('size', 'local_size', 'indegree', 'outdegree'):
                factors.append(self.length(f'{word}(comm)'))
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
            expression = f'{"my_root" if who == "root" else "!my_root"} ? ({expression}) : 0'
        if {'send', 'send-receive'} & {self.f.kind, self.f.values.get('starts')} and text == self.f.values.get('sent'):
            expression = f'dest == MPI_PROC_NULL ? 0 : {expression}'
        return expression

    # --- pieces of the wrapper ---

    def number_of(self, p):
        """C expression: the number of a handle that goes in."""
        value = f'*{p.name}' if p.direction else p.name
        kind = HANDLES[p.type]
        if kind in ('COMM', 'TYPE'):
            memo = 0 if kind == 'COMM' else 1
            return f'hiera_handle_recall(my_thread, {memo}, HIERA_HANDLE_{kind}, HIERA_KEY({value}))'
        return f'hiera_handle_find(HIERA_HANDLE_{kind}, HIERA_KEY({value}))'

    def store_in(self, p, kind):
        value = f'*{p.name}' if p.direction else p.name
        if p.type == 'MPI_Request':
            return f'my_r->{p.name} = hiera_request_find({value});'
        if kind.startswith('HANDLE'):
            return f'my_r->{p.name} = {self.number_of(p)};'
        if kind == 'SYMBOL':
            return f'my_r->{p.name} = (int64_t)(intptr_t){value};'
        return f'my_r->{p.name} = {value};'

    def request_sort(self):
        """C expression: what is known of the request that the call starts."""
        kinds, sorts = {self.f.kind, self.f.values.get('starts')}, []
        if 'receive' in kinds:
            sorts.append('HIERA_REQUEST_RECEIVES')
        if 'send-receive' in kinds:
            sorts.append('(HIERA_STATUS_OF_ISENDRECV ? HIERA_REQUEST_RECEIVES : HIERA_REQUEST_PLAIN)')
        if 'starts' in self.f.values:
            sorts.append('HIERA_REQUEST_OWN')
        elif self.f.kind == 'receive' and self.f.parameter('rem'):
            sorts.append('(rem == MPI_PROC_NULL ? HIERA_REQUEST_PLAIN : HIERA_REQUEST_OWN)')
        return ' | '.join(sorts) or 'HIERA_REQUEST_PLAIN'

    def store_out(self, p, kind):
        if p.type == 'MPI_Request':
            return f'my_r->{p.name} = hiera_request_new(*{p.name}, {self.request_sort()});'
        if p.type == 'MPI_Comm':
            return f'my_r->{p.name} = {self.new_comm(p, "my_r->comm" if self.f.parameter("comm") else "0")};'
        if kind.startswith('HANDLE'):
            return f'my_r->{p.name} = {self.new_handle(p, f"*{p.name}")};'
        return f'my_r->{p.name} = *{p.name};'

    def new_handle(self, p, value):
        """C expression: the number of a handle that the call gave out."""
        kind = HANDLES[p.type]
        constructor = self.f.name.startswith('MPI_Type_') and '_f90_' not in self.f.name and not p.length
        if kind == 'TYPE':
            return f'hiera_type_{"new" if constructor else "again"}({value})'
        again = kind in AGAIN
        return f'hiera_handle_{"again" if again else "new"}(HIERA_HANDLE_{kind}, HIERA_KEY({value}))'

    def store_text(self, put, p):
        if p.type == 'string' and p.length:
            return f'if ({p.name})\n            hiera_mpi_put_text({put}{p.name}, {self.length(p.length)});'
        if p.type == 'string':
            return f'if ({p.name})\n            hiera_mpi_put_text({put}{p.name}, HIERA_TEXT_MAX);'
        if p.type == 'cmdline':
            return f'if ({p.name} && *{p.name})\n            hiera_mpi_put_words({put}*{p.name}, -1);'
        n = self.length(p.length) if p.length else '-1'
        return f'if ({p.name})\n            hiera_mpi_put_{p.type}({put}{p.name}, {n});'

    def store_tail(self, index, p, kind):
        put = f'my_thread, &my_r->head, {index}, '
        if kind == 'TEXT':
            return self.store_text(put, p)
        n = self.length(p.length)
        if kind.startswith('HANDLE') or kind == 'NUMBER':
            return self.store_handles(index, p, kind, n)
        values = f'&{p.name}[0][0]' if '*' in p.length else p.name
        if kind == 'LONG':
            return f'if ({p.name})\n            hiera_mpi_put_longs({put}(const int64_t *){values}, {n});'
        return f'if (hiera_mpi_is_array({p.name}))\n            hiera_mpi_put_ints({put}(const int *){values}, {n});'

    def store_new_handles(self, index, p, n):
        """Handles that came out: each counts, be it stored or not."""
        return '\n        '.join([
            f'if ({p.name}) {{', '    uint32_t stored;', f'    int64_t all = {n};',
            f'    uint32_t *numbers = hiera_mpi_put_space(my_thread, &my_r->head, {index}, all, sizeof *numbers, &stored);',
            '    for (int64_t i = 0; i < all; i++) {', f'        uint32_t number = {self.new_handle(p, f"{p.name}[i]")};',
            '        if (i < stored)', '            numbers[i] = number;', '    }', '}'])

    def store_handles(self, index, p, kind, n):
        if p.direction == 'out':
            return self.store_new_handles(index, p, n)
        if kind == 'NUMBER':
            number = f'hiera_request_find({p.name}[i])'
        else:
            number = f'hiera_handle_find(HIERA_{kind.split("HIERA_")[1]}, HIERA_KEY({p.name}[i]))'
        return '\n        '.join([
            f'if ({p.name}) {{', '    uint32_t stored;',
            f'    uint32_t *numbers = hiera_mpi_put_space(my_thread, &my_r->head, {index}, {n}, sizeof *numbers, &stored);',
            '    for (uint32_t i = 0; i < stored; i++)', f'        numbers[i] = {number};', '}'])

    def guarded(self, p, statement, index):
        """A statement under the parameter's condition; elsewhere the argument is absent."""
        condition = self.condition(p)
        return [f'if ({condition})', f'    {statement}'] if condition else [statement]

    def before(self):
        lines = self.save_rooms()
        if self.requests:
            p = self.requests
            statuses = next((s.name for s in self.f.parameters if s.type == 'MPI_Status'), 'MPI_STATUS_IGNORE')
            lines += ['HieraCompletion my_completion;',
                      f'hiera_requests_before(&my_completion, {self.count_of(p)}, {self.list_of(p)}, {statuses});']
        if self.status:
            name = self.status.name
            lines += [f'MPI_Status {name}_own, *{name}_seen = {name} == MPI_STATUS_IGNORE ? &{name}_own : {name};']
        if 'in-place' in self.f.values:
            lines += [f'bool my_in_place = {self.f.values["in-place"]} == MPI_IN_PLACE;']
        absent = 0
        for i, p, kind in self.members:
            if self.comes_out(p) and p.direction == 'out':
                absent |= 1 << i
            elif not self.condition(p):
                lines.append(self.store_in(p, kind))
        # What depends on the root needs the communicator first.
        conditional = [(i, p, k) for i, p, k in self.members if self.condition(p) and p.direction != 'out']
        if any('my_root' in t for t in [self.condition(p) for p in self.f.parameters]
               + [self.bytes_text('sent'), self.bytes_text('received')]):
            lines.append('bool my_root = hiera_mpi_is_root(my_r->comm, root);')
        for i, p, kind in conditional:
            lines += [f'my_r->{p.name} = 0;', f'if ({self.condition(p)})', f'    {self.store_in(p, kind)}', 'else',
                      f'    my_r->head.flags |= 1u << {i};']
        lines.insert(0, f'my_r->head.flags = {absent}u;')
        if self.f.kind in ('expose', 'access'):
            lines.append('hiera_group_note(my_r->group, group);')
        if self.freed_request:
            lines += self.note_requests(self.freed_request)
        elif self.frees:
            p = self.f.parameter(self.frees)
            lines += [f'uint64_t my_freed = HIERA_KEY(*{p.name});', *self.forget(p)]
        return lines

    def bytes_text(self, key):
        text = self.f.values.get(key, '')
        return 'my_root' if text.startswith(('root:', 'others:')) else ''

    def count_of(self, p):
        return self.length(p.length) if p.length else '1'

    def list_of(self, p):
        """C expression: the address of one request or many."""
        return p.name if p.direction or p.length else f'&{p.name}'

    def note_requests(self, p):
        """Before a call that may complete or free them and does not list them."""
        return ['HieraPendingList my_pending;', f'hiera_requests_note(&my_pending, {self.count_of(p)}, {self.list_of(p)});']

    def requests_done(self, p):
        return [f'hiera_requests_done(&my_pending, {self.list_of(p)});']

    def forget(self, p):
        return [f'hiera_handle_forget(HIERA_HANDLE_{HANDLES[p.type]}, my_freed);']

    def after(self):
        """Statements when the call succeeded."""
        lines, shown = [], 0
        for i, p, kind in self.members:
            if p.direction == 'out':
                condition = self.condition(p)
                if condition:
                    lines += [f'if ({condition}) {{', f'    my_r->head.flags &= ~(1u << {i});',
                              f'    {self.store_out(p, kind)}', '}']
                else:
                    shown |= 1 << i
                    lines.append(self.store_out(p, kind))
            elif self.comes_out(p):
                lines += self.guarded(p, f'my_r->{p.name} = *{p.name};', i)
        if shown:
            lines.insert(0, f'my_r->head.flags &= ~{shown}u;')
        if self.status:
            lines += self.read_status()
        for i, (p, kind) in enumerate(self.recorded):
            if self.is_tail(p, kind) and p is not self.requests:
                lines += self.guarded(p, '{' + self.store_tail(i, p, kind) + '}', i)
        sent, received = self.f.values.get('sent'), self.f.values.get('received')
        if sent:
            lines.append(f'my_r->head.sent = {self.bytes(sent)};')
        if received:
            lines.append(f'my_r->head.{"received" if sent else "sent"} = {self.bytes(received)};')
        if self.requests:
            lines.append(self.complete())
        return lines

    def read_status(self):
        """The peer and tag of a receive become those of the message."""
        name = self.status.name
        rem, tag = self.f.parameter('rem'), self.f.parameter('rtag') or self.f.parameter('tag')
        peer, label = ('my_r->rem' if rem else 'ignored_peer'), ('my_r->' + tag.name if tag else 'ignored_tag')
        lines = []
        if not rem:
            lines.append('int32_t ignored_peer;')
        if not tag:
            lines.append('int32_t ignored_tag;')
        read = f'{name}_bytes = hiera_status_read({name}_seen, &{peer}, &{label});'
        condition = self.condition(self.status)
        lines.append(f'int64_t {name}_bytes = -1;')
        if rem:
            lines += ['if (rem == MPI_ANY_SOURCE)', '    my_r->head.flags |= HIERA_MPI_POSTED_ANY;']
        if tag:
            lines += [f'if ({tag.name} == MPI_ANY_TAG)', '    my_r->head.flags |= HIERA_MPI_POSTED_ANY_TAG;']
        lines += [f'if ({condition})', f'    {read}'] if condition else [read]
        return lines + [f'(void){name}_bytes;']

    def settle(self):
        return 'hiera_requests_settle(&my_completion);'

    def complete(self):
        """Which requests a successful call has completed."""
        names = {p.name for p in self.f.parameters}
        arguments = 'my_thread, &my_r->head, &my_completion'
        if 'outcount' in names:
            return f'hiera_requests_after({arguments}, *outcount, indices, -1);'
        if 'index' in names:
            test = '*flag && ' if 'flag' in names else ''
            return f'hiera_requests_after({arguments}, {test}*index >= 0 ? 1 : 0, NULL, *index);'
        test = '*flag ? ' if 'flag' in names else ''
        other = ' : 0' if test else ''
        return f'hiera_requests_after({arguments}, {test}my_completion.count{other}, NULL, -1);'

    # --- the whole ---

    def record(self):
        lines = ['typedef struct {', '    HieraMpiRecord head;']
        lines += [f'    {member_type(k)} {p.name};' for _, p, k in self.members]
        return '\n'.join(lines + [f'}} Record_{self.id};'])

    def description(self):
        rows = []
        places = {i for i, _, _ in self.members}
        for i, (p, kind) in enumerate(self.recorded):
            name = p.name
            if p.type == 'MPI_Request' and p.direction != 'out':
                name = 'requests'
            offset = f'offsetof(Record_{self.id}, {p.name})' if i in places else '0'
            rows.append(f'    {{" {name}=\\"", {len(name) + 3}, HIERA_ARGUMENT_{kind}, {offset}}},')
        if not rows:
            return ''
        return f'static const HieraArgument arguments_{self.id}[] = {{\n' + '\n'.join(rows) + '\n};'

    def row(self):
        element = f'<hieraMPI operation=\\"{self.f.operation}\\"'
        arguments = f'arguments_{self.id}' if self.recorded else 'NULL'
        return (f'    {{"{element}", {len(element) - 2}, {len(self.recorded)}, sizeof(Record_{self.id}), '
                f'"{self.f.group}", "{self.f.operation}", "{self.id}", {arguments}}},')

    def hook(self, when, arguments):
        return f'hiera_{when}_{self.f.name}({arguments});' if 'special' in self.f.facts else ''

    def bookkeeping(self, plain):
        """What is noted before and after a call that leaves no record: what it does to handles; and the name of a new
        communicator is the same on all members whether or not each of them records just now."""
        f, after = self.f, []
        created = [p for p, k in self.recorded if p.direction == 'out' and not p.length and (p.type in HANDLES or p.type == 'MPI_Request')]
        for p in created:
            if p.type == 'MPI_Request':
                note = f'hiera_request_unrecorded(*{p.name}, {self.request_sort()});'
            elif p.type == 'MPI_Comm':
                comm = 'hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(comm))' if f.parameter('comm') else '0'
                note = self.new_comm(p, comm) + ';'
            else:
                note = self.new_handle(p, f'*{p.name}') + ';'
            condition = ' && '.join(['my_result == MPI_SUCCESS', *filter(None, [self.condition(p)])])
            after.append(f'if ({condition})\n            {note}')
        for p in [p for p, k in self.recorded if p.direction == 'out' and p.length and p.type in HANDLES]:
            after.append(f'for (int64_t i = 0; my_result == MPI_SUCCESS && {p.name} && i < {self.length(p.length)}; i++)\n'
                         f'            {self.new_handle(p, f"{p.name}[i]")};')
        freed = f.parameter(self.frees) if self.frees else None
        before = self.save_rooms() if any('my_room_' in line for line in after) else []
        gone = self.freed_request or (self.requests if self.requests is not None and self.requests.direction == 'inout' else None)
        if gone is not None:
            before += self.note_requests(gone)
            after += self.requests_done(gone)
        elif freed is not None:
            kind = HANDLES[freed.type]
            before += [f'uint64_t my_freed = HIERA_KEY(*{freed.name});',
                       f'uint32_t my_number = hiera_handle_find(HIERA_HANDLE_{kind}, my_freed);', *self.forget(freed)]
            after.append(f'if (my_result != MPI_SUCCESS)\n            hiera_handle_restore(HIERA_HANDLE_{kind}, my_freed, my_number);')
        if 'special' in f.facts:
            comma = ', ' if plain else ''
            before.append(self.hook('before', plain))
            after.append(f'hiera_after_{f.name}(my_result{comma}{plain});')
        return before, after

    def unrecorded(self, plain):
        """The way of a call that leaves no record. Below one of our Fortran entry points all is noted there."""
        f = self.f
        before, after = self.bookkeeping(plain)
        if not before and not after:
            return ['    if (!my_r)', f'        return P{f.name}({plain});']
        lines = [f'if (hiera_mpi_is_forwarded(CALL_{self.id}, my_frame))', f'    return P{f.name}({plain});']
        lines += before + [f'{f.result} my_result = P{f.name}({plain});'] + after + ['return my_result;']
        return ['    if (!my_r) {'] + ['        ' + line for line in lines] + ['    }']

    def new_comm(self, p, parent):
        origins = {'all-to-all': 'OF_PARENT', 'group': 'OF_MEMBERS'}
        origin = 'LATER' if 'idup' in self.id else origins.get(self.f.kind, 'AGAIN')
        tag = 'tag' if self.f.parameter('tag') else '0'
        return f'hiera_comm_new(*{p.name}, HIERA_COMM_{origin}, {parent}, {tag})'

    def calling(self):
        """The call itself, and the time behind it."""
        return [f'{self.f.result} my_result = P{self.f.name}({self.call});', 'uint64_t my_finish = hiera_clock_ticks();']

    def results(self):
        """Statements that make the results of a successful call those of C."""
        return []

    def recorded_call(self, plain):
        """The way of a call that leaves a record, from its arguments to its end."""
        f = self.f
        out = self.before()
        out.append('hiera_mpi_start(my_thread, &my_r->head);')
        if 'special' in f.facts:
            out.append(self.hook("before", plain))
        out += self.calling()
        if self.requests:
            out.append(self.settle())
        if self.freed_request:
            out += self.requests_done(self.freed_request)
        after = self.results() + self.after()
        if f.result == 'int':
            out += ['if (HIERA_LIKELY(my_result == MPI_SUCCESS)) {'] if after else ['if (my_result == MPI_SUCCESS) {']
            out += ['    ' + line for line in after]
            out += ['} else {', '    my_r->head.error = my_result;']
            if self.frees:
                p = f.parameter(self.frees)
                if p.type in HANDLES:
                    out.append(f'    hiera_handle_restore(HIERA_HANDLE_{HANDLES[p.type]}, my_freed, my_r->{p.name});')
            out.append('}')
        if 'special' in f.facts:
            comma = ', ' if plain else ''
            out.append(f'hiera_after_{f.name}(my_result{comma}{plain});')
        return out + ['hiera_mpi_finish(my_thread, &my_r->head, my_finish);']

    def entering(self, site):
        """Is the call recorded? Its record."""
        return [f'HieraThread *my_thread = hiera_mpi_enter(CALL_{self.id}, my_frame);',
                f'Record_{self.id} *my_r = my_thread ? hiera_mpi_begin(my_thread, CALL_{self.id}, sizeof *my_r, '
                f'{"HIERA_TAIL_ROOM" if self.has_tail else 0}, {site}, my_frame) : NULL;']

    def wrapper(self):
        f = self.f
        parameters = ', '.join(p.declaration for p in f.parameters) or 'void'
        plain = ', '.join(p.name for p in f.parameters if p.type != '...')
        out = [f'HIERA_WRAPPER {f.result} {f.name}({parameters})', '{', '    const void *my_frame = __builtin_frame_address(0);']
        out += ['    ' + line for line in self.entering('__builtin_return_address(0)')]
        out += self.unrecorded(plain)
        out += ['    ' + line for line in self.recorded_call(plain)]
        return '\n'.join(out + ['    return my_result;', '}'])


HEAD = '''/* Made by collector/mpi/generate.py from functions.table for the MPI that is installed. */
#include "mpi_level.h"
#include "specials.h"

#include <stddef.h>

#define HIERA_WRAPPER __attribute__((visibility("default")))

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-variable"
'''


def records(made):
    """The numbers of the calls and the layout of their records."""
    out = ['\nenum {'] + [f'    CALL_{w.id},' for w in made] + ['    CALL_COUNT\n};\n']
    return out + [w.record() + '\n' for w in made]


def source(functions):
    made = [Wrapper(f) for f in functions]
    out = [HEAD]
    out += [f'#undef {w.f.name}' for w in made]
    out += records(made)
    out += [w.description() for w in made if w.description()]
    out.append('\nconst HieraCall hiera_mpi_calls[] = {')
    out += [w.row() for w in made]
    out.append('};\nconst unsigned hiera_mpi_call_count = CALL_COUNT;\nuint8_t hiera_mpi_filtered[CALL_COUNT];\n')
    out += [w.wrapper() + '\n' for w in made]
    return '\n'.join(out)
