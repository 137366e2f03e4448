"""The statements of a wrapper before and after its call: they store input and output arguments in the record, and keep the
numbers of handles and requests up to date."""

from record_layout import Layout, ROLES
from table import HANDLES

# Classes of handles that MPI may return several times for one object; each must be freed. The object keeps one number. The
# same holds for a datatype that a call returns without making it.
GIVEN_OUT = ('GROUP', 'ERRHANDLER', 'ENUM')


class Pieces(Layout):
    """Methods that return statements, as lists of lines, and C expressions."""

    def value_of(self, p, nothing='0'):
        """C expression: the input value; `nothing` if the pointer is NULL (then MPI reports the error)."""
        return f'({p.name} ? *{p.name} : {nothing})' if p.direction else p.name

    def key_of(self, p):
        """C expression: the input value of a handle, as a key."""
        return f'({p.name} ? HIERA_KEY(*{p.name}) : HIERA_KEY(0))' if p.direction else f'HIERA_KEY({p.name})'

    def number_of(self, p):
        """C expression: the number of an input handle."""
        kind = HANDLES[p.type]
        if kind in ('COMM', 'TYPE'):
            memo = 0 if kind == 'COMM' else 1
            return f'hiera_handle_recall(my_thread, {memo}, HIERA_HANDLE_{kind}, {self.key_of(p)})'
        return f'hiera_handle_find_freed(HIERA_HANDLE_{kind}, {self.key_of(p)})'

    def store_in(self, p, kind):
        if p.type == 'MPI_Request':
            return f'my_r->{p.name} = hiera_request_find({self.value_of(p, "MPI_REQUEST_NULL")});'
        if kind.startswith('HANDLE'):
            return f'my_r->{p.name} = {self.number_of(p)};'
        if kind == 'SYMBOL':
            return f'my_r->{p.name} = (int64_t)(intptr_t){self.value_of(p)};'
        return f'my_r->{p.name} = {self.value_of(p)};'

    def request_sort(self):
        """C expression: the HieraRequestSort of the request that the call starts."""
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
        """C expression: the number of a handle that the call returned."""
        kind = HANDLES[p.type]
        constructor = self.f.name.startswith('MPI_Type_') and '_f90_' not in self.f.name and not p.length
        if kind == 'TYPE':
            return f'hiera_type_{"new" if constructor else "reference"}({value})'
        is_referenced = kind in GIVEN_OUT
        return f'hiera_handle_{"reference" if is_referenced else "new"}(HIERA_HANDLE_{kind}, HIERA_KEY({value}))'

    def new_comm(self, p, parent):
        origins = {'all-to-all': 'OF_PARENT', 'group': 'OF_MEMBERS'}
        origin = 'LATER' if 'idup' in self.id else origins.get(self.f.kind, 'REFERENCE')
        if 'beyond' in self.f.facts:
            origin, parent = 'OF_MEMBERS', '0'
        tag = 'tag' if self.f.parameter('tag') else '0'
        return f'hiera_comm_new(*{p.name}, HIERA_COMM_{origin}, {parent}, {tag})'

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
        """Store an array of handles that the call returned. Each of them gets a number, even if it is not stored."""
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
        """A statement that is run only if the parameter is significant."""
        condition = self.condition(p)
        return [f'if ({condition})', f'    {statement}'] if condition else [statement]

    def before(self):
        lines = self.save_rooms()
        if self.requests:
            p = self.requests
            statuses = next((s.name for s in self.f.parameters if s.type == 'MPI_Status'), 'MPI_STATUS_IGNORE')
            lines += ['HieraCompletion my_completion;',
                      f'hiera_requests_before(&my_r->head, &my_completion, {self.count_of(p)}, {self.list_of(p)}, {statuses});']
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
        # Arguments that depend on the role come later: the role needs the communicator.
        conditional = [(i, p, k) for i, p, k in self.members if self.condition(p) and p.direction != 'out']
        if self.has_roles:
            lines.append('unsigned my_role = hiera_mpi_role(my_r->comm, root);')
        for i, p, kind in conditional:
            lines += [f'my_r->{p.name} = 0;', f'if ({self.condition(p)})', f'    {self.store_in(p, kind)}', 'else',
                      f'    my_r->head.flags |= 1u << {i};']
        lines.insert(0, f'my_r->head.flags = {absent}u;')
        if self.f.kind in ('expose', 'access'):
            lines.append('hiera_group_note(my_r->group, group);')
        if self.freed_request or self.started:
            lines += self.note_requests(self.freed_request or self.started)
            if self.lists_requests and self.started:
                lines.append(self.list_requests(self.started))
        elif self.frees:
            p = self.f.parameter(self.frees)
            lines += [f'uint64_t my_freed = {self.key_of(p)};', *self.forget(p)]
        return lines

    def count_of(self, p):
        return self.length(p.length) if p.length else '1'

    def list_of(self, p):
        """C expression: the address of the first request."""
        return p.name if p.direction or p.length else f'&{p.name}'

    def note_requests(self, p):
        """Save requests before a call that may start, complete or free them."""
        return ['HieraPendingList my_pending;', f'hiera_requests_note(&my_pending, {self.count_of(p)}, {self.list_of(p)});']

    def list_requests(self, p):
        return f'hiera_requests_list(&my_r->head, &my_pending, {self.list_of(p)});'

    def requests_moved(self, p):
        return [f'hiera_requests_moved(&my_pending, {self.list_of(p)});']

    def requests_done(self, p):
        return [f'hiera_requests_done(&my_pending, {self.list_of(p)});']

    def forget(self, p):
        return [f'uint32_t my_gone = hiera_handle_forget(HIERA_HANDLE_{HANDLES[p.type]}, my_freed);']

    def released(self, p):
        return f'hiera_handle_released(HIERA_HANDLE_{HANDLES[p.type]}, my_gone);'

    def after(self):
        """Statements after a successful call."""
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

    def buffer_use(self, p):
        """C expression: the use of a buffer, as in HieraBuffer."""
        if p.type == 'buffer' and p.name == 'buffer' and self.f.parameter('root'):
            return "my_role & HIERA_MPI_ROLE_ROOT ? 'r' : 'w'"
        return "'r'" if p.direction == 'in' else "'w'"

    def buffer_condition(self, p, count):
        """C expression: does the call use this buffer? '': always."""
        peers = {'sendbuf': 'dest', 'recvbuf': 'rem', 'origin_addr': 'target_rank', 'result_addr': 'target_rank', 'compare_addr': 'target_rank'}
        peer = next((n for n in ([peers[p.name]] if p.name in peers else ['dest', 'rem']) if self.f.parameter(n)), None)
        conditions = [self.condition(count)] if count else []
        if self.f.values.get('starts', self.f.kind) == 'all-to-one' and count and count.name == 'count':
            conditions.append(ROLES['root' if p.name == 'recvbuf' else 'members'])
        if self.f.values.get('in-place') == p.name:
            conditions.append('!my_in_place')
        if peer:
            conditions.append(f'{peer} != MPI_PROC_NULL')
        if p.name == 'origin_addr' and self.f.parameter('op') and self.f.parameter('result_addr'):
            conditions.append('op != MPI_NO_OP')  # the origin is not used
        if self.f.kind == 'neighbor':  # the part of a neighbour that does not exist is not used
            facts = 'hiera_comm_facts(my_r->comm)'
            conditions.append(f'{facts}->n_sources == {facts}->n_in' if p.name == 'recvbuf' else f'{facts}->n_destinations == {facts}->n_out')
        return ' && '.join(dict.fromkeys(filter(None, conditions)))

    def buffer_elements(self, p):
        """The parameters with the count or counts and the datatype of a buffer, and what the count is multiplied with; or None."""
        begin = {'sendbuf': 's', 'recvbuf': 'r', 'origin_addr': 'origin_', 'result_addr': 'result_'}.get(p.name, '')
        find = self.f.parameter
        kind = find(f'{begin}type') or find('type')
        count = find(f'{begin}count') or find(f'{begin}counts') or (find('count') if begin else None)
        if p.name in ('inbuf', 'outbuf'):
            count = find('incount' if p.name == 'inbuf' else 'outcount')
        if not kind or kind.length or find('partitions') or p.direction is None:
            return None
        if 'reduce_scatter' in self.id.lower():
            count = find('rcount') or find('rcounts')
        return (count, kind) if count or (find('target_rank') and find('type')) else None

    def times(self, p):
        """C expression: for how many ranks a buffer has the elements of one count; '': one."""
        shared = {('all-to-all', 'recvbuf'), ('all-to-one', 'recvbuf'), ('one-to-all', 'sendbuf')}
        kind = self.f.values.get('starts', self.f.kind)
        plain = self.f.parameter('scount') and self.f.parameter('rcount')
        if kind == 'neighbor' and self.f.parameter('scount'):
            if p.name == 'recvbuf':
                return self.length('indegree(comm)')
            return self.length('outdegree(comm)') if 'alltoall' in self.id else ''
        if 'reduce_scatter' in self.id.lower():
            return self.length('local_size(comm)') if p.name == 'sendbuf' and self.f.parameter('rcount') else ''
        if self.f.parameter('scount') and (kind, p.name) in shared or plain and 'lltoall' in self.id:
            return self.length('size(comm)')
        return ''

    def buffer_of(self, p):
        """The statement that adds a buffer, or None."""
        find = self.f.parameter
        if p.name in ('base', 'baseptr') and find('size') and 'shared_query' not in self.id:
            unit = 'disp_unit' if find('disp_unit') else '1'
            return f'hiera_buffers_add_window(&my_buffers, {"*(void *const *)" if p.name == "baseptr" else ""}{p.name}, size, {unit});'
        elements = self.buffer_elements(p)
        if not elements or p.type != 'buffer':
            return None
        count, kind = elements
        use, condition = self.buffer_use(p), self.buffer_condition(p, count)
        if count and count.length:
            if 'reduce_scatter' in self.id.lower() and p.name == 'recvbuf':
                put = f'hiera_buffers_add(&my_buffers, {use}, {p.name}, {self.own(count.name)}, my_r->{kind.name});'
            else:
                at = find('displs') or find(f'{count.name[0]}displs')
                displacements = f'{at.name}, sizeof *{count.name}, sizeof *{at.name}' if at else f'NULL, sizeof *{count.name}, 0'
                put = (f'hiera_buffers_add_parts(&my_buffers, {use}, {p.name}, (HieraBufferParts){{{count.name}, {displacements}, '
                       f'{self.length(count.length)}}}, my_r->{kind.name});')
        else:
            times = self.times(p)
            n = f'(int64_t){count.name}{f" * {times}" if times else ""}' if count else '1'
            put = f'hiera_buffers_add(&my_buffers, {use}, {p.name}, {n}, my_r->{kind.name});'
        return f'if ({condition})\n            {put}' if condition else put

    def target_of(self):
        """The statement that adds the target of a one-sided call, or None."""
        if not self.f.parameter('target_disp'):
            return None
        accumulates = self.f.kind == 'update' or self.f.parameter('op')
        use = 'a' if accumulates else self.f.kind[0]
        count, kind = ('target_count', 'target_type') if self.f.parameter('target_count') else ('1', 'type')
        return (f"if (target_rank != MPI_PROC_NULL)\n            hiera_buffers_add_target(&my_buffers, '{use}', target_disp, {count}, my_r->{kind});")

    def misplaced(self):
        """The statement that adds a buffer that only the root may give as MPI_IN_PLACE, or None."""
        name, rooted = self.f.values.get('in-place'), self.f.values.get('starts', self.f.kind) in ('all-to-one', 'one-to-all')
        use = "'r'" if name == 'sendbuf' else "'w'"
        return f'if (my_in_place && ({ROLES["others"]}))\n            hiera_buffers_add_misplaced(&my_buffers, {use});' if name and rooted else None

    def buffers(self, after):
        """Statements before a call that is checked, or (`after`) after a successful one that makes the memory itself: they add the memory that it uses to its record."""
        puts = [put for put in [*(self.buffer_of(p) for p in self.f.parameters), self.misplaced(), self.target_of()] if put]
        if not puts or after != bool(self.f.parameter('baseptr')):
            return []
        return ['if (hiera_buffers_are_wanted()) {', '    HieraBuffers my_buffers = {.n = 0};', *['    ' + put for put in puts],
                '    hiera_buffers_put(my_thread, &my_r->head, &my_buffers, my_frame);', '}']

    def read_status(self):
        """Read the status: the source and tag in the record become those of the message."""
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

    @property
    def is_for_all(self):
        """Is it a blocking barrier or N x N collective, whose waiting can be measured (life/entry_times.h)?"""
        return self.f.group == 'coll' and self.f.kind == 'all-to-all' and not any(p.type == 'MPI_Request' for p in self.f.parameters)

    def exchange(self, record):
        """Statement after the call: its members exchange their times."""
        thread, record, entered = ('my_thread', '&my_r->head', 'my_r->head.head.start') if record else ('NULL', 'NULL', 'my_entered')
        left = 'my_finish' if record != 'NULL' else 'hiera_clock_ticks()'
        return f'hiera_entry_times_exchange({thread}, {record}, comm, my_result, {entered}, {left});'

    def settle(self):
        return 'hiera_requests_settle(&my_completion);'

    def complete(self):
        """Statement that adds the requests that a successful call has completed, or tested in vain."""
        names = {p.name for p in self.f.parameters}
        arguments = 'my_thread, &my_r->head, &my_completion'
        if 'outcount' in names:
            return f'hiera_requests_after({arguments}, *outcount, indices, -1);'
        if 'index' in names:
            test = '!*flag ? 0 : ' if 'flag' in names else ''
            return f'hiera_requests_after({arguments}, {test}*index >= 0 ? 1 : -1, NULL, *index);'
        test = '*flag ? ' if 'flag' in names else ''
        other = ' : 0' if test else ''
        return f'hiera_requests_after({arguments}, {test}my_completion.count{other}, NULL, -1);'
