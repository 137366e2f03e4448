/** The waiting of one run, kept when the run itself is no longer in memory. */
#pragma once

#include "calls/call_tree.h"
#include "waiting/waiting.h"

/** A cause of the waiting at one place. */
typedef struct {
    guint32 at;                    /* node of the waiting call */
    guint32 cause;                 /* node of the causing path; HIERA_NONE: unexplained */
    gint64 direct_ns, indirect_ns; /* as in HieraDelay */
    const char *ranks;             /* the ranks on which it takes too long, as a list */
} HieraRunCause;

typedef struct {
    HieraCallTree *tree; /* the tree of `at` and `cause` */
    guint32 n_nodes;     /* number of nodes that may wait; the others of the tree are times before an operation */
    gint64 (*by_class)[HIERA_N_WAITS]; /* by node: waiting of each class, in ns */
    GArray *causes;                    /* HieraRunCause */
    HieraTable *texts;                 /* owns `ranks` */
    gboolean measured; /* TRUE if the run measured its waiting (HIERA_SYNC=1): some classes, no causes */
} HieraRunWaits;

/** Callbacks `look` and `forget` of a HieraMeasure: find the waits of a run and their causes; free them. */
gpointer hiera_run_waits_look(const HieraMatch *match, const HieraScope *scope);
void hiera_run_waits_forget(gpointer found);
