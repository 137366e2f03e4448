/* Lists that are too long for the buffer, written into a file with a size limit. Argument: the limit in bytes. */
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { REQUESTS = 4000, ROUNDS = 4 };

static int out[REQUESTS], in[REQUESTS];
static MPI_Request requests[2 * REQUESTS];

int main(int argc, char **argv)
{
    long wrong = 0;
    MPI_Init(&argc, &argv);
    signal(SIGXFSZ, SIG_IGN);
    if (argc > 1)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)atol(argv[1]), RLIM_INFINITY});
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < REQUESTS; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
        for (int i = 0; i < REQUESTS; i++) {
            out[i] = k + i;
            MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[REQUESTS + i]);
        }
        MPI_Waitall(2 * REQUESTS, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < REQUESTS; i++)
            wrong += in[i] != k + i;
    }
    printf("%ld wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
