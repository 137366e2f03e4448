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

/* The groups of a run by their numbers: the same numbers for all parts of the run. */
typedef struct GroupNumbers GroupNumbers;

GroupNumbers *group_numbers_new(void);
void group_numbers_free(GroupNumbers *numbers);
/* HieraSimFeeder.group. */
const guint32 *group_numbers_peek_ranks(const GroupNumbers *numbers, guint32 group, guint32 *n);

typedef struct Groups Groups;

/* Find the groups of all collectives of a run, or of a part of one. O(members of collectives).
 * @param numbers  must outlive the groups; takes those that are new */
Groups *groups_new(const RecordedRun *run, GroupNumbers *numbers);
void groups_free(Groups *groups);
/* Whether all collectives are known. */
gboolean groups_are_known(const Groups *groups);
/* Return the call of a collective, by its index in the match; owned by the groups. */
const CollectiveCall *groups_peek_call(const Groups *groups, guint32 collective);
/* Return the number of the window of a one-sided operation; it may be one without collectives. */
guint32 groups_find_window(const Groups *groups, guint32 comm);

#endif
