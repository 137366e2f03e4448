#!/usr/bin/env python3
"""Lengths of tables that hiera-image takes for certain, against what random code does: random_tables.py HIERA_IMAGE [FUNCTIONS [SEED]]

Each function is random instructions that copy, compare, change and keep numbers, and ends in a jump by a table. The same instructions, which end in
a return of the index instead, are run with many numbers. No index may be as large as the number of elements that hiera-image is certain of."""

import ctypes
import json
import pathlib
import random
import subprocess
import sys
import tempfile

REGISTERS = {8: ['rax', 'rcx', 'rdi', 'rsi', 'r8'], 4: ['eax', 'ecx', 'edi', 'esi', 'r8d'], 1: ['al', 'cl', 'dil', 'sil', 'r8b']}
SUFFIX = {8: 'q', 4: 'l', 1: 'b'}
# Of the pointer that is given, and below the stack.
PLACES = ['(%rdx)', '4(%rdx)', '-8(%rsp)', '-16(%rsp)', '-12(%rsp)']
LARGEST = 12


def name(number, size):
    return '%' + REGISTERS[size][number]


def place(size, chance):
    """A register or memory."""
    return chance.choice(PLACES) if chance.random() < 0.25 else name(chance.randrange(5), size)


def leaves(chance):
    return chance.choice(['ja', 'jae', 'jg', 'jge', 'ja', 'ja', 'je', 'jb', 'jbe', 'js', 'jns', 'jl', 'jne', 'jle'])


def instruction(chance, label):
    """One or several, which go to 9f if they give up, or to a label further down."""
    size, a, b = chance.choice([8, 4, 4, 4, 1]), chance.randrange(5), chance.randrange(5)
    number = chance.choice([chance.randrange(LARGEST), chance.randrange(LARGEST), 127, 128, 255, -1, 0x7fffffff, chance.randrange(1 << 31)])
    low = number if size > 1 else number & 127
    kinds = {
        'copy': lambda: [f'mov{SUFFIX[size]} {name(a, size)}, {name(b, size)}'],
        'store': lambda: [f'mov{SUFFIX[size]} {name(a, size)}, {chance.choice(PLACES)}'],
        'load': lambda: [f'mov{SUFFIX[size]} {chance.choice(PLACES)}, {name(b, size)}'],
        'zero': lambda: [f'movzbl {place(1, chance)}, {name(b, 4)}'],
        'high': lambda: ['movzbl %ah, %eax'],
        'sign': lambda: [f'movslq {place(4, chance)}, {name(b, 8)}'],
        'byte': lambda: [chance.choice([f'movsbl {place(1, chance)}, {name(b, 4)}', f'movsbq {place(1, chance)}, {name(b, 8)}', 'cltq', 'cwtl'])],
        'number': lambda: [f'mov{SUFFIX[size]} ${low}, {place(size, chance)}'],
        'change': lambda: [f'{chance.choice(["add", "sub", "xor", "or"])}{SUFFIX[size]} ${low}, {place(size, chance)}'],
        'add': lambda: [f'lea {chance.choice([-1, 1, -65])}({name(a, 8)}), {name(b, chance.choice([4, 8]))}'],
        'mask': lambda: [f'and{SUFFIX[size]} ${chance.choice([3, 7, low])}, {place(size, chance)}'],
        'shift': lambda: [f'shr{SUFFIX[size]} ${chance.choice([1, 5, 7 if size == 1 else 29])}, {name(b, size)}'],
        'swap': lambda: [f'xchg {name(a, 4)}, {name(b, 4)}'],
        'set': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', f'setb {name(b, 1)}'],
        'clear': lambda: [f'xor {name(b, 4)}, {name(b, 4)}'],
        'choose': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', f'cmova {name(a, 4)}, {name(b, 4)}'],
        'leave': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', f'{leaves(chance)} 9f'],
        'both': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', f'{leaves(chance)} 9f', f'{leaves(chance)} 9f'],
        'take': lambda: [f'sub{SUFFIX[size]} ${low}, {place(size, chance)}', f'{leaves(chance)} 9f'],
        'test': lambda: [f'test {name(a, size)}, {name(a, size)}', f'{leaves(chance)} 9f'],
        'late': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', *instruction(chance, label)[:1], f'{leaves(chance)} 9f'],
        'skip': lambda: [f'cmp{SUFFIX[size]} ${low}, {place(size, chance)}', f'{leaves(chance)} {label}'],
    }
    weights = {'copy': 4, 'leave': 6, 'zero': 2, 'sign': 2, 'store': 2, 'load': 3, 'skip': 2}
    return kinds[chance.choices(list(kinds), [weights.get(kind, 1) for kind in kinds])[0]]()


