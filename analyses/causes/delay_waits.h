/** The waits of a trace, and where its ranks spend their time: the input for explaining waits (explain.h). */
#pragma once

#include "explain.h"
#include "synchronization.h"
#include "waiting/clock_doubts.h"

typedef struct {
    const HieraTrace *trace;
    const GArray *waits; /* HieraWait */
    HieraClockDoubts doubts;
    HieraCallPaths *paths;
    HieraRankTimes *times;          /* by processor; empty for processors of other processes */
    guint32 *first_wait, *end_wait; /* by processor: the waits of its main thread */
    HieraSynchronization *since;    /* by wait */
} HieraDelayWaits;

/** @param paths  its tree gets nodes for the times before operations
 * @param waits  of hiera_waits_find()
 * @param scope  only this process's own processors are read */
void hiera_delay_waits_init(HieraDelayWaits *all, const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                            const HieraScope *scope);
/** Free all members except `times`, which is returned; to be freed by hiera_delay_times_free. */
HieraRankTimes *hiera_delay_waits_clear(HieraDelayWaits *all);
void hiera_delay_times_free(HieraRankTimes *times, guint32 n_processors);

/** Return the length of the part of a wait that is to be explained, which lies in the scope. */
gint64 hiera_delay_waits_amount(const HieraDelayWaits *all, const HieraScope *scope, guint32 wait);

/** The callbacks `describe` and `visit` of HieraDelaySource; @param all  HieraDelayWaits */
HieraDelayed hiera_delay_waits_describe(gpointer all, guint32 wait);
void hiera_delay_waits_visit(gpointer all, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                             gpointer data);
