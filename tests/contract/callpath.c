/* callpath N single|multiple WAY...: of each WAY a dump of callgrind of N rounds of recorded calls that do almost
 * nothing, so that only the collector's call path counts: calls from C, with instrumented functions, from Fortran, or
 * of a library with wrappers (if WRAPPED is defined). Prints how many blocks of memory the process has allocated in the
 * rounds.
 *
 * WAY is a number: calls with so many listed requests, of which at most one completes, in a four-hundredth of the
 * rounds. There are two dumps: one of the calls of MPI, and one of the same calls of PMPI for comparison. */
#include "../mpi/expect/unseen.h"

#include <hiera.h>
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS
#endif

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

static void make_round(int i)
{
    int size;
    hiera_begin("app", "round", NULL);
    MPI_Type_size(i % 2 ? MPI_INT : MPI_DOUBLE, &size);
    hiera_end();
}

/* The same with other calls, for probe scripts that ask about them. */
#define MAKE_ROUND_OF(call)                                                                                            \
    static void make_##call(int i)                                                                                     \
    {                                                                                                                  \
        int value;                                                                                                     \
        (void)i;                                                                                                       \
        hiera_begin("app", "round", NULL);                                                                             \
        CALL_##call;                                                                                                   \
        hiera_end();                                                                                                   \
    }
#define CALL_comm_rank  MPI_Comm_rank(MPI_COMM_WORLD, &value)
#define CALL_comm_size  MPI_Comm_size(MPI_COMM_WORLD, &value)
#define CALL_group_rank MPI_Group_rank(MPI_GROUP_EMPTY, &value)
#define CALL_group_size MPI_Group_size(MPI_GROUP_EMPTY, &value)
MAKE_ROUND_OF(comm_rank)
MAKE_ROUND_OF(comm_size)
MAKE_ROUND_OF(group_rank)
MAKE_ROUND_OF(group_size)

/* What -finstrument-functions inserts: calls around a region, and two functions that are too short to be recorded. */
void __cyg_profile_func_enter(void *, void *);
void __cyg_profile_func_exit(void *, void *);

static void make_functions(int i)
{
    __cyg_profile_func_enter((void *)make_functions, NULL);
    for (int k = 0; k < 2; k++) {
        __cyg_profile_func_enter((void *)abs, NULL);
        __cyg_profile_func_exit((void *)abs, NULL);
    }
    make_round(i);
    __cyg_profile_func_exit((void *)make_functions, NULL);
}

#ifdef WRAPPED
#include "library.h"
#undef I /* defined by complex.h */

static void make_wrapped_round(int i)
{
    double x = 1;
    lib_solve_("Left", "T", &i, &x, 4, 1);
}
#else
#define make_wrapped_round make_round
#endif

/* Requests that are started, tested and completed. MPI gives all of them the same handle. */
enum { N = 20 };

static void make_requests(void)
{
    MPI_Request requests[N];
    MPI_Status statuses[N];
    int done;
    for (int k = 0; k < N; k++)
        if (k % 2)
            MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[k]);
        else
            MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[k]);
    MPI_Wait(&requests[N - 1], MPI_STATUS_IGNORE);
    MPI_Testall(N / 2, requests, &done, statuses);
    MPI_Waitall(N, requests, statuses);
}

/* Messages to nobody, in which only Hiera's part changes with the encoding. */
static void make_messages(int i)
{
    MPI_Request request;
    MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    make_round(i);
}

/* NULL if there is no MPI for Fortran. */
#define WEAK __attribute__((weak))
typedef MPI_Fint I;
extern void mpi_type_size_(I *, I *, I *) WEAK;
extern void mpi_isend_(void *, I *, I *, I *, I *, I *, I *, I *) WEAK;
extern void mpi_irecv_(void *, I *, I *, I *, I *, I *, I *, I *) WEAK;
extern void mpi_wait_(I *, I *, I *) WEAK;
extern void mpi_test_(I *, I *, I *, I *) WEAK;

static I fortran_types[2], fortran_world;

static void make_fortran_round(int i)
{
    I size, error;
    hiera_begin("app", "round", NULL);
    mpi_type_size_(&fortran_types[i % 2], &size, &error);
    hiera_end();
}

/* Without lists: Open MPI allocates memory for these itself. */
static void make_fortran_requests(void)
{
    I requests[N], status[sizeof(MPI_Status) / sizeof(I)], none = 0, nobody = MPI_PROC_NULL, done, error;
    for (int k = 0; k < N; k++)
        (k % 2 ? mpi_isend_ : mpi_irecv_)(NULL, &none, &fortran_types[0], &nobody, &none, &fortran_world, &requests[k],
                                          &error);
    for (int k = 0; k < N; k += 2) {
        mpi_wait_(&requests[k], status, &error);
        mpi_test_(&requests[k + 1], &done, status, &error);
    }
}

