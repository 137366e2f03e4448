#include "same_run.h"

#include "base/safe_file.h"
#include "claim_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES_MAX = 1000000 };

/* HIERA_RUN is "OUTERMOST" or "OUTERMOST/INNERMOST": ids of nested hiera-runs. */
const char *hiera_run_own(void)
{
    static char own[HIERA_RUN_MAX];
    const char *run = getenv("HIERA_RUN"), *array = getenv("SLURM_ARRAY_JOB_ID"), *task = getenv("SLURM_ARRAY_TASK_ID");
    int n = run ? (int)strcspn(run, "/") : 0;
    if (n > HIERA_RUN_MAX / 2)
        n = 0;
    if (array && *array)
        snprintf(own, sizeof own, "array-%.10s/%.10s/%.*s", array, task ? task : "", n, run ? run : "");
    else
        snprintf(own, sizeof own, "%.*s", n, run ? run : "");
    return own;
}

bool hiera_run_agree(const char *a, const char *b, int words)
{
    for (; *a == *b; a++, b++)
        if (*a == '\0' || (*a == '/' && --words == 0))
            return true;
    return false;
}

/* Read from hieraCollector.xml the run and the job of the traces in this folder; empty: unknown. */
static void read_facts(const char *dir, char run[HIERA_RUN_MAX], char job[32])
{
    char path[PATH_MAX], head[HIERA_HEAD_MAX];
    int error, fd = -1;
    run[0] = job[0] = '\0';
    if (snprintf(path, sizeof path, "%s/hieraCollector.xml", dir) < (int)sizeof path)
        fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return;
    size_t n = hiera_claim_read_head(fd, head);
    hiera_claim_copy_attribute(run, HIERA_RUN_MAX, head, n, " run=\"");
    hiera_claim_copy_attribute(job, 32, head, n, " job=\"");
    close(fd);
}

void hiera_run_of(char run[HIERA_RUN_MAX], const char *dir)
{
    char job[32];
    read_facts(dir, run, job);
}

/* Whether a folder has traces that stay: of another job of this hiera-run, or of another task of its job array. */
static bool stays(const char *dir, const char *own, uint64_t job)
{
    char run[HIERA_RUN_MAX], of[32];
    read_facts(dir, run, of);
    if (!of[0] || strtoull(of, NULL, 16) == job || !hiera_run_agree(run, own, 1))
        return false;
    bool has_hiera_run = own[strlen(own) - 1] != '/';
    return !hiera_run_agree(run, own, 2) || (has_hiera_run && strcmp(run, own) == 0);
}

void hiera_run_name(char name[NAME_MAX], int place)
{
    snprintf(name, NAME_MAX, "job-%d", place);
}

int hiera_run_place(const char *dir, uint64_t job)
{
    char path[PATH_MAX], name[NAME_MAX];
    const char *own = hiera_run_own();
    int place = 1;
    if (!own[0] || job == 0 || !stays(dir, own, job))
        return place;
    do {
        hiera_run_name(name, ++place);
        if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
            return 1;
    } while (place < PLACES_MAX && stays(path, own, job));
    return place;
}
