/* Measures by its own clock how long it computes before each of its operations, and leaves that in own<RANK>.txt: a word for
 * what comes before the gap, and nanoseconds. The operations of the trace are these, in this order. With the argument `exit` it
 * ends without MPI_Finalize, while Hiera's own thread is busy. */
#include <hiera.h>
#include <hiera_assert.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SEVERAL = 30, MANY = 6000, MOST = 17 * SEVERAL + MANY + 9, HELD_US = 100000, LONG_NS = 100000000 };

static struct {
    const char *after;
    long long ns;
} gaps[MOST];
static int n_gaps;
static long long since_ns;
static const char *last;

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void note_gap(void)
{
    gaps[n_gaps].ns = now_ns() - since_ns;
    gaps[n_gaps++].after = last;
}

#define STEP(name, ...)                                                                                                \
    do {                                                                                                               \
        note_gap();                                                                                                    \
        __VA_ARGS__;                                                                                                   \
        since_ns = now_ns();                                                                                           \
        last = name;                                                                                                   \
    } while (0)

static void make_handles(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Win window;
    int number;
    for (int i = 0; i < SEVERAL; i++) {
        STEP("comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        STEP("comm_free", MPI_Comm_free(&comm));
        STEP("comm_split", MPI_Comm_split(MPI_COMM_WORLD, i % 2, 0, &comm));
        STEP("call", MPI_Barrier(MPI_COMM_SELF));
        STEP("comm_free", MPI_Comm_free(&comm));
        STEP("type", MPI_Type_contiguous(i + 2, MPI_INT, &type));
        STEP("type", MPI_Type_commit(&type));
        STEP("type", MPI_Type_free(&type));
        STEP("window", MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window));
        STEP("window", MPI_Win_free(&window));
    }
}

static void enter_regions(void)
{
    for (int i = 0; i < SEVERAL; i++)
        STEP("region", hiera_begin("app", "step", NULL), hiera_end());
}

static void assert_steps(void)
{
    int n = 1;
    for (int i = 0; i < SEVERAL; i++)
        STEP("assertion", {
            HIERA_ASSERT("WallTime < 3600 & $n > 0", n);
            n++;
        });
}

static void compute_long(void)
{
    STEP("assertion", MPI_Barrier(MPI_COMM_SELF));
    last = "the barrier before the long computation";
    while (now_ns() - since_ns < LONG_NS)
        ;
}

static FILE *leave_gaps(int rank)
{
    char name[32];
    snprintf(name, sizeof name, "own%d.txt", rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; i < n_gaps; i++)
        fprintf(file, "%s %lld\n", gaps[i].after, gaps[i].ns);
    fflush(file);
    return file;
}

static bool held;

/* In Hiera's thread, for which it waits at the end. */
static void hold_the_helper(const struct hiera_event *event, void *data)
{
    (void)event, (void)data;
    __atomic_store_n(&held, true, __ATOMIC_RELEASE);
    usleep(HELD_US);
}

static int end_without_finalize(void)
{
    enter_regions();
    FILE *file = leave_gaps(0);
    hiera_on("timer::1ms", hold_the_helper, NULL);
    while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
        ;
    fprintf(file, "exit %lld\n", now_ns() - since_ns);
    return fflush(file);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    since_ns = now_ns();
    last = "init";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* is not recorded */
    if (argc > 1 && strcmp(argv[1], "exit") == 0)
        return end_without_finalize();
    make_handles();
    enter_regions();
    assert_steps();
    compute_long();
    for (int i = 0; i < MANY; i++)
        STEP("call", MPI_Barrier(MPI_COMM_SELF));
    last = "finalize";
    note_gap();
    MPI_Finalize();
    return fclose(leave_gaps(rank));
}
