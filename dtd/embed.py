#!/usr/bin/env python3
"""Make C strings of text files that are built into both halves: embed.py OUTPUT FILE... writes `static const char hiera_file_NAME[]` for each."""

import os
import re
import sys


def main():
    output, files = sys.argv[1], sys.argv[2:]
    with open(output, 'w', encoding='utf-8') as out:
        out.write('/* Made by dtd/embed.py. */\n')
        for path in files:
            name = re.sub(r'\W', '_', os.path.basename(path))
            data = open(path, 'rb').read()
            out.write(f'static const char hiera_file_{name}[] =\n')
            for line in data.splitlines(keepends=True) or [b'']:
                text = ''.join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f'\\{b:03o}' for b in line)
                out.write(f'    "{text}"\n')
            out.write('    ;\n')


if __name__ == '__main__':
    main()
