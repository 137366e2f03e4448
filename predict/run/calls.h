/* Translates each recorded MPI call into operations of the simulator. */
#pragma once

#include "choices.h"
#include "epochs.h"
#include "exchanges.h"
#include "groups.h"
#include "modes.h"
#include "rematch.h"

typedef struct {
    const RecordedRun *run;
    Exchanges exchanges;
    Epochs epochs;
    Modes modes;
    Groups *groups;
    Rematch *rematch; /* messages to be matched anew; NULL: receives take the recorded messages */
    Choices *choices; /* requests for MPI_Waitany, …; NULL: calls complete the recorded requests */
    guint64 n_others; /* number of receives with wildcards that took another message than recorded */
    guint64 n_kept;   /* number of calls that should have partners but whose partners are not known: they take the
                         recorded time */
} Calls;

/* @param numbers  numbers of communicators and windows in the simulator; must outlive the calls */
void calls_init(Calls *calls, const RecordedRun *run, GroupNumbers *numbers);
void calls_clear(Calls *calls);

/* A rank's buffers for the operations of a call, and for arrays to which these operations point. */
typedef struct {
    GArray *queue;   /* HieraSimOperation: operations are appended to it; the token of each is the call's row + 1 */
    GArray *numbers; /* guint64: request numbers to which the operations of the last call point */
    GArray *peers;   /* guint32: ranks to which the operations of the last call point */
} CallRoom;

/* Whether a call tested requests, or probed, without success. */
gboolean calls_is_in_vain(const Calls *calls, guint32 row);
/* Whether a call may end a loop of unsuccessful tests: it completes requests, or probes. */
gboolean calls_is_test(const Calls *calls, guint32 row);
/* Whether the call waits for one or some of several requests, and the simulation decides which. */
gboolean calls_choose(const Calls *calls, guint32 row);
/* Count a wildcard receive if the message that it takes in the simulation is another one than recorded. */
void calls_note_match(Calls *calls, guint32 send_row, guint32 receive_row);
/* Append the simulator's operations for a call. @param recorded_ns  duration of the call in the recorded run */
void calls_append(Calls *calls, guint32 row, gint64 recorded_ns, CallRoom *room);
