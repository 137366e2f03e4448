/* N rounds of recorded calls that do nothing by themselves: what is left is the collector's call path. Prints how many
 * blocks of memory anyone in the process has asked for during the rounds. */
#include <hiera.h>
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static long allocations;

void *malloc(size_t n)
{
    allocations++;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    allocations++;
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
    allocations++;
    return __libc_realloc(old, n);
}

/* callgrind counts in here alone. */
__attribute__((noinline)) static void play_rounds(int rounds)
{
    int size;
    for (int i = 0; i < rounds; i++) {
        hiera_begin("app", "round", NULL);
        MPI_Type_size(MPI_INT, &size);
        hiera_end();
    }
}

/* Requests that are started, asked for and completed; MPI gives them all the same handle. */
static void play_requests(int rounds)
{
    enum { N = 20 };
    MPI_Request requests[N];
    MPI_Status statuses[N];
    int done;
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < N; k++)
            if (k % 2)
                MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[k]);
            else
                MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[k]);
        MPI_Wait(&requests[N - 1], MPI_STATUS_IGNORE);
        MPI_Testall(N / 2, requests, &done, statuses);
        MPI_Waitall(N, requests, statuses);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 1000, size;
    hiera_begin("app", "warm up", NULL);
    MPI_Type_size(MPI_INT, &size);
    hiera_end();
    play_requests(10);
    long before = allocations;
    /* Marks for strace. */
    if (write(STDOUT_FILENO, "rounds begin\n", 13) != 13)
        return 1;
    play_rounds(rounds);
    play_requests(rounds / 100);
    long asked = allocations - before;
    if (write(STDOUT_FILENO, "rounds end\n", 11) != 11)
        return 1;
    printf("allocations %ld\n", asked);
    MPI_Finalize();
    return 0;
}
