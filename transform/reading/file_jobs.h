/* The files that are read at the same time, each by one thread of a pool. What is found in one does not depend on the
 * others. */
#ifndef HIERA_FILE_JOBS_H
#define HIERA_FILE_JOBS_H

#include "reader.h"

typedef struct {
    const char *path;
    guint order;           /* index among the files given */
    goffset bytes;         /* of the file; 0 if it is not a regular file */
    HieraReading *reading; /* NULL if the file could not be opened */
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

/* A job that has not been done. */
HieraFileJob hiera_file_job_new(const char *path, guint order);

/* Do jobs. @param jobs  n of them; their order is changed, so that large files come first */
void hiera_file_jobs_run(HieraFileJobs *all, HieraFileJob **jobs, guint n);

#endif