def body(chance):
    lines, n = ['mov $3, %r9d'], chance.randrange(3, 10)
    first = chance.randrange(n) if chance.random() < 0.4 else n
    for i in range(n):
        if i == first:
            lines.append('1:')
        lines += instruction(chance, '2f')
    if first < n:
        lines += chance.choice([['2:', 'dec %r9d', 'jne 1b'], ['dec %r9d', 'jne 1b', '2:']])
    else:
        lines.append('2:')
    number = chance.randrange(5)
    how = chance.randrange(10)
    if how < 7:
        size = chance.choice([4, 4, 4, 8, 1])
        lines += [f'cmp{SUFFIX[size]} ${chance.randrange(LARGEST)}, {name(number, size)}', f'{chance.choice(["ja", "jae", "ja", "jg"])} 9f']
    lines += [[], [f'mov {name(number, 4)}, {name(number, 4)}'], [f'movzbl {name(number, 1)}, {name(number, 4)}'], [f'movslq {name(number, 4)}, {name(number, 8)}']][chance.randrange(4)]
    return lines, name(number, 8)


def write(path, n, chance):
    text = ['.text']
    for i in range(n):
        lines, index = body(chance)
        for kind in 'fg':
            text += [f'.globl {kind}{i}', f'.type {kind}{i}, @function', f'{kind}{i}:', '.cfi_startproc', *lines]
            text += [f'lea table{i}(%rip), %r11', f'movslq (%r11, {index}, 4), %r10', 'add %r11, %r10', 'jmp *%r10', '8: inc %eax', 'ret'] if kind == 'f' else [f'mov {index}, %rax', 'ret']
            text += ['9: mov $-1, %rax', 'ret', '.cfi_endproc', f'.size {kind}{i}, . - {kind}{i}']
            if kind == 'f':
                text += ['.section .rodata', f'table{i}:', f'.rept {LARGEST + 1}', f'.long 8b - table{i}', '.endr', '.text']
    path.write_text('\n'.join(text) + '\n.section .note.GNU-stack,"",@progbits\n', encoding='utf-8')


def numbers(chance):
    edges = [0, 1, LARGEST - 1, LARGEST, 127, 128, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, (1 << 32) + 3, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, -65 % (1 << 64)]
    return chance.choice([lambda: chance.randrange(LARGEST + 2), lambda: chance.choice(edges), lambda: chance.randrange(1 << 64), lambda: chance.randrange(256),
                          lambda: (chance.randrange(1 << 32) << 32) + chance.randrange(LARGEST)])()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    n, chance = int(sys.argv[2]) if len(sys.argv) > 2 else 600, random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        source, path = pathlib.Path(folder, 'tables.s'), pathlib.Path(folder, 'tables.so')
        write(source, n, chance)
        subprocess.run(['gcc', '-nostdlib', '-shared', '-o', path, source], check=True)
        done = subprocess.run([sys.argv[1], '--format', 'json', path], check=True, stdout=subprocess.PIPE)
        certain = {function['function'][1:]: function['jump_tables'][0]['elements'] for function in json.loads(done.stdout)['functions']
                   if function['function'][0] == 'f' and not function['doubts'] and function['jump_tables']}
        library, wrong, reached = ctypes.CDLL(str(path)), [], 0
        for which, elements in certain.items():
            run = library['g' + which]
            run.restype, run.argtypes = ctypes.c_uint64, [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
            largest = -1
            for _ in range(300):
                memory = (ctypes.c_uint64 * 2)(numbers(chance), numbers(chance))
                index = run(numbers(chance), numbers(chance), ctypes.addressof(memory), numbers(chance), numbers(chance))
                largest = max(largest, index if index != (1 << 64) - 1 else -1)
            reached += largest >= 0
            if largest >= elements:
                lines = source.read_text(encoding='utf-8').split(f'\ng{which}:')[1].split('.cfi_endproc')[0]
                wrong.append(f'f{which}: {elements} elements are certain, but the index is {largest}: {lines}')
    print('\n'.join(wrong))
    print(f'{n} functions, {len(certain)} certain, {reached} of them reached their table')
    sys.exit(1 if wrong or reached < n / 10 else 0)


if __name__ == '__main__':
    main()
