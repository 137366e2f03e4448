/** Sums of the measure over-time: what each rank, and all of them, do in each part of the run. */
#pragma once

#include "calls/span_cutter.h"
#include "efficiency_factors.h"
#include "values/time_bins.h"

/** What is summed up: what ranks do (HieraDoing), and what only the partners of all operations tell. */
enum {
    HIERA_OVER_WAITING = HIERA_N_DOINGS, /* in calls of MPI, those on files too */
    HIERA_OVER_IDEAL,                    /* what is left of all three in the ideal run */
    HIERA_N_OVER
};

/** Nanoseconds in a part of the run. */
typedef struct {
    gint64 ns[HIERA_N_OVER];
} HieraOverTimes;

typedef struct {
    HieraTimeBins bins;
    gboolean units; /* the scope has a level, a depth or --where: ranks without such operations do not count */
    guint n_ranks;  /* ranks that have ended */
    HieraOverTimes *rank, *all; /* by bin: of the current rank, of those that have ended */
    HieraEfficiencySums *most;  /* by bin: of those that have ended */
} HieraOverTime;

/** Make the bins of the scope between two times. */
void hiera_over_time_init(HieraOverTime *over, const HieraScope *scope, gint64 first_ns, gint64 last_ns);
void hiera_over_time_clear(HieraOverTime *over);

/** Add a span to the sums of the current rank. @param what  a HieraDoing, or one of the above */
void hiera_over_time_add(HieraOverTime *over, guint what, gint64 start_ns, gint64 finish_ns);
/** Add the sums of the current rank to those of all, and begin with the next one. */
void hiera_over_time_end_rank(HieraOverTime *over);
