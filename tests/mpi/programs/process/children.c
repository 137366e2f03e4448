/* Spawns this program twice, one job after the other. Each child gets a message and meets its parents at a
 * barrier. */
#include <mpi.h>
#include <stddef.h>

enum { CHILDREN = 2 };

static void start(char *path, int rank)
{
    char child[] = "child", *arguments[] = {child, NULL};
    MPI_Comm children;
    MPI_Comm_spawn(path, arguments, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    for (int i = 0; i < CHILDREN && rank == 0; i++)
        MPI_Send(&i, 1, MPI_INT, i, 7, children);
    MPI_Barrier(children);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    int rank, number;
    MPI_Comm parents;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL) {
        start(argv[0], rank);
        start(argv[0], rank);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 7, parents, MPI_STATUS_IGNORE);
        MPI_Barrier(parents);
        MPI_Comm_disconnect(&parents);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
