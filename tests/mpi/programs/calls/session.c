/* MPI with several sessions and without MPI_Init; sessions overlap, because MPICH 4.0.2 cannot start again after the
 * last one has ended. With the argument `init`, MPI_Init is called too. */
#include <mpi.h>
#include <stdio.h>

static void work(const char *tag)
{
    MPI_Session session;
    MPI_Group world, rest;
    MPI_Comm comm, copy, few;
    int rank, size, sum;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &sum, 1, MPI_INT, (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
    MPI_Comm_dup(comm, &copy);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Group_incl(world, 1, &(int){size - 1}, &rest);
    if (rank == size - 1) {
        MPI_Comm_create_from_group(rest, "last", MPI_INFO_NULL, MPI_ERRORS_RETURN, &few);
        MPI_Barrier(few);
        MPI_Comm_free(&few);
    }
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Group_free(&rest);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
    printf("%d", sum == size * (size - 1) / 2);
}

int main(int argc, char **argv)
{
    MPI_Session outer, other;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &outer);
    work("first");
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    MPI_Session_finalize(&outer);
    if (argc > 1) {
        MPI_Init(&argc, &argv);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    work("second");
    if (argc > 1)
        MPI_Finalize();
    MPI_Session_finalize(&other);
    return 0;
}
