#!/usr/bin/env python3
"""Loops of compiled functions: test_image.py HIERA_IMAGE CASE… Several cases compile once what they share. Cases:
loops     subject.c, compiled in several ways, has the loops that its comments name, at their lines
stripped  without symbols the functions and loops are the same
sections  and without section headers
calls     calls, tail calls and functions that do not return are told
jumps     where jumps to pointers go is told only if it is certain: functions of jumps.s have the doubts that their comments name
vectors   instructions of AVX-512 that Capstone does not know do not hide a loop, and are moved, those of AMX are not
landings  loops of code that only exceptions lead to are found, also in stripped files, and functions that have such code are told
handlers  of files whose exceptions may go other ways than those of gcc and clang, no function is moved that has them
chance    bytes that would be a jump into a function, but are part of other code, do not keep it from being moved
names     names of C++ and Fortran are those of the source, and overloaded functions are told apart
sizes     symbols whose sizes are damaged do not have bytes decoded several times
options   what the command line takes, and what it says of files that it cannot read"""

import csv
import functools
import io
import json
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUBJECT = HERE / 'subject.c'
WAYS = [[compiler, level, *way] for compiler in ('gcc', 'clang') if shutil.which(compiler) for level in ('-O0', '-O2', '-O3')
        for way in (['-fPIE', '-pie'], ['-fno-pie', '-no-pie'], ['-fPIC', '-shared'])]

# For aarch64 nothing is needed but clang and its linker, or gcc for aarch64.
CROSS_GCC = 'aarch64-linux-gnu-gcc'
STATIC = '-Wl,--unresolved-symbols=ignore-all,-e,main'
WAYS_OF_OTHERS = [[CROSS_GCC, level, '-nostdlib', *way] for level in ('-O0', '-O2', '-O3') for way in (['-fPIC', '-shared'], ['-fno-pic', '-static', STATIC])
                  if shutil.which(CROSS_GCC)]
WAYS_OF_OTHERS += [['clang', level, '--target=aarch64-linux-gnu', '-nostdlib', '-fuse-ld=lld', *way] for level in ('-O0', '-O2', '-O3')
                   for way in (['-fPIC', '-shared'], ['-fno-pic', '-static', STATIC])
                   if shutil.which('clang') and shutil.which('ld.lld')]


BUILT = tempfile.TemporaryDirectory()


@functools.cache
def built(*way):
    program = pathlib.Path(BUILT.name, ' '.join(way).replace('/', '_'))
    subprocess.run([way[0], '-g', *way[1:], '-o', program, SUBJECT], check=True)
    return program


def build(folder, way):
    """A copy of the subject, for this case alone."""
    return pathlib.Path(shutil.copy(built(*way), pathlib.Path(folder, 'subject')))


def ask(image, program, *options):
    done = subprocess.run([image, program, '--format', 'json', *options], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)['functions']


def expected():
    """Name of each function -> its loops as text, its first and last line."""
    text, found = SUBJECT.read_text(encoding='utf-8'), {}
    for match in re.finditer(r'loops: ?([^*]*?) ?\*/\nKEEP \w+ (\w+)\(.*?\n}\n', text, re.S):
        first = text.count('\n', 0, match.start(2)) + 1
        found[match[2]] = match[1], first, first + match[0].split('*/\n', 1)[1].count('\n')
    return found


def spell(loops):
    """Loops as the comments name them."""
    def below(parent):
        return ' '.join(('irreducible' if loop['irreducible'] else 'loop') + (f'({below(loop["loop"])})' if below(loop['loop']) else '')
                        for loop in loops if loop['parent'] == parent)
    return below(None)


def check_function(way, function, rule):
    loops, first, last = rule
    problems = [f'expected loops "{loops}", found "{spell(function["loops"])}"'] if spell(function['loops']) != loops else []
    problems += [f'doubt: {doubt}' for doubt in function['doubts']]
    above = [] # the loops around the next one, if the list is a tree
    for loop in function['loops']:
        above = above[:loop['depth'] - 1] + [loop['loop']]
        if ([None] + above)[-2] != loop['parent']:
            problems.append(f'loop {loop["loop"]} is listed below {above[:-1]}, not below {loop["parent"]}')
    for loop in function['loops']:
        lines = loop['first_line'], loop['last_line']
        if not first <= lines[0] <= lines[1] <= last and function['function'] != 'inlined':
            problems.append(f'loop {loop["loop"]} is at lines {lines}, not inside {first}-{last}')
    return [f'{" ".join(way)}: {function["function"]}: {problem}' for problem in problems]


