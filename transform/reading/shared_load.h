/* Reading files with several processes: each reads its share, and process 0 gets all results, as if it had read
 * all files. */
#pragma once

#include "file_jobs.h"

/* In process 0: run all n jobs, with the help of the other processes. */
void hiera_shared_load_lead(HieraFileJobs *all, HieraFileJob *jobs, guint n);
/* In the other processes: run the jobs that process 0 assigns, and send it the results. */
void hiera_shared_load_follow(HieraFileJobs *all);
