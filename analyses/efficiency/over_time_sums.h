/** Sums of the measure over-time: what each rank, and all ranks, do in each bin, a part of the run's time. */
#pragma once

#include "calls/span_cutter.h"
#include "efficiency_factors.h"
#include "values/time_bins.h"

/** Kinds of time: the activities of HieraDoing of the main thread (of one thread: hiera_over_time_add_thread), two
 * more, which need the partners of all operations, and those of all threads of OpenMP. */
enum {
    HIERA_OVER_WAITING = HIERA_N_DOINGS, /* waiting in MPI calls, including MPI-IO */
    HIERA_OVER_IDEAL,                    /* time of all activities in the ideal run */
    HIERA_OVER_THREADS,                  /* number of the rank's threads; the next times are of all of them */
    HIERA_OVER_ALL_USEFUL,
    HIERA_OVER_ALL_MPI,
    HIERA_OVER_ALL_IO,
    HIERA_OVER_ALL_IDLE, /* sum of the next three, which are as in HieraThreadTimes */
    HIERA_OVER_SERIAL,
    HIERA_OVER_BALANCE,
    HIERA_OVER_SCHEDULING,
    HIERA_N_OVER
};

/** Times in one bin, in ns, by kind of time. */
typedef struct {
    gint64 ns[HIERA_N_OVER];
} HieraOverTimes;

typedef struct {
    HieraTimeBins bins;
    gboolean units; /* TRUE if the scope has a level, a depth or --where: ranks with no operation in it do not count */
    guint n_ranks;  /* number of ranks that hiera_over_time_end_rank() added */
    HieraOverTimes *rank, *all; /* by bin: times of the current rank; sums over the ranks added */
    HieraEfficiencySums *most;  /* by bin: sums and maxima over the ranks added, for the efficiency factors */
} HieraOverTime;

/** Divide the time from first_ns to last_ns that is in the scope into bins.
 *
 * @param past  why calls are missing (hiera_trace_peek_past); NULL: none are */
void hiera_over_time_init(HieraOverTime *over, const HieraScope *scope, gint64 first_ns, gint64 last_ns,
                          const char *past);
void hiera_over_time_clear(HieraOverTime *over);

/** Add a span to the current rank. @param what  a HieraDoing, HIERA_OVER_WAITING or HIERA_OVER_IDEAL */
void hiera_over_time_add(HieraOverTime *over, guint what, gint64 start_ns, gint64 finish_ns);
/** Add what all threads of OpenMP of a processor do to the current rank; nothing if it has one thread.
 *
 * @param units  HieraEfficiencyUnit: the operations in which the time counts; NULL: all time counts */
void hiera_over_time_add_threads(HieraOverTime *over, const HieraMatch *match, guint32 processor, const GArray *units);
/** Add what one thread of OpenMP does, in place of the main thread, to the current rank. Time in which it is in no
 * team is HIERA_DOES_IDLE.
 *
 * @param spans  of hiera_thread_places_find(); first: index of its first span
 * @return the index behind its last span */
guint hiera_over_time_add_thread(HieraOverTime *over, const HieraTrace *trace, guint32 processor, const GArray *spans,
                                 guint first, const GArray *units);
/** Add the sums of the current rank to those of all ranks, and begin the next rank. */
void hiera_over_time_end_rank(HieraOverTime *over);
