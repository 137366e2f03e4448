#!/usr/bin/env python3
"""Runs md and checks its physics: what must be conserved, what must not depend on the number of processes, and a
potential energy, virial and temperature worked out here a second time. Use: test_md.py --mpirun MPIRUN MD"""

import argparse
import math
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = 'step kinetic potential total temperature pressure displacement momentum'.split()

# A prime number of particles: the processes' blocks differ, and the crystal has vacancies.
SMALL = dict(particles=151, steps=100, interval=10, density=0.8442, temperature=1.44, timestep=0.004,
             cutoff=2.5, collisions=0, seed=11)
SMALL_BOX = (SMALL['particles'] / SMALL['density']) ** (1 / 3)

# Between numbers of processes only the order of float additions differs, 1e-7 of a force. One unit of time of chaotic
# motion lets that grow to some 1e-6 in an energy per particle; a lost or doubled pair would change it by 1e-2.
ROUNDING = 2e-5

options = argparse.Namespace()


def small_example():
    """md.in with a crystal of 4 x 6^3 particles, which takes a fifth of the time."""
    with open(os.path.join(HERE, 'md.in')) as file:
        return file.read().replace('2048', '864')


def environment():
    """Lets Open MPI run as root and with more processes than cores, and end those of a job that fails at once, not after two seconds; other
    MPIs do not look at it."""
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                OMPI_MCA_rmaps_base_oversubscribe='1', OMPI_MCA_odls_base_sigkill_timeout='0')


class Result:
    def __init__(self, process, folder):
        self.status = process.returncode
        self.output = process.stdout
        self.errors = [line for line in process.stderr.splitlines() if line.startswith('md: ')]
        lines = [line.split() for line in process.stdout.splitlines() if line and not line.startswith('#')]
        self.rows = [dict(zip(COLUMNS, map(float, line))) for line in lines]
        self.folder = folder

    def column(self, name):
        return [row[name] for row in self.rows]


