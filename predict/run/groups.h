/* Communicators and windows as the simulator numbers them, and what each recorded collective is there. Ranks are the
 * indices of the processors in the trace. */
#ifndef HIERA_PREDICT_GROUPS_H
#define HIERA_PREDICT_GROUPS_H

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    HieraSimCollective collective;
    gboolean
        known; /* its members, all in calls of RecordedRun.is_call, and all else are; else it is left as recorded */
    gboolean fence;      /* of a window */
    guint32 group, root; /* root: rank; 0 if it has none */
    gint64 bytes;        /* as the simulator wants them */
} CollectiveCall;

typedef struct Groups Groups;

/* Find the groups of all collectives of a run. O(members of collectives). */
Groups *groups_new(const RecordedRun *run);
void groups_free(Groups *groups);
/* Return the call of a collective, by its index in the match; owned by the groups. */
const CollectiveCall *groups_peek_call(const Groups *groups, guint32 collective);
/* Return the number of the window of a one-sided operation; it may be one without collectives. */
guint32 groups_find_window(Groups *groups, guint32 comm);
/* HieraSimFeeder.group. */
const guint32 *groups_peek_ranks(const Groups *groups, guint32 group, guint32 *n);

#endif
