#!/usr/bin/env python3
"""A program with the ABI of MPI 5.0, above MPICH, has the traces that it has with MPICH itself: test_abi.py MPIRUN HIERA_RUN LIBHIERA_ABI LIBHIERA_MPICH PROGRAM_ABI
PROGRAM_MPICH LINKED LOADER MODULE [HIERA_PREDICT]."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'mpi'))

from cases.guest import ended  # noqa: E402
from expect.trace import Trace, validate  # noqa: E402

MPIRUN, HIERA_RUN, ABI, MPICH, OF_ABI, OF_MPICH, LINKED, LOADER, MODULE, *PREDICT = map(os.path.abspath, sys.argv[1:])
del sys.argv[1:]
RANKS = 3
OWN = ('abi_get_version', 'comm_toint', 'comm_fromint')  # operations that only the ABI has
# Settings of the caller are not those of the test.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith('HIERA_') and name != 'LD_PRELOAD'}
DIFFERENT = ('start_time', 'finish_time', 'line', 'argv', 'required', 'provided')  # the last two: numbers of MPI_THREAD_FUNNELED


class Abi(unittest.TestCase):
    maxDiff = 3000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_in(self, name, *command, ranks=1, **settings):
        """The traces of a command, by rank; it prints `done` and no message."""
        traces = os.path.join(self.folder, name)
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100,
                             env={**CLEAN, 'HIERA_DIR': traces, 'HIERA_FILTER': '', 'HIERA_SUMMARY': '0', **settings})
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, 'done\n', ''))
        paths = sorted(glob.glob(os.path.join(traces, 'trace*.xml')))
        self.assertEqual(len(paths), ranks)
        validate(paths)
        return [Trace(path) for path in paths]

    def alone(self, name, *command, **settings):
        """The traces of one rank have its calls."""
        trace, = self.run_in(name, *command, **settings)
        self.assertEqual(len(trace.all(operation='allreduce')), 2, name)
        return trace

    def test_traces_are_those_of_mpich(self):
        seen = []
        for name, program in (('abi', OF_ABI), ('mpich', OF_MPICH)):
            traces = self.run_in(name, HIERA_RUN, '--quiet', MPIRUN, '-n', str(RANKS), program, ranks=RANKS)
            for trace in traces:
                trace.check_sound()
                self.assertEqual((trace.lost(), [e.get('operation') for e in trace.all() if e.get('error')]), ({}, []))
            seen.append([([{k: v for k, v in e.items() if k not in DIFFERENT} for _, e in trace.operations() if e.get('operation') not in OWN],
                          trace.comms(), trace.types()) for trace in traces])
            own = [e.get('operation') for e in traces[0].all() if e.get('operation') in OWN]
            self.assertEqual(own, ['abi_get_version', 'comm_toint', 'comm_fromint'] if name == 'abi' else [])
        for rank, (with_abi, with_mpich) in enumerate(zip(*seen)):
            self.assertGreater(len(with_abi[0]), 20)
            self.assertEqual(with_abi, with_mpich, f'rank {rank}')

    def test_each_program_gets_the_library_for_its_mpi(self):
        self.alone('abi', OF_ABI, LD_PRELOAD=MPICH)
        self.alone('mpich', OF_MPICH, LD_PRELOAD=ABI)

    def test_calls_that_are_only_counted(self):
        self.alone('env', OF_ABI, LD_PRELOAD=ABI, HIERA_FILTER='env')

    def test_a_program_that_is_linked_with_it(self):
        self.alone('linked', LINKED)

    def fatal(self, name, command, **settings):
        """What ended a process, by its trace."""
        traces = os.path.join(self.folder, name)
        run = subprocess.run([*command, 'fatal'], capture_output=True, text=True, check=False, timeout=100, env={**CLEAN, 'HIERA_DIR': traces, **settings})
        self.assertEqual((run.returncode > 0, run.stderr.startswith('MPI_Send: error ')), (True, True), run.stderr)
        paths = glob.glob(os.path.join(traces, 'trace*.xml'))
        validate(paths)
        trace = Trace(paths[0])
        self.assertEqual([e.get('operation') for _, e in trace.operations() if not e.get('finish_time')], ['send'])
        return ended(trace)

    def test_the_counters_of_mpi_are_listed(self):
        lists = []
        for program, settings in ((OF_ABI, {}), (OF_MPICH, {}), (OF_ABI, {'LAYER_OPEN_MPI': '6'})):
            run = subprocess.run([HIERA_RUN, '--counters', program, 'mpi:*'], capture_output=True, text=True, check=False, env={**CLEAN, **settings})
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            lists.append(run.stdout)
        self.assertIn('mpi:cvar/', lists[0])
        self.assertEqual(lists[0], lists[1])
        self.assertEqual(['Open MPI takes handles of the ABI for its own' in ' '.join(one.split()) for one in lists], [False, False, True])

    def test_the_error_that_ends_the_program(self):
        self.assertEqual(self.fatal('mpich', [OF_ABI], LD_PRELOAD=ABI), ('MPI error', '6', 'MPI_ERR_RANK'))
        self.assertEqual(self.fatal('module', [LOADER, MODULE], LD_PRELOAD=ABI), ('MPI error', '6', 'MPI_ERR_RANK'))
        for of_open_mpi, of_abi, name in ((6, '6', 'MPI_ERR_RANK'), (18, '19', 'MPI_ERR_IN_STATUS'), (53, '56', 'MPI_ERR_WIN'), (75, '14', 'MPI_ERR_UNKNOWN')):
            self.assertEqual(self.fatal(f'openmpi{of_open_mpi}', [OF_ABI], LD_PRELOAD=ABI, LAYER_OPEN_MPI=str(of_open_mpi)), ('MPI error', of_abi, name))

    def test_an_error_that_the_program_handles(self):
        for settings in ({}, {'LAYER_OPEN_MPI': '6'}):
            self.assertIsNone(ended(self.alone(f'handled{len(settings)}', OF_ABI, 'handled', LD_PRELOAD=ABI, **settings)))

    def test_a_module_that_loads_mpi_for_itself(self):
        self.alone('module', LOADER, MODULE, LD_PRELOAD=ABI)
        self.alone('now', LOADER, MODULE, LD_PRELOAD=ABI, LD_BIND_NOW='1')

    @unittest.skipUnless(PREDICT, 'hiera-predict is not built')
    def test_its_executable_is_not_read_as_one_of_another_mpi(self):
        run = subprocess.run([*PREDICT, 'executable', OF_ABI, '--processes', '2'], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertIn('libmpi_abi.so', run.stderr)

    def test_a_process_without_mpi(self):
        for settings in ({}, {'LD_BIND_NOW': '1'}):
            run = subprocess.run(['/bin/sh', '-c', 'echo done'], capture_output=True, text=True, check=True,
                                 env={**CLEAN, 'HIERA_DIR': self.folder, 'LD_PRELOAD': ABI, **settings})
            self.assertEqual((run.stdout, run.stderr, os.listdir(self.folder)), ('done\n', '', []))


if __name__ == '__main__':
    unittest.main()
