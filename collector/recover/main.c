/* hiera-recover FOLDER: complete the traces in a folder whose processes were killed. hiera-run calls it for its own
 * job: hiera-recover --run NUMBER BEGIN FOLDER. hiera-transform --live calls it: hiera-recover --live COPIES FOLDER
 * completes copies of the traces, also of processes that still run. hiera-run --watch calls it: hiera-recover --look
 * NUMBER look:SECONDS FOLDER tells what the ranks of its job do. */
#include "complete.h"
#include "cut.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Work {
    const char *folder; /* folder whose traces are completed, without symbolic links */
    const char *run;    /* number of the hiera-run whose ranks' traces are completed, in any folder; NULL: all traces in
                           `folder` */
    int64_t since_s;    /* begin of the run `run`, in seconds since 1970 */
    const char *copies; /* folder for copies of the traces, which are completed; NULL: the traces themselves */
    bool is_quiet;
    unsigned done, failed;
    char done_in[PATH_MAX]; /* folder of the trace completed last */
} Work;

/* Whether the path is in the folder or below it: several jobs in one folder have subfolders. */
static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    char real[PATH_MAX];
    return realpath(path, real) && strncmp(real, folder, n) == 0 && (real[n] == '\0' || real[n] == '/' || n == 1);
}

static bool is_wanted(const Work *work, const HieraKeptHeader *header)
{
    return work->run ? strncmp(header->run, work->run, sizeof header->run) == 0
                     : is_below(header->folder, work->folder);
}

/* Return why no process can complete the trace; NULL: one can. */
static const char *reason_to_drop(const HieraKeptFound *found)
{
    if (found->header->rank < 0)
        return "it was killed before MPI_Init";
    return !found->has_trace ? "its trace is not there any more" : NULL;
}

/* Complete a copy of a trace in a process of its own: all ranks at once, so that they are seen at about one time. */
static void start_copy(const HieraKeptFound *found, const char *copies)
{
    pid_t child = fork();
    if (child == 0)
        _exit(hiera_complete(found, copies) ? 0 : 1);
    if (child < 0)
        hiera_complete(found, copies);
}

/* Look at a rank of the job of a hiera-run. */
static void visit_look(const HieraKeptFound *found, void *data)
{
    Work *work = data;
    if (found->lives && found->header->rank >= 0 &&
        strncmp(found->header->run, work->run, sizeof found->header->run) == 0)
        start_copy(found, work->copies);
}

/* Complete a copy of a trace in `folder` itself, also of a process on another computer, if its memory is a file of the
 * folder. What cannot be read is left: hiera-transform reads the trace as it is. */
static void visit_live(const HieraKeptFound *found, void *data)
{
    Work *work = data;
    char real[PATH_MAX];
    if (found->header->rank >= 0 && found->has_trace && realpath(found->header->folder, real) &&
        strcmp(real, work->folder) == 0)
        start_copy(found, work->copies);
}

static void visit(const HieraKeptFound *found, void *data)
{
    Work *work = data;
    const HieraKeptHeader *header = found->header;
    const char *trace = header->trace[0] ? header->trace : header->folder, *reason = reason_to_drop(found);
    if (!is_wanted(work, header))
        return;
    if (!found->is_here) {
        fprintf(stderr, "hiera-recover: %s: its process is on %s: run hiera-transform --recover %s there\n", trace,
                header->host, header->folder);
        work->failed++;
    } else if (found->lives) {
        fprintf(stderr, "hiera-recover: %s: process %lld is still running\n", trace, (long long)header->process.pid);
        work->failed++;
    } else if (reason && !found->is_known) {
        fprintf(stderr, "hiera-recover: %s: process %lld of a container: %s\n", trace, (long long)header->process.pid,
                reason);
        work->failed++;
    } else if (reason) {
        fprintf(stderr, "hiera-recover: %s: process %lld: %s; what it has left is dropped\n", trace,
                (long long)header->process.pid, reason);
        unlink(found->path);
    } else if (hiera_complete(found, NULL)) {
        unlink(found->path);
        snprintf(work->done_in, sizeof work->done_in, "%s", header->folder);
        work->done++;
    } else {
        work->failed++;
    }
}

/* Print the result. hiera-run needs one line at most, on standard error, apart from the program's standard output. */
static void tell(const Work *work, unsigned cut, const char *folder)
{
    if (!work->run && work->done + work->failed + cut == 0)
        printf("no process of %s has left anything on this computer\n", folder);
    if (work->run && work->done > 0 && !work->is_quiet)
        fprintf(stderr, "hiera: %u rank%s died: trace%s complete; next: hiera-transform %s\n", work->done,
                work->done == 1 ? "" : "s", work->done == 1 ? "" : "s", work->done_in);
}

static int recover(Work *work, const char *folder)
{
    char real[PATH_MAX];
    bool is_there = realpath(folder, real);
    if (!is_there && !work->run) {
        fprintf(stderr, "hiera-recover: ");
        perror(folder);
        return 2;
    }
    work->folder = real;
    hiera_kept_files_walk(is_there ? real : NULL, visit, work);
    unsigned cut = is_there && work->failed == 0 ? hiera_cut_name(real, work->since_s) : 0;
    tell(work, cut, folder);
    return work->failed + cut > 0;
}

static int recover_run(Work work, const char *folder)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    if (work.is_quiet)
        dup2(nothing, STDERR_FILENO);
    return recover(&work, folder);
}

/* Copy what runs, or only look at it: `visit`. */
static int recover_live(Work *work, const char *folder, void (*visit_one)(const HieraKeptFound *, void *))
{
    char real[PATH_MAX];
    if (!realpath(folder, real)) {
        fprintf(stderr, "hiera-recover: ");
        perror(folder);
        return 2;
    }
    work->folder = real;
    hiera_kept_files_walk(real, visit_one, work);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    return 0;
}

int main(int argc, char **argv)
{
    enum {
        SLACK_S = 5
    }; /* times of files may differ by this much, because the clock of the folder's computer differs */
    bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    bool is_copy = argc == 4 && (strcmp(argv[1], "--copy") == 0 || strcmp(argv[1], "--far") == 0);
    if (is_copy || ((argc == 3 || argc == 4) && strcmp(argv[1], "--file") == 0))
        return hiera_complete_here(argv[1], argv[2], argc == 4 ? argv[3] : NULL);
    if (argc == 4 && strcmp(argv[1], "--live") == 0)
        return recover_live(&(Work){.copies = argv[2]}, argv[3], visit_live);
    if (argc == 5 && strcmp(argv[1], "--look") == 0)
        return recover_live(&(Work){.run = argv[2], .copies = argv[3]}, argv[4], visit_look);
    if (argc == 5 && strncmp(argv[1], "--run", 5) == 0)
        return recover_run((Work){.run = argv[2],
                                  .since_s = strtoll(argv[3], NULL, 10) - SLACK_S,
                                  .is_quiet = strcmp(argv[1], "--run-quiet") == 0},
                           argv[4]);
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: hiera-recover FOLDER\nComplete the traces in a folder whose processes were killed, from what "
              "these\nhave left on this computer.\n",
              is_help ? stdout : stderr);
        return is_help ? 0 : 2;
    }
    return recover(&(Work){.since_s = INT64_MIN}, argv[1]);
}
