#!/usr/bin/env python3
"""The OOPS version computes what the MPI version does. Use: test_oops.py --mpirun MPIRUN MD MD_OOPS"""

import argparse
import os
import unittest

import test_md
from test_md import ROUNDING, SMALL

options = test_md.options


class Oops(test_md.MolecularDynamics):
    """Runs both programs."""

    def run_with(self, program, processes, **changes):
        options.md = program
        return self.run_md(processes, trajectory='md.xyz', **changes), self.frames()

    def compare(self, processes, **changes):
        plain, plain_frames = self.run_with(options.plain, processes, **changes)
        oops, oops_frames = self.run_with(options.oops, processes, **changes)
        for row, expected in zip(oops.rows, plain.rows, strict=True):
            for name in 'step', 'kinetic', 'potential', 'total', 'temperature', 'pressure', 'displacement':
                self.assertAlmostEqual(row[name], expected[name], delta=ROUNDING * (20 if name == 'pressure' else 1),
                                       msg=f"{name} in step {row['step']} of {processes} processes")
        for frame, expected in zip(oops_frames, plain_frames, strict=True):
            for particle, same in zip(frame, expected, strict=True):
                for mine, yours in zip(particle[:6], same, strict=True):
                    self.assertAlmostEqual(mine, yours, delta=1e-3)
        return oops_frames

    def test_results_are_those_of_the_mpi_version(self):
        for processes in 1, 3, 4:  # 151 particles: blocks differ; 3: the grid has one row
            self.compare(processes, steps=12, interval=4)

    def test_with_a_heat_bath_and_fewer_particles_than_processes(self):
        self.compare(4, particles=3, density=0.01, steps=10, interval=3, collisions=50)

    def test_forces_in_the_trajectory_are_those_of_the_frame(self):
        """Actio is reactio; and half a step's force is what the velocity gains between frames of neighbouring steps."""
        frames = self.compare(2, steps=4, interval=1)
        for frame in frames:
            for k in 6, 7, 8:
                self.assertAlmostEqual(sum(particle[k] for particle in frame), 0, delta=1e-2)
            self.assertGreater(max(abs(particle[6]) for particle in frame), 1)
        half = SMALL['timestep'] / 2
        for before, after in zip(frames, frames[1:]):
            for old, new in zip(before, after, strict=True):
                for k in 3, 4, 5:
                    self.assertAlmostEqual(new[k], old[k] + half * (old[k + 3] + new[k + 3]), delta=1e-4)

    def test_mistakes_are_told_and_end_all_processes(self):
        options.md = options.oops
        result = self.run_text('sed 1\n', 3)
        self.assertEqual((result.errors, result.output), (["md: test.in:1: unknown parameter 'sed'"], ''))
        self.assertNotEqual(result.status, 0)
        result = self.run_text('', 2, arguments=('nowhere.in',))
        self.assertEqual(result.errors, ['md: nowhere.in: No such file or directory'])
        self.assertNotEqual(result.status, 0)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('md')
    parser.add_argument('md_oops')
    arguments, rest = parser.parse_known_args()
    options.mpirun, options.plain, options.oops = arguments.mpirun, os.path.abspath(arguments.md), os.path.abspath(arguments.md_oops)
    os.environ['HIERA_ENABLED'] = '0'
    unittest.main(argv=['test_oops.py', *rest], verbosity=2)
