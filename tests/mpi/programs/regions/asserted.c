/* Assertions in the source. Each line that has one says in a comment how its executions end on a rank: "2 ok, 1 failed". The case
 * compares these with what became of them. */
#include <hiera.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_NAME limit
#define N_CALLS 3

typedef enum { RED, GREEN } Colour;
typedef struct {
    long n;
    double values[3];
} Grid;

static void barrier(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* --- types --- */

static void of_types(void)
{
    bool b = true;
    char c = 'x';
    signed char sc = -3;
    unsigned char uc = 200;
    short s = -30000;
    unsigned short us = 60000;
    unsigned u = 4000000000u;
    long l = -5000000000L;
    unsigned long ul = 18446744073709551615ul;
    long long ll = 9007199254740993ll;
    unsigned long long ull = 1;
    float f = 0.5f, nan_of_float = NAN;
    double d = 0.1;
    long double ld = 0.25L;
    const volatile int cv = 7;
    Colour colour = GREEN;
    HIERA_ASSERT("$b == 1 & $c == 120 & $sc == -3 & $uc == 200 & $s == -30000 & $us == 60000", b, c, sc, uc, s, us); /* 1 ok */
    HIERA_ASSERT("$u == 4000000000 & $l == -5000000000 & $ul > 1.8e19 & $ll >= 9007199254740992", u, l, ul, ll); /* 1 ok */
    HIERA_ASSERT("$ull == 1 & $f == 0.5 & $d == 0.1 & $ld == 0.25 & $cv == 7 & $colour == 1", ull, f, d, ld, cv, colour); /* 1 ok */
    HIERA_ASSERT("$nan_of_float == $nan_of_float", nan_of_float); /* 1 failed */
}

/* --- values are read at the end, by name and by order --- */

static void of_values(void)
{
    int n = 0, limit = 5, m = 1;
    Grid grid = {4, {1, 2, 3}}, *at = &grid;
    HIERA_ASSERT("$n == 7", n); /* 1 ok */
    HIERA_ASSERT("$m < $LIMIT_NAME & $LIMIT_NAME == 5", m, LIMIT_NAME); /* 1 ok */
    HIERA_ASSERT("$size == 4 & $m == 2 & $last == 3", at->n, m, grid.values[N_CALLS - 1]); /* 1 ok */
    n = 7;
    m = 2;
}

/* --- time that the thread computes, and time in which it sleeps --- */

static void of_user_time(void)
{
    struct timespec now, begin, nap = {.tv_nsec = 30000000};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    {
        HIERA_ASSERT("UserTime >= 20ms & UserTime <= WallTime + 10ms"); /* 1 ok */
        do {
            for (volatile int i = 0; i < 1000000; i++) {
            }
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 100000000L);
    }
    {
        HIERA_ASSERT("UserTime < 0.5 * WallTime"); /* 1 ok */
        nanosleep(&nap, NULL);
    }
}

/* --- ways out of a block --- */

static int leave(int how)
{
    HIERA_ASSERT("calls == 1 & $how >= 0", how); /* 4 ok, 1 failed */
    for (int i = 0; i < 10; i++) {
        HIERA_ASSERT("calls <= 1 & $i < 2", i); /* 7 ok, 1 failed */
        if (how == 0 && i == 0)
            continue;
        barrier(1);
        if (how == 1)
            break;
        if (how == 2)
            goto out;
        if (how == 3)
            return i;
        if (how == 4 && i == 2)
            return -1;
        if (how == 0)
            return 0;
    }
out:
    return how;
}

/* --- nested, in calls and by themselves --- */

static int sum_up_to(int n)
{
    HIERA_ASSERT("calls == $n", n); /* 4 ok */
    if (n == 0)
        return 0;
    barrier(1);
    return 1 + sum_up_to(n - 1);
}

static void nested(void)
{
    HIERA_ASSERT("calls == 3 & calls(\"send\") == 0 & iterations(\"part\") == 2"); /* 1 ok */
    barrier(1);
    for (int i = 0; i < 2; i++) {
        HIERA_REGION("app", "part", NULL);
        HIERA_ASSERT("MPITime <= WallTime & MPITime == MPICollectiveTime & MPIWaitTime == 0 & messages == 0"); /* 2 ok */
        HIERA_ASSERT("calls == 1"); /* 2 ok */
        barrier(1);
    }
}

/* --- communicators --- */

static void of_communicators(int rank, int size)
{
    MPI_Comm none = MPI_COMM_NULL, half, pair, freed;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_SELF, &freed);
    pair = MPI_COMM_WORLD;
    {
        HIERA_ASSERT("nMPIProcesses($half) <= nMPIProcesses($pair) & nMPIProcesses($MPI_COMM_SELF) == 1", half, pair); /* 1 ok */
        HIERA_ASSERT("nMPIProcesses($pair) == $size & nMPIProcesses($MPI_COMM_WORLD) == $size", pair, size); /* 1 ok */
        HIERA_ASSERT("nMPIProcesses($none) == 0 | nMPIProcesses($none) > 0", none); /* 1 failed */
        HIERA_ASSERT("nMPIProcesses($freed) == 1", freed); /* 1 failed */
        MPI_Comm_free(&freed);
    }
    {
        HIERA_ASSERT("nMPIProcesses($half) >= 1", half); /* 1 ok */
    }
    MPI_Comm_free(&half);
}

