/** The waits of a trace, and where its ranks spend their time: the input of hiera_delays_explain(). */
#pragma once

#include "explain.h"
#include "synchronization.h"
#include "waiting/clock_doubts.h"

typedef struct {
    const HieraTrace *trace;
    const GArray *waits; /* HieraWait */
    HieraClockDoubts doubts;
    HieraCallPaths *paths;
    HieraRankTimes *times; /* by processor: where it spends its time; empty for processors of other processes */
    guint32 *first_wait, *end_wait; /* by processor: range in `waits` of its main thread's waits */
    HieraSynchronization *since;    /* by wait: last common synchronization of its two ranks before it */
} HieraDelayWaits;

/** @param paths  its tree gets nodes for the times before operations
 * @param waits  of hiera_waits_find()
 * @param scope  only this process's own processors are read */
void hiera_delay_waits_init(HieraDelayWaits *all, const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                            const HieraScope *scope);
/** Free all members but `times`. @return `times`, to be freed by hiera_delay_times_free */
HieraRankTimes *hiera_delay_waits_clear(HieraDelayWaits *all);
void hiera_delay_times_free(HieraRankTimes *times, guint32 n_processors);

/** Return the time of a wait within the scope, in ns; 0 if its rank or call is not in the scope. */
gint64 hiera_delay_waits_amount(const HieraDelayWaits *all, const HieraScope *scope, guint32 wait);

/** Callbacks `describe` and `visit` of HieraDelaySource. @param all  HieraDelayWaits, their `user` */
HieraDelayed hiera_delay_waits_describe(gpointer all, guint32 wait);
void hiera_delay_waits_visit(gpointer all, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                             gpointer data);
