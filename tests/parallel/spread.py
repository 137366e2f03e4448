#!/usr/bin/env python3
"""spread.py HIERA-TRANSFORM LIBRARY AGAIN [EXPORT…]: no process does alone what all make together. Of two processes, through sockets, the one that has most to do executes
little more than half of the instructions of one process, besides those of the start; one that gets all operations and does the rest alone nearly all.
With HIERA_TEST_ALL=1 of four processes, and a quarter. EXPORTs this program does not have. AGAIN lets a process answer all questions."""
import os
import pathlib
import re
import sys
import tempfile

import made
import together
from sweep import EXPORTS_TOGETHER, IS_ALL

RANKS, STEPS, SIZE = (8, 60, 4) if IS_ALL else (4, 40, 2)
LIMIT = 1 / SIZE + 0.2  # of what one executes: its share, and what all have to know, or one puts together
EXPORTS = [name for name in EXPORTS_TOGETHER if name not in ('extrap', 'folded')]  # sums, which cost less than the start
ASKED = [*(f'--export {name}:@/{name}' for name in EXPORTS), '--probe mpi-by-region', '--measure walk-partners', '--measure walk-operations']
# Of libc: memory that it clears or copies with one instruction is counted by the byte, which of an archive of OTF2 is four fifths.
TUNABLES = 'glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000'


def instructions(program, again, asked, library, size):
    """Of each question, after the start: of the process that executes most."""
    with tempfile.TemporaryDirectory() as folder:
        command = ['valgrind', '--tool=callgrind', '--log-file=/dev/null', f'--callgrind-out-file={folder}/%p', program[0], '--version']
        command += [word.replace('@', folder) for words in asked for word in (';', *program[1:], *words.split())]
        env = {**os.environ, 'LD_PRELOAD': again}
        status, *said = together.alone(command, env=env) if size == 1 else together.through_sockets(command, library, size, env=env)
        totals = [[int(re.search(r'^totals: (\d+)', path.with_suffix(f'.{i + 2}').read_text(encoding='utf-8'), re.M).group(1)) for i in range(len(asked))]
                  for path in pathlib.Path(folder).glob('*.1')] if status == 0 else []
        if len(totals) != size:
            sys.exit(f'{size} processes: {" ".join(command)}: {status}, {said}, {len(totals)} dumps')
        return [max(each) for each in zip(*totals)]


def main():
    os.environ.pop('MALLOC_PERTURB_', None)  # with it memory that is freed is written to, which is counted
    os.environ['GLIBC_TUNABLES'] = TUNABLES
    transform, library, again = (str(pathlib.Path(argument).absolute()) for argument in sys.argv[1:4])
    asked = [words for words in ASKED if not any(words.startswith(f'--export {name}:') for name in sys.argv[4:])]
    with tempfile.TemporaryDirectory() as folder:
        made.write_long(pathlib.Path(folder), RANKS, STEPS)
        program = [transform, folder, '--threads', '1', '--quiet']
        alone, most = (instructions(program, again, asked, library, size) for size in (1, SIZE))
    uneven = 0
    for words, one, own in zip(asked, alone, most):
        good = own < LIMIT * one
        uneven += not good
        print(f'{words}: {one / 1e6:.1f} million instructions of one process, {own / 1e6:.1f} of the one of {SIZE} that has most'
              f'{"" if good else f": more than {LIMIT * 100:.0f} %"}')
    sys.exit(uneven != 0)


if __name__ == '__main__':
    main()