/* --- mistakes, which are told and change nothing --- */

static void jumped(void);

static void mistaken(int n)
{
    Grid grid = {0, {0}};
    HIERA_ASSERT("MPITim < 1");
    HIERA_ASSERT("$m > 0", n);
    HIERA_ASSERT("$grid > 0", grid);
    HIERA_ASSERT("max(WallTime) > 0");
    HIERA_ASSERT("nMPIProcesses($n) > $n", n);
    HIERA_ASSERT("$n / 0 > 1000 & ${no_limit} != 0 & ${no_limit} != ${no_limit}", n); /* 1 ok */
    {
        HIERA_ASSERT("MPITim < 2");
    }
    jumped(); /* its assertion takes the place of that one, but not its end */
}

/* --- blocks that are left in other ways --- */

static jmp_buf back;

static void jump(void)
{
    HIERA_ASSERT("calls == 1"); /* 1 unknown */
    barrier(1);
    longjmp(back, 1);
}

static void jumped(void)
{
    if (setjmp(back) == 0)
        jump();
    barrier(1);
}

/* --- threads --- */

static void *work(void *argument)
{
    long n = (long)argument;
    for (long i = 0; i < 1000; i++) {
        HIERA_ASSERT("calls == 0 & $n >= 0 & $i % 2 == 0", n, i); /* 2000 ok, 2000 failed */
    }
    return NULL;
}

static void threaded(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* --- violations --- */

void hiera_on_violation(const struct hiera_violation *violation)
{
    MPI_Barrier(MPI_COMM_SELF);
    printf("violation %s: %s, %g %s %g, %llu\n", strrchr(violation->file, '/') + 1, violation->text, violation->left,
           violation->comparison, violation->right, violation->execution);
    fflush(stdout);
}

static void violate(void)
{
    for (int i = 0; i < 4; i++) {
        HIERA_ASSERT("$i < 2", i);
    }
    printf("went on\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size;
    {
        HIERA_ASSERT("nMPIProcesses($MPI_COMM_WORLD) != nMPIProcesses($MPI_COMM_WORLD) & WallTime > 0 & calls == 0"); /* 1 ok */
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "violate") == 0) {
        violate();
    } else if (argc > 1 && strcmp(argv[1], "mistaken") == 0) {
        mistaken(1);
    } else {
        of_types();
        of_values();
        of_user_time();
        for (int how = 0; how < 5; how++)
            leave(how);
        sum_up_to(3);
        nested();
        of_communicators(rank, size);
        jumped();
        threaded();
        hiera_pause();
        {
            HIERA_ASSERT("calls == 0");
        }
        hiera_resume();
        hiera_assert_begin(NULL, "WallTime > 0", __FILE__, __LINE__); /* without the end that HIERA_ASSERT has: 1 unknown */
    }
    MPI_Finalize();
    {
        HIERA_ASSERT("nMPIProcesses($MPI_COMM_SELF) != nMPIProcesses($MPI_COMM_SELF) & calls == 0"); /* 1 ok */
    }
    return 0;
}
