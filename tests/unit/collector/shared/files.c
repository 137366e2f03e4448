/* Files of jobs that have ended: they are removed, and no other job takes them. */
#include "shared.h"

#include "job/job.h"
#include "probing/shared/shared_file.h"
#include "probing/shared/stale_files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void map_another(void *number)
{
    hiera_job.id = *(uint64_t *)number;
    CHECK(hiera_globals_map() != 0);
}

static bool is_there(uint64_t number)
{
    uint64_t job = hiera_job.id;
    DIR *folder = opendir(hiera_shared_file_folder);
    char part[32];
    bool found = false;
    hiera_job.id = number;
    snprintf(part, sizeof part, "-%016llx-", (unsigned long long)hiera_globals_number());
    hiera_job.id = job;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        found = found || (hiera_shared_file_is_of_here(entry->d_name) && strstr(entry->d_name, part));
    closedir(folder);
    return found;
}

/* A file that a job left that was killed in MPI_Init, and one that processes have. */
static void files_of_ended_jobs_are_removed(void)
{
    uint64_t number = hiera_job.id ^ 0x77;
    in_child(map_another, &number);
    CHECK(is_there(number));
    hiera_stale_files_remove();
    CHECK(!is_there(number));
    hiera_job.id ^= 0x99;
    CHECK(hiera_globals_map() != 0 && is_there(hiera_job.id));
    hiera_stale_files_remove();
    CHECK(is_there(hiera_job.id));
    hiera_shared_file_hide(hiera_globals_number());
}

static void map_and_set(void *number)
{
    hiera_globals_load(true);
    map_another(number);
    CHECK(hiera_globals_use_file() == 0 && add(1, 70) == HIERA_PROBE_DONE && value_of(1) == 70);
}

/* The launcher of the next job may have the same number. All its ranks come at once. */
static void a_job_does_not_take_the_file_of_one_before(void)
{
    enum { RANKS = 8 };
    uint64_t number = hiera_job.id ^ 0x55;
    pid_t pids[RANKS];
    int status;
    in_child(map_and_set, &number);
    CHECK(is_there(number));
    for (int i = 0; i < RANKS; i++)
        if ((pids[i] = fork()) == 0) {
            hiera_globals_load(true);
            map_another(&number);
            CHECK(hiera_globals_use_file() == 0 && add(1, 1) == HIERA_PROBE_DONE);
            for (double begin = seconds(); value_of(1) != RANKS && seconds() - begin < 3;)
                usleep(1000);
            _exit(value_of(1) != RANKS);
        }
    for (int i = 0; i < RANKS; i++)
        CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
    hiera_stale_files_remove();
    CHECK(!is_there(number));
}

void test_files(void)
{
    files_of_ended_jobs_are_removed();
    a_job_does_not_take_the_file_of_one_before();
}
