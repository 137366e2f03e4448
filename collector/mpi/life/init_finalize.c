/* The hand-written parts of MPI_Init, MPI_Init_thread, MPI_Finalize, MPI_Pcontrol and MPI_Abort. The parts of the other
 * `special` calls are one line each in init_finalize.h.
 *
 * Messages are exchanged among the members of the roster only, with any settings: no rank waits for a rank without
 * Hiera. */
#include "init_finalize.h"

#include "base/life.h"
#include "base/message.h"
#include "base/settings.h"
#include "counters/counters.h"
#include "document/processor_time.h"
#include "entry_times.h"
#include "expect/expect.h"
#include "hiera.h"
#include "job/roster.h"
#include "join_once.h"
#include "loaded/openmp_library.h"
#include "loops/timed_loops.h"
#include "mpi/agree/clock_sync.h"
#include "mpi/agree/job_folder.h"
#include "mpi/agree/share_globals.h"
#include "mpi/call/callbacks.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/requests.h"
#include "mpi/handle/types.h"
#include "mpi/probe/observed_end.h"
#include "mpi_counters.h"
#include "next_functions.h"
#include "other_doors.h"
#include "other_tools.h"
#include "probing/main_script.h"
#include "probing/results.h"
#include "probing/shared_globals.h"
#include "process/children.h"
#include "process/commands.h"
#include "process/other_mpi.h"
#include "process/session.h"
#include "process/start.h"
#include "process/survive.h"
#include "sampling/sampling.h"
#include "twins.h"
#include "write/companion_files.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMBERS_TAG = 32109 }; /* a tag that a program hardly uses for MPI_Comm_create_group during MPI_Init */

/* The ranks that run with Hiera. MPI_COMM_NULL: no other such rank is known. Never MPI_COMM_WORLD itself, so that
 * Hiera's messages cannot match unmatched operations of an erroneous program. */
static MPI_Comm members = MPI_COMM_NULL;
static HieraRoster roster;
static HieraLaunch launched; /* rank and size from the environment, if any launcher of any MPI has set them */
static bool all_probe;       /* whether all members (ranks that run with Hiera) run a probe script */
static uint64_t n_sync;      /* number of members (ranks that run with Hiera) that set HIERA_SYNC=1 */
static int64_t first_sharer; /* lowest member whose script shares variables or locks with other ranks */
static bool has_shared;      /* whether this rank has called hiera_share_globals() */
static bool is_ours;         /* whether MPI_Init, not a session before it, has opened the trace */

static void gather_members(int size)
{
    MPI_Group world, group;
    if (!roster.known || roster.n == 1)
        return;
    if (roster.n == size) {
        hiera_own.Comm_dup(MPI_COMM_WORLD, &members);
    } else {
        hiera_own.Comm_group(MPI_COMM_WORLD, &world);
        hiera_own.Group_incl(world, roster.n, roster.ranks, &group);
        hiera_own.Comm_create_group(MPI_COMM_WORLD, group, MEMBERS_TAG, &members);
        hiera_own.Group_free(&group);
        hiera_own.Group_free(&world);
    }
    hiera_own.Comm_set_errhandler(members, MPI_ERRORS_RETURN);
}

/* Print one message for all members: number of ranks with an error, sum of `count`, worst error. The same reduction
 * finds whether all have a probe script, and how many want to measure waiting. */
static void report(int error, uint64_t count, const char *what)
{
    uint64_t own[4] = {error != 0, count, !hiera_main_script_is_common(), hiera_entry_times_wanted() && error == 0};
    uint64_t sum[4] = {own[0], own[1], own[2], own[3]};
    int worst = error, rank = 0;
    if (members != MPI_COMM_NULL) {
        hiera_own.Comm_rank(members, &rank);
        hiera_own.Allreduce(own, sum, 4, MPI_UINT64_T, MPI_SUM, members);
        hiera_own.Reduce(&error, &worst, 1, MPI_INT, MPI_MAX, 0, members);
    }
    all_probe = sum[2] == 0;
    n_sync = sum[3];
    if (rank == 0 && sum[0] > 0 && what)
        hiera_message(what, (unsigned long long)sum[0], (unsigned long long)sum[1], hiera_session.dir,
                      hiera_message_of(worst));
}

/* Write the files beside the traces. If the members are known, the first one writes them. Otherwise rank 0 writes them,
 * and any rank that does not see them. */
static void write_files(bool first, int size)
{
    HieraFileList list = roster.known ? hiera_folder_list(&roster) : (HieraFileList){.n = size};
    if (roster.known ? first : first || !hiera_files_are_there(hiera_session.dir))
        hiera_files_write(hiera_session.dir, hiera_files_application(), size, &list);
}

/* Use a subfolder if this job may share the folder with another job: spawned processes count their ranks from 0, as
 * their parents do; and a job of one process may be one of many that were launched together. */
