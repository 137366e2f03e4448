/* Measures by its own clock how long it computes before each of its operations, and leaves that in own<RANK>.txt: a word for
 * what comes before the gap, and nanoseconds. The operations of the trace are these, in this order. */
#include <hiera.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEVERAL = 30, MANY = 12000, MOST = 16 * SEVERAL + MANY + 8 };

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

static void leave_gaps(int rank)
{
    char name[32];
    snprintf(name, sizeof name, "own%d.txt", rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; i < n_gaps; i++)
        fprintf(file, "%s %lld\n", gaps[i].after, gaps[i].ns);
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    since_ns = now_ns();
    last = "init";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* is not recorded */
    make_handles();
    enter_regions();
    for (int i = 0; i < MANY; i++)
        STEP("call", MPI_Barrier(MPI_COMM_SELF));
    last = "finalize";
    note_gap();
    MPI_Finalize();
    leave_gaps(rank);
    return 0;
}
