/* A fault that ends the program after its own handler, on a host whose clock becomes slower, as one that is ahead of its
 * time server. So times that are converted from ticks again are a little earlier than before. */
#include "hiera.h"

#include <mpi.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long begun_ns;

/* Libraries find this one first. The clock loses a thousandth after 50 ms, two after 100 ms. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long ns = now->tv_sec * 1000000000ll + now->tv_nsec;
        begun_ns = begun_ns ? begun_ns : ns;
        ns -= (long long)((__int128)(ns - begun_ns) * (ns - begun_ns) / 50000000000ll);
        now->tv_sec = ns / 1000000000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}

/* The same instruction faults again, and then the process ends. */
static void says_nothing(int number)
{
    signal(number, SIG_DFL);
}

int main(int argc, char **argv)
{
    static volatile int *volatile nowhere = (volatile int *)8;
    static const struct timespec moment = {0, 50000000};
    signal(SIGSEGV, says_nothing);
    MPI_Init(&argc, &argv);
    nanosleep(&moment, NULL);
    MPI_Barrier(MPI_COMM_SELF);
    hiera_begin("app", "never ended", NULL);
    *nowhere = 1;
    hiera_end();
    MPI_Finalize();
    return 0;
}