def check_inlined(way, function):
    """The inner loop has the lines of the function that was inlined."""
    source = SUBJECT.read_text(encoding='utf-8').splitlines()
    inner = next(i for i, line in enumerate(source, 1) if 'int sum_of(int n)' in line) + 3
    found = [(loop['first_line'], loop['last_line']) for loop in function['loops'] if loop['depth'] == 2]
    return [] if found == [(inner, inner + 1)] else [f'{" ".join(way)}: the inlined loop is at {found}, expected {(inner, inner + 1)}']


def check_loops(image):
    problems, rules, n = [], expected(), 0
    for way in WAYS + WAYS_OF_OTHERS:
        with tempfile.TemporaryDirectory() as folder:
            functions = {function['function']: function for function in ask(image, build(folder, way))}
        problems += [f'{" ".join(way)}: {name} is missing' for name in rules if name not in functions]
        for name, rule in rules.items():
            problems += check_function(way, functions[name], rule)
            n += 1
        problems += check_inlined(way, functions['inlined'])
    print(f'{len(WAYS + WAYS_OF_OTHERS)} builds, {n} functions')
    return problems if n else ['nothing was tested']


def places_of(functions):
    """What a function and its loops are without names."""
    return {function['ranges'][0][0]: [(loop['begin'], loop['end'], loop['depth'], loop['irreducible']) for loop in function['loops']] for function in functions}


def check_stripped(image):
    problems = []
    for way in WAYS[1::4]:
        with tempfile.TemporaryDirectory() as folder:
            program, rules = build(folder, way), expected()
            whole = places_of(function for function in ask(image, program) if function['function'] in rules)
            subprocess.run(['strip', program], check=True)
            bare = places_of(ask(image, program))
        problems += [f'{" ".join(way)}: {at}: with symbols {loops}, without {bare.get(at)}' for at, loops in whole.items() if bare.get(at) != loops]
    return problems


def without_sections(path):
    """What sstrip does: the file ends with the last byte that is loaded."""
    content = bytearray(path.read_bytes())
    begin, = struct.unpack_from('<Q', content, 32)
    headers = [struct.unpack_from('<IIQQQQQQ', content, begin + 56 * i) for i in range(struct.unpack_from('<H', content, 56)[0])]
    struct.pack_into('<Q', content, 40, 0)
    struct.pack_into('<HHH', content, 58, 0, 0, 0)
    path.write_bytes(content[:max(header[2] + header[5] for header in headers if header[0] == 1)])


def check_sections(image):
    problems, rules, n = [], expected(), 0
    for way in WAYS[1::3] + WAYS[2::3] + WAYS_OF_OTHERS[::2]:
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, way)
            whole = [function for function in ask(image, program) if function['function'] in rules]
            wanted, calls = places_of(whole), {function['function']: [call['function'] for call in function['calls']] for function in whole}
            without_sections(program)
            functions = ask(image, program)
            bare = places_of(functions)
        problems += [f'{" ".join(way)}: {at}: with section headers {loops}, without {bare.get(at)}' for at, loops in wanted.items() if bare.get(at) != loops]
        named = [function for function in functions if function['function'] in rules]
        if '-shared' in way:
            problems += [] if len(named) == len(whole) else [f'{" ".join(way)}: only {len(named)} functions have names']
            problems += [f'{" ".join(way)}: {function["function"]} calls {function["calls"]}' for function in named
                         if [call['function'] for call in function['calls']] != calls[function['function']]]
        n += len(whole)
    return problems if n else ['nothing was tested']


