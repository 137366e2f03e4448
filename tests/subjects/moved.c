/* What a program does while its functions are moved: loops with calls of MPI inside, threads, signals, children, jumps
 * out of loops. moved ROUNDS. It prints sums that are always the same. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t n_signals;
static jmp_buf left;

/* Nested loops, one whose end is in the data, and one that vectors may do. */
__attribute__((noinline)) static uint64_t work(uint64_t seed)
{
    uint64_t sum = 0;
    int cells[256];
    for (int i = 0; i < 200; i++) {
        for (uint64_t n = seed % 1000 + (uint64_t)i + 2; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            sum++;
        for (int j = 0; j < 256; j++)
            cells[j] = j * i;
        for (int j = 0; j < 256; j += 1 + cells[j] % 3)
            sum += (uint64_t)cells[j];
    }
    return sum;
}

__attribute__((noinline)) static uint64_t shared(uint64_t seed)
{
    uint64_t all = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t own = work(seed + (uint64_t)i), sum;
        MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        all = all * 31 + sum;
    }
    return all;
}

__attribute__((noinline)) static void leave(uint64_t seed)
{
    for (uint64_t i = 0;; i++)
        if (work(i) > seed % 3000 + i)
            longjmp(left, 1);
}

static void *threaded(void *seed)
{
    *(uint64_t *)seed = work(*(uint64_t *)seed);
    return NULL;
}

static void on_signal(int signal)
{
    (void)signal;
    n_signals += work(7) > 0;
}

/* A child computes the same, in a copy of the code that may just be moved. */
__attribute__((noinline)) static int child(uint64_t seed)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit((int)(work(seed) & 127));
    int status = -1;
    while (waitpid(pid, &status, 0) < 0)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

__attribute__((noinline)) static uint64_t turn(uint64_t seed)
{
    uint64_t sum = shared(seed), seeds[2] = {seed, seed + 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, threaded, &seeds[i]))
            abort();
    if (seed % 8 == 0)
        sum = sum * 31 + (uint64_t)child(seed);
    if (!setjmp(left))
        leave(seed);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        sum = sum * 31 + seeds[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, provided, n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 3000}, {0, 3000}}, NULL);
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + turn((uint64_t)i);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("rank %d: %d rounds, sum %016lx\n", rank, n, (unsigned long)sum);
    MPI_Finalize();
    return n_signals < 0;
}
