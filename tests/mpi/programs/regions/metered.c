/* Metrics against the program's own clock: each region knows how long its MPI calls took, what they were, and how much they moved.
 * Each assertion says that a metric is that number: a time within 2 %, 20 us and 5 us for each call, a count exactly. `mostly` in a comment is an
 * assertion about time, which a busy machine may break now and then; `always` is one that holds in each execution.
 * The first argument is a folder for a file. With a second one there are tests in vain as well, of which a trace tells the total alone. */
#include <hiera.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 10, BYTES = 4096, MOVED = 1 << 20, DELAY_US = 5000, N_THREADS = 2 };

#define NEAR(metric, own) "abs(" metric " - $" own ") <= 0.02 * $" own " + 20us + 5us * calls"

static int rank, size, partner, is_late, polls;

/* Nanoseconds. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

#define TIMED(sum, call)                                                                                               \
    do {                                                                                                               \
        double before_ = now();                                                                                        \
        call;                                                                                                          \
        sum += now() - before_;                                                                                        \
    } while (0)

static void be_late(void)
{
    if (is_late)
        usleep(DELAY_US);
}

/* The late one of two sends what the other one waits for; both send to themselves if they are alone. Returns the time in MPI. */
static double late_sender(void)
{
    char from[BYTES] = {0}, to[BYTES];
    double p2p = 0, wait = 0, wall = 0, begin;
    int to_0 = partner == 0 ? BYTES : 0, from_0 = to_0;
    MPI_Request request;
    HIERA_ASSERT(NEAR("MPITime", "p2p"), p2p);                                                      /* mostly */
    HIERA_ASSERT(NEAR("MPIPointToPointTime", "p2p"), p2p);                                          /* mostly */
    HIERA_ASSERT(NEAR("MPIWaitTime", "wait"), wait);                                                /* mostly */
    HIERA_ASSERT(NEAR("WallTime", "wall"), wall);                                                   /* mostly */
    HIERA_ASSERT("abs(ApplicationTime - ($wall - $p2p)) <= 0.02 * ($wall - $p2p) + 20us + 5us * calls", wall, p2p); /* mostly */
    HIERA_ASSERT("MPICollectiveTime == 0 & MPIOneSidedTime == 0 & MPIIOTime == 0");                 /* always */
    HIERA_ASSERT("calls == 3 & messages == 1 & transfers == 2 & transferBytes == 2 * 4096");        /* always */
    HIERA_ASSERT("bytesSent == 4096 & bytesReceived == 4096");                                      /* always */
    HIERA_ASSERT("abs(MPITransferTime - 2 * (4096 * 8 / ${PA_TRANSFER_RATE} * 1000 + ${PA_TRANSFER_LATENCY} * 1000)) < 1"); /* always */
    HIERA_ASSERT("calls(\"isend\") == 1 & calls(\"receive\") == 1 & calls(\"wait\") == 1 & calls(\"send\") == 0"); /* always */
    HIERA_ASSERT("bytesSent(\"isend\", \"MPI_COMM_WORLD\", 0) == $to_0 & bytesSent(\"isend\", \"MPI_COMM_WORLD\") == 4096", to_0); /* always */
    HIERA_ASSERT("bytesReceived(\"receive\", \"MPI_COMM_WORLD\", 0) == $from_0 & bytesReceived(\"isend\") == 0", from_0); /* always */
    HIERA_ASSERT(NEAR("(MPITime(\"isend\") + MPITime(\"receive\") + MPITime(\"wait\"))", "p2p"), p2p); /* mostly */
    begin = now();
    be_late();
    TIMED(p2p, MPI_Isend(from, BYTES, MPI_CHAR, partner, 1, MPI_COMM_WORLD, &request));
    TIMED(p2p, MPI_Recv(to, BYTES, MPI_CHAR, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TIMED(wait, MPI_Wait(&request, MPI_STATUS_IGNORE));
    p2p += wait;
    wall = now() - begin;
    return p2p;
}

/* An execution has what those inside it have. */
static void nested(void)
{
    double mpi = 0, wall = 0, begin;
    HIERA_ASSERT(NEAR("MPITime", "mpi"), mpi);    /* mostly */
    HIERA_ASSERT(NEAR("WallTime", "wall"), wall); /* mostly */
    HIERA_ASSERT("calls == 6 & messages == 2");   /* always */
    begin = now();
    for (int i = 0; i < 2; i++)
        mpi += late_sender();
    wall = now() - begin;
}

/* All that waits for requests, and tests that do not. */
static void completions(void)
{
    double numbers[4], mine[4] = {1, 2, 3, 4};
    double p2p = 0, wait = 0;
    int index, flag = 0, n = 0, indices[3], done;
    MPI_Request receives[4], sends[4];
    HIERA_ASSERT(NEAR("MPIPointToPointTime", "p2p"), p2p); /* mostly */
    HIERA_ASSERT(NEAR("MPIWaitTime", "wait"), wait);       /* mostly */
    HIERA_ASSERT("messages == 4 & bytesSent == 32 & bytesReceived == 32 & calls(\"isend\") == 4 & calls(\"irecv\") == 4"); /* always */
    HIERA_ASSERT("calls(\"wait\") == 1 & calls(\"waitany\") == 1 & calls(\"waitsome\") == $n & calls(\"waitall\") == 1", n); /* always */
    HIERA_ASSERT("bytesReceived(\"wait\") == 8 & bytesReceived(\"irecv\") == 0 & bytesReceived(\"waitall\") == 0"); /* always */
    for (int i = 0; i < 4; i++)
        TIMED(p2p, MPI_Irecv(&numbers[i], 1, MPI_DOUBLE, partner, i, MPI_COMM_WORLD, &receives[i]));
    be_late();
    for (int i = 0; i < 4; i++)
        TIMED(p2p, MPI_Isend(&mine[i], 1, MPI_DOUBLE, partner, i, MPI_COMM_WORLD, &sends[i]));
    for (; polls && !flag; usleep(100))
        TIMED(p2p, MPI_Test(&receives[3], &flag, MPI_STATUS_IGNORE));
    TIMED(wait, MPI_Wait(&receives[0], MPI_STATUS_IGNORE));
    TIMED(wait, MPI_Waitany(3, receives + 1, &index, MPI_STATUS_IGNORE));
    for (done = polls; done < 2; done += index, n++)
        TIMED(wait, MPI_Waitsome(3, receives + 1, &index, indices, MPI_STATUSES_IGNORE));
    TIMED(wait, MPI_Waitall(4, sends, MPI_STATUSES_IGNORE));
    p2p += wait;
}

static void collectives(void)
{
    double sum, one = 1, coll = 0, wait = 0, mpi = 0;
    MPI_Request request;
    HIERA_ASSERT(NEAR("MPICollectiveTime", "coll"), coll);   /* mostly */
    HIERA_ASSERT(NEAR("MPIWaitTime", "wait"), wait);         /* mostly */
    HIERA_ASSERT(NEAR("MPIPointToPointTime", "wait"), wait); /* mostly */
    HIERA_ASSERT(NEAR("MPITime", "mpi"), mpi);               /* mostly */
    HIERA_ASSERT("calls == 4 & messages == 0 & transfers == 0 & MPITransferTime == 0"); /* always */
    HIERA_ASSERT("calls(\"barrier\") == 1 & calls(\"allreduce\") == 1 & calls(\"ibarrier\") == 1 & calls(\"allreduce\", \"MPI_COMM_WORLD\") == 1"); /* always */
    be_late();
    TIMED(coll, MPI_Barrier(MPI_COMM_WORLD));
    be_late();
    TIMED(coll, MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    be_late();
    TIMED(coll, MPI_Ibarrier(MPI_COMM_WORLD, &request));
    TIMED(wait, MPI_Wait(&request, MPI_STATUS_IGNORE));
    mpi = coll + wait;
}

/* Requests that were made before. */
static void persistent(MPI_Request requests[2])
{
    double p2p = 0, wait = 0;
    HIERA_ASSERT(NEAR("MPITime", "p2p"), p2p);       /* mostly */
    HIERA_ASSERT(NEAR("MPIWaitTime", "wait"), wait); /* mostly */
    HIERA_ASSERT("calls == 2 & messages == 1 & bytesSent == 4096 & bytesReceived == 4096 & transfers == 2"); /* always */
    be_late();
    TIMED(p2p, MPI_Startall(2, requests));
    TIMED(wait, MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    p2p += wait;
}

/* Receives transfer what they are posted for, also if less comes. */
static void posted(void)
{
    int many[1000], some[500], few[10] = {0};
    MPI_Datatype pair;
    MPI_Request request;
    HIERA_ASSERT("transfers == 4 & transferBytes == 40 + 4000 + 40 + 2000 & bytesSent == 80 & bytesReceived == 80"); /* always */
    HIERA_ASSERT("transferBytes(\"irecv\") == 4000 & transferBytes(\"wait\") == 0 & bytesReceived(\"wait\") == 40"); /* always */
    HIERA_ASSERT("transferBytes(\"sendrecv\", \"MPI_COMM_WORLD\") == 2040 & MPITransferTime > 6080 * 80"); /* always */
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Irecv(many, 1000, MPI_INT, partner, 9, MPI_COMM_WORLD, &request);
    MPI_Send(few, 10, MPI_INT, partner, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(few, 10, MPI_INT, partner, 9, some, 250, pair, partner, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
}

static void one_sided(MPI_Win window)
{
    double rma = 0, one = 1;
    HIERA_ASSERT(NEAR("MPIOneSidedTime", "rma"), rma); /* mostly */
    HIERA_ASSERT(NEAR("MPITime", "rma"), rma);         /* mostly */
    HIERA_ASSERT("calls == 3 & messages == 0 & bytesSent(\"put\") == 8 & MPICollectiveTime == 0 & MPIPointToPointTime == 0"); /* always */
    be_late();
    TIMED(rma, MPI_Win_fence(0, window));
    TIMED(rma, MPI_Put(&one, 1, MPI_DOUBLE, partner, 0, 1, MPI_DOUBLE, window));
    be_late();
    TIMED(rma, MPI_Win_fence(0, window));
}

static void files(const char *folder)
{
    static char data[MOVED];
    double io = 0;
    char path[4096];
    MPI_File file;
    HIERA_ASSERT(NEAR("MPIIOTime", "io"), io); /* mostly */
    HIERA_ASSERT(NEAR("MPITime", "io"), io);   /* mostly */
    HIERA_ASSERT("calls == 4 & messages == 0 & calls(\"file_write_at\") == 1"); /* always */
    snprintf(path, sizeof path, "%s/metered-%d", folder, rank);
    TIMED(io, MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    TIMED(io, MPI_File_write_at(file, 0, data, MOVED, MPI_BYTE, MPI_STATUS_IGNORE));
    TIMED(io, MPI_File_sync(file));
    TIMED(io, MPI_File_close(&file));
    unlink(path);
}

/* User time of this thread, in nanoseconds. */
static double user_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (double)usage.ru_utime.tv_sec * 1e9 + (double)usage.ru_utime.tv_usec * 1e3;
}

static void computing(void)
{
    double user = user_time(), wall = 0, begin;
    HIERA_ASSERT(NEAR("UserTime", "user"), user);        /* mostly */
    HIERA_ASSERT(NEAR("ApplicationTime", "wall"), wall); /* mostly */
    HIERA_ASSERT("MPITime == 0 & calls == 0"); /* always */
    begin = now();
    while (now() < begin + 3e6) {
    }
    usleep(2000);
    user = user_time() - user;
    wall = now() - begin;
}

/* Threads do not disturb each other's numbers. */
static void *threaded(void *comm)
{
    char from[BYTES] = {0}, to[BYTES];
    for (int i = 0; i < ROUNDS; i++) {
        double mpi = 0, wall = 0, begin;
        MPI_Request request;
        HIERA_ASSERT(NEAR("MPITime", "mpi"), mpi);    /* mostly, by each thread */
        HIERA_ASSERT(NEAR("WallTime", "wall"), wall); /* mostly, by each thread */
        HIERA_ASSERT("calls == 3 & messages == 1 & bytesReceived == 4096"); /* always, by each thread */
        begin = now();
        usleep(DELAY_US / 5);
        TIMED(mpi, MPI_Isend(from, BYTES, MPI_CHAR, 0, 1, *(MPI_Comm *)comm, &request));
        TIMED(mpi, MPI_Recv(to, BYTES, MPI_CHAR, 0, 1, *(MPI_Comm *)comm, MPI_STATUS_IGNORE));
        TIMED(mpi, MPI_Wait(&request, MPI_STATUS_IGNORE));
        wall = now() - begin;
    }
    return NULL;
}

static void threads(void)
{
    MPI_Comm comms[N_THREADS];
    pthread_t ids[N_THREADS];
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&ids[i], NULL, threaded, &comms[i]);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(ids[i], NULL);
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_free(&comms[i]);
}

int main(int argc, char **argv)
{
    static char from[BYTES], to[BYTES];
    double *memory;
    int provided;
    MPI_Request requests[2];
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    partner = (rank ^ 1) < size ? rank ^ 1 : rank;
    is_late = rank % 2 == 0;
    polls = argc > 2;
    MPI_Send_init(from, BYTES, MPI_CHAR, partner, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(to, BYTES, MPI_CHAR, partner, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        late_sender();
        nested();
        completions();
        collectives();
        persistent(requests);
        posted();
        one_sided(window);
        files(argc > 1 ? argv[1] : ".");
        computing();
    }
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    MPI_Win_free(&window);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
