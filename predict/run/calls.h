/* A recorded MPI call as operations of the simulator. */
#ifndef HIERA_PREDICT_CALLS_H
#define HIERA_PREDICT_CALLS_H

#include "epochs.h"
#include "exchanges.h"
#include "groups.h"
#include "modes.h"

typedef struct {
    const RecordedRun *run;
    Exchanges exchanges;
    Epochs epochs;
    Modes modes;
    Groups *groups;
    guint64 n_kept; /* calls that should have partners, but have none that are known: they take as long as recorded */
} Calls;

void calls_init(Calls *calls, const RecordedRun *run);
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
/* Append what a call does. @param recorded_ns  how long it took */
void calls_append(Calls *calls, guint32 row, gint64 recorded_ns, CallRoom *room);

#endif
