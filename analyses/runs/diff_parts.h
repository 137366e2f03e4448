/** Functions that the files of the measure diff share: its rows, and the texts beside them. */
#pragma once

#include "diff_waits.h"
#include "tree_alignment.h"

/** A call path in one run, or the mean of several runs; times are means over the ranks. */
typedef struct {
    gint64 runs; /* number of runs that have the path */
    gint64 calls, time_ns, own_ns, mpi_ns, waiting_ns;
    gint64 bytes;   /* bytes of the messages of MPI calls */
    gint64 max_ns;  /* longest time of a rank */
    gint64 slowest; /* the rank with max_ns */
    gint64 ranks;   /* number of ranks of a run, whether they have the path or not */
} HieraDiffSide;

typedef enum {
    HIERA_DIFF_SAME,
    HIERA_DIFF_FASTER,
    HIERA_DIFF_SLOWER,
    HIERA_DIFF_NOISE, /* the change is within the noise */
    HIERA_DIFF_ONLY_A,
    HIERA_DIFF_ONLY_B,
    HIERA_DIFF_UNKNOWN /* the noise is unknown without repeats */
} HieraDiffVerdict;

typedef struct {
    guint32 place;      /* index of the aligned place; 0: the whole run */
    guint shown;        /* the run whose call sites name the path: the first run that has it */
    HieraDiffSide a, b; /* the reference; the mean of the other runs (or of all) */
    gint64 change_ns, noise_ns, least_ns, most_ns;
    gint64 share; /* share of the whole run, on the side where it is greater, in hundredths of a percent */
    HieraDiffVerdict verdict;
} HieraDiffRow;

typedef struct {
    const HieraRun *runs;
    guint n_runs;
    guint first_b; /* index of the first repeat */
    HieraTreeAlignment alignment;
    HieraDiffWaits *waits; /* NULL if the waiting of the runs is not known */
    GArray *rows; /* HieraDiffRow: the whole run, then the rows that changed most (for repeats: with most noise) */
} HieraDiff;

/** Compare runs whose states are HieraCallTimes.
 *
 * @param first_b  1: the first run is the reference; 0: all runs are repeats */
void hiera_diff_init(HieraDiff *diff, const HieraRun *runs, guint n_runs, guint first_b);
void hiera_diff_clear(HieraDiff *diff);

/** Return the path of a row as the text of a cell. @param table  owns the text */
const char *hiera_diff_path(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table);

/** Return a text on why a row is slower or faster: ranks, calls, bytes, computation, waiting and its causes; "" if it
 * is not, or by less than 1 % of the run. @param table  owns the text */
const char *hiera_diff_why(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table);

/** Return a text on where the calls of each rank diverge in the first two runs, to be freed with g_free; NULL if those
 * of all common ranks are equal. */
char *hiera_diff_parting(const HieraDiff *diff);

/** Return the rows that are slower by more than a threshold, and by more than noise, as lines to be freed with g_free;
 * NULL if there are none. Paths that both sides have count only from a share of 1 % on.
 *
 * @param threshold  in hundredths of a percent */
char *hiera_diff_failure(const HieraDiff *diff, gint64 threshold, HieraTable *table);
