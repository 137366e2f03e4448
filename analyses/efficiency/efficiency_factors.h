/** The efficiency factors of the POP project, from the sums of a run, a region or an iteration. */
#pragma once

#include "efficiency_sums.h"

/** Times in nanoseconds, factors in hundredths of a percent, HIERA_UNKNOWN where the whole is 0, and where calls
 * are missing: these would count as useful time. Names are those of the columns; times are those of a thread.
 *
 * With T the time, U the mean useful time of a thread and I its mean idle time in OpenMP: efficiency = U / T =
 * openmp · mpi, openmp = (T − I) / T, mpi = U / (T − I) = load_balance · communication. The communication is that of
 * the rank with the greatest U / (T − I). `openmp` and its factors (as TALP has them) are unknown if each rank has
 * one thread; then I is 0. */
typedef struct {
    gint64 useful_mean_ns, useful_max_ns, io_mean_ns;
    gint64 efficiency, load_balance, communication, serialisation, transfer;
    gint64 mpi, openmp, openmp_serialisation, openmp_load_balance, openmp_scheduling;
} HieraEfficiencyFactors;

HieraEfficiencyFactors hiera_efficiency_factors(const HieraEfficiencySums *sums);

/** What an answer says that has no time. */
#define HIERA_EFFICIENCY_NOTHING "no main thread is in such operations, and only what happens meanwhile counts"

/** Columns on threads, and the cells of a row in them. */
#define HIERA_EFFICIENCY_THREAD_COLUMNS                                                                                \
    {"threads", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL}, {"mpi", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                \
        {"openmp", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                                             \
        {"openmp-serialisation", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                               \
        {"openmp-load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                                \
        {"openmp-scheduling", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},
#define HIERA_EFFICIENCY_THREAD_CELLS(sums, factors)                                                                   \
    {.number = hiera_efficiency_threads(sums)}, {.number = (factors).mpi}, {.number = (factors).openmp},               \
        {.number = (factors).openmp_serialisation}, {.number = (factors).openmp_load_balance},                         \
    {                                                                                                                  \
        .number = (factors).openmp_scheduling                                                                          \
    }

/** Return what limits the meaning of the factors, as text; "" if nothing does. To be freed with g_free. */
char *hiera_efficiency_remark(const HieraTrace *trace, const HieraEfficiencySums *sums);