def check_calls(image):
    with tempfile.TemporaryDirectory() as folder:
        functions = {function['function']: function for function in ask(image, build(folder, ['gcc', '-O2']))}
    calls = {name: [(call['function'], call['tail'], call['returns']) for call in function['calls']] for name, function in functions.items()}
    want = {'give_up': [('step', False, True), ('exit', False, False)],
            'ends_in_call': [('step', False, True), ('single', True, True)],
            'never_returns': [('step', False, True), ('give_up', False, False)]}
    problems = [f'{name}: expected {want[name]}, found {calls[name]}' for name in want if calls[name] != want[name]]
    return problems + [f'{name} returns: {functions[name]["returns"]}' for name, returns in (('give_up', False), ('forever', False), ('step', True))
                       if functions[name]['returns'] != returns]


def check_jumps(image):
    source, problems = HERE / 'jumps.s', []
    wanted = {name: doubt for doubt, name in re.findall(r'doubt: (.*)\nbegin (\w+)', source.read_text(encoding='utf-8'))}
    for way in (['-shared'], ['-shared', '-Wl,-z,pack-relative-relocs'], ['-no-pie', '-Wl,-e,leaf']):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder, 'jumps.so')
            if subprocess.run(['gcc', '-nostdlib', *way, '-o', library, source], check=False).returncode != 0:
                problems.append(f'{way}: cannot be linked')
                continue
            found = {function['function']: function['doubts'] for function in ask(image, library)}
        for name, doubt in wanted.items():
            good = not found[name] if doubt == 'none' else len(found[name]) == 1 and doubt in found[name][0]
            problems += [] if good else [f'{way}: {name}: expected {doubt}, found {found[name]}']
    return problems if len(wanted) > 10 else ['jumps.s was not read']


def check_sizes(image):
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, ['gcc', '-O2'])
        whole, content = ask(image, program), bytearray(program.read_bytes())
        start, = struct.unpack_from('<Q', content, 40)
        headers = [struct.unpack_from('<IIQQQQIIQQ', content, start + 64 * i) for i in range(struct.unpack_from('<H', content, 60)[0])]
        for header in headers:
            for at in range(header[4], header[4] + header[5], 24) if header[1] == 2 else ():
                if content[at + 4] & 15 == 2:
                    struct.pack_into('<Q', content, at + 16, 1 << 40)
        damaged = pathlib.Path(folder, 'damaged')
        damaged.write_bytes(content)
        found = ask(image, damaged)
    code = sum(header[5] for header in headers if header[2] & 4)
    decoded = sum(int(end, 16) - int(begin, 16) for function in found for begin, end in function['ranges'])
    problems = [] if decoded <= code else [f'{decoded} bytes of {code} are decoded']
    return problems if len(found) >= len(whole) > 10 else [f'{len(found)} functions of {len(whole)}']


# All but `tiles` can be moved.
VECTORS = '''#include <immintrin.h>
void scale(float *to, const double *from, const int *at, int n)
{
    for (int i = 0; i < n; i++)
        if (from[at[i]] > 0.75)
            to[i] = from[at[i]] * 3.25 + 1.5;
}
float greatest(const float *of, int n)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = of[i] > most ? of[i] : most;
    return most;
}
__attribute__((target("amx-tile,amx-int8"))) void tiles(int n)
{
    for (int i = 0; i < n; i++)
        _tile_dpbssd(0, 1, 2);
}
int main(void)
{
    return 0;
}
int count(const unsigned char *bytes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i += 64) {
        __m512i v = _mm512_loadu_si512(bytes + i);
        sum += __builtin_popcountll(_mm512_cmpeq_epu8_mask(v, _mm512_set1_epi8(7)));
        if (_mm512_test_epi8_mask(v, v) == 0)
            return sum;
    }
    return sum;
}
'''


def check_vectors(image):
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, 'vectors.c'), pathlib.Path(folder, 'vectors.so')
        source.write_text(VECTORS)
        problems = []
        for way in (['-fPIC', '-shared'], ['-fno-pie', '-no-pie']):
            subprocess.run(['gcc', '-O3', '-ffast-math', '-g', '-march=x86-64-v4', '-mprefer-vector-width=512', *way, '-o', library, source], check=True)
            functions = {function['function']: function for function in ask(image, library)}
            count = functions['count']
            if (spell(count['loops']), count['doubts'], len(count['loops'][0]['exits'])) != ('loop', [], 2):
                problems.append(f'{way}: found {count}')
            plans = {name: subprocess.run([image, '--plan', name, library], stdout=subprocess.PIPE, check=True).stdout for name in ('count', 'scale', 'greatest', 'tiles')}
            moved = {name for name, plan in plans.items() if struct.unpack_from('<I', plan, 60)[0] == 1} # HieraPlan.functions.n
            if moved != {'count', 'scale', 'greatest'}:
                problems.append(f'{way}: {moved} are moved')
            if not re.search(rb'the instruction at 0x[0-9a-f]+ .tdpbssd. is not one that can be moved', plans['tiles']):
                problems.append(f'{way}: AMX is moved, or not named: {plans["tiles"]}')
    return problems


