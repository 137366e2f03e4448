/* Open objects: messages on their way, and requests of ranks, in two arrays with reused places. They are referred to by
 * their index, since the arrays move when they grow. */
#pragma once

#include "simulator.h"

#define NONE HIERA_SIM_NONE
/* A time that is not known yet. */
#define UNKNOWN G_MAXINT64

typedef struct {
    guint32 source, dest;
    guint32 next;    /* next in a queue of unreceived messages; for a free place, the next free one */
    guint32 receive; /* the request that receives it, or NONE */
    guint32 send;    /* the request of its sender that is complete only after it has left, or NONE */
    guint32 group;   /* number of the communicator */
    gint32 tag;
    gboolean rendezvous;
    gboolean acknowledged; /* a put whose sender is informed of the arrival after another latency */
    guint64 key;
    guint64 token; /* token of its operation */
    gint64 bytes;
    gint64 begun_ps;    /* when the send began */
    gint64 envelope_ps; /* when the receiver is informed of it */
    gint64 arrival_ps;  /* arrival of its last byte, or UNKNOWN */
} Message;

typedef struct {
    guint64 number; /* number given by the feeder; 0: of a blocking operation */
    guint32 rank;
    guint32 next;     /* next in a queue of receives without a message; for a free place, the next free one */
    gint32 peer, tag; /* receive: wanted source and tag; send: its receiver */
    guint32 group;
    guint64 key;
    guint64 token;     /* token of its operation */
    gint64 posted_ps;  /* when its operation began */
    gint64 begun_ps;   /* begin of the operation of the other rank on which it depends */
    gint64 done_ps;    /* time of completion, or UNKNOWN */
    gint64 cost_ps;    /* CPU time of the call that completes it */
    gboolean awaited;  /* its rank waits for it */
    gboolean combines; /* receive: the message is combined with the present data */
} Request;

#define OPEN_ARRAY(Type, Name, name)                                                                                   \
    typedef struct {                                                                                                   \
        Type *at;                                                                                                      \
        guint32 n, capacity, free, n_used;                                                                             \
    } Name;                                                                                                            \
    /* Return the index of a cleared place. */                                                                         \
    guint32 name##_new(Name *all);                                                                                     \
    void name##_free(Name *all, guint32 place);
OPEN_ARRAY(Message, Messages, message)
OPEN_ARRAY(Request, Requests, request)
