/* Reading files with several processes: each reads its share, and process 0 gets what all have found, as if it had read
 * all files. */
#ifndef HIERA_SHARED_LOAD_H
#define HIERA_SHARED_LOAD_H

#include "file_jobs.h"

/* Process 0: do all jobs, n of them, in their order. */
void hiera_shared_load_lead(HieraFileJobs *all, HieraFileJob *jobs, guint n);
/* The others: do those that process 0 asks for. */
void hiera_shared_load_follow(HieraFileJobs *all);

#endif
