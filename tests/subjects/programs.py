"""Programs of Debian for its default MPI: LAMMPS, HPC Challenge, PETSc's examples, mpi4py; and a program in modern Fortran."""

import os
import shutil
import subprocess

from subject import Case

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = 'lammps lammps-examples hpcc libpetsc-real-dev python3-mpi4py'
MELT = '/usr/share/lammps/examples/melt/in.melt'
# The tables of times at the end of LAMMPS' output, and a line of each kind before them.
LAMMPS_TIMES = (r'(?m)^(Loop time|Performance:|Total wall time:).*$', r'(?m)^.*(% CPU use|CPU = ).*$', r'(?m)^(Pair|Neigh|Comm|Output|Modify|Other) +\|.*$')
HPCC = '/usr/share/doc/hpcc/examples/_hpccinf.txt'
# HPC Challenge measures speed: every decimal number is a measurement, and the number of repetitions depends on the speed.
HPCC_TIMES = (r' *\d+(\.\d+(e[-+]?\d+)?|e[-+]?\d+)', r'(?m)^.*(clock ticks|microseconds|ping pong pairs|server pongs|Node selected).*$',
              r'(?m)^(Begin|End|Start|Current|Calendar|Wall).*$')
SOLVERS = '/usr/share/petsc/3.18/share/petsc/examples/src/ksp/ksp/tutorials'


def need(path):
    if not os.path.exists(path):
        raise SystemExit(f'{path} is missing: apt-get install {PACKAGES}')
    return path


def compiled(compiler, source, program, flags=()):
    subprocess.run([compiler, '-g', '-O2', source, '-o', program, *flags], check=True)
    return program


def cases(folder, mpi):
    os.makedirs(folder, exist_ok=True)
    if mpi == 'openmpi':
        yield from packaged(folder)
    heat = compiled(f'mpifort.{mpi}', os.path.join(HERE, 'heat.f90'), os.path.join(folder, f'heat-{mpi}'))
    for ranks in (2, 4):
        yield Case(f'heat, use mpi_f08, {ranks} ranks', [heat], ranks, folder)


def packaged(folder):
    for ranks in (2, 4):
        yield Case(f'LAMMPS melt, {ranks} ranks', ['lmp', '-log', 'none', '-in', need(MELT)], ranks, folder, timings=LAMMPS_TIMES)
    shutil.copy(need(HPCC), os.path.join(folder, 'hpccinf.txt'))
    report = os.path.join(folder, 'hpccoutf.txt')
    yield Case('HPC Challenge, 4 ranks', ['hpcc'], 4, folder, timings=HPCC_TIMES, written=report)
    petsc = subprocess.run(['pkg-config', '--cflags', '--libs', 'petsc'], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for example, arguments in (('ex2', '-m 60 -n 60 -ksp_monitor'), ('ex5', '-m 20 -ksp_monitor')):
        program = compiled('mpicc.openmpi', need(os.path.join(SOLVERS, f'{example}.c')), os.path.join(folder, example), petsc + ['-lm'])
        yield Case(f'PETSc ksp {example}, 4 ranks', [program] + arguments.split(), 4, folder)
    yield Case('mpi4py, 4 ranks', ['/usr/bin/python3', os.path.join(HERE, 'ring.py')], 4, folder)
