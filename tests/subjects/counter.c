/* Counts the MPI calls of a program independently: the library is preloaded alone and shares no code
 * with Hiera. For each MPI function, in C and in Fortran, it counts the calls of the program. If the
 * arguments tell them, it also counts the bytes that the rank sends, with MPI_Type_size. At exit each
 * rank writes COUNTER_DIR/RANK with lines `MPI_Send CALLS BYTES`, or `-` for bytes that are not
 * counted.
 *
 * Functions are forwarded without knowing their types: all arguments of MPI functions are integers and
 * addresses, each in one word. functions.h, which counter.py makes from the library's symbols, lists
 * them as C(MPI_Send) and FORTRAN(mpi_send_, MPI_Send). Functions with names _f08ts get buffers as
 * Fortran descriptors.
 */
#define _GNU_SOURCE
#include "../mpi/expect/unseen.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 16
#define PARAMETERS                                                                                                     \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n,    \
        long o, long p
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
typedef long Function(PARAMETERS);

/* The words of a call. In Fortran each is the address of the argument. */
typedef struct {
    const long *words;
    bool fortran, described;
} Call;

typedef long long Bytes(const Call *);

typedef struct {
    const char *name; /* its name in C */
    long long calls, bytes;
    Bytes *given;
} Row;

enum {
#define C(NAME) ROW_##NAME,
#define FORTRAN(SYMBOL, NAME)
#include "functions.h"
#undef C
#undef FORTRAN
    ROWS
};

static _Thread_local int inside;
static int own_rank = -1;

static int number(const Call *call, int at)
{
    return call->fortran ? *(const int *)call->words[at] : (int)call->words[at];
}

static int element(const Call *call, int at, int index)
{
    return ((const int *)call->words[at])[index];
}

/* C handles may be wider than an int. */
static MPI_Datatype type_of(const Call *call, int at)
{
    return call->fortran ? PMPI_Type_f2c(*(MPI_Fint *)call->words[at]) : (MPI_Datatype)call->words[at];
}

static MPI_Comm comm_of(const Call *call, int at)
{
    return call->fortran ? PMPI_Comm_f2c(*(MPI_Fint *)call->words[at]) : (MPI_Comm)call->words[at];
}

