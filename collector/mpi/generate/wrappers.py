"""From the function table: the C source of the wrappers, and of the descriptions by which call_writer.c prints their records.

The steps of a wrapper are: enter; make room; store input; start; PMPI; store output; finish. A call that is not recorded goes
to PMPI at once with the same arguments. In place of PMPI_X a PMPI tool behind Hiera may be called (life/next_functions.h). A call that a probe script asks about takes the same steps in a function of its own,
observed_NAME, which reports its begin and its end; so other calls need no instruction more for that."""

from record_layout import is_wide, member_type
from wrapper_statements import Pieces
from table import HANDLES


class Wrapper(Pieces):
    """The wrapper, its record and its description."""

    def record(self):
        lines = ['typedef struct {', '    HieraMpiRecord head;']
        kinds = sorted(self.members, key=lambda member: not is_wide(member[2]))  # wide members first: no gap except at the end
        lines += [f'    {member_type(k)} {p.name};' for _, p, k in kinds]
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

    def sets(self):
        """The HieraArgumentSets of the function, as bits by index."""
        own = common = taken = declared = requests = started = 0
        for i, p, kind in self.members:
            if kind in ('NUMBER', 'HANDLE + HIERA_HANDLE_MESSAGE'):
                own |= 1 << i
            else:
                common |= 1 << i
                taken |= (p.name in ('r', 't', 'd', 'id')) << i
            requests |= (kind == 'NUMBER') << i
            started |= (kind == 'NUMBER' and p.direction == 'out') << i
            declared |= (kind in [f'HANDLE + HIERA_HANDLE_{c}' for c in ('COMM', 'TYPE', 'GROUP')]) << i
        return f'{{{own:#x}, {common:#x}, {taken:#x}, {declared:#x}, {requests:#x}, {started:#x}}}'

    def row(self):
        element = f'<hieraMPI operation=\\"{self.f.operation}\\"'
        arguments = f'arguments_{self.id}' if self.recorded else 'NULL'
        padded = sum(not is_wide(kind) for _, _, kind in self.members) % 2
        return (f'    {{"{element}", {len(element) - 2}, {len(self.recorded)}, sizeof(Record_{self.id}), {padded}, '
                f'{str(self.is_for_all).lower()}, {self.sets()}, "{self.f.group}", "{self.f.operation}", "{self.id}", {arguments}, (void *)&next_{self.id}, (HieraWrapper *)own_{self.id}}},')

    def hook(self, when, arguments):
        return f'hiera_{when}_{self.f.name}({arguments});' if 'special' in self.f.facts else ''

    @property
    def keeps_handles(self):
        """Does it make or free handles that are no requests? To note them may take a while: to describe a communicator or a type."""
        return self.frees_handle or any(p.direction == 'out' and p.type in HANDLES for p, _ in self.recorded)

    @property
    def frees_handle(self):
        freed = self.f.parameter(self.frees) if self.frees else None
        return freed is not None and freed.type in HANDLES

    def bookkeeping(self, plain, observed):
        """Statements before and after a call that is not recorded. They keep numbers of handles and requests up to date, and count
        constructors of communicators, so that a new communicator has the same name on all members; and the members of a collective
        exchange their times, since others may record it."""
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
        elif self.started:
            before += self.note_requests(self.started)
            after += self.requests_moved(self.started)
        elif freed is not None:
            kind = HANDLES[freed.type]
            before += [f'uint64_t my_freed = {self.key_of(freed)};',
                       f'uint32_t my_number = hiera_handle_find(HIERA_HANDLE_{kind}, my_freed);', *self.forget(freed)]
            after.append(f'if (my_result != MPI_SUCCESS)\n            hiera_handle_restore(HIERA_HANDLE_{kind}, my_freed, my_number);\n'
                         f'        else\n            {self.released(freed)}')
        if observed and self.is_for_all:
            before.append('uint64_t my_entered = hiera_clock_ticks();')
            after.append(self.exchange(False))
        if 'special' in f.facts:
            comma = ', ' if plain else ''
            before.append(self.hook('before', plain))
            after.append(f'hiera_after_{f.name}(my_result{comma}{plain});')
        return before, after

    def unrecorded(self, plain, observed):
        """Statements for a call that is not recorded. If our Fortran entry point called it, that one does the bookkeeping."""
        f = self.f
        before, after = self.bookkeeping(plain, observed)
        lines = []
        if not observed:
            arguments = ', '.join(filter(None, [plain, '__builtin_return_address(0)', 'my_frame']))
            lines += [f'if (hiera_mpi_is_observed(CALL_{self.id}))', f'    return observed_{self.id}({arguments});']
        if not before and not after:
            lines += [f'return next_{self.id}({plain});']
        else:
            lines += [f'if (hiera_mpi_is_forwarded(CALL_{self.id}, my_frame))', f'    return next_{self.id}({plain});']
            lines += before + [f'{f.result} my_result = next_{self.id}({plain});'] + after + ['return my_result;']
        return ['    if (!my_r) {'] + ['        ' + line for line in lines] + ['    }']

    def calling(self):
        """The call itself, and the time after it."""
        return [f'{self.f.result} my_result = next_{self.id}({self.call});', 'uint64_t my_finish = hiera_clock_ticks();']

    def results(self):
        """Statements that convert the results of a successful call to C. Only Fortran entry points have some."""
        return []

    def begin_observed(self):
        """Statements before a call that is observed: its arguments are known, and what it sends."""
        sent = self.f.values.get('sent') if self.sends else None
        return ([f'my_r->head.sent = {self.bytes(sent)};'] if sent else []) + ['my_r = hiera_observed_begin(my_thread, &my_r->head);']

    def recorded_call(self, plain, observed):
        """Statements for a call that is recorded, from its arguments to its end."""
        f = self.f
        out = self.before()
        if observed:
            out += self.begin_observed() + self.buffers(False)
        elif self.frees_handle:
            out = ['uint64_t my_since = hiera_clock_ticks();', *out, 'my_r = hiera_own_time_before(my_thread, &my_r->head.head, my_since);']
        out.append('hiera_mpi_start(my_thread, &my_r->head);')
        if 'special' in f.facts:
            out.append(self.hook("before", plain))
        out += self.calling()
        if self.lists_requests:
            out.append('hiera_listed_end(&my_r->head);')
        if self.requests:
            out.append(self.settle())
        if self.freed_request:
            out += self.requests_done(self.freed_request)
        if self.started:
            out += self.requests_moved(self.started)
        freed = f.parameter(self.frees) if self.frees else None
        freed = freed if freed and freed.type in HANDLES else None
        after = self.results() + self.after() + (self.buffers(True) if observed else []) + ([self.released(freed)] if freed else [])
        if f.has_error:
            out += ['if (HIERA_LIKELY(my_result == MPI_SUCCESS)) {'] if after else ['if (my_result == MPI_SUCCESS) {']
            out += ['    ' + line for line in after]
            out += ['} else {', '    my_r->head.error = my_result;']
            if observed and self.sends and 'sent' in f.values:
                out.append('    my_r->head.sent = -1;')
            if self.requests:
                out.append('    hiera_requests_failed(my_thread, &my_r->head, &my_completion);')
            if freed:
                out.append(f'    hiera_handle_restore(HIERA_HANDLE_{HANDLES[freed.type]}, my_freed, my_r->{freed.name});')
            out.append('}')
        if 'special' in f.facts:
            comma = ', ' if plain else ''
            out.append(f'hiera_after_{f.name}(my_result{comma}{plain});')
        if observed and self.is_for_all:
            out.append(self.exchange(True))
        if not observed and self.keeps_handles:
            out.append('hiera_own_time(my_thread, my_finish);')
        return out + [f'hiera_{"observed" if observed else "mpi"}_finish(my_thread, &my_r->head, my_finish);']

    def entering(self, site, observed):
        """Statements that find out whether the call is recorded, and open its record."""
        room = 'HIERA_TAIL_OF_ONE' if observed and self.is_for_all and not self.has_tail else self.tail_room
        room = f'{room} + HIERA_FLUSH_BYTES' if observed or self.frees_handle else room
        room = f'{room} + HIERA_BUFFERS_ROOM' if observed and (self.buffers(False) or self.buffers(True)) else room
        check = [f'hiera_buffers_before({site}, my_frame);'] if observed else []
        return [*check, f'HieraThread *my_thread = hiera_{"observed" if observed else "mpi"}_enter(CALL_{self.id}, my_frame);',
                f'Record_{self.id} *my_r = my_thread ? hiera_mpi_begin(my_thread, CALL_{self.id}, sizeof *my_r, '
                f'{room}, {site}, my_frame) : NULL;']

    def body(self, plain, site, observed):
        return ['    ' + line for line in self.entering(site, observed)] + self.unrecorded(plain, observed) + \
            ['    ' + line for line in self.recorded_call(plain, observed)] + ['    return my_result;', '}']

    def observed(self, plain):
        """The function that takes the steps of a call that is observed."""
        parameters = [p.declaration for p in self.f.parameters if p.type != '...'] + ['const void *my_site', 'const void *my_frame']
        other = [f'    HieraNextFunction *my_other = hiera_mpi_other(CALL_{self.id}, my_site);', '    if (my_other)',
                 f'        return ((__typeof__(next_{self.id}))my_other)({plain});']
        return [f'static HIERA_OBSERVED {self.f.result} observed_{self.id}({", ".join(parameters)})', '{', *other, *self.body(plain, 'my_site', True)]

    def next_function(self):
        """What the wrapper calls: MPI, or the function of a tool; and the wrapper itself, whatever else has its name. A pointer to PMPI_X itself would be bound when the library is loaded,
        and keep a program from starting whose MPI lacks a function that nobody calls."""
        f = self.f
        parameters = ', '.join(p.declaration for p in f.parameters) or 'void'
        plain = ', '.join(p.name for p in f.parameters if p.type != '...')
        return [f'static {f.result} lazy_{self.id}({parameters})', '{', '    hiera_mpi_require();', f'    return P{f.name}({plain});', '}',
                f'static __typeof__(P{f.name}) *next_{self.id} = lazy_{self.id};',
                f'static {f.result} own_{self.id}({parameters}) __attribute__((alias("{f.name}")));']

    def wrapper(self):
        f = self.f
        parameters = ', '.join(p.declaration for p in f.parameters) or 'void'
        plain = ', '.join(p.name for p in f.parameters if p.type != '...')
        out = [*self.observed(plain), '', f'HIERA_WRAPPER {f.result} {f.name}({parameters})', '{',
               '    const void *my_frame = __builtin_frame_address(0);', *self.body(plain, '__builtin_return_address(0)', False)]
        return '\n'.join(out)