/* Of n receives one is completed and begun again, in the middle of the list. The rest stays open. */
typedef struct Calls {
    __typeof__(MPI_Testany) *testany;
    __typeof__(MPI_Waitany) *waitany;
    __typeof__(MPI_Testsome) *testsome;
    __typeof__(MPI_Testall) *testall;
} Calls;

static void play_lists(int rounds, int n, const Calls *calls)
{
    MPI_Request *requests = malloc((size_t)n * sizeof *requests);
    MPI_Status *statuses = malloc((size_t)n * sizeof *statuses);
    int *values = malloc((size_t)n * sizeof *values), *indices = malloc((size_t)n * sizeof *indices), index, done;
    for (int k = 0; k < n; k++)
        MPI_Irecv(&values[k], 1, MPI_INT, 0, k, MPI_COMM_SELF, &requests[k]);
    for (int i = 0; i < rounds + 2; i++) {
        if (i == 2)
            CALLGRIND_START_INSTRUMENTATION;
        for (int poll = 0; poll < 2; poll++) {
            calls->testany(n, requests, &index, &done, statuses);
            calls->testsome(n, requests, &done, indices, statuses);
            calls->testall(n, requests, &done, statuses);
        }
        MPI_Send(&i, 1, MPI_INT, 0, n / 2, MPI_COMM_SELF);
        calls->waitany(n, requests, &index, statuses);
        MPI_Irecv(&values[index], 1, MPI_INT, 0, index, MPI_COMM_SELF, &requests[index]);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS;
    for (int k = 0; k < n; k++) {
        MPI_Cancel(&requests[k]);
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

static void compare_lists(int rounds, int n)
{
    const Calls recorded = {MPI_Testany, MPI_Waitany, MPI_Testsome, MPI_Testall},
                unseen = {UNSEEN(Testany), UNSEEN(Waitany), UNSEEN(Testsome), UNSEEN(Testall)};
    play_lists(rounds, n, &recorded);
    play_lists(rounds, n, &unseen);
}

static void play(int rounds, const char *way)
{
    static const struct {
        const char *name;
        void (*make)(int);
    } ways[] = {{"c", make_round},
                {"fortran", make_fortran_round},
                {"functions", make_functions},
                {"wrapped", make_wrapped_round},
                {"messages", make_messages},
                {"comm_rank", make_comm_rank},
                {"comm_size", make_comm_size},
                {"group_rank", make_group_rank},
                {"group_size", make_group_size},
                {NULL, NULL}};
    void (*make_lists)(void) = strcmp(way, "fortran") == 0 ? make_fortran_requests : make_requests;
    int at = 0;
    while (ways[at].name && strcmp(way, ways[at].name) != 0)
        at++;
    void (*make)(int) = ways[at].make;
    if (!make) {
        compare_lists(rounds / 400, atoi(way));
        return;
    }
    for (int i = 0; i < 2; i++)
        make(i);
    for (int i = 0; i < 10; i++)
        make_lists();
    long before = allocations;
    /* Marks in the output of strace. */
    if (write(STDOUT_FILENO, "rounds begin\n", 13) != 13)
        exit(1);
    /* callgrind counts only here; the start of an MPI takes a third less time if it is not watched. */
    CALLGRIND_START_INSTRUMENTATION;
    for (int i = 0; i < rounds; i++)
        make(i);
    for (int i = 0; i < rounds / 100; i++)
        make_lists();
    CALLGRIND_STOP_INSTRUMENTATION;
    long asked = allocations - before;
    if (write(STDOUT_FILENO, "rounds end\n", 11) != 11)
        exit(1);
    CALLGRIND_DUMP_STATS;
    printf("%s allocations %ld\n", way, asked);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[1]) : 0, provided;
    bool single = rounds > 0 && strcmp(argv[2], "single") == 0;
    /* Open MPI keeps a table of Fortran handles, and locks it if there may be several threads. */
    MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
    fortran_types[0] = MPI_Type_c2f(MPI_INT);
    fortran_types[1] = MPI_Type_c2f(MPI_DOUBLE);
    fortran_world = MPI_Comm_c2f(MPI_COMM_WORLD);
    for (int i = 3; i < argc; i++)
        play(rounds, argv[i]);
    MPI_Finalize();
    return 0;
}
