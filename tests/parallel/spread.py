#!/usr/bin/env python3
"""spread.py HIERA-TRANSFORM LIBRARY [EXPORT…]: no process does alone what all make together. Of two processes, through sockets, the one that has most to do executes
little more than half of the instructions of one process, besides those of the start; one that gets all operations and does the rest alone nearly all.
With HIERA_TEST_ALL=1 of four processes, and a quarter. EXPORTs this program does not have."""
import os
import pathlib
import re
import sys
import tempfile

import made
import together
from sweep import EXPORTS_TOGETHER, IS_ALL

RANKS, STEPS, SIZE = (8, 60, 4) if IS_ALL else (4, 60, 2)
LIMIT = 1 / SIZE + 0.2  # of what one executes: its share, and what all have to know, or one puts together
EXPORTS = [name for name in EXPORTS_TOGETHER if name not in ('extrap', 'folded')]  # sums, which cost less than the start
ASKED = [*(f'--export {name}:@/out' for name in EXPORTS), '--probe mpi-by-region', '--measure walk-partners', '--measure walk-operations']
# Of libc: memory that it clears or copies with one instruction is counted by the byte, which of an archive of OTF2 is four fifths.
TUNABLES = 'glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000'


def instructions(command, library, size):
    """Of the process that executes most."""
    with tempfile.TemporaryDirectory() as folder:
        counting = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', f'--log-file={folder}/log.%p']
        command = [*counting, *(word.replace('@', folder) for word in command)]
        answer = together.alone(command) if size == 1 else together.through_sockets(command, library, size)
        logs = [re.search(r'Collected : (\d+)', log.read_text(encoding='utf-8')) for log in pathlib.Path(folder).glob('log.*')]
        if answer[0] != 0 or len(logs) != size or None in logs:
            sys.exit(f'{size} processes: {" ".join(command)}: {answer}, {len(logs)} logs')
        return max(int(log.group(1)) for log in logs)


def is_spread(transform, library, folder, words, least):
    command = [transform, folder, '--threads', '1', '--quiet', *words.split()]
    alone, most = (instructions(command, library, size) - least for size in (1, SIZE))
    good = most < LIMIT * alone
    print(f'{words}: {alone / 1e6:.1f} million instructions of one process, {most / 1e6:.1f} of the one of {SIZE} that has most'
          f'{"" if good else f": more than {LIMIT * 100:.0f} %"}')
    return good


def main():
    os.environ.pop('MALLOC_PERTURB_', None)  # with it memory that is freed is written to, which is counted
    os.environ['GLIBC_TUNABLES'] = TUNABLES
    transform, library = (str(pathlib.Path(argument).absolute()) for argument in sys.argv[1:3])
    asked = [words for words in ASKED if not any(words.startswith(f'--export {name}:') for name in sys.argv[3:])]
    with tempfile.TemporaryDirectory() as folder:
        made.write_long(pathlib.Path(folder), RANKS, STEPS)
        least = instructions([transform, '--version'], library, 1)  # of the start
        good = [is_spread(transform, library, folder, words, least) for words in asked]
    sys.exit(0 if all(good) else 1)


if __name__ == '__main__':
    main()