BOX = """namespace boxes {
struct Box { double sum(const double *of, int n); double sum(int n); };
double Box::sum(const double *of, int n) { double s = 0; for (int i = 0; i < n; i++) s += of[i]; return s; }
double Box::sum(int n) { double s = 0; for (volatile int i = 0; i < n; i++) s += i; return s; }
}
"""
MESH = """module mesh
contains
subroutine smooth(x)
real :: x(:)
integer :: i
do i = 2, size(x) - 1
  x(i) = x(i - 1) + x(i + 1)
end do
call scale(size(x))
contains
subroutine scale(n)
integer, intent(in) :: n
do i = 1, n
  x(i) = 2 * x(i)
end do
end subroutine
end subroutine
end module
subroutine sharpen(x, n)
integer :: n, i
real :: x(n)
do i = 1, n
  x(i) = 3 * x(i)
end do
end subroutine
"""
# `strided` is only there with its constant, the loop of `shared` is in a function that the compiler made, and there are two `twin`.
COPIES = """#define KEEP static __attribute__((noinline))
KEEP long strided(const int *a, int n, int step) { long s = 0; for (int i = 0; i < n; i += step) s += a[i]; return s; }
long both(const int *a) { return strided(a, 90, 3) + strided(a, a[1], 3); }
void shared(double *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += i;
}
KEEP int twin(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= s * i + 3; return s; }
int first(int n) { return twin(n); }
"""
TWIN = """static __attribute__((noinline)) int twin(int n) { int s = 1; for (int i = 1; i < n; i++) s += s * i; return s; }
int second(int n) { return twin(n) + 1; }
"""


# The comment before a function has its loops, and whether it has language-specific data.
LANDINGS = """#define KEEP __attribute__((noinline))
extern "C" {
int may_throw(int);
void step(int) noexcept;
/* lsda, loop(loop) */
KEEP int repeats(int n) { for (int i = 0; i < n; i++) try { step(may_throw(i)); } catch (int e) { for (int j = 0; j < e; j++) step(j); } return n; }
/* lsda, loop */
KEEP int recovers(int n) { try { may_throw(n); } catch (int e) { for (int j = 0; j < e; j++) step(j); } return n; }
/* lsda, loop */
KEEP int cleans(int n) { struct Box { int m; ~Box() { for (int j = 0; j < m; j++) step(j); } } box; box.m = n; may_throw(n); box.m = 0; return 1; }
/* lsda, */
KEEP int returns(int n) { try { throw n; } catch (int) { step(n); } return n; }
/* , loop */
KEEP int plain(int n) { for (int i = 0; i < n; i++) returns(i); return n; }
}
struct Base { ~Base(); int a; };
struct Derived : Base { ~Derived(); int b; };
Derived::~Derived() { if (b) may_throw(b); may_throw(1); }
"""


def check_landings(image):
    problems, n = [], 0
    wanted = {name: (lsda == 'lsda', loops) for lsda, loops, name in re.findall(r'/\* (\w*), ?(.*) \*/\nKEEP int (\w+)', LANDINGS)}
    for compiler in ('g++', 'clang++'):
        for way in ('-O0', '-O2', '-O3 -fno-plt') if shutil.which(compiler) else ():
            with tempfile.TemporaryDirectory() as folder:
                source, library = pathlib.Path(folder, 'landings.cc'), pathlib.Path(folder, 'landings.so')
                source.write_text(LANDINGS)
                subprocess.run([compiler, *way.split(), '-fPIC', '-shared', '-o', library, source], check=True)
                found = ask(image, library)
                subprocess.run(['strip', library], check=True)
                bare = ask(image, library)
            # To clang, a call behind a landing pad may have the same one if it cannot throw.
            problems += [f'{compiler} {way}: {function["function"]}: {function["loops"]}' for function in found if 'Derived' in function['function'] and function['loops']]
            for kind, functions in (('', found), (', stripped', bare)):
                for name, (lsda, loops) in wanted.items():
                    function, = [function for function in functions if function['function'] == name]
                    text = spell(function['loops'])
                    loops = '' if name == 'cleans' and way == '-O0' else loops # The destructor is a function.
                    if (function['lsda'], text, function['doubts'], function['returns']) != (lsda, loops, [], True):
                        problems.append(f'{compiler} {way}{kind}: {name}: {function["lsda"]} {text} {function["doubts"]} {function["returns"]}')
                    n += 1
    return problems if n else ['nothing was tested']


