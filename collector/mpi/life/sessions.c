/* Programs that initialize MPI by sessions (MPI-4, 11.3), not by MPI_Init. A process has its rank in mpi://WORLD. */
#include "base/life.h"
#include "init_finalize.h"
#include "job/job.h"
#include "join_once.h"
#include "late_join.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/requests.h"
#include "process/children.h"
#include "process/session.h"

#ifdef MPI_SESSION_NULL

#include <errno.h>
#include <mpi.h>

static MPI_Session world_session; /* the session from which the group of all processes, mpi://WORLD, was made */

static void join(MPI_Group world)
{
    HieraJob job = {.init_ticks = hiera_clock_ticks()};
    hiera_own.Group_rank(world, &job.rank);
    hiera_own.Group_size(world, &job.size);
    hiera_late_join(&job);
    hiera_session_put_init();
}

void hiera_special_session_started(MPI_Session session)
{
    int saved_errno = errno;
    MPI_Group world;
    hiera_children_wake();
    hiera_requests_by_one_thread = false;               /* because another session may be used by another thread */
    hiera_session.thread_level = HIERA_THREADS_UNKNOWN; /* each session has its own level */
    if (hiera_life.closed || hiera_comms_know_world() ||
        hiera_own.Group_from_session_pset(session, "mpi://WORLD", &world) != MPI_SUCCESS)
        return;
    hiera_comms_set_world(world);
    world_session = session;
    if (hiera_join_settle())
        join(world);
    errno = saved_errno;
}

void hiera_special_session_ending(MPI_Session session)
{
    if (hiera_comms_know_world() && session == world_session)
        hiera_comms_stop();
}

#endif
