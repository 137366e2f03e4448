/* Jobs that one hiera-run starts, one after the other: none replaces the traces of another. The first one has the
 * folder of the settings, the next ones `job-2`, `job-3` … inside it. hieraCollector.xml says of which run (HIERA_RUN)
 * and of which job the traces beside it are. */
#ifndef HIERA_SAME_RUN_H
#define HIERA_SAME_RUN_H

#include <limits.h>
#include <stdint.h>

enum { HIERA_RUN_MAX = 64 };

/* The number of this run: of the outermost hiera-run. Empty: there is none. */
const char *hiera_run_own(void);

/* The number of the run that the traces in a folder are of; empty: there are none, or they are of no run. */
void hiera_run_of(char run[HIERA_RUN_MAX], const char *dir);

/* Which folder this job is to have: 1: `dir` itself; n: `job-n` inside it. `job` 0: unknown. */
int hiera_run_place(const char *dir, uint64_t job);

/* The name of that folder inside the one of the settings. */
void hiera_run_name(char name[NAME_MAX], int place);

#endif
