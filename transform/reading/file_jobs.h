/* Files that are read at the same time, each by one thread of a pool. Results of a file do not depend on the
 * others. */
#pragma once

#include "reader.h"

typedef struct {
    const char *path;
    guint order;           /* index of the file among those given to hiera_load */
    goffset bytes;         /* size of the file; 0: it is no regular file */
    HieraReading *reading; /* result of reading the file; NULL if it could not be opened */
    HieraFindings *findings;
} HieraFileJob;

typedef struct {
    const HieraLoadOptions *options;
    const HieraSink *sinks;
    guint n_sinks;
    HieraCatalog *catalog;
    GMutex lock;
    GCond done;
    guint n_done;
    gsize bytes_read;
} HieraFileJobs;

void hiera_file_jobs_init(HieraFileJobs *all, const HieraLoadOptions *options, const HieraSink *sinks, guint n_sinks,
                          HieraCatalog *catalog);
void hiera_file_jobs_clear(HieraFileJobs *all);

/* Return a job that has not run yet, to read the file at `path`. */
HieraFileJob hiera_file_job_new(const char *path, guint order);

/* Run n jobs and wait for their end. @param jobs  sorted here, so that large files come first */
void hiera_file_jobs_run(HieraFileJobs *all, HieraFileJob **jobs, guint n);
