/* Nobody knows from the executable how often the loop is repeated, and which way is taken.
 * usage: draws [N]: with N, it is known. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    volatile double sum = 0;
    int n = argc > 1 ? atoi(argv[1]) : rand() % 1000, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++)
        sum += i;
    if (argc < 2 && rand() % 3 == 0)
        sum *= 2;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
