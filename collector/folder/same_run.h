/* Separates the jobs of one run, so that none replaces the traces of another: jobs that one hiera-run starts one after
 * the other, and tasks of one job array of Slurm. A task that runs again replaces its own traces. The first job has the
 * folder of the settings, the next ones have `job-2`, `job-3` … inside it. hieraCollector.xml has the run and the job
 * of the traces beside it. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { HIERA_RUN_MAX = 64 };

/* The id of the run of this process: that of the outermost hiera-run around it; in a job array "array-ARRAY/TASK/" and
 * that id; empty: none. */
const char *hiera_run_own(void);

/* Whether two ids are equal, or have the same first words: 1: the array; 2: array and task. */
bool hiera_run_agree(const char *a, const char *b, int words);

/* Get the id of the run whose traces are in a folder; empty: no traces, or written without a run. */
void hiera_run_of(char run[HIERA_RUN_MAX], const char *dir);

/* Number of the folder for this job's traces: 1: `dir`; n: `job-n` inside `dir`. `job` 0: unknown. */
int hiera_run_place(const char *dir, uint64_t job);

/* Make the name, `job-2` etc., of the folder with this number inside the folder of the traces. */
void hiera_run_name(char name[NAME_MAX], int place);