class MolecularDynamics(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def run_text(self, text, processes=1, arguments=('test.in',)):
        if text is not None:
            with open(os.path.join(self.folder, 'test.in'), 'w') as file:
                file.write(text)
        command = [options.mpirun, '-n', str(processes), options.md, *arguments]
        process = subprocess.run(command, cwd=self.folder, env=environment(), text=True, timeout=120,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return Result(process, self.folder)

    def run_md(self, processes=1, **changes):
        parameters = {**SMALL, **changes}
        text = ''.join(f'{name} {value}\n' for name, value in parameters.items() if value is not None)
        result = self.run_text(text, processes)
        self.assertEqual((result.status, result.errors), (0, []))
        return result

    def frames(self):
        """All frames of the trajectory: lists of (x, y, z, vx, vy, vz)."""
        with open(os.path.join(self.folder, 'md.xyz')) as file:
            lines = file.read().splitlines()
        size = int(lines[0]) + 2
        self.assertEqual(len(lines) % size, 0)
        return [[tuple(map(float, line.split()[1:])) for line in lines[start + 2:start + size]]
                for start in range(0, len(lines), size)]


class Physics(MolecularDynamics):
    def test_the_example_conserves_energy_and_momentum(self):
        result = self.run_text(small_example(), 2)
        self.assertEqual(result.status, 0)
        self.assertEqual(result.column('step'), list(range(0, 200, 10)))
        total = result.column('total')
        drift = max(abs(energy - total[0]) for energy in total)
        self.assertLess(drift, 1e-3 * abs(total[0]))
        self.assertLess(max(result.column('momentum')), 1e-6)
        self.assertEqual([len(frame) for frame in self.frames()], [864] * 20)

    def test_half_the_time_step_has_a_quarter_of_the_error(self):
        def drift(**changes):
            total = self.run_md(interval=1, **changes).column('total')
            return max(abs(energy - total[0]) for energy in total)
        ratio = drift(steps=50) / drift(steps=100, timestep=0.002)
        self.assertAlmostEqual(ratio, 4, delta=0.8)

    def test_every_snapshot_agrees_with_a_second_computation(self):
        result = self.run_md(4, trajectory='md.xyz')
        box = SMALL_BOX
        for row, frame in zip(result.rows, self.frames(), strict=True):
            n = len(frame)
            potential, virial = pair_sums([particle[:3] for particle in frame], box, SMALL['cutoff'])
            kinetic = sum(0.5 * v * v for particle in frame for v in particle[3:])
            self.assertAlmostEqual(row['potential'], potential / n, delta=ROUNDING)
            self.assertAlmostEqual(row['kinetic'], kinetic / n, delta=ROUNDING)
            self.assertAlmostEqual(row['temperature'], 2 * kinetic / (3 * n - 3), delta=ROUNDING)
            self.assertAlmostEqual(row['pressure'], (2 * kinetic + virial) / (3 * box ** 3), delta=20 * ROUNDING)

    def test_displacement_grows_no_faster_than_particles_move_even_through_the_wall_of_the_box(self):
        rows = self.run_md(4, interval=1, trajectory='md.xyz').rows
        frames = self.frames()
        crossings = sum(abs(x - y) > SMALL_BOX / 2 for old, new in zip(frames, frames[1:])
                        for a, b in zip(old, new) for x, y in zip(a[:3], b[:3]))
        self.assertGreater(crossings, 0)
        for row, after in zip(rows, rows[1:]):
            growth = abs(math.sqrt(after['displacement']) - math.sqrt(row['displacement']))
            speed = math.sqrt(2 * max(row['kinetic'], after['kinetic']))
            self.assertLessEqual(growth, 1.1 * SMALL['timestep'] * speed, f"step {row['step']}")

    def test_results_do_not_depend_on_the_number_of_processes(self):
        alone = self.run_md(1)
        for processes in 2, 3, 4, 6:
            together = self.run_md(processes)
            self.assertEqual(len(together.rows), len(alone.rows))
            for row, expected in zip(together.rows, alone.rows):
                for name in 'kinetic', 'potential', 'total', 'displacement':
                    self.assertAlmostEqual(row[name], expected[name], delta=ROUNDING,
                                           msg=f"{name} in step {row['step']} of {processes} processes")

    def test_the_heat_bath_sets_the_temperature_and_is_the_same_for_any_number_of_processes(self):
        changes = dict(collisions=100, steps=300, temperature=0.9)
        alone, together = self.run_md(1, **changes), self.run_md(4, **changes)
        last = alone.column('temperature')[-10:]
        self.assertAlmostEqual(sum(last) / len(last), 0.9, delta=0.06)  # spread of such a mean: 0.02
        for row, expected in zip(together.rows, alone.rows, strict=True):
            self.assertAlmostEqual(row['total'], expected['total'], delta=ROUNDING)

    def test_two_particles_on_six_processes(self):
        result = self.run_md(6, particles=2, density=0.01, interval=50)
        self.assertEqual(len(result.rows), 2)
        self.assertAlmostEqual(result.rows[0]['temperature'], 1.44, delta=1e-5)


class BadInput(MolecularDynamics):
    good = ''.join(f'{name} {value}\n' for name, value in SMALL.items())

    def expect(self, message, text, processes=2, arguments=('test.in',)):
        result = self.run_text(text, processes, arguments)
        self.assertEqual(result.errors, [message])
        self.assertNotEqual(result.status, 0)
        self.assertEqual(result.output, '')

    def test_each_mistake_is_told_with_its_line(self):
        mistakes = [
            ('seed 11', 'sed 11', "9: unknown parameter 'sed'"),
            ('steps 100', 'steps', '2: steps has no value'),
            ('steps 100', 'steps 1 2', '2: steps has more than one value'),
            ('steps 100', 'steps ten', "2: steps must be a whole number, not 'ten'"),
            ('steps 100', 'steps 1.5', "2: steps must be a whole number, not '1.5'"),
            ('steps 100', 'steps 0', '2: steps must be between 1 and 1000000000, not 0'),
            ('density 0.8442', 'density nan', '4: density must be between 1e-09 and 1000000000, not nan'),
            ('seed 11', 'steps 100', '9: steps was already given in line 2'),
            ('seed 11', '', '9: seed is missing'),
            ('cutoff 2.5', 'cutoff 3', f'7: cutoff must be at most half the box, {SMALL_BOX / 2:.4f}'),
            ('collisions 0', 'collisions 300', '8: collisions must be at most one per time step, 250'),
        ]
        for old, new, message in mistakes:
            with self.subTest(new):
                self.expect('md: test.in:' + message, self.good.replace(old, new))

    def test_files_that_cannot_be_opened(self):
        self.expect('md: nowhere.in: No such file or directory', None, arguments=('nowhere.in',))
        self.expect('md: none/md.xyz: No such file or directory', self.good + 'trajectory none/md.xyz\n')

    def test_too_many_arguments(self):
        self.expect('md: usage: md [INPUT]', self.good, arguments=('test.in', 'more'))


def pair_sums(positions, box, cutoff):
    """Potential energy and virial of force-shifted Lennard-Jones particles, straight from the formulas."""
    def energy(r):
        return 4 * (r ** -12 - r ** -6)

    def force(r):
        return 24 * (2 * r ** -13 - r ** -7)

    potential = virial = 0
    for i, a in enumerate(positions):
        for b in positions[:i]:
            r = math.sqrt(sum(((x - y + box / 2) % box - box / 2) ** 2 for x, y in zip(a, b)))
            if r < cutoff:
                potential += energy(r) - energy(cutoff) + (r - cutoff) * force(cutoff)
                virial += r * (force(r) - force(cutoff))
    return potential, virial


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('md')
    options, rest = parser.parse_known_args(namespace=options)
    options.md = os.path.abspath(options.md)
    unittest.main(argv=['test_md.py', *rest], verbosity=2)
