"""From the function table: the C source of the Fortran entry points.

An entry point (of mpi_send_, mpi_send_f08_, ...) is like the wrapper of its C function, with two differences. The arguments
(f_NAME) are passed unchanged to MPI's own Fortran entry point, the twin. And before and after this call, the arguments that
the record needs are converted to variables with the names and types of the C parameters (NAME). So the other statements are
the same as in the C wrapper."""

import re

from table import HANDLES, TEXT_LISTS, WIDE
from wrappers import Wrapper, head, records

CLASSES = {'MPI_Datatype': 'Type'}  # in names of functions, where it differs from the type's name

# How Fortran compilers and MPI libraries spell a function, and the name of its PMPI twin. {x} is the name in lower case, {u} in
# upper case, {n} as in C.
F77 = [('mpi_{x}_', 'pmpi_{x}_'), ('mpi_{x}', 'pmpi_{x}'), ('mpi_{x}__', 'pmpi_{x}__'), ('MPI_{u}', 'PMPI_{u}'),
       ('MPI_{n}_f', 'PMPI_{n}_f'), ('MPI_{n}_f08', 'PMPI_{n}_f08')]
CPTR = [tuple(text.replace('{x}', '{x}_cptr').replace('{u}', '{u}_CPTR').replace('{n}', '{n}_cptr') for text in pair) for pair in F77]
F08 = [('mpi_{x}_f08{large}_', 'pmpi_{x}_f08{large}_'), ('mpi_{x}_f08{large}_', 'pmpir_{x}_f08{large}_')]
F08TS = [('mpi_{x}_f08ts{large}_', 'pmpi_{x}_f08ts{large}_'), ('mpi_{x}_f08ts{large}_', 'pmpir_{x}_f08ts{large}_')]


def is_usual(name):
    """Does hardly any other language have this name?"""
    return name.endswith('_') and not name.endswith('__')


def spell(function, form):
    """[(name, twin)] of a function in one form: F77, CPTR, F08 or F08TS."""
    name, large = function.name[4:], ''
    if name.endswith('_c'):
        if form in (F77, CPTR):
            return []
        name, large = name[:-2], '_large'
    return [tuple(text.format(x=name.lower(), u=name.upper(), n=name, large=large) for text in pair) for pair in form]


def candidates(functions):
    """All names that an MPI library might have."""
    return sorted({n for f in functions for form in (F77, CPTR, F08, F08TS) for pair in spell(f, form) for n in pair})


