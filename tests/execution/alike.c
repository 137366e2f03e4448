/* Nobody knows from the executable how often the ring goes round, but it is the same for all ranks. Then a loop stores
 * into an array, how often is not known either: the variables beside it stay as they are. */
#include <mpi.h>
#include <stdlib.h>

static volatile int before, many[4096], after;

int main(int argc, char **argv)
{
    int rank, size, told = 0;
    volatile double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    before = argc + 20;
    after = argc + 30;
    int rounds = rand() % 10, stored = rand() % 4096;
    for (int i = 0; i < rounds; i++) {
        if (rand() % 2)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &told, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < stored; i++)
        many[i] = rand();
    for (int i = 0; i < before + after; i++)
        sum += many[i];
    MPI_Finalize();
    return 0;
}
