/** Declarations shared by the files of the measure diff: its rows, and the texts beside them. */
#pragma once

#include "diff_waits.h"
#include "run_threads.h"
#include "tree_alignment.h"

/** What a call path takes in one run, or in the mean of several runs. Times are means over the ranks. */
typedef struct {
    gint64 runs; /* number of runs that have the path */
    gint64 calls, time_ns, own_ns, mpi_ns, waiting_ns;
    gint64 idle_ns; /* in waits of OpenMP; of the whole run that of the main threads */
    gint64 bytes;   /* bytes that MPI calls in the path sent, of all ranks */
    gint64 max_ns;  /* longest time of a rank in the path */
    gint64 slowest; /* rank whose time is max_ns */
    gint64 ranks;   /* number of ranks of the run, also of those without the path */
} HieraDiffSide;

typedef enum {
    HIERA_DIFF_SAME,
    HIERA_DIFF_FASTER,
    HIERA_DIFF_SLOWER,
    HIERA_DIFF_NOISE, /* changed, but not by more than the noise */
    HIERA_DIFF_ONLY_A,
    HIERA_DIFF_ONLY_B,
    HIERA_DIFF_UNKNOWN /* changed; without repeats, the noise is not known */
} HieraDiffVerdict;

typedef struct {
    guint32 place;      /* index of the place in `alignment`; 0: the whole run */
    guint shown;        /* index of the run whose call sites are shown: the first one with the path */
    HieraDiffSide a, b; /* `a`: the reference run; `b`: mean of the other runs, or of all */
    gint64 change_ns, noise_ns, least_ns, most_ns;
    gint64 share; /* share of the whole run, in 0.01 %, in `a` or `b`, where it is greater */
    HieraDiffVerdict verdict;
} HieraDiffRow;

typedef struct {
    const HieraRun *runs;
    guint n_runs;
    guint first_b; /* index of the first run that is a repeat: 0 or 1 */
    HieraTreeAlignment alignment;
    HieraRunThreads *threads; /* by run */
    HieraDiffWaits *waits;    /* NULL if waiting is not known in all runs */
    GArray *rows;             /* HieraDiffRow: the whole run, then by change, greatest first (of repeats: by noise) */
} HieraDiff;

/** Compare runs whose states are HieraCallTimes.
 *
 * @param first_b  1: the first run is the reference; 0: all runs are repeats */
void hiera_diff_init(HieraDiff *diff, const HieraRun *runs, guint n_runs, guint first_b);
void hiera_diff_clear(HieraDiff *diff);

/** Return the call path of a row as a cell; "whole run" for place 0. @param table  owns the text */
const char *hiera_diff_path(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table);

/** Return a text on why a row is slower or faster: ranks, calls, bytes, computation, waiting and its causes; "" if it
 * is not, or by less than 1 % of the run. @param table  owns the text */
const char *hiera_diff_why(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table);

/** Return what of a row's change is computation: no MPI, and no waiting in OpenMP. */
static inline gint64 hiera_diff_computation(const HieraDiffRow *row)
{
    gint64 mpi_ns = hiera_minus(row->b.mpi_ns, row->a.mpi_ns), idle_ns = hiera_minus(row->b.idle_ns, row->a.idle_ns);
    return hiera_minus(hiera_minus(row->change_ns, mpi_ns), idle_ns);
}

/** Return a text on where the calls of each rank diverge in the first two runs, to be freed with g_free; NULL if those
 * of all common ranks are equal. */
char *hiera_diff_parting(const HieraDiff *diff);

/** Return the rows that are slower by more than a threshold, and by more than noise, as lines to be freed with g_free;
 * NULL if there are none. Paths that both sides have count only from a share of 1 % on.
 *
 * @param threshold  in hundredths of a percent */
char *hiera_diff_failure(const HieraDiff *diff, gint64 threshold, HieraTable *table);
