/* Writes regions whose true time is known into the trace, and sends messages between all ranks, for at least SECONDS
 * and until there are enough of them. A second argument: `early`, the trace begins before MPI_Init; `die`, the ranks
 * are killed before MPI_Finalize. */
#include "hiera.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int rank, size;

/* The system call, because a preloaded library may replace clock_gettime. */
static long long true_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* The region `moment` begins between the two times. */
static void moment(void)
{
    long long before = true_ns();
    hiera_begin("app", "moment", NULL);
    long long after = true_ns();
    hiera_begin("app", "between", "before=%lld after=%lld", before, after);
    hiera_end();
    hiera_end();
}

static void talk(void)
{
    int word = rank;
    for (int distance = 1; distance < size; distance++) {
        MPI_Sendrecv_replace(&word, 1, MPI_INT, (rank + distance) % size, 1, (rank - distance + size) % size, 1,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI_Send(&word, 1, MPI_INT, rank + 1, 2, MPI_COMM_WORLD);
            MPI_Recv(&word, 1, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank % 2 == 1) {
            MPI_Recv(&word, 1, MPI_INT, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&word, 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[2] : "";
    for (int i = 0; i < 9000 && strcmp(mode, "early") == 0; i++) { /* more regions than are kept in memory before MPI_Init, with HIERA_BUFFER=132k */
        hiera_begin("app", "early", "padding=%01000d", i);
        hiera_end();
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long long end = true_ns() + (long long)(1e9 * strtod(argv[1], NULL));
    int more = 1;
    for (int n = 0; more; n++) {
        moment();
        talk();
        more = n < 10 || true_ns() < end;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    moment();
    if (strcmp(mode, "die") == 0)
        kill(getpid(), SIGKILL);
    MPI_Finalize();
    return 0;
}