HEAD = '''/* Made by collector/mpi/generate/generate.py from functions.table for the MPI that is installed. */
#include "mpi/call/array_arguments.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/mpi_t.h"
#include "mpi/call/observed_call.h"
#include "mpi/handle/buffers.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/listed.h"
#include "mpi/handle/requests.h"
#include "mpi/handle/types.h"
#include "mpi/life/entry_times.h"
#include "mpi/life/init_finalize.h"
#include "mpi/life/mpi_library.h"
#include "mpi/life/next_functions.h"
#include "record/own_time.h"

#include <stddef.h>

#define HIERA_WRAPPER __attribute__((visibility("default")))

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-variable"
'''


def head(functions):
    """HEAD, where the prototypes of <mpi.h> that vary between MPIs are those of the table."""
    varying = [(prefix + f.name, f) for f in functions if 'varies' in f.facts for prefix in ('', 'P')]
    hide = [f'#define {name} hiera_varying_{name}' for name, _ in varying]
    show = [line for name, f in varying for line in (f'#undef {name}', f'{f.result} {name}({", ".join(p.declaration for p in f.parameters)});')]
    return '\n'.join([*hide, '#include <mpi.h>', *show, HEAD])


def records(made):
    """The numbers of the functions, and the types of their records."""
    out = ['\nenum {'] + [f'    CALL_{w.id},' for w in made] + ['    CALL_COUNT\n};\n']
    kinds = sorted({k for w in made for _, k in w.recorded if k != 'TEXT'})
    out += [f'_Static_assert(sizeof({member_type(k)}) == HIERA_ARGUMENT_BYTES(HIERA_ARGUMENT_{k}), "width of {k}");' for k in kinds]
    return out + [''] + [w.record() + '\n' for w in made]


def source(functions):
    made = [Wrapper(f) for f in functions]
    out = [head(functions)]
    out += [f'#undef {w.f.name}' for w in made]
    out += records(made)
    out += [w.description() for w in made if w.description()]
    out += [line for w in made for line in w.next_function()]
    out.append('\nconst HieraMpiCall hiera_mpi_calls[] = {')
    out += [w.row() for w in made]
    out.append('};\nconst unsigned hiera_mpi_call_count = CALL_COUNT;\nuint8_t hiera_mpi_filtered[CALL_COUNT];\n')
    out += [w.wrapper() + '\n' for w in made]
    return '\n'.join(out)
