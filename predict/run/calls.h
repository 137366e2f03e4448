/* A recorded MPI call as operations of the simulator. */
#ifndef HIERA_PREDICT_CALLS_H
#define HIERA_PREDICT_CALLS_H

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
    Rematch *rematch; /* NULL: receives take what they took, */
    Choices *choices; /* and completions complete what they completed */
    guint64 n_others; /* receives that asked for any message, and took another one than recorded */
    guint64 n_kept;   /* calls that should have partners, but have none that are known: they take as long as recorded */
} Calls;

/* @param numbers  of groups; must outlive the calls */
void calls_init(Calls *calls, const RecordedRun *run, GroupNumbers *numbers);
void calls_clear(Calls *calls);

/* What a rank needs for the operations of one call. */
typedef struct {
    GArray *queue;   /* HieraSimOperation: they are appended; their token is the row + 1 */
    GArray *numbers; /* guint64, and */
    GArray *peers;   /* guint32: to which these point; what was in them is gone */
} CallRoom;

/* Whether a call tested requests, or probed for a message, in vain. */
gboolean calls_is_in_vain(const Calls *calls, guint32 row);
/* Whether a call may end a loop of such calls. */
gboolean calls_is_test(const Calls *calls, guint32 row);
/* Whether the call waits for some of several requests that are decided anew. */
gboolean calls_choose(const Calls *calls, guint32 row);
/* A receive has taken a message. */
void calls_note_match(Calls *calls, guint32 send_row, guint32 receive_row);
/* Append what a call does. @param recorded_ns  how long it took */
void calls_append(Calls *calls, guint32 row, gint64 recorded_ns, CallRoom *room);

#endif
