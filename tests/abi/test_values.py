#!/usr/bin/env python3
"""The values of handles in the ABI's <mpi.h> follow the rules of MPI 5.0: test_values.py MPI_H.

A predefined handle has ten bits. The first of them are a code of the class, the rest is zero in the null handle of the class. In the datatypes of a fixed size, bits 3 to 5 are
the logarithm of the size."""

import re
import sys
import unittest

# Class -> (first value, last value) of its code.
RANGES = {'Op': (0x020, 0x03f), 'Comm': (0x100, 0x107), 'Group': (0x108, 0x10f), 'Win': (0x110, 0x117), 'File': (0x118, 0x11f), 'Session': (0x120, 0x127),
          'Message': (0x128, 0x12f), 'Info': (0x130, 0x137), 'Errhandler': (0x140, 0x147), 'Request': (0x180, 0x187), 'Datatype': (0x200, 0x3ff)}
FIXED = 0x240  # the first datatype of a fixed size
BYTES = {'CHAR': 1, 'SIGNED_CHAR': 1, 'UNSIGNED_CHAR': 1, 'BYTE': 1}

with open(sys.argv.pop(), encoding='utf-8') as file:
    TEXT = file.read()
HANDLES = [(name, kind, int(value, 16)) for name, kind, value in re.findall(r'^#define (MPI_\w+) +\(\(MPI_(\w+)\)(0x\w+)\)$', TEXT, re.M)]


def size_of(name):
    """The bytes that a name of a datatype says, in bits (INT32_T) or bytes (REAL8); None: it says none."""
    bits, size = re.fullmatch(r'MPI_U?INT(\d+)_T', name), re.fullmatch(r'MPI_(?:LOGICAL|INTEGER|REAL|COMPLEX)(\d+)', name)
    return int(bits[1]) // 8 if bits else int(size[1]) if size else BYTES.get(name[4:])


class Values(unittest.TestCase):
    def test_handles_are_in_the_range_of_their_class(self):
        self.assertGreater(len(HANDLES), 100)
        for name, kind, value in HANDLES:
            self.assertTrue(RANGES[kind][0] <= value <= RANGES[kind][1], f'{name} {value:#x}')

    def test_no_two_handles_have_one_value(self):
        self.assertEqual(len({value for _, _, value in HANDLES}), len(HANDLES))

    def test_the_null_handle_is_the_first_of_its_class(self):
        nulls = {kind: value for name, kind, value in HANDLES if name.endswith('_NULL')}
        self.assertEqual(nulls, {kind: first for kind, (first, _) in RANGES.items()})

    def test_sizes_are_part_of_the_values(self):
        for name, kind, value in HANDLES:
            size = size_of(name) if kind == 'Datatype' else None
            self.assertEqual(size is not None, kind == 'Datatype' and value >= FIXED, name)
            if size is not None:
                self.assertEqual(1 << (value >> 3 & 7), size, name)

    def test_functions_of_fortran_and_removed_ones_are_not_there(self):
        names = set(re.findall(r'\b(MPI_\w+)\(', TEXT))
        self.assertLessEqual({'MPI_Send', 'MPI_Send_c', 'MPI_Comm_toint', 'MPI_Abi_get_version', 'MPI_T_init_thread'}, names)
        self.assertFalse(names & {'MPI_Comm_c2f', 'MPI_Status_f2f08', 'MPI_Type_struct', 'MPI_Errhandler_set'})


if __name__ == '__main__':
    unittest.main()
