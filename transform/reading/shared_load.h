/* Reading files with several processes: each reads its share, and process 0 gets all results, as if it had read
 * all files. */
#pragma once

#include "file_jobs.h"

/* Process 0: run all n jobs, with the help of the others. */
void hiera_shared_load_lead(HieraFileJobs *all, HieraFileJob *jobs, guint n);
/* Other processes: run the jobs that process 0 assigns. */
void hiera_shared_load_follow(HieraFileJobs *all);
