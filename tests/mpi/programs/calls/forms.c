/* Messages of MPI 4 between two ranks: partitioned messages, and messages on a communicator of a session. */
#include <mpi.h>

static int rank;

#if MPI_VERSION >= 4
/* Two messages of two partitions of 12 bytes each. */
static void partitioned(void)
{
    int data[6] = {0};
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(data, 2, 3, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(data, 2, 3, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        if (rank == 0) {
            MPI_Pready(1, request);
            MPI_Pready(0, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void session(void)
{
    int value = 0;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tests", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Barrier(comm);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
    else
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
    partitioned();
    session();
#endif
    MPI_Finalize();
    return MPI_VERSION >= 4 ? 0 : 77;
}