class Entry(Wrapper):
    """One function, and the C source of its Fortran entry points."""

    def __init__(self, function):
        super().__init__(function)
        names = {p.name for p in function.parameters}
        # Fortran has no argc and argv.
        self.parameters = [p for p in function.parameters
                           if p.type != '...' and not ('argc' in names and p.name in ('argc', 'argv'))]
        self.has_error = function.has_error and function.name != 'MPI_Pcontrol'

    # --- the signature ---

    def fortran_type(self, p):
        if self.is_text(p):
            return 'char *'
        if p.type in ('buffer', ) or p.type.startswith(('opaque{', 'function{')):
            return 'void *'
        if p.c_type in WIDE and not self.is_narrow(p):
            return p.c_type + ' *'
        return 'MPI_Fint *'

    def is_text(self, p):
        return p.type == 'string' or p.type in TEXT_LISTS

    def is_narrow(self, p):
        return p.type == 'MPI_Aint' and 'old-fortran' in self.f.facts

    def signature(self, with_names):
        parts = [self.fortran_type(p) + (f'f_{p.name}' if with_names else '') for p in self.parameters]
        if self.has_error:
            parts.append('MPI_Fint *' + ('f_ierror' if with_names else ''))
        parts += ['size_t' + (f' length_{p.name}' if with_names else '') for p in self.parameters if self.is_text(p)]
        return ', '.join(parts)

    def arguments(self, replaced):
        parts = [replaced.get(p.name, 'f_' + p.name) for p in self.parameters]
        if self.has_error:
            parts.append(replaced.get('ierror', 'f_ierror'))
        return ', '.join(parts + ['length_' + p.name for p in self.parameters if self.is_text(p)])

    @property
    def result(self):
        return 'void' if self.f.result == 'int' else self.f.result

    # --- the call ---

    def forward(self, replaced):
        call = f'(({self.result} (*)({self.signature(False) or "void"}))my_forward)({self.arguments(replaced)})'
        if self.f.result != 'int':
            return [f'{self.f.result} my_result = {call};']
        return [call + ';', 'int my_result = ' + ('*my_ierror;' if self.has_error else 'MPI_SUCCESS;')]

    def calling(self):
        replaced = {'ierror': 'my_ierror'}
        if self.status:
            replaced[self.status.name] = 'my_status'
        if self.requests:
            replaced.update({p.name: 'my_statuses' for p in self.f.parameters if p.type == 'MPI_Status'})
        return ([f'hiera_forwarded = (HieraForwarded){{CALL_{self.id}, (uintptr_t)my_frame}};'] + self.forward(replaced)
                + ['uint64_t my_finish = hiera_clock_ticks();', 'hiera_forwarded.frame = 0;'])

    # --- arguments as in C ---

    def f2c(self, p, value):
        kind = CLASSES.get(p.type, p.type[4:])
        return f'PMPI_{kind}_f2c({value})'

    def value(self, p, at):
        if p.type in HANDLES or p.type == 'MPI_Request':
            return self.f2c(p, at)
        return f'{at} != 0' if p.type == 'logical' else at

    def incoming(self, p):
        """The declaration of the C variable of a parameter, or None if the record never needs it."""
        name, f = p.name, 'f_' + p.name
        if p.type == 'buffer':
            return f'const void *{name} = hiera_fortran_buffer(my_entry, {f});'
        if p.type == 'string':
            room, front = f'char text_{name}[HIERA_FORTRAN_TEXT_ROOM]; ', 'true' if self.f.group == 'info' else 'false'
            if p.direction == 'in':
                return f'{room}const char *{name} = hiera_fortran_text(text_{name}, {f}, length_{name}, {front});'
            return f'{room}const char *{name} = text_{name};'
        if p.type == 'MPI_Status' or p.type.startswith('opaque{') or p.type in TEXT_LISTS:
            return None
        if p.type.startswith('function{'):
            return f'const void *{name} = {f};'
        if p.length:
            if p.type in HANDLES or p.type in ('MPI_Request', 'logical') or self.is_narrow(p):
                return f'const MPI_Fint *{name} = {f};'
            if p.name == 'indices' and self.f.kind == 'complete':
                return f'const int *{name} = NULL;'
            if '*' in p.length:
                return f'int (*{name})[{p.length.split("*")[1]}] = {f};'.replace('= f_', '= (void *)f_')
            if p.c_type == 'int':
                return f'int *{name} = hiera_fortran_array({f});'
            return f'{p.c_type} *{name} = {f};'
        if p.direction:
            first = self.value(p, '*' + f) if p.direction != 'out' else '0'
            return f'{p.c_type} value_{name} = {"(" + p.c_type + ")" if first == "0" else ""}{first}, *const {name} = &value_{name};'
        return f'{p.c_type} {name} = {self.value(p, "*" + f)};'

    def outgoing(self, p):
        """The statement that updates the C variable after a successful call, or None."""
        name, f = p.name, 'f_' + p.name
        if p.type == 'string' and p.direction == 'out':
            return f'hiera_fortran_text(text_{name}, {f}, length_{name}, false);'
        if p.name == 'indices' and p.length and self.f.kind == 'complete':
            return f'{name} = hiera_fortran_indices({f}, {self.length(p.length)}, {self.first_index()});'
        if not p.length and self.comes_out(p) and p.type not in ('buffer', 'string', 'MPI_Status') and '{' not in p.type:
            one_less = p.name == 'index' and self.f.kind == 'complete'
            if one_less:
                return f'value_{name} = *{f} == MPI_UNDEFINED ? MPI_UNDEFINED : *{f} - {self.first_index()};'
            return f'value_{name} = {self.value(p, "*" + f)};'
        return None

    def first_index(self):
        """C expression: the index that the call returns for the first of its requests."""
        names = {p.name for p in self.f.parameters}
        shape = 'SOME' if 'indices' in names else 'TEST_ANY' if 'flag' in names else 'WAIT_ANY'
        return f'hiera_fortran_first_index(my_entry, HIERA_FORTRAN_{shape})'

    def variables(self, body):
        """Declarations of the C variables that occur in the body."""
        used = [p for p in self.parameters if re.search(rf'(?<![\w.>]){p.name}\b', body)]
        dropped = [f'int *const {p.name} = NULL;' if p.direction else f'int {p.name} = 0;' for p in self.f.parameters
                   if p not in self.parameters and p.type == 'int' and re.search(rf'(?<![\w.>]){p.name}\b', body)]
        return dropped + [line for line in (self.incoming(p) for p in used) if line]

    def results(self):
        return ['@RESULTS@']

    def changed(self, body):
        used = [p for p in self.parameters if re.search(rf'(?<![\w.>]){p.name}\b', body)]
        lines = sorted((line for line in (self.outgoing(p) for p in used) if line), key=lambda line: 'indices' in line)
        return lines

    # --- what differs in the record ---

    def number_of(self, p):
        return f'hiera_fortran_number(HIERA_HANDLE_{HANDLES[p.type]}, *f_{p.name})'

    def sum(self, inside):
        return re.sub(r'^hiera_sum_typed_', 'hiera_fortran_sum_typed_', super().sum(inside))

    def new_handle(self, p, value):
        return super().new_handle(p, self.f2c(p, value) if p.length else value)

    def store_handles(self, index, p, kind, n):
        text = super().store_handles(index, p, kind, n)
        if p is self.requests or p.direction == 'out':
            return text
        return text.replace(f'{p.name}[i]', self.f2c(p, f'{p.name}[i]'))

    def store_tail(self, index, p, kind):
        if p not in self.parameters:
            return ''
        if p.type in TEXT_LISTS:
            n = self.length(p.length) if p.length else '-1'
            return f'hiera_fortran_put_{p.type}(my_thread, &my_r->head, {index}, f_{p.name}, length_{p.name}, {n});'
        for test, put in ((p.type == 'logical', 'logicals'), (self.is_narrow(p), 'wide')):
            if p.length and test:
                return f'hiera_fortran_put_{put}(my_thread, &my_r->head, {index}, {p.name}, {self.length(p.length)});'
        return super().store_tail(index, p, kind)

    def before(self):
        lines = super().before()
        out = []
        for line in lines:
            if self.requests and line.startswith('hiera_requests_before('):
                count = self.length(self.requests.length) if self.requests.length else '1'
                statuses = next(p.name for p in self.f.parameters if p.type == 'MPI_Status')
                line = (f'MPI_Fint *my_statuses = hiera_fortran_requests_before(&my_r->head, &my_completion, {count}, '
                        f'f_{self.requests.name}, f_{statuses});')
            elif self.status and line.startswith('MPI_Status '):
                name = self.status.name
                line = (f'_Alignas(8) MPI_Fint my_own_status[HIERA_FORTRAN_STATUS]; MPI_Fint *my_status = '
                        f'hiera_fortran_ignores_status(f_{name}) ? my_own_status : f_{name}; '
                        f'MPI_Status my_c_status, *const {name}_seen = &my_c_status;')
            out.append(line)
        return out

    def note_requests(self, p):
        return ['HieraPendingList my_pending;', f'hiera_fortran_requests_note(&my_pending, {self.count_of(p)}, f_{p.name});']

    def list_requests(self, p):
        return f'hiera_fortran_requests_list(&my_r->head, &my_pending, f_{p.name});'

    def requests_done(self, p):
        return [f'hiera_fortran_requests_done(&my_pending, f_{p.name});']

    def requests_moved(self, p):
        return [f'hiera_fortran_requests_moved(&my_pending, f_{p.name});']

    def read_status(self):
        return ['PMPI_Status_f2c(my_status, &my_c_status);'] + super().read_status()

    def complete(self):
        names = {p.name for p in self.f.parameters}
        n = '*outcount' if 'outcount' in names else '1' if 'index' in names else 'my_completion.count'
        flag = 'if (*flag)\n            ' if 'flag' in names else ''
        return f'{flag}hiera_fortran_statuses(&my_completion, my_statuses, {n});\n        ' + super().complete()

    # --- the whole ---

    def unrecorded_call(self, plain, observed):
        before, after = self.bookkeeping(plain, observed)
        forward = [f'hiera_forwarded = (HieraForwarded){{CALL_{self.id}, (uintptr_t)my_frame}};',
                   'uintptr_t my_inside = hiera_fortran_mute(my_frame);', *self.forward({'ierror': 'my_ierror'}),
                   'hiera_fortran_unmute(my_inside);', 'hiera_forwarded.frame = 0;']
        body = '\n'.join(before + after)
        changed = self.changed(body)
        if changed:
            forward += ['if (my_result == MPI_SUCCESS) {', *['    ' + c for c in changed], '}']
        return self.variables(body) + before + forward + after

    def body(self):
        """The function that the entry points of all forms share, and the one for calls that are observed. The compiler decides whether
        the first becomes a part of its entry points: two copies of all would take a third of the build."""
        head = ['HieraFortranEntry *my_entry', 'const void *my_site', 'const void *my_frame', self.signature(True)]
        parameters = ', '.join(filter(None, head))
        return '\n'.join([
            f'static HIERA_OBSERVED {self.result} fortran_observed_{self.id}({parameters})', '{', *self.steps(True), '}', '',
            f'static {self.result} fortran_{self.id}({parameters})', '{', *self.steps(False), '}'])

    def steps(self, observed):
        plain = ', '.join('NULL' if p not in self.parameters else p.name for p in self.f.parameters if p.type != '...')
        recorded = '\n'.join(self.recorded_call(plain, observed))
        changed = self.changed(recorded)
        recorded = recorded.replace('    @RESULTS@', '\n'.join('    ' + line for line in changed))
        back = 'return;' if self.result == 'void' else 'return my_result;'
        lines = ['HieraFortranCode *my_forward = hiera_fortran_forward(my_entry, my_site);']
        if self.has_error:
            lines += ['MPI_Fint my_own_ierror = MPI_SUCCESS, *my_ierror = f_ierror ? f_ierror : &my_own_ierror;']
        lines += self.entering('my_site', observed)
        lines += ['if (!my_r) {', *['    ' + line for line in ([] if observed else self.observing()) + self.unrecorded_call(plain, observed)], '    ' + back, '}']
        lines += self.variables(recorded) + recorded.split('\n') + ([back] if self.result != 'void' else [])
        return ['    ' + line for line in lines]

    def observing(self):
        call = f'fortran_observed_{self.id}({", ".join(filter(None, ["my_entry", "my_site", "my_frame", self.arguments({})]))})'
        if self.result != 'void':
            return [f'if (hiera_mpi_is_observed(CALL_{self.id}))', f'    return {call};']
        return [f'if (hiera_mpi_is_observed(CALL_{self.id})) {{', f'    {call};', '    return;', '}']

    def entries(self, there):
        """The entry points that the MPI library has, one per form, and a door (mpi/fortran/door.h) to it for each of its spellings."""
        out = []
        for form in (F77, CPTR, F08, F08TS):
            pairs = [(name, twin) for name, twin in spell(self.f, form) if name in there and twin in there]
            names = list(dict.fromkeys(name for name, _ in pairs))
            if not names:
                continue
            first, twin = pairs[0]
            described = 'true' if form is F08TS else 'false'
            base = 'UNKNOWN' if form in (F08, F08TS) else 'ONE'
            call = ', '.join(filter(None, [f'&entry_{first}', '__builtin_return_address(0)', '__builtin_frame_address(0)',
                                           self.arguments({})]))
            out += [f'extern void {twin}(void) HIERA_FORTRAN_TWIN;',
                    f'static HieraFortranEntry entry_{first} = {{"{twin}", {twin}, {described}, HIERA_FORTRAN_{base}}};',
                    f'static {self.result} own_{first}({self.signature(True) or "void"})', '{',
                    f'    {"return " if self.result != "void" else ""}fortran_{self.id}({call});', '}']
            out += [f'HIERA_DOOR{"" if is_usual(name) else "_OF_FEW"}({name}, own_{first}, entry_{first})' for name in names]
        return out


