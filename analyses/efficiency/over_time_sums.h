/** Sums of the measure over-time: what each rank, and all of them, do in each part of the run. */
#pragma once

#include "calls/span_cutter.h"
#include "efficiency_factors.h"
#include "values/time_bins.h"

/** Kinds of time: the activities of ranks (HieraDoing), and two that need the partners of all operations. */
enum {
    HIERA_OVER_WAITING = HIERA_N_DOINGS, /* waiting in MPI calls, including MPI-IO */
    HIERA_OVER_IDEAL,                    /* the length of all three kinds of HieraDoing in the ideal run */
    HIERA_N_OVER
};

/** Times in one part of the run, in ns. */
typedef struct {
    gint64 ns[HIERA_N_OVER];
} HieraOverTimes;

typedef struct {
    HieraTimeBins bins;
    gboolean units; /* the scope has a level, a depth or --where: ranks without such operations are not counted */
    guint n_ranks;  /* number of ranks that have ended */
    HieraOverTimes *rank, *all; /* by bin: times of the current rank; sum of the ranks that have ended */
    HieraEfficiencySums *most;  /* by bin: maxima of the ranks that have ended */
} HieraOverTime;

/** Create the bins of the scope between two times. */
void hiera_over_time_init(HieraOverTime *over, const HieraScope *scope, gint64 first_ns, gint64 last_ns);
void hiera_over_time_clear(HieraOverTime *over);

/** Add a span to the sums of the current rank. @param what  a HieraDoing, HIERA_OVER_WAITING or HIERA_OVER_IDEAL */
void hiera_over_time_add(HieraOverTime *over, guint what, gint64 start_ns, gint64 finish_ns);
/** Add the sums of the current rank to those of all ranks, and begin the next rank. */
void hiera_over_time_end_rank(HieraOverTime *over);