def count_reasons(image, file):
    """Reason of --certainty -> functions."""
    done = subprocess.run([image, '--certainty', '--format=csv', file], check=True, stdout=subprocess.PIPE, text=True)
    return {row['reason'].replace('it cannot be timed: ', ''): int(row['functions']) for row in csv.DictReader(io.StringIO(done.stdout))}


def check_own_unwinders(image, command, program, expect):
    """Programs with an unwinder of their own, known by its name or, without symbols, by what it asks of the C library."""
    for way in (['-static-libstdc++'], ['-static-libstdc++', '-Wl,-s'], ['-Wl,-s'], ['-Wl,--discard-all'], ['-static', '-Wl,-s'], ['-static-pie', '-Wl,-s']):
        subprocess.run([*command, '-static-libgcc', '-x', 'c++', '-', *way, '-o', program], check=True, input='int main() { return 0; }', text=True)
        reasons = count_reasons(image, program)
        what = f'own unwinder, {" ".join(way)}'
        expect(what, reasons, 'its file may have an unwinder of its own, which knows no way through copies', 25)
        expect(f'{what}: none is moved', {'all is certain': 1 - reasons['all is certain']}, 'all is certain', 1)


def check_handlers(image):
    problems, n = [], 0
    source = HERE / 'throw_subject.cc'

    def expect(what, reasons, wanted, functions):
        if not reasons.get(wanted, 0) >= functions:
            problems.append(f'{what}: expected {wanted} for {functions} functions, found {reasons}')

    for compiler in ('g++', 'clang++'):
        if not shutil.which(compiler):
            continue
        command = [compiler, '-std=c++14', '-O2', '-w', '-fPIC', '-pthread']
        with tempfile.TemporaryDirectory() as folder:
            piece, library = pathlib.Path(folder, 'piece.o'), pathlib.Path(folder, 'piece.so')
            subprocess.run([*command, '-c', '-o', piece, source], check=True)
            subprocess.run([compiler, '-shared', '-o', library, piece], check=True)
            if compiler == 'g++':
                check_own_unwinders(image, [*command, piece], pathlib.Path(folder, 'program'), expect)
            expect(f'{compiler}, as it is', count_reasons(image, library), 'all is certain', 25)
            # Types that are counted from the data, not from the place where they stand: neither compiler makes such.
            damaged, content = pathlib.Path(folder, 'damaged.so'), library.read_bytes()
            damaged.write_bytes(content.replace(b'\xff\x9b', b'\xff\xbb'))
            expect(f'{compiler}, other types', count_reasons(image, damaged), 'its table of exceptions is not understood', 8)
            subprocess.run(['objcopy', '--redefine-sym', '__gxx_personality_v0=another_personality', piece], check=True)
            subprocess.run([compiler, '-shared', '-o', library, piece], check=True)
            expect(f'{compiler}, other routine', count_reasons(image, library), 'exceptions in it are handled by a routine that is not known', 10)
            n += 1
    return problems if n or platform.machine() != 'x86_64' else ['nothing was tested']


# Of `subject` bytes 1 to 4 become part of a jump when it is moved.
CHANCE = """
    .text
    .globl subject, other
    .type subject, @function
    .type other, @function
subject:
    lea 1(%rdi), %rax
    lea 2(%rax), %rax
    ret
    .size subject, . - subject
    .p2align 8
other:
    BYTES
    .size other, . - other
"""
JUMP = '.byte 0xe9; .long subject + 2 - (. + 4)'


