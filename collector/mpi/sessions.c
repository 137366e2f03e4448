/* Programs that start MPI by sessions (MPI-4, 11.3), without MPI_Init: rank and size are those of mpi://WORLD. */
#include "specials.h"

#if MPI_VERSION >= 4

#include "../roster.h"
#include "../session.h"
#include "clock_sync.h"

#include <errno.h>

static MPI_Session world_session; /* whose group stands for the world */

/* No process need wait for another, so nobody learns who else will come: job and zero are all that they share. */
static void join(MPI_Group world)
{
    HieraJob job = {.init_ticks = hiera_clock_ticks()};
    HieraLaunch launch = hiera_launch_read(HIERA_MPI_BY_PMI);
    PMPI_Group_rank(world, &job.rank);
    PMPI_Group_size(world, &job.size);
    HieraRoster roster = hiera_roster_look(&launch, hiera_session.dir, job.rank, job.size);
    job.id = roster.job;
    job.zero_ns = roster.zero_ns ? roster.zero_ns : (int64_t)hiera_clock_birth_ns();
    job.clock = hiera_clock_sync_alone(roster.zero_ns ? 0 : job.rank);
    hiera_types_start();
    if (hiera_session_join(&job) == 0 && (job.rank == 0 || !hiera_files_are_there(hiera_session.dir)))
        hiera_files_write(hiera_session.dir, hiera_files_application(), job.size, NULL, job.size);
}

void hiera_special_session_started(MPI_Session session)
{
    int saved_errno = errno;
    MPI_Group world;
    if (hiera_session.closed || hiera_comms_know_world() ||
        PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) != MPI_SUCCESS)
        return;
    hiera_comms_set_world(world);
    world_session = session;
    if (!hiera_session.joined)
        join(world);
    errno = saved_errno;
}

void hiera_special_session_ending(MPI_Session session)
{
    if (hiera_comms_know_world() && session == world_session)
        hiera_comms_stop();
}

#endif
