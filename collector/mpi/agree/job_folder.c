#include "job_folder.h"

#include "base/life.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "document/trace_document.h"
#include "dtd/container.h"
#include "expect/expect.h"
#include "folder/claim.h"
#include "folder/same_run.h"
#include "job_containers.h"
#include "memory/kept_process.h"
#include "mpi/call/own_calls.h"
#include "process/children.h"
#include "process/session.h"
#include "write/compress.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Encode a conflict as one number, of which a reduction finds the largest: an error, and the file that belongs to
 * somebody else (`owner`): 0: a companion file; r + 1: the trace of rank r. */
static int64_t encode(int error, int owner)
{
    return error == 0 ? 0 : (int64_t)error << 32 | owner;
}

static const char *companion; /* name of a file beside the traces (a grammar, …) that belongs to somebody else */

/* Use the folder itself (`place` 1), or if earlier jobs of this run have it, its subfolder job-`place`. */
static void use_place(int place)
{
    char name[NAME_MAX];
    hiera_run_name(name, place);
    if (place > 1)
        hiera_session_use_subfolder(name);
}

static int64_t ask_for_trace(int rank)
{
    char path[PATH_MAX];
    return hiera_trace_path(path, sizeof path, rank) ? encode(hiera_claim_trace(path), rank + 1) : 0;
}

/* Claim this rank's trace file; a container is claimed by its first rank. Returns 0, or the conflict by encode(). */
static int64_t ask_for_own_file(int rank)
{
    char path[PATH_MAX];
    if (hiera_containers_first() < 0)
        return ask_for_trace(rank);
    bool is_first = hiera_containers_first() == rank && hiera_trace_container_path(path, sizeof path, rank);
    return is_first ? encode(hiera_claim_trace(path), rank + 1) : 0;
}

/* Whether traces are in containers. None are if any rank has mode `window`, which needs a file of its own. */
static bool has_containers(MPI_Comm members, int64_t each, bool first)
{
    int own = hiera_settings.mode.is_window && !hiera_life.closed, any = own;
    if (each <= 1)
        return false;
    if (members != MPI_COMM_NULL)
        hiera_own.Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, members);
    if (any && first && !hiera_life.closed)
        hiera_message("HIERA_CONTAINER has no effect with HIERA_MODE=window: each rank has a file of its own");
    return !any;
}

/* Claim all files; return the worst conflict. The first member claims the companion files before any rank claims its
 * trace. So if two jobs start at the same moment, one of them gets all files. The first member's setting of
 * containers counts for all. */
static int64_t ask_all(MPI_Comm members, bool first, const HieraJob *job)
{
    bool asks = first && !hiera_life.closed;
    int64_t worst = 0,
            said[3] = {asks ? hiera_run_place(hiera_session.dir, job->id) : 1, 0, (int64_t)hiera_settings.container};
    if (asks) {
        use_place((int)said[0]);
        hiera_file_make_dir(hiera_session.dir);
        said[1] = encode(hiera_claim_companions(hiera_session.dir, &companion), 0);
    }
    if (members != MPI_COMM_NULL)
        hiera_own.Bcast(said, 3, MPI_INT64_T, 0, members);
    if (!asks && !hiera_life.closed) {
        use_place((int)said[0]);
        hiera_file_make_dir(hiera_session.dir);
    }
    int64_t found = said[1], each = said[2];
    if (has_containers(members, each, first))
        hiera_containers_form(members, job, each);
    if (found == 0 && !hiera_life.closed)
        found = ask_for_own_file(job->rank);
    if (members == MPI_COMM_NULL)
        return found;
    hiera_own.Allreduce(&found, &worst, 1, MPI_INT64_T, MPI_MAX, members);
    return worst;
}

static void tell(int64_t found, const char *from)
{
    int error = (int)(found >> 32), owner = (int)(found & INT_MAX);
    char name[64];
    if (hiera_containers_first() < 0)
        snprintf(name, sizeof name, "trace%d.xml", owner - 1);
    else
        snprintf(name, sizeof name, HIERA_CONTAINER_NAME "%d" HIERA_CONTAINER_SUFFIX, owner - 1);
    if (error == HIERA_ERROR_BUSY)
        hiera_message("another job is still writing into %s: the traces of this one are in %s", from,
                      hiera_session.dir);
    else
        hiera_message("%s/%s is not a file of Hiera and is not changed: the traces of this job are in %s", from,
                      owner == 0 && companion ? companion : name, hiera_session.dir);
}

/* Use a subfolder with the job's id, or if it has none, the launcher's process id. `says`: print a message. */
static void move(int64_t found, uint64_t job, bool says)
{
    char name[32], from[PATH_MAX];
    snprintf(from, sizeof from, "%s", hiera_session.dir);
    snprintf(name, sizeof name, "hiera-%llx", (unsigned long long)(job ? job : (uint64_t)getppid()));
    hiera_claim_drop();
    hiera_session_use_subfolder(name);
    if (says && !hiera_life.closed)
        tell(found, from);
}

static double seconds(struct timespec time)
{
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether a rank's trace was written since this process began: by a job beside this one, which may have ended. */
static bool is_of_now(int rank)
{
    char path[PATH_MAX];
    struct stat status;
    struct timespec now, since_boot;
    HieraKeptProcess own;
    hiera_kept_process_read(&own);
    if (own.start == 0 || !hiera_trace_path(path, sizeof path, rank) || stat(path, &status) != 0)
        return false;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &since_boot);
    double began = seconds(now) - seconds(since_boot) + (double)own.start / (double)sysconf(_SC_CLK_TCK);
    return seconds(status.st_mtim) > began;
}

