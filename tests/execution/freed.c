/* Makes and frees types, or groups, again and again. usage: freed TIMES [groups] */
#include <mpi.h>
#include <stdlib.h>

enum { BLOCKS = 20000 };

static int lengths[BLOCKS], places[BLOCKS];

int main(int argc, char **argv)
{
    long times = argc > 1 ? strtol(argv[1], NULL, 10) : 2;
    int rank, size, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < BLOCKS; i++) {
        lengths[i] = 1;
        places[i] = 2 * i;
    }
    for (long i = 0; i < times; i++) {
        MPI_Datatype type;
        MPI_Group all, others;
        if (argc < 3) {
            MPI_Type_indexed(BLOCKS, lengths, places, MPI_INT, &type);
            MPI_Type_free(&type);
            continue;
        }
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_excl(all, 1, &first, &others);
        MPI_Group_free(&others);
        MPI_Group_free(&all);
    }
    MPI_Finalize();
    return 0;
}
