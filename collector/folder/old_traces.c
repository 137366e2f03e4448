/* Removes traces and reports of earlier jobs from a folder. */
#include "base/safe_file.h"
#include "claim.h"
#include "claim_file.h"
#include "dtd/container.h"
#include "dtd/names.h"
#include "same_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the number behind `prefix` in `name`, and the text after it in *rest; -1: no such prefix and number. */
static int number_behind(const char *prefix, const char *name, char **rest)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9')
        return -1;
    long number = strtol(name + n, rest, 10);
    return number < 0 || number > INT_MAX ? -1 : (int)number;
}

/* Rank in a name trace<rank>.xml…, or traces<rank>.hiera; -1 for any other name. *suffix: the text after `.xml`, or
 * after `.hiera`. */
static int rank_of(const char *name, const char **suffix)
{
    char *end = NULL;
    int rank = number_behind(HIERA_CONTAINER_NAME, name, &end);
    *suffix = HIERA_CONTAINER_SUFFIX;
    if (rank >= 0)
        return strcmp(end, HIERA_CONTAINER_SUFFIX) == 0 ? rank : -1;
    rank = number_behind("trace", name, &end);
    if (rank < 0 || strncmp(end, ".xml", 4) != 0)
        return -1;
    *suffix = end + 4;
    return strcmp(*suffix, "") == 0 || strcmp(*suffix, ".gz") == 0 || strcmp(*suffix, ".zst") == 0 ? rank : -1;
}

static int compare_ints(const void *a, const void *b)
{
    int one = *(const int *)a, two = *(const int *)b;
    return (one > two) - (one < two);
}

static bool is_listed(int rank, const int *ranks, int n)
{
    return ranks ? bsearch(&rank, ranks, (size_t)n, sizeof *ranks, compare_ints) != NULL : rank < n;
}

/* Whether this is a temporary file whose process was killed before renaming it. */
static bool is_unfinished(const char *name)
{
    const char *end = strrchr(name, '.');
    bool ours = strncmp(name, ".trace", 6) == 0 || strncmp(name, ".hieraCollector.", 16) == 0 ||
                strncmp(name, ".visual.", 8) == 0;
    return ours && (strcmp(end, ".new") == 0 || (strcmp(end, ".part") == 0 && !strstr(name, ".thread")));
}

static void remove_if_dead(const char *path, const char *mark)
{
    int error, fd = hiera_file_open(path, O_RDWR, &error);
    if (fd < 0)
        return;
    if (hiera_claim_is_ours(fd, path, mark)) {
        HieraLock lock = hiera_claim_lock(fd);
        if ((lock == HIERA_LOCK_HELD || (lock == HIERA_LOCK_UNKNOWN && !hiera_claim_seems_to_live(fd))) &&
            hiera_claim_still_stands(path, fd))
            unlink(path);
    }
    close(fd);
}

/* --- reports on rules: assertions0-JOB.tsv --- */

enum { JOBS_MAX = 64 };

/* A job of which reports are in the folder. */
typedef struct Reported {
    unsigned long long job;
    int left; /* number of the job's ranks whose report is missing */
} Reported;

/* Read the job of a report (assertions/meter/outcome_text.h) and the number of its ranks. Returns false if the file is
 * no report. */
static bool read_report(const char *path, Reported *of)
{
    char head[HIERA_HEAD_MAX];
    int error, fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return false;
    bool is_one = hiera_claim_is_ours(fd, path, "hiera assertions") && hiera_claim_read_head(fd, head) > 0 &&
                  sscanf(head, "hiera assertions %*d rank %*d %d %llx", &of->left, &of->job) == 2;
    close(fd);
    return is_one;
}

/* Call `visit` for each report in the folder that names a job other than `own`. `has_job`: the file's name contains the
 * job number. */
