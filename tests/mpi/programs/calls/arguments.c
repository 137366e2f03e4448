/* Calls with arguments that MPI forbids, each with a corrected twin. The case reads from this file which lines must have a
 * finding: WRONG, severity, what it says. No other line may have one. Errors are returned, so that the program goes on;
 * with the argument `ends` MPI ends it. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int n, size, base[100];
static MPI_Comm world, made;
static MPI_Datatype wrong_type, right_type;

static void messages(void)
{
    MPI_Send(&n, -1, MPI_INT, MPI_PROC_NULL, 0, world); /* WRONG note argument 2, count = -1 */
    MPI_Send(&n, 0, MPI_INT, MPI_PROC_NULL, 0, world);
    MPI_Send(&n, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, world); /* WRONG note argument 3, datatype = MPI_DATATYPE_NULL */
    MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 0, world);
    MPI_Send(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, world); /* WRONG note argument 4, dest = MPI_ANY_SOURCE */
    MPI_Recv(&n, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
    MPI_Send(&n, 1, MPI_INT, 0, MPI_ANY_TAG, world); /* WRONG note argument 5, tag = MPI_ANY_TAG */
    MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_NULL); /* WRONG note argument 6, comm = MPI_COMM_NULL */
    MPI_Send(&n, 1, wrong_type, MPI_PROC_NULL, 0, world); /* WRONG note is not committed; type_vector */
    MPI_Send(&n, 1, right_type, MPI_PROC_NULL, 0, world);
}

static void collectives(void)
{
    int sum;
    MPI_Bcast(&n, 1, MPI_INT, size, world); /* WRONG note argument 4, root = */
    MPI_Bcast(&n, 1, MPI_INT, MPI_PROC_NULL, world); /* WRONG note argument 4, root = MPI_PROC_NULL */
    MPI_Bcast(&n, 1, MPI_INT, size - 1, world);
    MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_OP_NULL, world); /* WRONG note argument 5, op = MPI_OP_NULL */
    MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, world);
}

static void objects(void)
{
    int places[2] = {size, 1}, periods[2] = {0, 0};
    MPI_Datatype type;
    MPI_Cart_create(world, 2, places, periods, 0, &made);
    MPI_Comm_free(&made);
    MPI_Type_vector(2, -1, 2, MPI_INT, &type); /* WRONG note argument 2, blocklength = -1 */
    MPI_Comm_split(world, MPI_UNDEFINED, 0, &made);
}

/* The window ends before the memory does, so that whatever an MPI does here harms nobody. */
static void windows(void)
{
    MPI_Win win;
    MPI_Win_create(base, 40, 0, MPI_INFO_NULL, world, &win); /* WRONG note argument 3, disp_unit = 0 */
    MPI_Win_create(base, 40, 4, MPI_INFO_NULL, world, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Put(base + 50, 5, MPI_INT, 0, 5, 5, MPI_INT, win);
    MPI_Put(base + 60, 5, MPI_INT, 0, 6, 5, MPI_INT, win); /* WRONG \w+ argument 5, target_disp = 6, leaves the window */
    MPI_Get(base + 70, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Objects that MPI still has, for what is not complete: so their handles harm nobody after they are freed. */
static void freed(void)
{
    MPI_Datatype type, old_type, twin;
    MPI_Comm comm, old_comm;
    MPI_Request requests[2];
    MPI_Aint lower, extent;
    int from[2] = {0, 0}, to[2], is_inter;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Irecv(to, 1, type, 0, 0, comm, &requests[0]);
    MPI_Isend(from, 1, type, 0, 0, comm, &requests[1]);
    MPI_Type_dup(type, &twin);
    old_type = type;
    old_comm = comm;
    MPI_Type_get_extent(old_type, &lower, &extent);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Type_get_extent(old_type, &lower, &extent); /* WRONG \w+ argument 1, datatype = P\d_dtype\d+, was freed.*type_free */
    MPI_Comm_test_inter(old_comm, &is_inter); /* WRONG \w+ argument 1, comm = P\d_comm[\d.]+, was freed.*comm_free */
    MPI_Type_get_extent(twin, &lower, &extent);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&twin);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_size(world, &size);
    if (argc > 1 && strcmp(argv[1], "ends") == 0)
        MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 0, (MPI_Comm)made); /* the null handle of no MPI */
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Type_vector(2, 1, 2, MPI_INT, &wrong_type);
    MPI_Type_vector(2, 1, 2, MPI_INT, &right_type);
    MPI_Type_commit(&right_type);
    messages();
    collectives();
    objects();
    windows();
    freed();
    MPI_Type_free(&wrong_type);
    MPI_Type_free(&right_type);
    MPI_Finalize();
    return 0;
}
