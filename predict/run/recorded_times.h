/* Where the time of a recorded run went: computation, MPI, waiting, for each rank. */
#pragma once

#include "recorded_run.h"
#include "values/unrecorded.h"

/* Where the time of one rank went, in nanoseconds. */
typedef struct {
    gint64 total, compute, mpi, waiting; /* total = compute + mpi; waiting is part of mpi */
    gint64 waiting_on_files;             /* part of `waiting` in calls on files; 0 in times from a simulation */
} RankTimes;

typedef struct {
    guint32 n;        /* number of ranks */
    guint32 *rank;    /* by index of the rank: rank in MPI_COMM_WORLD */
    RankTimes *ranks; /* by index of the rank: where its time went */
    gint64 first_ns;  /* begin of the first rank */
    gint64 time_ns;   /* from first_ns until the last rank ends */
    gboolean is_past; /* calls are missing that nobody counted; they look like computation (hiera_trace_peek_past) */
    HieraUnrecorded unrecorded; /* threads that were not recorded: the times are those of the MPI threads */
} RecordedTimes;

/* Add the times of a run, or of the next part of a run. @param times  initially zero; to be cleared */
void recorded_times_add(RecordedTimes *times, const RecordedRun *run);
void recorded_times_clear(RecordedTimes *times);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordedTimes, recorded_times_clear)