def check_chance(image):
    problems = []
    for what, code, wanted in (('nothing', 'ret', 2), ('a number', f'.byte 0x48, 0xb8; {JUMP}; .byte 0, 0, 0; ret', 2), ('a jump', JUMP, 1), ('bytes that are not reached', f'ret; {JUMP}', 1)):
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder, 'chance.s'), pathlib.Path(folder, 'chance.so')
            source.write_text(CHANCE.replace('BYTES', code.replace('; ', '\n    ')))
            subprocess.run(['gcc', '-shared', '-nostdlib', '-o', library, source], check=True)
            reasons = count_reasons(image, library)
        if wanted == 1 and not reasons.get('code may jump into its first bytes') or wanted == 2 and 'code may jump into its first bytes' in reasons:
            problems.append(f'{what}: {reasons}')
    return problems


# clang 14 calls the parts of all of these ".omp_outlined." and a number; `hidden` is inlined.
TEAMS = """
namespace grid {
struct Box { double *a; int n; void relax(double weight); };
void Box::relax(double weight)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * weight + 1;
}
static void hidden(double *a, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += 3;
#pragma omp task
        for (int i = 0; i < n; i++)
            a[i] += 5;
    }
}
}
template<class T> __attribute__((noinline)) void scale(double *a, int n, T factor)
{
    auto first = [](double *b) { b[0] = 0; };
    first(a);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] *= factor;
}
void all(grid::Box &box) { grid::hidden(box.a, box.n); scale(box.a, box.n, 2.0); scale(box.a, box.n, 2.0f); }
"""


