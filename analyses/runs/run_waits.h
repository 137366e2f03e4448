/** The waiting of one run, kept for a comparison after the run is no longer in memory. */
#pragma once

#include "calls/call_tree.h"
#include "waiting/waiting.h"

/** All waiting at one node of the call tree that has the same cause. */
typedef struct {
    guint32 at;                    /* node of the waiting call */
    guint32 cause;                 /* node of the causing path; HIERA_NONE: unexplained */
    gint64 direct_ns, indirect_ns; /* waiting that the cause explains, as in HieraDelay */
    const char *ranks;             /* the ranks that take too long at `cause`, like "0-3" */
} HieraRunCause;

typedef struct {
    HieraCallTree *tree;               /* the call tree that has the nodes `at` and `cause` */
    guint32 n_nodes;                   /* number of elements of by_class; nodes behind them do not wait */
    gint64 (*by_class)[HIERA_N_WAITS]; /* by node: waiting by class, in ns */
    GArray *causes;                    /* HieraRunCause */
    HieraTable *texts;                 /* owns the texts `ranks` of the causes */
    gboolean measured; /* TRUE if a profile measured the waiting (HIERA_SYNC=1): then it has no causes */
} HieraRunWaits;

/** `look` and `forget` of HieraRunsOps: return the waiting of a run with its causes (HieraRunWaits); free it. */
gpointer hiera_run_waits_look(const HieraMatch *match, const HieraScope *scope);
void hiera_run_waits_forget(gpointer found);