/* @param ends  the process ends, and has not asked for the folder before */
static void settle_alone(const HieraJob *job, bool free, bool ends)
{
    char path[PATH_MAX];
    if (hiera_life.closed || !hiera_settings.trace)
        return;
    hiera_pack_load(!free);
    use_place(hiera_run_place(hiera_session.dir, job->id));
    hiera_file_make_dir(hiera_session.dir);
    int64_t found = ends && is_of_now(job->rank) ? encode(HIERA_ERROR_BUSY, job->rank + 1) : 0;
    if (found == 0)
        found = ask_for_trace(job->rank);
    if (found == 0 && job->rank != 0 && job->id != 0 && hiera_trace_path(path, sizeof path, 0) &&
        hiera_claim_is_of_other(path, job->id))
        found = encode(HIERA_ERROR_BUSY, 1);
    if (found == 0 && hiera_trace_container_path(path, sizeof path, 0) && hiera_claim_is_of_other(path, job->id))
        found = encode(HIERA_ERROR_BUSY, 1);
    if (found != 0)
        move(found, job->id, job->rank == 0);
    else if (free && job->rank == 0)
        hiera_claim_remove_old(hiera_session.dir, NULL, job->size, hiera_pack_suffix());
    if (found == 0 && free && job->rank == 0 && job->id != 0)
        hiera_claim_remove_reports(hiera_session.dir, job->id, true);
}

void hiera_folder_settle_alone(const HieraJob *job, bool free)
{
    settle_alone(job, free, false);
}

HieraFileList hiera_folder_list(const HieraRoster *roster)
{
    HieraFileList list = hiera_containers_list();
    return list.are_containers ? list : (HieraFileList){roster->ranks, roster->n, false};
}

static void remove_old(const HieraRoster *roster, const HieraJob *job)
{
    HieraFileList list = hiera_folder_list(roster);
    hiera_claim_remove_old(hiera_session.dir, list.ranks, list.n,
                           list.are_containers ? HIERA_CONTAINER_SUFFIX : hiera_pack_suffix());
    if (job->id != 0)
        hiera_claim_remove_reports(hiera_session.dir, job->id, true);
}

/* If there are no traces, no job claims the folder: reports have the number of their job. Jobs of one run keep
 * their reports. */
static void remove_reports_alone(const HieraJob *job)
{
    if (!hiera_life.closed && !hiera_settings.trace && !hiera_settings.assert_dir[0] && job->id != 0 &&
        !hiera_run_own()[0] && (hiera_expect_any() || hiera_expect_has_source()))
        hiera_claim_remove_reports(hiera_session.dir, job->id, false);
}

void hiera_folder_settle(MPI_Comm members, const HieraRoster *roster, const HieraJob *job)
{
    bool first = roster->known && job->rank == roster->ranks[0];
    if (first && !hiera_life.joined)
        remove_reports_alone(job);
    if (hiera_life.joined || !hiera_settings.trace)
        return;
    if (!roster->known) {
        hiera_folder_settle_alone(job, true);
        return;
    }
    hiera_pack_load(false); /* before file names are made, as compression adds a suffix to these */
    int64_t found = ask_all(members, first, job);
    if (found != 0)
        move(found, job->id, first);
    else if (first && !hiera_life.closed)
        remove_old(roster, job);
    hiera_containers_make(job);
}

/* Whether a rank of a running job started this process: then it has the environment of that rank, but does not belong
 * to its job. */
static bool is_of_rank(const HieraLaunch *launched, uint64_t job)
{
    char path[PATH_MAX];
    return (hiera_trace_path(path, sizeof path, launched->rank) && hiera_claim_is_of_other(path, job)) ||
           (hiera_trace_container_path(path, sizeof path, 0) && hiera_claim_is_of_other(path, job));
}

void hiera_folder_settle_single(const HieraLaunch *launched, HieraJob *job)
{
    char name[32];
    int initialized = 0;
    if (job->size != 1 || launched->rank < 0 || hiera_life.closed)
        return;
    hiera_pack_load(false); /* before file names are made, as compression adds a suffix to these */
    uint64_t own = hiera_life_unique();
    if (is_of_rank(launched, own)) {
        job->id = own; /* the rank that started this process has these files, so this process gets its own folder */
        return;
    }
    if (launched->size <= 1)
        return;
    hiera_own.Initialized(&initialized);
    snprintf(name, sizeof name, "alone-%d", launched->rank);
    if (launched->rank == 0)
        hiera_message("%d processes, each alone%s: each has its trace in a folder of its own, %s/alone-0 to alone-%d",
                      launched->size,
                      initialized ? ": wrong mpirun? It may be of another MPI than the program" : " and without MPI",
                      hiera_session.dir, launched->size - 1);
    job->id = own;
    hiera_session_use_subfolder(name);
}

/* Use a subfolder: a forked child has begun MPI, not this process, so traces in the folder itself are the child's. */
static void leave_to_children(bool says)
{
    char name[32], of_children[PATH_MAX];
    snprintf(of_children, sizeof of_children, "%s", hiera_session.dir);
    snprintf(name, sizeof name, "parent-%llx", (unsigned long long)hiera_life_unique());
    hiera_session_use_subfolder(name);
    if (says && !hiera_life.closed)
        hiera_message("a process has recorded calls without MPI, and a child of it has begun MPI: traces of children "
                      "are in %s, that of this "
                      "process in %s",
                      of_children, hiera_session.dir);
}

void hiera_folder_choose(HieraJob *job, bool free)
{
    HieraLaunch launched = hiera_launch_read_any();
    hiera_pack_load(!free);
    if (hiera_children_have_job())
        leave_to_children(launched.rank <= 0);
    else
        hiera_folder_settle_single(&launched, job);
    settle_alone(job, free, true);
}
