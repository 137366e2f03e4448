/** The waits of a trace, and where its ranks spend their time: what has to be known to explain waits (explain.h). */
#pragma once

#include "explain.h"
#include "synchronization.h"
#include "waiting/clock_doubts.h"

typedef struct {
    const HieraTrace *trace;
    const GArray *waits; /* HieraWait */
    HieraClockDoubts doubts;
    HieraCallPaths *paths;
    HieraRankTimes *times;          /* by processor; of others than the own ones empty */
    guint32 *first_wait, *end_wait; /* by processor: the waits of its main thread */
    HieraSynchronization *since;    /* by wait */
} HieraDelayWaits;

/** @param paths  its tree gets nodes for the times before operations
 * @param waits  of hiera_waits_find()
 * @param scope  only its own processors are looked at */
void hiera_delay_waits_init(HieraDelayWaits *all, const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                            const HieraScope *scope);
/** Free all but `times`, which are returned, to be freed by hiera_delay_times_free. */
HieraRankTimes *hiera_delay_waits_clear(HieraDelayWaits *all);
void hiera_delay_times_free(HieraRankTimes *times, guint32 n_processors);

/** What is asked for: the part of a wait in the scope. */
gint64 hiera_delay_waits_amount(const HieraDelayWaits *all, const HieraScope *scope, guint32 wait);

/** As in HieraDelaySource; @param all  HieraDelayWaits */
HieraDelayed hiera_delay_waits_describe(gpointer all, guint32 wait);
void hiera_delay_waits_visit(gpointer all, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                             gpointer data);