def check_names(image):
    problems = []
    sum_of, sum_to = 'boxes::Box::sum(double const*, int)', 'boxes::Box::sum(int)'
    relax, hidden, whole, scale = 'grid::Box::relax(double)', 'grid::hidden(double*, int)', 'all(grid::Box&)', 'void scale<float>(double*, int, float)'
    for compiler, options, sources, wanted, hints in (
            ('g++', ['-O1'], {'box.cc': BOX}, {'boxes::Box::sum': {sum_of, sum_to}, sum_to: {sum_to}, '_ZN5boxes3Box3sumEi': {sum_to}, 'boxes::Box::su': None, 'sum': None,
                                               sum_of: {sum_of}, '*x::s?m': {sum_of, sum_to}, 'box.cc:boxes::Box::sum': {sum_of, sum_to}, 'tin.cc:boxes::Box::sum': None},
             {'sum': 'boxes::Box::sum(', 'sun': 'boxes::Box::sum('}),
            ('gfortran', ['-O1', '-fno-inline'], {'mesh.f90': MESH}, {'mesh::smooth': {'mesh::smooth'}, '__mesh_MOD_smooth': {'mesh::smooth'}, 'smooth': {'mesh::smooth'},
                                                                      'Mesh::Smooth': {'mesh::smooth'}, 'scale': {'scale.0'}, 'Scale': {'scale.0'},
                                                                      'sharpen': {'sharpen'}, 'SHARPEN': {'sharpen'}, 'mesh.f90:smooth': {'mesh::smooth'}},
             {'smoth': 'mesh::smooth'}),
            ('gcc', ['-O2', '-fopenmp'], {'copies.c': COPIES, 'twin.c': TWIN}, {'strided': {'strided.constprop.0'}, 'strided.constprop.0': {'strided.constprop.0'},
                                                                                'shared': {'shared', 'shared._omp_fn.0'}, 'twin.c:twin': {'twin'}, 'Twin': None,
                                                                                'library.so:strided': {'strided.constprop.0'}, 's?r*d': {'strided.constprop.0'}},
             {'strded': 'strided'}),
            ('clang++', ['-O2', '-fopenmp', '-fno-vectorize', '-fno-unroll-loops'], {'teams.cc': TEAMS}, {
                'grid::Box::relax': {relax, f'{relax} [clone .omp_outlined]'}, 'grid::h*': {f'{hidden} [clone .omp_outlined.3]', f'{hidden} [clone .omp_task_entry]'},
                'teams.cc:grid::hidden': {f'{hidden} [clone .omp_outlined.3]', f'{hidden} [clone .omp_task_entry]'},
                '_Z5scaleIfEvPdiT_': {scale, f'{scale} [clone .omp_outlined.7]'}}, {'hiden': 'grid::hidden('}),
            *(('clang++', ['-O2', debug, '-fopenmp', '-fno-vectorize', '-fno-unroll-loops'], {'teams.cc': TEAMS}, {
                'all': {whole, f'{whole} [clone .omp_outlined.1]', f'{whole} [clone .omp_task_entry]'}}, {}) for debug in ('-g0', '-g1'))):
        if not shutil.which(compiler) or (compiler == 'clang++' and platform.machine() != 'x86_64'):
            continue
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder, 'library.so')
            for name, source in sources.items():
                pathlib.Path(folder, name).write_text(source)
            subprocess.run([compiler, '-g', *options, '-fPIC', '-shared', '-o', library, *sources], cwd=folder, check=True)
            for asked, near in hints.items():
                code, _, err = say(image, library, '--function', asked)
                if code != 2 or f"has no function '{asked}'; did you mean '{near}" not in err:
                    problems.append(f'{asked}: {code} {err}')
            for asked, functions in wanted.items():
                code, out, err = say(image, library, '--format', 'csv', '--function', asked)
                rows = list(csv.DictReader(io.StringIO(out)))
                if (code, {row['function'] for row in rows}) != ((0, functions) if functions else (2, set())):
                    problems.append(f'{asked}: {code} {out}{err}')
                if functions and [row['kind'] for row in rows].count('loop') != len(functions - {'shared', relax, whole, scale}):
                    problems.append(f'{asked}: loops {rows}')
            if compiler == 'gcc':
                files = [pathlib.Path(row['file']).name for row in csv.DictReader(io.StringIO(say(image, library, '--format', 'csv', '--function', 'twin')[1])) if row['loop'] == '0']
                plan = subprocess.run([image, '--plan', 'twin', '--plan', 'twin.c:twin', library], stdout=subprocess.PIPE, check=True).stdout
                moved = struct.unpack_from('<I', plan, 60)[0] if platform.machine() == 'x86_64' else 2
                dot = pathlib.Path(folder, 'dot')
                said = say(image, library, '--function', 'shared', '--dot', dot, '--output', pathlib.Path(folder, 'tree'))
                if said != (0, '', '') or dot.read_text().split('"')[1] != 'shared':
                    problems.append(f'--dot of a function with a clone: {said}')
                if (files, moved) != (['copies.c', 'twin.c'], 2):
                    problems.append(f'twins are in {files}, {moved} are moved')
            if compiler == 'g++':
                code, _, err = say(image, library, '--function', 'boxes::Box::sum', '--dot', pathlib.Path(folder, 'dot'))
                if code != 2 or 'several functions' not in err:
                    problems.append(f'--dot of two functions: {code} {err}')
    return problems


