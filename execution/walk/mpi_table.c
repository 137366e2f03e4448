/* See mpi_table.h. */
#include "mpi_table.h"
#include <string.h>

#define NO                                                                                                             \
    .buffer = -1, .count = -1, .type = -1, .peer = -1, .tag = -1, .communicator = -1, .request = -1, .to = -1,         \
    .to_count = -1, .to_type = -1, .source = -1, .source_tag = -1, .status = -1
/* Arguments that are not named are none; C lets a later word of an initialiser win. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#define ROW(function, what, ...)                                                                                       \
    {                                                                                                                  \
        .name = function, .kind = HIERA_MPI_##what, NO, __VA_ARGS__                                                    \
    }

#define SEND_ARGUMENTS .buffer = 0, .count = 1, .type = 2, .peer = 3, .tag = 4, .communicator = 5
static const HieraMpiFunction functions[] = {
    ROW("Send", SEND, .detail = HIERA_SIM_STANDARD, SEND_ARGUMENTS),
    ROW("Ssend", SEND, .detail = HIERA_SIM_SYNCHRONOUS, SEND_ARGUMENTS),
    ROW("Bsend", SEND, .detail = HIERA_SIM_BUFFERED, SEND_ARGUMENTS),
    ROW("Rsend", SEND, .detail = HIERA_SIM_READY, SEND_ARGUMENTS),
    ROW("Isend", SEND, .detail = HIERA_SIM_STANDARD, SEND_ARGUMENTS, .request = 6),
    ROW("Issend", SEND, .detail = HIERA_SIM_SYNCHRONOUS, SEND_ARGUMENTS, .request = 6),
    ROW("Ibsend", SEND, .detail = HIERA_SIM_BUFFERED, SEND_ARGUMENTS, .request = 6),
    ROW("Irsend", SEND, .detail = HIERA_SIM_READY, SEND_ARGUMENTS, .request = 6),
    ROW("Send_init", SEND, .detail = HIERA_SIM_STANDARD, SEND_ARGUMENTS, .request = 6, .persistent = TRUE),
    ROW("Ssend_init", SEND, .detail = HIERA_SIM_SYNCHRONOUS, SEND_ARGUMENTS, .request = 6, .persistent = TRUE),
    ROW("Bsend_init", SEND, .detail = HIERA_SIM_BUFFERED, SEND_ARGUMENTS, .request = 6, .persistent = TRUE),
    ROW("Rsend_init", SEND, .detail = HIERA_SIM_READY, SEND_ARGUMENTS, .request = 6, .persistent = TRUE),
    ROW("Recv", RECEIVE, SEND_ARGUMENTS, .status = 6),
    ROW("Irecv", RECEIVE, SEND_ARGUMENTS, .request = 6),
    ROW("Recv_init", RECEIVE, SEND_ARGUMENTS, .request = 6, .persistent = TRUE),
    ROW("Sendrecv", EXCHANGE, .buffer = 0, .count = 1, .type = 2, .peer = 3, .tag = 4, .to = 5, .to_count = 6,
        .to_type = 7, .source = 8, .source_tag = 9, .communicator = 10, .status = 11),
    ROW("Sendrecv_replace", EXCHANGE, .buffer = 0, .count = 1, .type = 2, .peer = 3, .tag = 4, .to = 0, .to_count = 1,
        .to_type = 2, .source = 5, .source_tag = 6, .communicator = 7, .status = 8),
    ROW("Start", START, .request = 0),
    ROW("Startall", START, .count = 0, .request = 1),
    ROW("Wait", WAIT, .detail = HIERA_SIM_ALL, .request = 0, .status = 1),
    ROW("Waitall", WAIT, .detail = HIERA_SIM_ALL, .count = 0, .request = 1),
    ROW("Waitany", WAIT, .detail = HIERA_SIM_ONE, .count = 0, .request = 1, .to = 2, .status = 3),
    ROW("Waitsome", WAIT, .detail = HIERA_SIM_SOME, .count = 0, .request = 1, .to_count = 2, .to = 3),
    ROW("Test", WAIT, .detail = HIERA_SIM_ALL, .request = 0, .source = 1, .status = 2),
    ROW("Testall", WAIT, .detail = HIERA_SIM_ALL, .count = 0, .request = 1, .source = 2),
    ROW("Testany", WAIT, .detail = HIERA_SIM_ONE, .count = 0, .request = 1, .to = 2, .source = 3, .status = 4),
    ROW("Testsome", WAIT, .detail = HIERA_SIM_SOME, .count = 0, .request = 1, .to_count = 2, .to = 3),
    ROW("Barrier", COLLECTIVE, .detail = HIERA_SIM_BARRIER, .communicator = 0),
    ROW("Ibarrier", COLLECTIVE, .detail = HIERA_SIM_BARRIER, .communicator = 0, .request = 1),
    ROW("Bcast", COLLECTIVE, .detail = HIERA_SIM_BROADCAST, .buffer = 0, .count = 1, .type = 2, .to = 0, .peer = 3,
        .communicator = 4),
    ROW("Ibcast", COLLECTIVE, .detail = HIERA_SIM_BROADCAST, .buffer = 0, .count = 1, .type = 2, .to = 0, .peer = 3,
        .communicator = 4, .request = 5),
    ROW("Reduce", COLLECTIVE, .detail = HIERA_SIM_REDUCE, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .peer = 5, .communicator = 6),
    ROW("Ireduce", COLLECTIVE, .detail = HIERA_SIM_REDUCE, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .peer = 5, .communicator = 6, .request = 7),
    ROW("Allreduce", COLLECTIVE, .detail = HIERA_SIM_ALLREDUCE, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .communicator = 5),
    ROW("Iallreduce", COLLECTIVE, .detail = HIERA_SIM_ALLREDUCE, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .communicator = 5, .request = 6),
    ROW("Scan", COLLECTIVE, .detail = HIERA_SIM_SCAN, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .communicator = 5),
    ROW("Iscan", COLLECTIVE, .detail = HIERA_SIM_SCAN, .buffer = 0, .to = 1, .count = 2, .type = 3, .tag = 4,
        .communicator = 5, .request = 6),
    ROW("Exscan", COLLECTIVE, .detail = HIERA_SIM_SCAN, .count = 2, .type = 3, .to = 1, .communicator = 5),
    ROW("Iexscan", COLLECTIVE, .detail = HIERA_SIM_SCAN, .count = 2, .type = 3, .to = 1, .communicator = 5,
        .request = 6),
    ROW("Gather", COLLECTIVE, .detail = HIERA_SIM_GATHER, .buffer = 0, .count = 1, .type = 2, .to = 3, .peer = 6,
        .communicator = 7),
    ROW("Igather", COLLECTIVE, .detail = HIERA_SIM_GATHER, .buffer = 0, .count = 1, .type = 2, .to = 3, .peer = 6,
        .communicator = 7, .request = 8),
    ROW("Gatherv", COLLECTIVE, .detail = HIERA_SIM_GATHER, .count = 1, .type = 2, .to = 3, .peer = 7,
        .communicator = 8),
    ROW("Igatherv", COLLECTIVE, .detail = HIERA_SIM_GATHER, .count = 1, .type = 2, .to = 3, .peer = 7,
        .communicator = 8, .request = 9),
    ROW("Scatter", COLLECTIVE, .detail = HIERA_SIM_SCATTER, .buffer = 0, .to = 3, .count = 4, .type = 5, .peer = 6,
        .communicator = 7),
    ROW("Iscatter", COLLECTIVE, .detail = HIERA_SIM_SCATTER, .buffer = 0, .to = 3, .count = 4, .type = 5, .peer = 6,
        .communicator = 7, .request = 8),
    ROW("Scatterv", COLLECTIVE, .detail = HIERA_SIM_SCATTER, .to = 4, .count = 5, .type = 6, .peer = 7,
        .communicator = 8),
    ROW("Iscatterv", COLLECTIVE, .detail = HIERA_SIM_SCATTER, .to = 4, .count = 5, .type = 6, .peer = 7,
        .communicator = 8, .request = 9),
    ROW("Allgather", COLLECTIVE, .detail = HIERA_SIM_ALLGATHER, .buffer = 0, .count = 1, .type = 2, .to = 3,
        .communicator = 6),
    ROW("Iallgather", COLLECTIVE, .detail = HIERA_SIM_ALLGATHER, .buffer = 0, .count = 1, .type = 2, .to = 3,
        .communicator = 6, .request = 7),
    ROW("Allgatherv", COLLECTIVE, .detail = HIERA_SIM_ALLGATHER, .count = 1, .type = 2, .to = 3, .communicator = 7),
    ROW("Iallgatherv", COLLECTIVE, .detail = HIERA_SIM_ALLGATHER, .count = 1, .type = 2, .to = 3, .communicator = 7,
        .request = 8),
    ROW("Alltoall", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .count = 1, .type = 2, .to = 3, .communicator = 6),
    ROW("Ialltoall", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .count = 1, .type = 2, .to = 3, .communicator = 6,
        .request = 7),
    ROW("Alltoallv", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .type = 3, .to = 4, .communicator = 8),
    ROW("Ialltoallv", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .type = 3, .to = 4, .communicator = 8, .request = 9),
    ROW("Alltoallw", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .to = 4, .communicator = 8),
    ROW("Ialltoallw", COLLECTIVE, .detail = HIERA_SIM_ALLTOALL, .to = 4, .communicator = 8, .request = 9),
    ROW("Reduce_scatter", COLLECTIVE, .detail = HIERA_SIM_REDUCE_SCATTER, .type = 3, .to = 1, .communicator = 5),
    ROW("Ireduce_scatter", COLLECTIVE, .detail = HIERA_SIM_REDUCE_SCATTER, .type = 3, .to = 1, .communicator = 5,
        .request = 6),
    ROW("Reduce_scatter_block", COLLECTIVE, .detail = HIERA_SIM_REDUCE_SCATTER, .to = 1, .count = 2, .type = 3,
        .communicator = 5),
    ROW("Ireduce_scatter_block", COLLECTIVE, .detail = HIERA_SIM_REDUCE_SCATTER, .to = 1, .count = 2, .type = 3,
        .communicator = 5, .request = 6),
    ROW("Comm_rank", RANK, .communicator = 0, .to = 1),
    ROW("Comm_size", SIZE, .communicator = 0, .to = 1),
    ROW("Comm_dup", DUPLICATE, .communicator = 0, .to = 1),
    ROW("Comm_split", SPLIT, .communicator = 0, .count = 1, .tag = 2, .to = 3),
    ROW("Comm_split_type", SPLIT, .communicator = 0, .tag = 2, .to = 4),
    ROW("Cart_create", CART_CREATE, .communicator = 0, .count = 1, .buffer = 2, .source = 3, .to = 5),
    ROW("Cart_shift", CART_SHIFT, .communicator = 0, .count = 1, .tag = 2, .source = 3, .to = 4),
    ROW("Cart_coords", CART_COORDS, .communicator = 0, .peer = 1, .count = 2, .to = 3),
    ROW("Cart_rank", CART_RANK, .communicator = 0, .buffer = 1, .to = 2),
    ROW("Dims_create", DIMS_CREATE, .peer = 0, .count = 1, .to = 2),
    ROW("Type_contiguous", TYPE, .count = 0, .type = 1, .to = 2),
    ROW("Type_vector", TYPE, .count = 0, .to_count = 1, .type = 3, .to = 4),
    ROW("Type_create_hvector", TYPE, .count = 0, .to_count = 1, .type = 3, .to = 4),
    ROW("Type_size", TYPE_SIZE, .type = 0, .to = 1),
    ROW("Get_count", GET_COUNT, .status = 0, .type = 1, .to = 2),
    ROW("Win_fence", COLLECTIVE, .detail = HIERA_SIM_BARRIER),
    ROW("Win_create", COLLECTIVE, .detail = HIERA_SIM_BARRIER, .communicator = 4),
    ROW("Win_allocate", COLLECTIVE, .detail = HIERA_SIM_BARRIER, .communicator = 3),
    ROW("File_open", COLLECTIVE, .detail = HIERA_SIM_BARRIER, .communicator = 0),
    ROW("Init", COLLECTIVE, .detail = HIERA_SIM_BARRIER),
    ROW("Init_thread", COLLECTIVE, .detail = HIERA_SIM_BARRIER),
    ROW("Finalize", FINALIZE, .detail = HIERA_SIM_BARRIER),
    ROW("Abort", ABORT, .communicator = 0),
};
#pragma GCC diagnostic pop

static const HieraMpiFunction local = {.name = "", .kind = HIERA_MPI_LOCAL};

/* Functions that touch other ranks, by their beginnings. */
static const char *const left_out[] = {"Put",          "Get",         "Rput",         "Rget",
                                       "Accumulate",   "Raccumulate", "Fetch_and_op", "Compare_and_swap",
                                       "Win_",         "Mrecv",       "Imrecv",       "Psend",
                                       "Precv",        "Neighbor",    "Ineighbor",    "File_write",
                                       "File_read",    "Comm_create", "Comm_spawn",   "Comm_accept",
                                       "Comm_connect", "Intercomm",   "Graph_create", "Dist_graph",
                                       "Cart_sub",     "Probe",       "Iprobe",       "Mprobe",
                                       "Improbe",      "Parrived",    "Pready"};

static const char *strip(const char *name, gboolean *fortran)
{
    if (*name == 'P' || *name == 'p')
        name++;
    *fortran = g_str_has_prefix(name, "mpi_");
    return name + strlen("MPI_");
}

const HieraMpiFunction *hiera_mpi_function(const char *name, gboolean *fortran)
{
    const char *base = strip(name, fortran);
    gsize n = strlen(base) - (*fortran && g_str_has_suffix(base, "_"));
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strlen(functions[i].name) == n && (*fortran ? g_ascii_strncasecmp(functions[i].name, base, n) == 0
                                                        : strncmp(functions[i].name, base, n) == 0))
            return &functions[i];
    return &local;
}

gboolean hiera_mpi_is_left_out(const char *name)
{
    gboolean fortran;
    const char *base = strip(name, &fortran);
    if (hiera_mpi_function(name, &fortran)->kind != HIERA_MPI_LOCAL)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(left_out); i++)
        if (g_ascii_strncasecmp(base, left_out[i], strlen(left_out[i])) == 0)
            return TRUE;
    return FALSE;
}
