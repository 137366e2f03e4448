"""The smallest eigenvalues of a Laplace operator, slepc4py."""

import sys

import slepc4py

slepc4py.init(sys.argv)

from petsc4py import PETSc  # noqa: E402
from slepc4py import SLEPc  # noqa: E402

N = 400
matrix = PETSc.Mat().createAIJ([N, N], nnz=3)
matrix.setUp()
for row in range(*matrix.getOwnershipRange()):
    for column, value in ((row - 1, -1.0), (row, 2.0), (row + 1, -1.0)):
        if 0 <= column < N:
            matrix[row, column] = value
matrix.assemble()
solver = SLEPc.EPS().create()
solver.setOperators(matrix)
solver.setProblemType(SLEPc.EPS.ProblemType.HEP)
solver.setWhichEigenpairs(SLEPc.EPS.Which.LARGEST_REAL)
solver.setDimensions(4)
solver.solve()
PETSc.Sys.Print([round(solver.getEigenvalue(i).real, 6) for i in range(4)], solver.getIterationNumber())
