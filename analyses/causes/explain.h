/** The division of waits among their causes: delays.h has the rule. Who waits, and where ranks spend their time, is
 * asked, so that it can be known in other processes. */
#pragma once

#include "delay_list.h"
#include "rank_times.h"

/** What is asked about a wait. */
typedef struct {
    guint32 waiting, causing;            /* processors; `causing` is HIERA_NONE if nothing is known to cause it */
    guint32 at;                          /* node of the call that waits */
    gboolean unsure;                     /* it is no longer than the clocks may differ */
    gint64 causer_from_ns, causer_to_ns; /* the time of the causing rank that is compared with that */
    gint64 waiter_from_ns, waiter_to_ns; /* of the waiting one */
} HieraDelayed;

typedef struct {
    const GArray *waits; /* HieraWait, of which only times and classes are used: by processor, in each those of the main
                            thread first, by time */
    const guint32 *first, *end; /* by processor: the waits of its main thread */
    gint64 *own_ns;             /* by wait: what of it is to be explained; used up */
    guint32 n_nodes;
    gpointer user; /* of these: */
    HieraDelayed (*describe)(gpointer user, guint32 wait);
    /** Visit the nodes in which the causing rank spends time between those times; or the waiting one. */
    void (*visit)(gpointer user, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                  gpointer data);
} HieraDelaySource;

/** Return the causes, HieraDelay, in no particular order but the same for the same waits; to be freed with
 * g_array_unref. */
GArray *hiera_delays_explain(const HieraDelaySource *source);
