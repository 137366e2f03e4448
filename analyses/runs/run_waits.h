/** What is kept of the waiting of one run when the run itself is no longer in memory. */
#pragma once

#include "calls/call_tree.h"
#include "waiting/waiting.h"

/** A cause of the waiting at one place. */
typedef struct {
    guint32 at;                    /* node of the call that waits */
    guint32 cause;                 /* node of what takes too long; HIERA_NONE: unexplained */
    gint64 direct_ns, indirect_ns; /* as in HieraDelay */
    const char *ranks;             /* on which it takes too long, in their notation */
} HieraRunCause;

typedef struct {
    HieraCallTree *tree; /* of `at` and `cause` */
    guint32 n_nodes;     /* of those that may wait; the others of the tree are times before an operation */
    gint64 (*by_class)[HIERA_N_WAITS]; /* by node: nanoseconds of waiting */
    GArray *causes;                    /* HieraRunCause */
    HieraTable *texts;                 /* keeps `ranks` */
    gboolean measured;                 /* by the run itself (HIERA_SYNC=1): some classes alone, and no causes */
} HieraRunWaits;

/** `look` and `forget` of a HieraMeasure: find the waits of a run, and their causes, and free them. */
gpointer hiera_run_waits_look(const HieraMatch *match, const HieraScope *scope);
void hiera_run_waits_forget(gpointer found);
