/* A linear system solved by PETSc's conjugate gradients: the second difference in one dimension, with a known solution
 * (all ones). Hiera is not used. */
#include <petscksp.h>

enum { N = 100 };

int main(int argc, char **argv)
{
    Mat a;
    Vec x, b, one;
    KSP ksp;
    PC pc;
    PetscInt first, last, iterations;
    PetscReal error;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, N, N, 3, NULL, 2, NULL, &a));
    PetscCall(MatGetOwnershipRange(a, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        PetscInt columns[3] = {i - 1, i, i + 1 < N ? i + 1 : -1}; /* PETSc ignores negative columns */
        PetscScalar values[3] = {-1, 2, -1};
        PetscCall(MatSetValues(a, 1, &i, 3, columns, values, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(a, &x, &b));
    PetscCall(VecDuplicate(x, &one));
    PetscCall(VecSet(one, 1.0));
    PetscCall(MatMult(a, one, b));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, a, a));
    PetscCall(KSPSetType(ksp, KSPCG));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCJACOBI));
    PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(VecAXPY(x, -1.0, one));
    PetscCall(VecNorm(x, NORM_INFINITY, &error));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations, right to %d digits\n", (int)iterations, error < 1e-7 ? 7 : 0));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&a));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&one));
    PetscCall(PetscFinalize());
    return error < 1e-7 ? 0 : 1;
}
