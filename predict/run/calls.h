/* Translates a recorded MPI call into operations of the simulator. */
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
    Rematch *rematch; /* NULL: receives take the recorded message */
    Choices *choices; /* NULL: completions complete the recorded requests */
    guint64 n_others; /* number of wildcard receives that took another message than recorded */
    guint64 n_kept;   /* number of calls that should have partners but whose partners are not known: they take the
                         recorded time */
} Calls;

/* @param numbers  group numbers; must outlive the calls */
void calls_init(Calls *calls, const RecordedRun *run, GroupNumbers *numbers);
void calls_clear(Calls *calls);

/* Buffers of a rank for the operations of one call. */
typedef struct {
    GArray *queue;   /* HieraSimOperation: operations are appended; their token is the row + 1 */
    GArray *numbers; /* guint64: storage to which operations point; cleared for each call */
    GArray *peers;   /* guint32: likewise */
} CallRoom;

/* Whether a call tested requests, or probed for a message, without success. */
gboolean calls_is_in_vain(const Calls *calls, guint32 row);
/* Whether a call may end a loop of unsuccessful tests. */
gboolean calls_is_test(const Calls *calls, guint32 row);
/* Whether the call waits for some of several requests, with the choice made by the simulation. */
gboolean calls_choose(const Calls *calls, guint32 row);
/* Record that a receive has taken a message. */
void calls_note_match(Calls *calls, guint32 send_row, guint32 receive_row);
/* Append the operations of a call. @param recorded_ns  its recorded duration */
void calls_append(Calls *calls, guint32 row, gint64 recorded_ns, CallRoom *room);
