#!/usr/bin/env python3
"""agree.py AGREEMENT LIBRARY: an error of any process becomes that of all, and all end with the status of process 0."""
import os
import sys

import together


def main():
    program, library = map(os.path.abspath, sys.argv[1:])
    good = True
    for size in 2, 3, 4, 8:
        for failing in range(size + 1):  # the last one: none
            expected = (0, b'no error, good\n', b'') if failing == size else (1, f'error of process {failing}, bad\n'.encode(), b'')
            actual = together.through_sockets([program, str(failing)], library, size)
            if actual != expected:
                print(f'{size} processes, an error of {failing}: expected {expected}, actual {actual}')
                good = False
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
