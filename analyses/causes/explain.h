/** The division of waits among their causes; the rule is in delays.h. The waits, and where ranks spend their time, are
 * read through callbacks, so that the data can come from other processes. */
#pragma once

#include "delay_list.h"
#include "rank_times.h"

/** What the search for causes needs to know of a wait. */
typedef struct {
    guint32 waiting, causing; /* processors of the waiting and of the causing rank; `causing` is HIERA_NONE: unknown */
    guint32 operation;        /* what is waited for: a number among the waits of a rank */
    guint32 at;               /* node of the waiting call */
    gboolean unsure;          /* TRUE if the wait is not longer than the clocks of both ranks may differ */
    gint64 causer_from_ns, causer_to_ns; /* interval of the causing rank, compared with that of the waiting rank */
    gint64 waiter_from_ns, waiter_to_ns; /* interval of the waiting rank, compared with that of the causing rank */
} HieraDelayed;

typedef struct {
    const GArray *waits; /* HieraWait; only times and classes are used. Sorted by processor, within it main thread
                          * first, then by time */
    const guint32 *first, *end; /* by processor: range in `waits` of its main thread's waits */
    gint64 *own_ns;             /* by wait: its time to be explained; the search sets it to 0 */
    guint32 n_nodes;
    gpointer user; /* argument `user` of the two callbacks */
    HieraDelayed (*describe)(gpointer user, guint32 wait);
    /** Visit the nodes in which a rank spends time within its interval of `of`: the causing rank if `causing`, else the
     * waiting one. */
    void (*visit)(gpointer user, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                  gpointer data);
} HieraDelaySource;

/** Return the causes, HieraDelay, in no particular order but the same for the same waits; to be freed with
 * g_array_unref. */
GArray *hiera_delays_explain(const HieraDelaySource *source);
