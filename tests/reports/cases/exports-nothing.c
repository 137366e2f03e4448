/* ingredient: a program at a fixed address that exports nothing: the table of its symbols is empty, so nobody saw what it asks for
 * source: found from outside, siblings of R1 and A3
 * needs: gfortran
 * mpi: openmpi
 * build: for s in gnu sysv both; do mpicc -g -no-pie -Wl,--hash-style=$s -I$CASES/../../../collector -I$CASES/../../.. %f -o app-$s; done
 * build: printf 'program p\n use mpi\n integer :: e, n\n call mpi_init(e)\n call mpi_comm_size(mpi_comm_world, n, e)\n call mpi_barrier(mpi_comm_world, e)\n print *, n\n call mpi_finalize(e)\nend program\n' > f.f90; mpifort -g -no-pie -Wl,--hash-style=gnu f.f90 -o app-f
 * run: for s in gnu sysv both f; do hiera-run --dir=traces-$s mpirun -n 2 ./app-$s; done; hiera-run mpirun -n 2 ./app-gnu
 * expect: calls barrier 2
 * expect: never no trace
 * expect: answer for s in gnu sysv both f; do hiera-transform traces-$s --measure counts --format csv --quiet; done => (?s)(barrier,2.*){4}
 * expect: answer for s in gnu sysv both; do HIERA_TRACE=0 hiera-run --assertions mpirun -n 2 ./app-$s; done => (?s)(exports-nothing.c:\d+ +ok +2 .*){3}
 */
#include <hiera.h>
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    {
        HIERA_ASSERT("calls(\"barrier\") == 1");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
