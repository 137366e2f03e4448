#!/usr/bin/env python3
"""A table of functions with a mistake is refused, with the file, the line and what is wrong: tables.py"""

import os
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, 'collector', 'levels'), os.path.join(TOP, 'collector', 'mpi', 'generate')]

import level_table  # noqa: E402
import table  # noqa: E402
from table_syntax import TableError  # noqa: E402

KINDS = table.read_kinds(os.path.join(TOP, 'dtd', 'kinds.h'))
SEND = 'int MPI_Send(in buffer buf, int count, MPI_Datatype type, rank dest, tag tag, MPI_Comm comm) : send '
GATHER = ('int MPI_Gather(in buffer sendbuf, int scount, MPI_Datatype stype, out buffer recvbuf, int rcount@root, '
          'MPI_Datatype rtype@root, rank root, MPI_Comm comm) : ')


class Mistakes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, 'x.table')

    def expect(self, content, line, says, read=lambda path: table.read(path, KINDS)):
        with open(self.path, 'wb') as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        with self.assertRaises(TableError) as caught:
            read(self.path)
        message = str(caught.exception)
        self.assertTrue(message.startswith(f'{self.path}:{line}: '), message)
        self.assertIn(says, message)

    def test_a_misspelt_fact_of_mpi(self):
        self.expect(f'[p2p]\n{SEND} snet=count*type\n', 2, 'unknown fact: snet=')

    def test_a_misspelt_parameter_of_mpi(self):
        self.expect(f'[p2p]\n\n{SEND} sent=cuont*type\n', 3, 'sent= names cuont')
        self.expect(f'{SEND} frees=requset\n', 1, 'frees= names requset')
        self.expect(f'{SEND} received=status\n', 1, 'no parameter is a status')
        self.expect('int MPI_X(int n, in int list[m]) : local\n', 1, 'the length of list names m')
        self.expect('int MPI_X(out int a?falg, out int flag) : local\n', 1, 'the flag of a names falg')

    def test_what_is_in_place(self):
        self.expect(f'{GATHER} in-place=sendbuff sent=scount*stype\n', 1, 'in-place=sendbuff')
        self.expect(f'{GATHER} sent=scount*stype|0\n', 1, 'a second term')

    def test_a_function_that_stands_there_twice(self):
        self.expect(f'{SEND}\n{SEND}\n', 2, 'MPI_Send is already in line 1')

    def test_a_type_that_cannot_be_recorded(self):
        self.expect('int MPI_X(flaot x) : local\n', 1, 'no way to record the type flaot')

    def test_a_line_that_goes_on_with_none(self):
        self.expect('  int MPI_X(int x) : local\n', 1, 'none before it')
        self.expect('\n  int f(int a)\n', 2, 'none before it', level_table.read)

    def test_bytes_that_are_no_text(self):
        self.expect(b'level x\nint f(int a)\nint g(int \xff)\n', 3, 'no UTF-8', level_table.read)


if __name__ == '__main__':
    unittest.main()
