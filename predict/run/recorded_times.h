/* Where the time of a recorded run went. */
#ifndef HIERA_PREDICT_RECORDED_TIMES_H
#define HIERA_PREDICT_RECORDED_TIMES_H

#include "recorded_run.h"

/* Of one rank, in nanoseconds. */
typedef struct {
    gint64 total, compute, mpi, waiting; /* total = compute + mpi; waiting is part of mpi */
    gint64 waiting_on_files;             /* part of waiting, in calls on files; only of recorded runs */
} RankTimes;

typedef struct {
    guint32 n;        /* ranks, by index of the processor: */
    guint32 *rank;    /* in the world, */
    RankTimes *ranks; /* and times */
    gint64 first_ns;  /* the first begin */
    gint64 time_ns;   /* from there to the last end */
} RecordedTimes;

/* Add a run, or the next part of one. @param times  all 0 at first; to be cleared */
void recorded_times_add(RecordedTimes *times, const RecordedRun *run);
void recorded_times_clear(RecordedTimes *times);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordedTimes, recorded_times_clear)

#endif
