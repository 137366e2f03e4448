/* --rematch: messages that are matched anew, in the order in which they arrive in the simulation.
 *
 * These are all messages to a rank in a communicator in which one of its receives used MPI_ANY_SOURCE or MPI_ANY_TAG. A
 * probe's wildcards also count for the receive of the message that it found. */
#pragma once

#include "recorded_run.h"

typedef struct Rematch Rematch;

/* By what a message is matched in the simulation, instead of by the recorded match. */
typedef struct {
    gboolean any_source, any_tag; /* whether the message's receive accepts any source, any tag */
    guint32 group;                /* number of the message's communicator, the same on all ranks */
    gint32 tag;
} RematchedMessage;

Rematch *rematch_new(const RecordedRun *run);
void rematch_free(Rematch *rematch);
/* @param message  index in the match. @return whether it is matched anew; otherwise its receive takes the recorded
 * message */
gboolean rematch_find(const Rematch *rematch, guint32 message, RematchedMessage *as);
/* Return the number of messages whose receive has wildcards. */
guint64 rematch_count(const Rematch *rematch);
