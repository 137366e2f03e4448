/* Rank 0 tells the others numbers, with types that are asked for by their size, or by what Fortran wants of them. Each
 * other rank sends it as many messages as they and the sizes of these types say: 4 + 5 + 8 + 4 + 8. */
#include <mpi.h>

int main(int argc, char **argv)
{
    struct {
        int told[3], behind;
    } own = {{0, 0, 0}, 5};
    int rank, size, real, integer, complex, message = 0;
    MPI_Datatype basic, vector, made[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3 && rank == 0; i++)
        own.told[i] = 3 + i;
    for (int i = 0; i < 2; i++) {
        MPI_Type_match_size(MPI_TYPECLASS_INTEGER, sizeof(int), &basic);
        MPI_Type_vector(1, 3, 3, basic, &vector);
        MPI_Type_commit(&vector);
        MPI_Bcast(own.told, 1, vector, 0, MPI_COMM_WORLD);
        MPI_Type_free(&vector);
    }
    MPI_Type_create_f90_real(15, 307, &made[0]);
    MPI_Type_create_f90_integer(9, &made[1]);
    MPI_Type_create_f90_complex(6, 37, &made[2]);
    MPI_Type_size(made[0], &real);
    MPI_Type_size(made[1], &integer);
    MPI_Type_size(made[2], &complex);
    for (int i = 0; i < own.told[1] + own.behind + real + integer + complex; i++)
        for (int other = 1; other < size; other++) {
            if (rank == 0)
                MPI_Recv(&message, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (rank == other)
                MPI_Send(&message, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
