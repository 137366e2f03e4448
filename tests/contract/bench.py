#!/usr/bin/env python3
"""Check the benchmark: bench.py [GENERATE HIERA_TRANSFORM]. Its arithmetic is compared with known answers. With the two
programs, its generated traces must be valid, completely matched, and the same in both encodings."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as etree

import contract

sys.path.insert(0, os.path.join(contract.TOP, 'bench'))

from measuring.numbers import differences, exponent  # noqa: E402
from measuring.plot import drawing  # noqa: E402
from measuring.targets import TARGETS, judge  # noqa: E402

PROGRAMS = []


def report_with(all_in):
    """A report in which `self` (full encoding) added this many nanoseconds, and EZTrace 200. In three turns, the loop had half, once and twice of that
    where floors were 100, 100 and 400."""
    tools = {name: {key: {'median': ns, 'min': ns, 'max': ns} for key in ('loop', 'all', 'mb', 'faults', 'bytes')}
             for name, ns in (('full', all_in), ('EZTrace', 200))}
    tools['full'].update(bytes={'median': 170}, loops=[all_in / 2, all_in, 2 * all_in])
    floors = [{'two counter reads': 20 * times, 'store 64 B, fresh pages': 30 * times, 'format 170 B by hand': 10 * times, 'write 170 B in blocks': 40 * times}
              for times in (1, 1, 4)]
    return {'mpi': 'a', 'workloads': [{'workload': 'self', 'mpi': 'a', 'floors': floors, 'tools': tools}], 'memory': None,
            'analyser': None, 'graph': None, 'measures': None, 'lammps': None, 'rules': None}


class Numbers(unittest.TestCase):
    def test_exponents_of_powers_are_found(self):
        for power in (0, 0.5, 1, 2):
            self.assertAlmostEqual(exponent([(x, 3 * x ** power) for x in (10, 100, 1000)]), power)

    def test_one_point_has_no_exponent(self):
        self.assertIsNone(exponent([(10, 1)]))
        self.assertIsNone(exponent([(10, 0), (100, -1)]))

    def test_differences_are_those_of_pairs(self):
        found = differences([{'ns': 10}, {'ns': 20}, {'ns': 30}], [{'ns': 11}, {'ns': 25}, {'ns': 33}], 'ns')
        self.assertEqual([found[key] for key in ('median', 'min', 'max', 'n')], [3, 1, 5, 3])


class Targets(unittest.TestCase):
    def verdicts(self, all_in):
        rows = judge(report_with(all_in))
        self.assertEqual(len(rows), len(TARGETS))
        return {row['what']: (row['met'], row['ratio']) for row in rows}

    def test_a_target_is_met_up_to_its_value(self):
        self.assertEqual(self.verdicts(150)['added ns per MPI call, all in, full'], (True, 0.75))
        self.assertEqual(self.verdicts(151)['added ns per MPI call, all in, full'][0], False)

    def test_the_peer_is_of_the_same_run(self):
        self.assertEqual(self.verdicts(140)['… times that of EZTrace, full'][0], True)
        self.assertEqual(self.verdicts(142)['… times that of EZTrace, full'][0], False)

    def test_floors_are_those_of_the_turn(self):
        row = 'MPI call in the loop, times the sum of floors, full'
        self.assertEqual(self.verdicts(220)[row][0], True)
        self.assertEqual(self.verdicts(222)[row][0], False)
        found = next(find for what, _, _, find, _ in TARGETS if what == row)(report_with(100))
        self.assertEqual([found[key] for key in ('median', 'min', 'max')], [0.5, 0.5, 1.0])

    def test_what_was_not_measured_is_not_judged(self):
        verdicts = self.verdicts(150)
        self.assertEqual(verdicts['added ns per MPI call, all in, compact'], (None, None))
        self.assertEqual(verdicts['walk-partners, whole, s, full'], (None, None))


class Plot(unittest.TestCase):
    def test_it_has_a_panel_for_each_curve_with_points(self):
        curves = [('a & b', [(10, 1.0), (100, 10.0)]), ('none', [])]
        svg = etree.fromstring(drawing([('<one>', 'calls', curves), ('two', 'calls', [('none', [])])], 'title'))
        texts = [''.join(text.itertext()) for text in svg.iter('{http://www.w3.org/2000/svg}text')]
        self.assertIn('<one>', texts)
        self.assertIn('a & b', texts)
        self.assertNotIn('two', texts)


class Generated(unittest.TestCase):
    CALLS = 200  # of each rank: 2 steps of 96 calls of ping-pong, irecv, isend, waitall, allreduce

    def traces(self, folder, ranks, encoding):
        place = os.path.join(folder, f'{encoding}{ranks}')
        os.mkdir(place)
        subprocess.run([PROGRAMS[0], place, str(ranks), str(self.CALLS), encoding], check=True)
        return [os.path.join(place, f'trace{rank}.xml') for rank in range(ranks)]

    def ask(self, traces, *words):
        done = subprocess.run([PROGRAMS[1], *words, *traces], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def setUp(self):
        if not PROGRAMS:
            self.skipTest('no hiera-transform')

    def test_traces_are_valid_and_matched_in_both_encodings(self):
        for ranks in (2, 4, 6):
            with self.subTest(ranks=ranks), tempfile.TemporaryDirectory() as folder:
                answers = []
                for encoding in ('full', 'compact'):
                    traces = self.traces(folder, ranks, encoding)
                    self.assertIn('errors: 0; warnings: 0; notes: 0', self.ask(traces, '--validate'))
                    answers.append(self.ask(traces, '--measure', 'counts,walk-partners', '--format', 'csv'))
                self.assertEqual(answers[0], answers[1])
                for row in (f'mpi,send,{96 * ranks}', f'mpi,waitall,{2 * ranks}', f'app,step,{2 * ranks}'):
                    self.assertIn(row, answers[0])

    def test_odd_ranks_are_refused(self):
        done = subprocess.run([PROGRAMS[0], '.', '3', '100'], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('even', done.stderr)


if __name__ == '__main__':
    PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1], verbosity=1)
