/* MPI is there, or goes, and nobody told us: another tool in front of us may take MPI_Init or MPI_Finalize.
 *
 * Then the first call that does reach us joins, without an exchange. Until the process has joined each function is
 * marked, so that a call looks here; afterwards none does. MPI_Finalize begins by deleting the attributes of
 * MPI_COMM_SELF, those that were set last first, and MPI can still be used in what that calls: one of them is ours. */
#include "mpi/call/mpi_level.h"

#include "base/message.h"
#include "clock_sync.h"
#include "init_finalize.h"
#include "job/roster.h"
#include "job_folder.h"
#include "other_tools.h"
#include "process/session.h"
#include "record/pause.h"
#include "write/writer.h"

#include <errno.h>

static int settled;         /* whether it is known how this process joins */
static HieraLaunch at_load; /* of Open MPI, which takes back what it was told */

static void unmark(void)
{
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        __atomic_and_fetch(&hiera_mpi_filtered[i], (uint8_t)~HIERA_FILTERED_EARLY, __ATOMIC_RELAXED);
}

void hiera_late_load(void)
{
    if (!HIERA_MPI_BY_PMI) /* the other way looks at the processes above, too much for every shell of a job */
        at_load = hiera_launch_read(HIERA_MPI_BY_PMI);
    for (unsigned i = 0; i < hiera_mpi_call_count; i++)
        hiera_mpi_filtered[i] |= HIERA_FILTERED_EARLY;
}

static HieraLaunch launch_of_process(void)
{
    return HIERA_MPI_BY_PMI ? hiera_launch_read(HIERA_MPI_BY_PMI) : at_load;
}

bool hiera_late_settle(void)
{
    if (__atomic_exchange_n(&settled, 1, __ATOMIC_ACQ_REL))
        return false;
    unmark();
    return true;
}

/* No process need wait for another, so nobody learns who else will come: job and zero are all that they share. */
int hiera_late_join(HieraJob *job)
{
    HieraLaunch launch = launch_of_process();
    HieraRoster roster = hiera_roster_look(&launch, hiera_session.dir, job->rank, job->size);
    job->id = roster.job;
    job->traced = roster.known ? roster.n : 0;
    job->zero_ns = roster.zero_ns ? roster.zero_ns : (int64_t)hiera_clock_birth_ns();
    job->clock = hiera_clock_sync_alone(roster.zero_ns ? 0 : job->rank);
    hiera_types_start();
    if (!hiera_session.joined) {
        HieraLaunch launched = hiera_launch_read_any();
        hiera_folder_settle_single(&launched, job);
        hiera_folder_settle_alone(job, true);
    }
    int error = hiera_session_join(job);
    if (error == 0 && (job->rank == 0 || !hiera_files_are_there(hiera_session.dir)))
        hiera_files_write(hiera_session.dir, hiera_files_application(), job->size, NULL, job->size);
    return error;
}

/* MPI was linked before us: it took all calls itself. What the program told us in other ways still has its rank. */
void hiera_mpi_alone(HieraJob *job)
{
    int initialized = 0;
    PMPI_Initialized(&initialized);
    if (!initialized || settled)
        return;
    HieraLaunch launch = launch_of_process();
    if (launch.rank >= 0 && launch.size > launch.rank) {
        job->rank = launch.rank;
        job->size = launch.size;
        job->traced = launch.size == 1;
        job->id = launch.key ? launch.key : job->id;
    }
    if (job->rank == 0)
        hiera_message(
            "MPI calls do not come to Hiera, so the traces lack them: the program has MPI before Hiera. Link it with "
            "-lhiera before -lmpi (pkg-config has the order), or run it under hiera-run");
}

static int on_finalize(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    hiera_special_finalizing();
    return MPI_SUCCESS;
}

void hiera_late_watch_finalize(void)
{
    int keyval;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &keyval, NULL) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, &settled);
    PMPI_Comm_free_keyval(&keyval);
}

static void join_world(void)
{
    int saved_errno = errno;
    HieraJob job = {.init_ticks = hiera_clock_ticks()};
    PMPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &job.size);
    hiera_comms_start();
    hiera_late_join(&job);
    hiera_late_watch_finalize();
    if (job.rank == 0)
        hiera_company_report();
    errno = saved_errno;
}

/* Before MPI is there nothing is settled yet. */
static void look(void)
{
    int initialized = 0, finalized = 0;
    if (hiera_thread && hiera_thread->inside)
        return; /* a call that MPI itself makes */
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (initialized && hiera_late_settle() && !finalized && !hiera_session.joined)
        join_world();
}

bool hiera_mpi_is_left_out(unsigned call)
{
    if (hiera_is_idle()) {
        if (!hiera_thread || !hiera_thread->inside) /* not one that MPI itself makes */
            hiera_pause_note_call();
        return true;
    }
    uint8_t filtered = __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED);
    if (filtered & HIERA_FILTERED_EARLY)
        look();
    return filtered & HIERA_FILTERED_ALWAYS;
}