static void leave_folder_of_others(HieraJob *job)
{
    MPI_Comm parents = MPI_COMM_NULL;
    char name[32];
    hiera_own.Comm_get_parent(&parents);
    snprintf(name, sizeof name, "spawned-%llx", (unsigned long long)job->id);
    if (hiera_life.joined)
        return;
    if (parents == MPI_COMM_NULL)
        hiera_folder_settle_single(&launched, job);
    else
        hiera_session_use_subfolder(name);
}

void hiera_special_starting(void)
{
    int saved_errno = errno;
    hiera_children_wake();
    if (!hiera_life.loaded || hiera_life.closed)
        return;
    hiera_other_mpi_complain();
    hiera_join_settle();
    HieraLaunch launch = hiera_launch_read(HIERA_MPI_BY_PMI);
    launched = hiera_launch_read_any();
    hiera_roster_enter(&launch, hiera_session.dir);
    hiera_openmp_find();
    hiera_usage_expect_mpi();
    errno = saved_errno;
}

/* Find which ranks run with Hiera, the folder of the traces, and the offset of this rank's clock. */
static void settle_job(HieraJob *job)
{
    hiera_own.Comm_rank(MPI_COMM_WORLD, &job->rank);
    hiera_own.Comm_size(MPI_COMM_WORLD, &job->size);
    roster = hiera_roster_close(job->rank, job->size);
    job->id = roster.job;
    job->first = roster.known ? roster.ranks[0] : 0;
    job->traced = roster.known ? roster.n : 0;
    leave_folder_of_others(job);
    gather_members(job->size);
    hiera_folder_settle(members, &roster, job);
    bool records = !hiera_life.closed;
    first_sharer = records && !hiera_life.joined ? hiera_share_globals_rank(members, job->size) : HIERA_SHARES_NOTHING;
    job->zero_ns = hiera_clock_sync_start(members == MPI_COMM_NULL ? MPI_COMM_SELF : members, roster.ranks[0], records,
                                          &first_sharer, &job->clock);
}

/* Print messages that concern the whole job; called on one rank only. */
static void report_job(int size)
{
    hiera_settings_complain();
    hiera_counters_complain();
    hiera_expect_complain();
    hiera_sampling_complain();
    hiera_timed_complain();
    hiera_commands_complain();
    hiera_main_script_complain();
    hiera_company_report();
    if (is_ours && !roster.known && !hiera_life.closed)
        hiera_message("nobody knows which of the %d ranks run with Hiera (%s%s%s): their times are not compared", size,
                      roster.job ? hiera_session.dir : "the launcher gives the job no name",
                      roster.obstacle ? ": " : "", roster.obstacle ? hiera_message_of(roster.obstacle) : "");
}

/* All files exist before any rank leaves MPI_Init: a rank may crash afterwards, and the launcher then kills the
 * others. Last comes a barrier, so that the ranks continue as close together as possible. */
static void leave_together(bool first)
{
    if (members != MPI_COMM_NULL)
        hiera_own.Barrier(members);
    hiera_globals_settle();
    if (roster.known)
        hiera_roster_leave(first);
    if (is_ours)
        hiera_session_put_init();
    if (members != MPI_COMM_NULL)
        hiera_own.Barrier(members);
    if (is_ours)
        hiera_job.init_ticks = hiera_clock_ticks();
}

/* Begin to measure waiting (HIERA_SYNC) if all ranks ask for it; else print why not. */
static void agree_on_sync(bool first, int size)
{
    bool all_do = roster.known && roster.n == size && n_sync == (uint64_t)size;
    if (all_do)
        hiera_entry_times_begin();
    else if (first && hiera_settings.sync && !hiera_settings.mode.is_profile)
        hiera_message("HIERA_SYNC has no effect without HIERA_MODE=profile: traces have the times of all calls");
    else if (first && n_sync > 0)
        hiera_message("HIERA_SYNC has no effect: only %llu of %d ranks run with it, or they do not know each other",
                      (unsigned long long)n_sync, size);
}

/* Find where the members keep the variables that their probe scripts share. Called before the scripts begin. */
static void share_globals(void)
{
    has_shared = true;
    hiera_share_globals(members, first_sharer, true);
}

/* Note what MPI allows threads to do. A wholly static program may lack PMPI_Query_thread. The trace says it if this is
 * the main thread for MPI, too. @return whether it allows only one thread at a time to call it */
static bool grants_one_thread(void)
{
    int (*volatile query)(int *) = hiera_own.Query_thread;
    int threads = MPI_THREAD_MULTIPLE;
    if (!query || query(&threads) != MPI_SUCCESS)
        return false;
    if (syscall(SYS_gettid) == getpid())
        hiera_session.thread_level = threads == MPI_THREAD_SINGLE       ? HIERA_THREADS_SINGLE
                                     : threads == MPI_THREAD_FUNNELED   ? HIERA_THREADS_FUNNELED
                                     : threads == MPI_THREAD_SERIALIZED ? HIERA_THREADS_SERIALIZED
                                                                        : HIERA_THREADS_MULTIPLE;
    return threads < MPI_THREAD_MULTIPLE;
}

