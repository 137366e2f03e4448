/* Communicators and windows as numbered in the simulator, and the simulator's operation for each recorded collective.
 * Ranks are the indices of the root elements in the trace. */
#pragma once

#include "recorded_run.h"
#include "simulator/simulator.h"

typedef struct {
    HieraSimCollective collective;
    gboolean known; /* its members and all other data are known, and all members are in calls of RecordedRun.is_call;
                       otherwise the call takes its recorded time */
    gboolean fence; /* whether the call is the fence of a window, not a collective */
    guint32 group, root; /* number of the communicator; index of the root's rank, 0 if there is no root */
    gint64 bytes;        /* size, as HIERA_SIM_COLLECTIVES defines it for the collective */
} CollectiveCall;

/* Numbers of communicators and windows (groups) in the simulator, the same in all parts of a run. */
typedef struct GroupNumbers GroupNumbers;

GroupNumbers *group_numbers_new(void);
void group_numbers_free(GroupNumbers *numbers);
/* Return the ranks of a communicator or window, as HieraSimFeeder.group does; NULL: not known. */
const guint32 *group_numbers_peek_ranks(const GroupNumbers *numbers, guint32 group, guint32 *n);

typedef struct Groups Groups;

/* Find the groups of all collectives of a run, or of a part of one. O(members of collectives).
 * @param numbers  must outlive the groups; new groups are added to it */
Groups *groups_new(const RecordedRun *run, GroupNumbers *numbers);
void groups_free(Groups *groups);
/* Whether the members and data of all collectives are known, so that all can be simulated. */
gboolean groups_are_known(const Groups *groups);
/* Return what a collective is in the simulator. @param collective  index in the match */
const CollectiveCall *groups_peek_call(const Groups *groups, guint32 collective);
/* Return the simulator's number of the window of a one-sided operation, even if no collective uses the window. */
guint32 groups_find_window(const Groups *groups, guint32 comm);
