#include "join_once.h"

#include "base/settings.h"
#include "loops/timed_loops.h"
#include "mpi/call/call_record.h"
#include "mpi/call/mpi_level.h"
#include "next_functions.h"

static int settled;         /* 1: one call is joining this process to the job, or has done so */
static HieraLaunch at_load; /* what the launcher has set, read before Open MPI removes these environment variables */

void hiera_join_load(void)
{
    if (!HIERA_MPI_BY_PMI) /* for other MPIs this would read parent processes: too slow for each shell of a job */
        at_load = hiera_launch_read(HIERA_MPI_BY_PMI);
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        hiera_mpi_filtered[i] |= HIERA_FILTERED_EARLY;
}

HieraLaunch hiera_join_launch(void)
{
    return HIERA_MPI_BY_PMI ? hiera_launch_read(HIERA_MPI_BY_PMI) : at_load;
}

static void unmark(void)
{
    bool is_timed = hiera_timed_n_plans > 0 || hiera_settings.search.is_on;
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        if (is_timed)
            __atomic_or_fetch(&hiera_mpi_filtered[i], HIERA_FILTERED_TIMED, __ATOMIC_RELAXED);
        __atomic_and_fetch(&hiera_mpi_filtered[i], (uint8_t)~HIERA_FILTERED_EARLY, __ATOMIC_RELAXED);
    }
    hiera_next_settle();
}

bool hiera_join_settle(void)
{
    if (__atomic_exchange_n(&settled, 1, __ATOMIC_ACQ_REL))
        return false;
    unmark();
    return true;
}

bool hiera_join_is_settled(void)
{
    return settled;
}
