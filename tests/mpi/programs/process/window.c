/* For HIERA_MODE=window: messages and collectives whose number is their size, so that a wrong partner shows, on ranks that
 * record at different rates and so begin their windows at different places.
 *
 * Arguments: number of steps; "kill": each rank ends by SIGKILL after them; "short": no file can become longer than 500 kB. */
#include <hiera.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 1 << 12, AHEAD = 3 };

static int rank, size;
static char out[MOST], in[AHEAD + 1][MOST];

/* Bytes of the n-th message. */
static int bytes_of(int n)
{
    return 1 + n % (MOST - 1);
}

/* To the right, with a tag of its own for each third; received from the left, from anybody with any tag. */
static void ring(MPI_Comm comm, int n)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Status status;
    HIERA_REGION("app", "ring", "n=%d", n);
    MPI_Sendrecv(out, bytes_of(n), MPI_BYTE, right, n % 3, in[0], MOST, MPI_BYTE, left, n % 3, comm, &status);
    MPI_Send(out, bytes_of(n), MPI_BYTE, MPI_PROC_NULL, 0, comm);
}

/* Requests that stay open for several steps. */
static void ahead(MPI_Comm comm, int n, int last)
{
    static MPI_Request sent[AHEAD], received[AHEAD];
    int right = (rank + 1) % size, left = (rank + size - 1) % size, at = n % AHEAD;
    if (n >= AHEAD) {
        MPI_Wait(&received[at], MPI_STATUS_IGNORE);
        MPI_Wait(&sent[at], MPI_STATUS_IGNORE);
    }
    MPI_Irecv(in[at], MOST, MPI_BYTE, n % 2 ? MPI_ANY_SOURCE : left, 10, comm, &received[at]);
    MPI_Isend(out, bytes_of(n), MPI_BYTE, right, 10, comm, &sent[at]);
    if (n == last) {
        MPI_Waitall(n < AHEAD ? n + 1 : AHEAD, received, MPI_STATUSES_IGNORE);
        MPI_Waitall(n < AHEAD ? n + 1 : AHEAD, sent, MPI_STATUSES_IGNORE);
    }
}

/* The first rank receives from anybody. */
static void gather(MPI_Comm comm, int n)
{
    HIERA_REGION("app", "gather", NULL);
    if (rank > 0)
        MPI_Ssend(out, bytes_of(n), MPI_BYTE, 0, 20 + n % 2, comm);
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, 20 + n % 2, comm, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in[0], MOST, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
}

static MPI_Request persistent[2];

static void make_persistent(MPI_Comm comm)
{
    MPI_Send_init(out, 7, MPI_BYTE, (rank + 1) % size, 30, comm, &persistent[0]);
    MPI_Recv_init(in[AHEAD], MOST, MPI_BYTE, (rank + size - 1) % size, 30, comm, &persistent[1]);
}

static void together(MPI_Comm comm, int n)
{
    MPI_Request request;
    MPI_Bcast(out, bytes_of(n), MPI_BYTE, n % size, comm);
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A window and a file that are there all the time. Open MPI 4.1 makes no window on one rank, and what is put into one that
 * MPICH 4.0 made of memory of the program may go elsewhere. */
static MPI_Win window;
static MPI_File file;

static void open_all(void)
{
    static int *memory;
    MPI_File_open(MPI_COMM_WORLD, "window.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (size > 1)
        MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
}

static void close_all(void)
{
    MPI_File_close(&file);
    if (size > 1)
        MPI_Win_free(&window);
}

/* Each rank opens its window to the left and uses that of the right. */
static void epochs(void)
{
    static int value;
    int ranks[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Group all, left, right;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &ranks[0], &left);
    MPI_Group_incl(all, 1, &ranks[1], &right);
    MPI_Win_post(left, 0, window);
    MPI_Win_start(right, 0, window);
    MPI_Put(&value, 1, MPI_INT, ranks[1], 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&all);
    MPI_Group_free(&left);
    MPI_Group_free(&right);
}

static void use_all(int n)
{
    static int value;
    if (n % 20 == 0)
        MPI_File_write_at_all(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (size == 1)
        return;
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % size, 0, window);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_unlock((rank + 1) % size, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (n % 10 == 0)
        epochs();
}

/* Persistent collectives came with MPI 4. */
static MPI_Request barrier = MPI_REQUEST_NULL;

static void make_barrier(MPI_Comm comm)
{
    (void)comm;
#if MPI_VERSION >= 4
    MPI_Barrier_init(comm, MPI_INFO_NULL, &barrier);
#endif
}

static void use_barrier(void)
{
    if (barrier == MPI_REQUEST_NULL)
        return;
    MPI_Start(&barrier);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
}

static void free_barrier(void)
{
    if (barrier != MPI_REQUEST_NULL)
        MPI_Request_free(&barrier);
}

/* A communicator for a while. */
static void split(int n)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Bcast(out, bytes_of(n), MPI_BYTE, 0, half);
    MPI_Comm_free(&half);
}

/* Each rank records at a rate of its own. */
static void local_calls(int n)
{
    int flag;
    for (int i = 0; i < 3 + 5 * rank + n % 3; i++)
        MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    if (argc > 2 && strcmp(argv[2], "short") == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){500000, 500000});
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    open_all();
    make_persistent(copy);
    make_barrier(copy);
    hiera_begin("app", "all steps", "steps=%d", steps);
    for (int n = 0; n < steps; n++) {
        HIERA_REGION("app", "step", NULL);
        ring(n % 2 ? copy : MPI_COMM_WORLD, n);
        ahead(copy, n, steps - 1);
        gather(MPI_COMM_WORLD, n);
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
        together(copy, n);
        use_all(n);
        use_barrier();
        if (n % 50 == 0)
            split(n);
        local_calls(n);
    }
    if (argc > 2 && strcmp(argv[2], "kill") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        raise(SIGKILL);
    }
    hiera_end();
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    free_barrier();
    close_all();
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
