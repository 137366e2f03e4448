/* Breakdown of the time of a recorded run. */
#pragma once

#include "recorded_run.h"

/* Times of one rank, in nanoseconds. */
typedef struct {
    gint64 total, compute, mpi, waiting; /* total = compute + mpi; waiting is part of mpi */
    gint64 waiting_on_files;             /* part of `waiting` that is in calls on files; only for recorded runs */
} RankTimes;

typedef struct {
    guint32 n;        /* number of ranks */
    guint32 *rank;    /* by index of the rank: rank in MPI_COMM_WORLD */
    RankTimes *ranks; /* by index of the rank: times */
    gint64 first_ns;  /* the first begin */
    gint64 time_ns;   /* from first_ns to the last end */
} RecordedTimes;

/* Add a run, or the next part of one. @param times  initially zero; to be cleared */
void recorded_times_add(RecordedTimes *times, const RecordedRun *run);
void recorded_times_clear(RecordedTimes *times);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordedTimes, recorded_times_clear)
