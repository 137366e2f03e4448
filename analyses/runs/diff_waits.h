/** The waiting of several runs, aligned: the time of each class at each place, and its causes.
 *
 * Times are means: over the ranks of a run, and over the runs of a side. */
#pragma once

#include "tree_alignment.h"
#include "waiting/waiting.h"

/** Sides of the comparison: A is the first run, B all other runs. */
enum { HIERA_SIDE_A, HIERA_SIDE_B, HIERA_N_SIDES };

/** A cause of waiting, over all runs, and how long ranks wait for it. */
typedef struct {
    guint run;       /* index of the run whose call sites name the place */
    guint32 place;   /* place where ranks take too long; HIERA_NONE: they only wait for others themselves */
    gboolean before; /* TRUE if not the operation at the place takes too long, but computation before it */
    gint64 time_ns[HIERA_N_SIDES];
    const char *ranks[HIERA_N_SIDES]; /* by side: ranks that take too long there, like "0-3"; NULL: none */
} HieraDiffCause;

typedef struct {
    const HieraTreeAlignment *alignment;
    guint32 *parent;                                  /* by place: its parent; HIERA_NONE for place 0 */
    gint64 (*by_class)[HIERA_N_WAITS][HIERA_N_SIDES]; /* by place: waiting in ns, also in places inside */
    GArray *list;                                     /* Cause (in diff_waits.c), of all runs */
    gboolean measured; /* TRUE if the runs are profiles with measured waiting: then causes are not known */
} HieraDiffWaits;

/** Align the waiting of runs.
 *
 * @param runs  their `found` are of hiera_run_waits_look()
 * @return to be freed with hiera_diff_waits_free; NULL if a run's waiting is not known, or if only some of the runs
 * have measured it */
HieraDiffWaits *hiera_diff_waits_new(const HieraTreeAlignment *alignment, const HieraRun *runs,
                                     const HieraCallTree *const *trees);
void hiera_diff_waits_free(HieraDiffWaits *waits);

/** Return the class whose waiting at a place, and inside it, has increased or decreased most.
 *
 * @param sign  1: increased; -1: decreased */
HieraWaitClass hiera_diff_waits_class(const HieraDiffWaits *waits, guint32 place, gint sign);

/** Find the cause of waiting at a place, and inside it, that has increased or decreased most. If indirect causes reach
 * across the border of the place, only direct causes count, so that no text is about waiting elsewhere.
 *
 * @return false if no cause is at least half of the change; true with `place` HIERA_NONE if most of the waiting was
 * handed back to waits elsewhere */
gboolean hiera_diff_waits_cause(const HieraDiffWaits *waits, guint32 place, gint sign, HieraDiffCause *cause);
