/** The waiting of several runs, laid over each other: how much of each class at each place, and what causes it.
 *
 * Times are means: over the ranks of a run, and over the runs of a side. */
#pragma once

#include "tree_alignment.h"
#include "waiting/waiting.h"

/** A side: the first run, or all others. */
enum { HIERA_SIDE_A, HIERA_SIDE_B, HIERA_N_SIDES };

/** A cause of waiting, and how much it causes. */
typedef struct {
    guint run;       /* whose site names it */
    guint32 place;   /* what takes too long; HIERA_NONE: others that wait elsewhere themselves */
    gboolean before; /* not that itself, but the time before it */
    gint64 time_ns[HIERA_N_SIDES];
    const char *ranks[HIERA_N_SIDES]; /* on which it takes too long, in their notation; NULL: the side has none */
} HieraDiffCause;

typedef struct {
    const HieraTreeAlignment *alignment;
    guint32 *parent;                                  /* by place; that of place 0 is HIERA_NONE */
    gint64 (*by_class)[HIERA_N_WAITS][HIERA_N_SIDES]; /* by place, with the places inside */
    GArray *list;                                     /* causes of all runs */
    gboolean measured;                                /* by the runs: no cause is known */
} HieraDiffWaits;

/** Lay the waiting of runs over each other.
 *
 * @param runs  their `found` are of hiera_run_waits_look()
 * @return to be freed with hiera_diff_waits_free; NULL if a run's waiting is not known, or was measured by some of the
 * runs alone */
HieraDiffWaits *hiera_diff_waits_new(const HieraTreeAlignment *alignment, const HieraRun *runs,
                                     const HieraCallTree *const *trees);
void hiera_diff_waits_free(HieraDiffWaits *waits);

/** Return the class whose waiting at a place, and inside, has become most more, or less.
 *
 * @param sign  1: more; -1: less */
HieraWaitClass hiera_diff_waits_class(const HieraDiffWaits *waits, guint32 place, gint sign);

/** Find the cause of waiting at a place, and inside, that has become most more, or less. Where others wait inside for
 * what waits elsewhere, or the other way round, only direct causes count, so that nothing is said of waiting that is
 * not there.
 *
 * @return false if there is none that is at least half of the change */
gboolean hiera_diff_waits_cause(const HieraDiffWaits *waits, guint32 place, gint sign, HieraDiffCause *cause);
