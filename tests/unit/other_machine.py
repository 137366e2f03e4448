#!/usr/bin/env python3
"""Unit tests of the collector for another machine, compiled here and emulated: other_machine.py MACHINE [OPTION...] [-- NAME FILE...]...

MACHINE is aarch64 or the like: MACHINE-linux-gnu-gcc compiles the FILEs of each NAME, with OPTIONs, and qemu-MACHINE runs them. What is missing is
said, with exit status 77."""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(machine, options, name, files):
    """A test program. Returns what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, name)
        compiled = subprocess.run([f'{machine}-linux-gnu-gcc', '-O1', '-g', '-std=gnu11', '-D_GNU_SOURCE', *options, '-o', program, *files, '-lm', '-pthread'], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if compiled.returncode != 0:
            return f'{name}: is not compiled:\n{compiled.stdout}'
        done = subprocess.run([f'qemu-{machine}', '-L', f'/usr/{machine}-linux-gnu', program], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    print(f'{name}: exit status {done.returncode}\n{done.stdout}', end='', flush=True)
    return f'{name}: exit status {done.returncode}' if done.returncode != 0 else None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    machine, *words = sys.argv[1:]
    missing = [tool for tool in (f'{machine}-linux-gnu-gcc', f'qemu-{machine}') if not shutil.which(tool)]
    if missing or not pathlib.Path(f'/usr/{machine}-linux-gnu/include/stdio.h').exists():
        print(f'skipped: {" and ".join(missing) or "the C library of " + machine} is not installed (gcc-{machine}-linux-gnu, libc6-dev-arm64-cross, qemu-user)')
        sys.exit(77)
    groups, group = [], []
    for word in words + ['--']:
        if word == '--':
            groups.append(group)
            group = []
        else:
            group.append(word)
    options, *tests = groups
    problems = [problem for name, *files in tests if (problem := run(machine, options, name, files))]
    print('\n'.join(problems))
    sys.exit(bool(problems) or not tests)


if __name__ == '__main__':
    main()
