/* See late_join.h. If another tool intercepts MPI_Init and Hiera does not see it, the first MPI call that Hiera sees
 * joins the process. */
#include "late_join.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "document/session_state.h"
#include "init_finalize.h"
#include "job/roster.h"
#include "join_once.h"
#include "loops/timing.h"
#include "mpi/agree/clock_sync.h"
#include "mpi/agree/job_folder.h"
#include "mpi/call/call_record.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/types.h"
#include "mpi_library.h"
#include "other_doors.h"
#include "other_tools.h"
#include "process/children.h"
#include "process/session.h"
#include "process/start.h"
#include "process/survive.h"
#include "record/pause.h"
#include "write/companion_files.h"

#include <errno.h>
#include <mpi.h>

/* Join the process to its job without waiting for other processes, so which of them record is not known. They have only
 * the job id and the zero of time in common. */
int hiera_late_join(HieraJob *job)
{
    HieraLaunch launch = hiera_join_launch();
    HieraRoster roster = hiera_roster_look(&launch, hiera_session.dir, job->rank, job->size);
    job->id = roster.job;
    job->traced = roster.known ? roster.n : 0;
    job->zero_ns = roster.zero_ns ? roster.zero_ns : (int64_t)hiera_clock_birth_ns();
    job->clock = hiera_clock_sync_alone(roster.zero_ns ? 0 : job->rank);
    hiera_survive_begin();
    hiera_types_start();
    if (!hiera_life.joined) {
        HieraLaunch launched = hiera_launch_read_any();
        hiera_folder_settle_single(&launched, job);
        hiera_folder_settle_alone(job, true);
    }
    int error = hiera_start_join(job, NULL);
    if (error == 0 && (job->rank == 0 || !hiera_files_are_there(hiera_session.dir)))
        hiera_files_write(hiera_session.dir, hiera_files_application(), job->size, &(HieraFileList){.n = job->size});
    return error;
}

static void say_past(int rank)
{
    if (rank <= 0)
        hiera_message("MPI calls have not come to Hiera, so the traces lack them: %s", hiera_doors_missing(0));
}

bool hiera_late_find_job(HieraJob *job)
{
    int initialized = 0;
    if (hiera_lock_is_careful() ? !hiera_mpi_is_known() : !hiera_mpi_is_there())
        return false;
    hiera_own.Initialized(&initialized);
    if (!hiera_lock_is_careful())
        hiera_doors_look_past();
    if (!(initialized || hiera_doors_copy_is_used()) || hiera_join_is_settled())
        return false;
    HieraLaunch launch = hiera_join_launch();
    if (launch.rank >= 0 && launch.size > launch.rank) {
        job->rank = launch.rank;
        job->size = launch.size;
        job->traced = launch.size == 1;
        job->id = launch.key ? launch.key : job->id;
    }
    hiera_doors_note_some();
    say_past(job->rank);
    return true;
}

static void join_world(void)
{
    int saved_errno = errno;
    HieraJob job = {
        .init_ticks = hiera_clock_ticks()}; /* MPI_Init was not seen, so this is the time at which the process joins */
    hiera_own.Comm_rank(MPI_COMM_WORLD, &job.rank);
    hiera_own.Comm_size(MPI_COMM_WORLD, &job.size);
    hiera_survive_begin();
    hiera_comms_start();
    hiera_company_find();
    hiera_late_join(&job);
    hiera_special_watch_finalize();
    if (job.rank == 0)
        hiera_company_report();
    hiera_session_put_init();
    errno = saved_errno;
}

/* Join the process to its job if MPI is initialized. */
static void join_if_ready(void)
{
    int initialized = 0, finalized = 0;
    if (hiera_thread && hiera_thread->inside)
        return; /* MPI itself makes this call, inside a call of the program */
    hiera_own.Initialized(&initialized);
    hiera_own.Finalized(&finalized);
    if (initialized && hiera_join_settle() && !finalized && !hiera_life.joined)
        join_world();
}

/* Start recording in a forked child if the child has initialized MPI in a way that Hiera did not see. */
static void wake_if_ready(void)
{
    int initialized = 0, finalized = 0;
    hiera_own.Initialized(&initialized);
    hiera_own.Finalized(&finalized);
    if (initialized && !finalized)
        hiera_children_wake();
}

bool hiera_mpi_check_observed(unsigned call)
{
    if (hiera_life.asleep)
        wake_if_ready();
    if (hiera_is_idle()) {
        if (!hiera_thread || !hiera_thread->inside) /* the program makes this call, not MPI itself */
            hiera_pause_note_call();
        return true;
    }
    uint8_t filtered = __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED);
    if (filtered & HIERA_FILTERED_EARLY) {
        hiera_mpi_require();
        join_if_ready();
    }
    if (filtered & HIERA_FILTERED_TIMED)
        hiera_timing_look();
    return filtered & HIERA_FILTERED_ALWAYS;
}

bool hiera_mpi_check_slow(unsigned call)
{
    bool observed = __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED) & HIERA_FILTERED_ASIDE;
    return observed || hiera_mpi_check_observed(call);
}
