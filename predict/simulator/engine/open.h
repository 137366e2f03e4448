/* What is open: messages on their way, and requests of ranks, in two arrays with places that are used again. They are
 * named by their place, since the arrays move when they grow. */
#ifndef HIERA_OPEN_H
#define HIERA_OPEN_H

#include "simulator.h"

#define NONE HIERA_SIM_NONE
/* A time that is not known yet. */
#define UNKNOWN G_MAXINT64

typedef struct {
    guint32 source, dest;
    guint32 next;    /* in a queue of messages that nobody has received; of a free place the next free one */
    guint32 receive; /* the request that receives it, or NONE */
    guint32 send;    /* the request of its sender that is not complete before it has left, or NONE */
    guint32 group;   /* communicator */
    gint32 tag;
    gboolean rendezvous;
    gboolean acknowledged; /* of a put: who sent it knows that it has arrived after another latency */
    guint64 key;
    guint64 token; /* of its operation */
    gint64 bytes;
    gint64 begun_ps;    /* when the send began */
    gint64 envelope_ps; /* when the receiver knows of it */
    gint64 arrival_ps;  /* of its last byte, or UNKNOWN */
} Message;

typedef struct {
    guint64 number; /* the feeder's; 0: of a blocking operation */
    guint32 rank;
    guint32 next;     /* in a queue of receives that have no message; of a free place the next free one */
    gint32 peer, tag; /* of a receive what it takes; of a send its receiver */
    guint32 group;
    guint64 key;
    guint64 token;     /* of its operation */
    gint64 posted_ps;  /* when its operation began */
    gint64 begun_ps;   /* when the operation of the rank on which it depends began */
    gint64 done_ps;    /* from when on it is complete, or UNKNOWN */
    gint64 cost_ps;    /* processor time of the call that completes it */
    gboolean awaited;  /* its rank waits for it */
    gboolean combines; /* of a receive: what comes is combined with what is there */
} Request;

#define OPEN_ARRAY(Type, Name, name)                                                                                   \
    typedef struct {                                                                                                   \
        Type *at;                                                                                                      \
        guint32 n, capacity, free, n_used;                                                                             \
    } Name;                                                                                                            \
    /* Return a place that is cleared. */                                                                              \
    guint32 name##_new(Name *all);                                                                                     \
    void name##_free(Name *all, guint32 place);
OPEN_ARRAY(Message, Messages, message)
OPEN_ARRAY(Request, Requests, request)

#endif