static bool in_place(const Call *call, int at)
{
    void *buffer = (void *)call->words[at];
    void **mpich = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE");
    if (!call->fortran) {
        return buffer == MPI_IN_PLACE;
    }
    if (call->described) { /* a descriptor begins with the address */
        return *(void **)buffer == dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_IN_PLACE");
    }
    return buffer == (mpich ? *mpich : dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_"));
}

static long long size_of(MPI_Datatype type)
{
    int size = 0;
    return UNSEEN(Type_size)(type, &size) == MPI_SUCCESS ? size : 0;
}

static long long product(const Call *call, int count, int type)
{
    return number(call, count) * size_of(type_of(call, type));
}

static bool is_inter(MPI_Comm comm)
{
    int inter = 0;
    UNSEEN(Comm_test_inter)(comm, &inter);
    return inter;
}

static int members(MPI_Comm comm)
{
    int size = 0;
    is_inter(comm) ? UNSEEN(Comm_remote_size)(comm, &size) : UNSEEN(Comm_size)(comm, &size);
    return size;
}

static int local_members(MPI_Comm comm)
{
    int size = 0;
    UNSEEN(Comm_size)(comm, &size);
    return size;
}

static bool is_root(MPI_Comm comm, int root)
{
    int rank = 0;
    UNSEEN(Comm_rank)(comm, &rank);
    return root == (is_inter(comm) ? MPI_ROOT : rank);
}

/* Whether this rank sends data to the root. On an intercommunicator only the other group does. */
static bool gives(MPI_Comm comm, int root)
{
    return !is_inter(comm) || root >= 0;
}

static long long sum(const Call *call, int counts, int type, int many)
{
    long long total = 0;
    for (int at = 0; at < many; at++) {
        total += element(call, counts, at);
    }
    return total * size_of(type_of(call, type));
}

static long long from_send(const Call *call)
{
    return number(call, 3) == MPI_PROC_NULL ? 0 : product(call, 1, 2);
}

static long long from_bcast(const Call *call)
{
    return is_root(comm_of(call, 4), number(call, 3)) ? product(call, 1, 2) : 0;
}

static long long from_reduce(const Call *call)
{
    return gives(comm_of(call, 6), number(call, 5)) ? product(call, 2, 3) : 0;
}

static long long from_allreduce(const Call *call)
{
    return product(call, 2, 3);
}

static long long from_gather(const Call *call, int root, int comm)
{
    return !in_place(call, 0) && gives(comm_of(call, comm), number(call, root)) ? product(call, 1, 2) : 0;
}

static long long from_plain_gather(const Call *call)
{
    return from_gather(call, 6, 7);
}

static long long from_gatherv(const Call *call)
{
    return from_gather(call, 7, 8);
}

static long long from_scatter(const Call *call)
{
    MPI_Comm comm = comm_of(call, 7);
    return is_root(comm, number(call, 6)) ? product(call, 1, 2) * members(comm) : 0;
}

static long long from_scatterv(const Call *call)
{
    MPI_Comm comm = comm_of(call, 8);
    return is_root(comm, number(call, 7)) ? sum(call, 1, 3, members(comm)) : 0;
}

static long long from_allgather(const Call *call)
{
    return in_place(call, 0) ? product(call, 4, 5) : product(call, 1, 2);
}

static long long from_allgatherv(const Call *call)
{
    int rank = 0;
    UNSEEN(Comm_rank)(comm_of(call, 7), &rank);
    return in_place(call, 0) ? element(call, 4, rank) * size_of(type_of(call, 6)) : product(call, 1, 2);
}

static long long from_alltoall(const Call *call)
{
    return from_allgather(call) * members(comm_of(call, 6));
}

static long long from_alltoallv(const Call *call)
{
    int many = members(comm_of(call, 8));
    return in_place(call, 0) ? sum(call, 5, 7, many) : sum(call, 1, 3, many);
}

static long long from_reduce_scatter(const Call *call)
{
    return sum(call, 2, 3, local_members(comm_of(call, 5)));
}

static long long from_reduce_scatter_block(const Call *call)
{
    return product(call, 2, 3) * local_members(comm_of(call, 5));
}

static const struct {
    const char *names;
    Bytes *given;
} GIVEN[] = {
    {" MPI_Send MPI_Bsend MPI_Ssend MPI_Rsend MPI_Isend MPI_Ibsend MPI_Issend MPI_Irsend MPI_Sendrecv "
     "MPI_Sendrecv_replace ",
     from_send},
    {" MPI_Bcast MPI_Ibcast ", from_bcast},
    {" MPI_Reduce MPI_Ireduce ", from_reduce},
    {" MPI_Allreduce MPI_Iallreduce MPI_Scan MPI_Iscan MPI_Exscan MPI_Iexscan ", from_allreduce},
    {" MPI_Gather MPI_Igather ", from_plain_gather},
    {" MPI_Gatherv MPI_Igatherv ", from_gatherv},
    {" MPI_Scatter MPI_Iscatter ", from_scatter},
    {" MPI_Scatterv MPI_Iscatterv ", from_scatterv},
    {" MPI_Allgather MPI_Iallgather ", from_allgather},
    {" MPI_Allgatherv MPI_Iallgatherv ", from_allgatherv},
    {" MPI_Alltoall MPI_Ialltoall ", from_alltoall},
    {" MPI_Alltoallv MPI_Ialltoallv ", from_alltoallv},
    {" MPI_Reduce_scatter MPI_Ireduce_scatter ", from_reduce_scatter},
    {" MPI_Reduce_scatter_block MPI_Ireduce_scatter_block ", from_reduce_scatter_block},
};

static Row rows[ROWS] = {
#define C(NAME) {#NAME, 0, 0, NULL},
#define FORTRAN(SYMBOL, NAME)
#include "functions.h"
#undef C
#undef FORTRAN
};

__attribute__((constructor)) static void prepare(void)
{
    for (int row = 0; row < ROWS; row++) {
        char word[128];
        snprintf(word, sizeof word, " %s ", rows[row].name);
        for (size_t at = 0; at < sizeof GIVEN / sizeof *GIVEN; at++) {
            if (strstr(GIVEN[at].names, word)) {
                rows[row].given = GIVEN[at].given;
            }
        }
    }
}

__attribute__((destructor)) static void report(void)
{
    char path[4096];
    const char *folder = getenv("COUNTER_DIR");
    if (!folder || own_rank < 0) { /* without MPI_Finalize the numbers are not used */
        return;
    }
    snprintf(path, sizeof path, "%s/%d", folder, own_rank);
    FILE *file = fopen(path, "w");
    for (int row = 0; file && row < ROWS; row++) {
        if (rows[row].calls && rows[row].given) {
            fprintf(file, "%s %lld %lld\n", rows[row].name, rows[row].calls, rows[row].bytes);
        } else if (rows[row].calls) {
            fprintf(file, "%s %lld -\n", rows[row].name, rows[row].calls);
        }
    }
    if (file) {
        fclose(file);
    }
}

/* Calls that MPI makes itself, and calls in callbacks, are not calls of the program. */
static long forward(int row, Function **real, const char *symbol, bool fortran, PARAMETERS)
{
    if (!*real) {
        *real = (Function *)dlsym(RTLD_NEXT, symbol);
    }
    if (inside++ == 0) {
        long words[WORDS] = {ARGUMENTS};
        const Call call = {words, fortran, strstr(symbol, "_f08ts_") != NULL};
        __atomic_add_fetch(&rows[row].calls, 1, __ATOMIC_RELAXED);
        if (rows[row].given) {
            __atomic_add_fetch(&rows[row].bytes, rows[row].given(&call), __ATOMIC_RELAXED);
        }
        if (row == ROW_MPI_Finalize) {
            UNSEEN(Comm_rank)(MPI_COMM_WORLD, &own_rank);
        }
    }
    long result = (*real)(ARGUMENTS);
    inside--;
    return result;
}

/* The functions themselves: their C names are our own, their symbols are those of MPI. */
#define DEFINE(SYMBOL, NAME, LANGUAGE, IS_FORTRAN)                                                                     \
    long LANGUAGE##SYMBOL(PARAMETERS) __asm__(#SYMBOL);                                                                \
    long LANGUAGE##SYMBOL(PARAMETERS)                                                                                  \
    {                                                                                                                  \
        static Function *real;                                                                                         \
        return forward(ROW_##NAME, &real, #SYMBOL, IS_FORTRAN, ARGUMENTS);                                             \
    }
#define C(NAME)               DEFINE(NAME, NAME, c_, false)
#define FORTRAN(SYMBOL, NAME) DEFINE(SYMBOL, NAME, fortran_, true)
#include "functions.h"
#undef C
#undef FORTRAN
