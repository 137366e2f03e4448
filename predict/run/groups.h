/* Communicators and windows as numbered in the simulator, and the simulator's operation for each recorded collective.
 * Ranks are the indices of the root elements in the trace. */
#pragma once

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    HieraSimCollective collective;
    gboolean known; /* its members and all other data are known, and all members are in calls of RecordedRun.is_call;
                       otherwise the call takes its recorded time */
    gboolean fence; /* the fence of a window */
    guint32 group, root; /* root: index of the rank; 0 if there is none */
    gint64 bytes;        /* as the simulator expects them */
} CollectiveCall;

/* The groups of a run by number; the numbers are the same in all parts of the run. */
typedef struct GroupNumbers GroupNumbers;

GroupNumbers *group_numbers_new(void);
void group_numbers_free(GroupNumbers *numbers);
/* Return the ranks of a group, for HieraSimFeeder.group. */
const guint32 *group_numbers_peek_ranks(const GroupNumbers *numbers, guint32 group, guint32 *n);

typedef struct Groups Groups;

/* Find the groups of all collectives of a run, or of a part of one. O(members of collectives).
 * @param numbers  must outlive the groups; new groups are added to it */
Groups *groups_new(const RecordedRun *run, GroupNumbers *numbers);
void groups_free(Groups *groups);
/* Whether all collectives are known. */
gboolean groups_are_known(const Groups *groups);
/* Return the call of a collective, by its index in the match; owned by the groups. */
const CollectiveCall *groups_peek_call(const Groups *groups, guint32 collective);
/* Return the number of the window of a one-sided operation; it may have no collectives. */
guint32 groups_find_window(const Groups *groups, guint32 comm);
