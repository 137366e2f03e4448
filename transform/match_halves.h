/* Halves of messages: what the parts of their matching share. */
#ifndef HIERA_MATCH_HALVES_H
#define HIERA_MATCH_HALVES_H

#include "match.h"

/* One side of a message. */
typedef struct {
    guint32 row;
    guint32 comm : 30;
    guint32 cancelled : 1;  /* someone tried to: it may have no partner */
    guint32 concurrent : 1; /* calls of other threads stand side by side with it, and nothing tells it from them */
    guint32 posted;         /* the row whose call gave it its place in the order: `row`, or a matched probe */
    guint32 order;          /* among those of its channel, by time */
    guint32 next;           /* of its channel, or HIERA_NONE */
    guint32 ended_by;       /* of a receive: the row in which it was complete; HIERA_NONE if no trace says so */
    gint64 bytes;
} HieraHalf;

/* Bring both sides of the messages of a channel, each in the order of time, into an order that is possible
 * where threads left MPI none, so that the n-th belongs to the n-th; mark those for which others are. */
void hiera_match_threads(const HieraTrace *trace, HieraHalf *sent, guint n_sent, HieraHalf *received, guint n_received);

#endif
