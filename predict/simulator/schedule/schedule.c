/* Which algorithms each collective can use, and the choice among them by size and number of members. */
#include "schedule.h"
#include "algorithms.h"

static const Algorithm algorithms[HIERA_SIM_N_COLLECTIVES][HIERA_SIM_N_ALGORITHMS] = {
    [HIERA_SIM_BARRIER] = {[HIERA_SIM_DISSEMINATION] = rounds_dissemination},
    [HIERA_SIM_BROADCAST] =
        {[HIERA_SIM_BINOMIAL] = tree_broadcast, [HIERA_SIM_SCATTER_ALLGATHER] = tree_scatter_allgather},
    [HIERA_SIM_REDUCE] = {[HIERA_SIM_BINOMIAL] = tree_reduce},
    [HIERA_SIM_ALLREDUCE] = {[HIERA_SIM_RECURSIVE_DOUBLING] = rounds_allreduce, [HIERA_SIM_RING] = ring_allreduce},
    [HIERA_SIM_SCAN] = {[HIERA_SIM_RECURSIVE_DOUBLING] = rounds_scan},
    [HIERA_SIM_GATHER] = {[HIERA_SIM_BINOMIAL] = tree_gather},
    [HIERA_SIM_SCATTER] = {[HIERA_SIM_BINOMIAL] = tree_scatter},
    [HIERA_SIM_ALLGATHER] = {[HIERA_SIM_RECURSIVE_DOUBLING] = rounds_allgather,
                             [HIERA_SIM_RING] = ring_allgather,
                             [HIERA_SIM_BRUCK] = rounds_bruck_allgather},
    [HIERA_SIM_REDUCE_SCATTER] =
        {[HIERA_SIM_RECURSIVE_DOUBLING] = rounds_reduce_scatter, [HIERA_SIM_PAIRWISE] = ring_pairwise},
    [HIERA_SIM_ALLTOALL] = {[HIERA_SIM_BRUCK] = rounds_bruck_alltoall, [HIERA_SIM_PAIRWISE] = ring_pairwise},
};

/* Bytes from which algorithms for long data are used, as in MPICH; LONG_ALLREDUCE as in Open MPI. */
enum {
    LONG_BROADCAST = 12288,
    LONG_ALLREDUCE = 10240,
    LONG_ALLGATHER = 81920,       /* size of the blocks of all members together */
    LONG_REDUCE_SCATTER = 524288, /* size of the blocks of all members together */
    LONG_ALLTOALL = 256,          /* size of the block for one member */
    FEW = 8 /* with fewer members, BROADCAST has the algorithm for short data and ALLTOALL the one for long data */
};

static gboolean is_power_of_2(guint32 n)
{
    return (n & (n - 1)) == 0;
}

static HieraSimAlgorithm choose_by_size(HieraSimCollective collective, guint32 n, gint64 bytes)
{
    gdouble all_bytes = (gdouble)bytes * n;
    switch (collective) {
    case HIERA_SIM_BARRIER:
        return HIERA_SIM_DISSEMINATION;
    case HIERA_SIM_BROADCAST:
        return bytes < LONG_BROADCAST || n < FEW ? HIERA_SIM_BINOMIAL : HIERA_SIM_SCATTER_ALLGATHER;
    case HIERA_SIM_ALLREDUCE:
        return bytes < LONG_ALLREDUCE ? HIERA_SIM_RECURSIVE_DOUBLING : HIERA_SIM_RING;
    case HIERA_SIM_SCAN:
        return HIERA_SIM_RECURSIVE_DOUBLING;
    case HIERA_SIM_ALLGATHER:
        if (all_bytes >= LONG_ALLGATHER)
            return HIERA_SIM_RING;
        return is_power_of_2(n) ? HIERA_SIM_RECURSIVE_DOUBLING : HIERA_SIM_BRUCK;
    case HIERA_SIM_REDUCE_SCATTER:
        return is_power_of_2(n) && all_bytes < LONG_REDUCE_SCATTER ? HIERA_SIM_RECURSIVE_DOUBLING : HIERA_SIM_PAIRWISE;
    case HIERA_SIM_ALLTOALL:
        return bytes <= LONG_ALLTOALL && n >= FEW ? HIERA_SIM_BRUCK : HIERA_SIM_PAIRWISE;
    default: /* REDUCE, GATHER, SCATTER */
        return HIERA_SIM_BINOMIAL;
    }
}

/* Whether an algorithm works for a collective of n members: recursive doubling of blocks needs a power of 2. */
static gboolean is_usable(HieraSimAlgorithm algorithm, HieraSimCollective collective, guint32 n)
{
    gboolean of_blocks = collective == HIERA_SIM_ALLGATHER || collective == HIERA_SIM_REDUCE_SCATTER;
    return algorithms[collective][algorithm] &&
           !(algorithm == HIERA_SIM_RECURSIVE_DOUBLING && of_blocks && !is_power_of_2(n));
}

HieraSimAlgorithm schedule_choose(HieraSimAlgorithm wanted, HieraSimCollective collective, guint32 n, gint64 bytes)
{
    if (wanted == HIERA_SIM_ONE_STEP || is_usable(wanted, collective, n))
        return wanted;
    return choose_by_size(collective, n, bytes);
}

static gboolean is_reduction(HieraSimCollective collective)
{
    return collective == HIERA_SIM_REDUCE || collective == HIERA_SIM_ALLREDUCE || collective == HIERA_SIM_SCAN ||
           collective == HIERA_SIM_REDUCE_SCATTER;
}

gboolean schedule_next(Schedule *schedule, ScheduleStep *step)
{
    Algorithm fill = algorithms[schedule->collective][schedule->algorithm];
    ScheduleStep found = {NOBODY, NOBODY, 0, is_reduction(schedule->collective)};
    while (schedule->n > 1 && fill(schedule, &found)) {
        schedule->step++;
        if (found.to != NOBODY || found.from != NOBODY) {
            *step = found;
            return TRUE;
        }
    }
    return FALSE;
}
