/* Separates the jobs that one hiera-run starts one after the other, so that none replaces the traces of another. The
 * first job has the folder of the settings, the next ones have `job-2`, `job-3` … inside it. hieraCollector.xml has the
 * run (HIERA_RUN) and the job of the traces beside it. */
#pragma once

#include <limits.h>
#include <stdint.h>

enum { HIERA_RUN_MAX = 64 };

/* The number of this run, that of the outermost hiera-run; empty if there is none. */
const char *hiera_run_own(void);

/* Get the run (HIERA_RUN) of the traces in a folder; empty: there are none, or they were written without hiera-run. */
void hiera_run_of(char run[HIERA_RUN_MAX], const char *dir);

/* The folder that this job gets: 1: `dir` itself; n: `job-n` inside it. `job` 0: unknown. */
int hiera_run_place(const char *dir, uint64_t job);

/* The name of the folder with this number, inside the folder of the settings. */
void hiera_run_name(char name[NAME_MAX], int place);
