/* Halves of messages: what the parts of their matching share. */
#ifndef HIERA_MATCH_HALVES_H
#define HIERA_MATCH_HALVES_H

#include "match.h"

/* One side of a message. */
typedef struct {
    guint32 row, comm;
    guint32 posted;    /* the row whose call gave it its place in the order: `row`, or a matched probe */
    guint32 order;     /* among those of its channel, by time */
    guint32 next;      /* of its channel, or HIERA_NONE */
    guint8 cancelled;  /* someone tried to: it may have no partner */
    guint8 concurrent; /* calls of other threads stand side by side with it, and nothing tells it from them */
    gint64 bytes;
    gint64 end_ns; /* of a receive: when it was complete; G_MAXINT64 where the trace does not say */
} HieraHalf;

/* Bring both sides of the messages of a channel, each in the order of time, into an order that is possible
 * where threads left MPI none, so that the n-th belongs to the n-th; mark those for which others are. */
void hiera_match_threads(const HieraTrace *trace, HieraHalf *sent, guint n_sent, HieraHalf *received, guint n_received);

#endif
