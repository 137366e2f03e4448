/* Open objects: messages on their way, and requests of ranks, in two arrays with reused entries. Messages and
 * requests are referred to by their index, since the arrays move when they grow. */
#pragma once

#include "simulator.h"

#define NONE HIERA_SIM_NONE
/* Value of a time that is not known yet. */
#define UNKNOWN G_MAXINT64

typedef struct {
    guint32 source, dest;
    guint32 next;    /* next message in a queue of unreceived messages; of a free entry: the next free entry */
    guint32 receive; /* index of the request that receives the message, or NONE */
    guint32 send;    /* index of the sender's request if it is complete only after the message has left, or NONE */
    guint32 group;   /* number of the message's communicator */
    gint32 tag;
    gboolean rendezvous;
    gboolean acknowledged; /* the message is a put: its request is complete one latency after the arrival, when the
                              sender learns of it */
    guint64 key;
    guint64 token; /* token of the operation that sends the message */
    gint64 bytes;
    gint64 begun_ps;    /* begin of the operation that sends the message */
    gint64 envelope_ps; /* when the receiver learns that there is a message, eager or with rendezvous */
    gint64 arrival_ps;  /* arrival of the message's last byte, or UNKNOWN */
} Message;

typedef struct {
    guint64 number; /* number of the request, given by the feeder; 0: the operation blocks */
    guint32 rank;
    guint32 next;     /* next receive in a queue of receives without a message; of a free entry: the next free entry */
    gint32 peer, tag; /* of a receive: wanted source and tag; of a send: peer is the receiver */
    guint32 group;
    guint64 key;
    guint64 token;     /* token of the operation that made the request */
    gint64 posted_ps;  /* begin of the operation that made the request */
    gint64 begun_ps;   /* begin of the other rank's operation for which the request waits */
    gint64 done_ps;    /* completion of the request, or UNKNOWN */
    gint64 cost_ps;    /* CPU time that processing the complete request takes in the call that waits for it */
    gboolean awaited;  /* whether the rank that made the request waits for it now */
    gboolean combines; /* of a receive in a collective: the data are reduced with those of the receiver */
} Request;

#define OPEN_ARRAY(Type, Name, name)                                                                                   \
    typedef struct {                                                                                                   \
        Type *at;                                                                                                      \
        guint32 n, capacity, free, n_used;                                                                             \
    } Name;                                                                                                            \
    /* Return the index of a cleared entry. */                                                                         \
    guint32 name##_new(Name *all);                                                                                     \
    void name##_free(Name *all, guint32 place);
OPEN_ARRAY(Message, Messages, message)
OPEN_ARRAY(Request, Requests, request)