void hiera_special_started(void)
{
    int saved_errno = errno;
    HieraJob job = {.init_ticks = hiera_clock_ticks()};
    hiera_next_settle();
    hiera_company_find();
    hiera_twin_forget_past();
    hiera_doors_look_past(); /* a trace that a signal ends has what was found before */
    settle_job(&job);
    hiera_survive_begin(); /* before facts about datatypes and communicators are stored: these must survive a kill */
    hiera_types_start();
    hiera_comms_start();
    is_ours = !hiera_life.joined; /* false if MPI_Session_init has made the trace before */
    hiera_requests_by_one_thread = is_ours && grants_one_thread();
    int error = is_ours ? hiera_start_join(&job, share_globals) : 0;
    if (!has_shared && members != MPI_COMM_NULL)
        hiera_share_globals(
            members, first_sharer,
            false); /* take part in the collective call of the other members, whose scripts share variables */
    report(error, 0,
           "%llu ranks cannot write their trace (%llu operations lost so far): %s: %s; the program runs on without it");
    hiera_session.said_lost = error != 0;
    bool first = job.rank == roster.ranks[0] && (roster.known || job.rank == 0);
    if (first)
        report_job(job.size);
    if (!hiera_life.closed && error == 0 && hiera_settings.trace)
        write_files(first, job.size);
    agree_on_sync(first, job.size);
    if (members != MPI_COMM_NULL || !hiera_life.closed)
        hiera_special_watch_finalize();
    if (!hiera_is_idle())
        hiera_thread_current(); /* otherwise the thread's first recorded call would take the time to make its state */
    leave_together(first);
    errno = saved_errno;
}

/* end of the records in this thread's buffer when MPI_Finalize had completed the trace */
static const char *settled;

void hiera_special_finalizing(void)
{
    static bool done;
    int saved_errno = errno, error = 0, initialized = 0, finalized = 0;
    uint64_t now = hiera_clock_ticks();
    hiera_own.Initialized(&initialized);
    hiera_own.Finalized(&finalized);
    if (!initialized || finalized || done)
        return; /* MPI reports the wrong order of calls as an error; or this function has run before */
    done = true;
    hiera_call_check_left((uintptr_t)__builtin_frame_address(
        0)); /* needed here because MPI_Finalize is usually not recorded: its wrapper does not check */
    hiera_entry_times_end();
    hiera_mpi_counters_end();
    hiera_observed_end(all_probe ? members : MPI_COMM_NULL);
    if (!hiera_life.closed)
        hiera_session_settle(now);
    settled = hiera_thread ? hiera_thread->next : NULL;
    HieraClockFit clock;
    hiera_doors_look_past();
    if (hiera_clock_sync_finish(&clock) && is_ours)
        hiera_session_set_clock(&clock);
    uint64_t lost = hiera_session_lost(&error);
    if (!hiera_session.said_lost)
        report(error, lost, "the traces of %llu ranks lack %llu operations: %s: %s; the program is not affected");
    else
        report(0, 0, NULL);
    hiera_session.said_lost = true;
    if (members != MPI_COMM_NULL)
        hiera_own.Comm_free(&members);
    hiera_comms_stop();
    errno = saved_errno;
}

/* Callback of Hiera's attribute of MPI_COMM_SELF. MPI_Finalize first deletes these attributes, in reverse order, and
 * callbacks may still use MPI. This one is called even if another tool intercepts MPI_Finalize. */
static int on_finalize(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    hiera_special_finalizing();
    bool later = settled && hiera_thread && hiera_thread->next != settled && !hiera_life.closed;
    if (later) { /* other callbacks of MPI_COMM_SELF's attributes have made calls: the trace ends after these */
        hiera_session.finalize_ticks = hiera_clock_ticks();
        hiera_expect_set_finalize(hiera_session.finalize_ticks);
    }
    return MPI_SUCCESS;
}

void hiera_special_watch_finalize(void)
{
    static int value; /* MPI gets only the address, which is never read */
    int keyval;
    if (hiera_own.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &keyval, NULL) != MPI_SUCCESS)
        return;
    hiera_own.Comm_set_attr(MPI_COMM_SELF, keyval, &value);
    hiera_own.Comm_free_keyval(&keyval);
}

void hiera_special_control(int level)
{
    static bool off;
    if (level == 0 && !off)
        hiera_pause();
    else if (level != 0 && off)
        hiera_resume();
    off = level == 0;
}

void hiera_special_aborting(int code)
{
    hiera_results_end_alone();
    hiera_session_write_before_end("MPI_Abort", code, NULL);
}