def say(image, *words):
    done = subprocess.run([image, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def is_planned(image, program, function):
    """Whether a function is certain and, on a machine that has plans, in the plan that is made for it."""
    if platform.machine() != 'x86_64':
        return not function['doubts']
    plan = subprocess.run([image, '--plan', '+' + function['ranges'][0][0], program], stdout=subprocess.PIPE, check=True).stdout
    return struct.unpack_from('<I', plan, 60)[0] == 1 # HieraPlan.functions.n


def check_options(image):
    problems = []

    def expect(what, found, wanted):
        if found != wanted:
            problems.append(f'{what}: expected {wanted}, found {found}')

    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, ['gcc', '-O2'])
        text, empty, cut, other = (pathlib.Path(folder, name) for name in ('text', 'empty', 'cut', 'other'))
        text.write_text('no program')
        empty.write_bytes(b'')
        bytes_of = program.read_bytes()
        cut.write_bytes(bytes_of[:100])
        other.write_bytes(bytes_of[:18] + b'\xf3\x00' + bytes_of[20:])
        for path, reason in ((text, 'is no ELF file'), (empty, 'is no ELF file'), (cut, 'damaged'), (other, 'not supported'), (pathlib.Path(folder, 'none'), 'none: cannot be opened: No such file')):
            code, out, err = say(image, path)
            expect(f'{path.name} status', (code, out), (3, ''))
            expect(f'{path.name} message {err!r}', reason in err and err.startswith('hiera-image: ') and err.count('\n') == 1, True)
        for words, reason in (([], 'no file is named'), ([program, program], 'several files'), ([program, '--format', 'xml'], "no format 'xml'"),
                              ([program, '--function', 'nobody'], "no function 'nobody'"), ([program, '--dot', 'x'], '--function'),
                              ([program, '--function', 'nested', '--dot', '-'], 'the answer goes to standard output'), ([program, '--wrong'], '--wrong'),
                              ([program, '--function', 'nested', '--function', 'straight'], '--function is given twice; give it once'),
                              ([program, '-f', 'csv', '--format=json'], '--format is given twice'), ([program, '-o', 'x', '--output', 'y'], '--output is given twice')):
            code, _, err = say(image, *words)
            expect(f'{words[1:]} status', code, 2)
            expect(f'{words[1:]} message {err!r}', reason in err, True)
        rows = list(csv.DictReader(io.StringIO(say(image, program, '--function', 'nested', '--format=csv')[1])))
        expect('csv', [(row['loop'], row['parent'], row['depth'], row['kind']) for row in rows],
               [('0', '', '0', 'function'), ('1', '0', '1', 'loop'), ('2', '1', '2', 'loop'), ('3', '2', '3', 'loop'), ('4', '0', '1', 'loop')])
        tree = say(image, program, '--function', 'nested')[1].splitlines()
        expect('tree', [re.match(r' *\w+ ?\d*', line)[0] for line in tree], ['nested ', '  loop 1', '    loop 2', '      loop 3', '  loop 4'])
        expect('by address', say(image, program, '--function', rows[0]['begin'])[1].splitlines(), tree)
        dot, output = pathlib.Path(folder, 'dot'), pathlib.Path(folder, 'output')
        expect('files', say(image, program, '--function', 'nested', '--dot', dot, '--output', output), (0, '', ''))
        expect('output', output.read_text().splitlines(), tree)
        expect('dot to standard output', say(image, program, '--function', 'nested', '--dot', '-', '--output', output), (0, dot.read_text(), ''))
        expect('output to standard output', say(image, program, '--function', 'nested', '--output', '-')[1].splitlines(), tree)
        expect('clusters', dot.read_text().count('subgraph cluster_'), 4)
        if shutil.which('dot'):
            subprocess.run(['dot', '-Tsvg', '-o', '/dev/null', dot], check=True)
        plan = subprocess.run([image, '--plan', 'nestd', '--plan', 'nested', text, program, empty], stdout=subprocess.PIPE, check=True).stdout
        expect('a plan says what is missing, also if a file cannot be read', b"nestd\0no file of the program has a function of this name; did you mean 'nested'?" in plan, True)
        ours, terminal = os.openpty()
        for words in ([], ['--output', os.ttyname(terminal)]):
            done = subprocess.run([image, program, '--plan', 'nested', *words], stdout=terminal, stderr=subprocess.PIPE, text=True, check=False)
            expect(f'plan to a terminal {words} {done.stderr}', (done.returncode, 'is a terminal, and a plan is binary; name a file' in done.stderr), (2, True))
        os.close(terminal)
        os.close(ours)
        expect('--loops', 'straight' in say(image, program, '--loops')[1], False)
        counts = [(row['reason'], int(row['functions'])) for row in csv.DictReader(io.StringIO(say(image, program, '--certainty', '--format=csv')[1]))]
        listed = json.loads(say(image, program, '--format=json')[1])['functions']
        expect('--certainty', counts[0], ('all is certain', sum(is_planned(image, program, function) for function in listed)))
        expect('--certainty counts each', sum(n for _, n in counts), len(listed))
        expect('--certainty as a table', say(image, program, '--certainty')[1].splitlines()[-1].split()[0], str(len(listed)))
        expect('--certainty as JSON', len(json.loads(say(image, program, '--certainty', '--format=json')[1])['certainty']), len(counts))
        expect('--version', say(image, '--version')[1].startswith('hiera-image '), True)
    return problems


def main():
    checks = [globals().get('check_' + case) for case in sys.argv[2:]]
    if not checks or not all(checks):
        sys.exit(__doc__)
    problems = [problem for check in checks for problem in check(sys.argv[1])]
    print('\n'.join(problems))
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
