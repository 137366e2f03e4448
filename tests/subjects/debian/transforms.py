"""Parallel Fourier transforms forth and back, mpi4py-fft."""

import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

world = MPI.COMM_WORLD
for shape in ((16, 18, 20), (32, 32, 32)):
    transform = PFFT(world, shape, axes=(0, 1, 2), dtype=float)
    there = newDistArray(transform, False)
    numpy.random.seed(world.rank)
    there[:] = numpy.random.random(there.shape)
    before = there.copy()
    for _ in range(5):
        hat = transform.forward(there)
        there = transform.backward(hat, there)
    worst = world.allreduce(float(abs(there - before).max()), op=MPI.MAX)
    if world.rank == 0:
        print(shape, worst < 1e-12)
    transform.destroy()
