/* --rematch: which messages are matched anew, in the order in which they arrive in the simulation.
 *
 * These are all messages that come to a rank in a communicator in which one of its receives asked for any source or
 * tag. What a probe asked for holds for the receive of the message that it found. */
#ifndef HIERA_PREDICT_REMATCH_H
#define HIERA_PREDICT_REMATCH_H

#include "recorded_run.h"

typedef struct Rematch Rematch;

/* How a message is matched. */
typedef struct {
    gboolean any_source, any_tag; /* of its receive */
    guint32 group;                /* a number of its communicator that all ranks have in common */
    gint32 tag;
} RematchedMessage;

Rematch *rematch_new(const RecordedRun *run);
void rematch_free(Rematch *rematch);
/* @param message  index in the match. @return whether it is matched anew; else its receive takes what it took */
gboolean rematch_find(const Rematch *rematch, guint32 message, RematchedMessage *as);
/* How many messages have receives that asked for any. */
guint64 rematch_count(const Rematch *rematch);

#endif
