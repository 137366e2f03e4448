/* wrong WAY: programs with one mistake each, on two ranks. None of them hangs: messages that nobody receives are
 * small. */
#include <mpi.h>

#include <string.h>

static int rank, data[64];
static MPI_Request request;

static void unmatched_send(void)
{
    if (rank == 0)
        MPI_Send(data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
}

static void truncation(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(data, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Each rank is the root of its own broadcast and not the root of its reduction, so both calls only send. */
static void order(void)
{
    if (rank == 0) {
        MPI_Bcast(data, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Reduce(data, data + 1, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(data, data + 1, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(data, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
}

static void root(void)
{
    MPI_Bcast(data, 1, MPI_INT, rank, MPI_COMM_WORLD);
}

/* The root expects more data than the ranks send. MPI does not report it. */
static void sizes(void)
{
    int counts[2] = {1, 3}, places[2] = {0, 4};
    MPI_Gatherv(data, 1 + rank, MPI_INT, data + 8, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
}

/* The request is freed before its message has come: it is matched, but its end is not known. */
static void freed(void)
{
    if (rank == 0) {
        MPI_Irecv(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void add(void *from, void *to, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

static void leaks(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Group all, one, none;
    MPI_Op op;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &rank, &one);
    MPI_Group_difference(one, all, &none); /* MPI_GROUP_EMPTY */
    MPI_Group_free(&all);
    MPI_Op_create(add, 1, &op);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(2, MPI_INT, &type);
    if (rank == 0)
        MPI_Isend(data, 1, MPI_INT, 1, 0, comm, &request);
    else
        MPI_Recv(data, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
}

/* MPI returns an error and the program goes on. */
static void epochs(void)
{
    MPI_Win win;
    MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Put(data, 1, MPI_INT, rank, 1, 1, MPI_INT, win); /* before any epoch */
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"unmatched-send", unmatched_send}, {"truncation", truncation}, {"order", order}, {"root", root},
                {"sizes", sizes}, {"freed", freed}, {"leaks", leaks}, {"epochs", epochs}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    }
    MPI_Finalize();
    return 0;
}