def keys(functions, library):
    """By class of handles: how a handle of Fortran becomes a key, by MPI's MPI_..._f2c: a function of the library, else a macro."""
    converting = [(HANDLES[f.result], f) for f in functions if f.result in HANDLES and f.name.endswith('_f2c')]
    out = []
    for kind, f in converting:
        key = [f'static uint64_t key_of_{kind}(MPI_Fint handle)', '{', f'    return HIERA_KEY(P{f.name}(handle));', '}']
        out += key if f in library else [f'#ifdef P{f.name}', *key, '#else', f'#define key_of_{kind} NULL', '#endif']
    return out + ['uint64_t (*const hiera_fortran_keys[HIERA_HANDLE_CLASS_COUNT])(MPI_Fint) = {',
                  *(f'    [HIERA_HANDLE_{kind}] = key_of_{kind},' for kind, _ in converting), '};', '']


def source(functions, library, there, names):
    """library: those of the functions that are in the C library, as for the C wrappers; there: Fortran names that the MPI has; names: of
    the libraries that have them."""
    made = [Entry(f) for f in library]
    out = [head(library), '#include "mpi/call/own_calls.h"', '#include "mpi/fortran/door.h"', ''] + [f'#undef {e.f.name}' for e in made] + records(made)
    out += ['const char *const hiera_fortran_libraries[] = {' + ''.join(f'"{name}", ' for name in names) + 'NULL};', '']
    out += keys(functions, library)
    for entry in made:
        points = entry.entries(there)
        if points:
            out += [entry.body()] + points + ['']
    entries = re.findall(r'^static HieraFortranEntry (\w+) = {("\w+")', '\n'.join(out), re.MULTILINE)
    out += ['const HieraOwnFortran hiera_own_fortran[] = {' + ''.join(f'{{{twin}, &{name}.forward}}, ' for name, twin in entries) + '{NULL, NULL}};', '']
    return '\n'.join(out)