static void walk_reports(const char *dir, unsigned long long own,
                         void (*visit)(const char *path, const Reported *of, bool has_job, void *data), void *data)
{
    char path[PATH_MAX], *rest;
    DIR *folder = opendir(dir);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        Reported of;
        bool is_report =
            number_behind("assertions", entry->d_name, &rest) >= 0 && (*rest == '-' || strcmp(rest, ".tsv") == 0);
        if (is_report && snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < (int)sizeof path &&
            read_report(path, &of) && of.job != 0 && of.job != own)
            visit(path, &of, *rest == '-', data);
    }
    if (folder)
        closedir(folder);
}

/* Return the job's entry in the array, added if new. Job 0 ends the array; if it is full, return that end. */
static Reported *find_job(Reported jobs[JOBS_MAX + 1], const Reported *of)
{
    Reported *job = jobs;
    while (job->job != 0 && job->job != of->job)
        job++;
    if (job->job == 0 && job < jobs + JOBS_MAX)
        *job = *of;
    return job;
}

static void count_report(const char *path, const Reported *of, bool has_job, void *data)
{
    (void)path;
    if (has_job)
        find_job(data, of)->left--;
}

static void remove_ended(const char *path, const Reported *of, bool has_job, void *data)
{
    const Reported *job = find_job(data, of);
    if (has_job && job->job == of->job && job->left == 0)
        unlink(path);
}

static void remove_report(const char *path, const Reported *of, bool has_job, void *data)
{
    remove_ended(path, of, has_job, data);
    if (!has_job)
        unlink(path);
}

void hiera_claim_remove_reports(const char *dir, unsigned long long job, bool is_ours)
{
    Reported jobs[JOBS_MAX + 1] = {{0, 0}};
    walk_reports(dir, job, count_report, jobs);
    walk_reports(dir, job, is_ours ? remove_report : remove_ended, jobs);
}

/* --- folders job-2, job-3, … of an earlier run --- */

static void remove_job(const char *dir)
{
#define X(name, text) name,
    static const char *const names[] = {"hieraCollector.xml", HIERA_COMPANIONS(X)};
#undef X
    char path[PATH_MAX];
    hiera_claim_remove_old(dir, NULL, 0, "");
    hiera_claim_remove_reports(dir, 0, true);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (snprintf(path, sizeof path, "%s/%s", dir, names[i]) < (int)sizeof path)
            remove_if_dead(path, NULL);
        if (i == 0 && access(path, F_OK) == 0)
            return; /* a running job has kept hieraCollector.xml, so keep its folder */
    }
    rmdir(dir);
}

/* Remove job-2, job-3, … of the earlier run whose traces in `dir` are replaced. Of this job array those of this task;
 * of an earlier array those of all tasks. */
static void remove_jobs(const char *dir)
{
    char run[HIERA_RUN_MAX], of[HIERA_RUN_MAX], path[PATH_MAX], *rest;
    const char *own = hiera_run_own();
    hiera_run_of(run, dir);
    bool is_own = !run[0] || strcmp(run, own) == 0;
    DIR *folder = is_own ? NULL : opendir(dir);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (number_behind("job-", entry->d_name, &rest) < 2 || *rest ||
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) >= (int)sizeof path)
            continue;
        hiera_run_of(of, path);
        if (hiera_run_agree(of, run, hiera_run_agree(run, own, 1) ? 3 : 1))
            remove_job(path);
    }
    if (folder)
        closedir(folder);
}

void hiera_claim_remove_old(const char *dir, const int *ranks, int n, const char *suffix)
{
    char path[PATH_MAX];
    DIR *folder = opendir(dir);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *of;
        int rank = rank_of(entry->d_name, &of);
        bool old = rank >= 0 && !(is_listed(rank, ranks, n) && strcmp(of, suffix) == 0);
        if ((old || is_unfinished(entry->d_name)) &&
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < (int)sizeof path)
            remove_if_dead(path, old ? hiera_claim_mark_of(path) : NULL);
    }
    if (folder)
        closedir(folder);
    remove_jobs(dir);
}
