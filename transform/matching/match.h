/* Matching: which operations on different ranks belong together. Hides MPI's rules of order.
 *
 * The result is a table of its own, without igraph; the graph is made from it. */
#ifndef HIERA_MATCH_H
#define HIERA_MATCH_H

#include "hiera_graph.h"
#include "trace/catalog.h"

/* Why a message may as well be another one. */
typedef enum {
    HIERA_DOUBT_NONE,
    HIERA_DOUBT_THREADS, /* threads left MPI no order */
    HIERA_DOUBT_COUNTED  /* a rank did not record all of its calls: the n-th may be another one's n-th */
} HieraDoubt;

/* A message, by the rows that sent and received it; of a persistent one those that started it. */
typedef struct {
    guint32 from, to;
    guint32 comm : 30;
    guint32 doubt : 2; /* HieraDoubt */
    guint32 ended_by;  /* row in which the receive was complete; HIERA_NONE if no trace says so */
} HieraMessage;

/* The messages of a communicator, all together. */
typedef struct {
    guint64 messages, doubts[HIERA_DOUBT_COUNTED + 1];
    gint64 sent, received; /* bytes; what one side's trace does not tell is what the other side's says */
    /* Of those whose two sides are told and belong together: the bytes of each, how many have other ones on the other
     * side, though nobody doubts them, and the row that received the first of these. */
    gint64 compared[2];
    guint64 differ;
    guint32 first_row;
} HieraTraffic;

/* What was sent and not received, or received and not sent. */
typedef struct {
    guint32 row, comm;
    gboolean sent;
    gint64 bytes; /* -1 where the trace does not say */
} HieraUnmatched;

/* A call that breaks the rules of epochs, and how. */
typedef struct {
    guint32 row;
    const char *text;
} HieraMisuse;

/* One collective call of all members. */
typedef struct {
    guint32 first, n; /* members, by rank in the communicator, in `members` of the match */
    guint32 root;     /* row of the root, HIERA_NONE if there is none (or it is not traced) */
    guint32 comm;
    guint32
        made_by;    /* of the first member: the row that tells what is done; of a start the one that made the request */
    gboolean whole; /* all members are there, and they recorded all their calls */
    HieraKind kind;
} HieraCollective;

/* Two rows; of a request the one that started it, and the one that completed it. */
typedef struct {
    guint32 start, completion;
} HieraPair;

typedef struct {
    GArray *messages;      /* HieraMessage */
    HieraTraffic *traffic; /* by communicator */
    guint32 n_traffic;     /* communicators that there were then */
    GArray *collectives;   /* HieraCollective */
    GArray *members;       /* guint32 */
    GArray *requests;      /* HieraPair */
    GArray *unmatched;     /* HieraUnmatched */
    GArray *open_requests; /* guint32: rows of requests that nothing completed or freed */
    GArray *transfers;     /* HieraPair: access → what closes the window at its target, what opens it → access */
    GArray *completions;   /* HieraPair: access → what completes it */
    GArray *epochs;        /* HieraPair: post → start, complete → wait */
    GArray *misuses;       /* HieraMisuse */
    /* By row. Both begin as zeros, which take no memory where rows have nothing to do with others. */
    guint32 *collective_behind; /* 1 + number of its collective; 0: none */
    guint8 *reason;             /* HieraReason */
    guint32 *context;           /* by communicator: what is counted together; HIERA_NONE: not known (yet) */
    GHashTable *differs;        /* row of a collective → row + 1 of another member that made another call */
    GHashTable *position; /* row of a collective that has a reason → the how many-th, from 1, it is on what it counts */
    GHashTable *lacking; /* processor and context → HieraLacks of what it did not record there */
} HieraMatch;

HieraMatch *hiera_match_build(const HieraTrace *trace);
void hiera_match_free(HieraMatch *match);

/* Number of the collective of a row, or HIERA_NONE. */
static inline guint32 hiera_match_collective(const HieraMatch *match, guint32 row)
{
    return match->collective_behind[row] - 1;
}

/* When a receive was complete, by the row in which it was; G_MAXINT64 if no trace says so. */
static inline gint64 hiera_match_end_ns(const HieraTrace *trace, guint32 ended_by)
{
    return ended_by == HIERA_NONE ? G_MAXINT64 : trace->finish_ns[ended_by];
}

/* World ranks that took no part in a collective, the first few, "" if none is missing. To be freed. */
char *hiera_match_missing(const HieraTrace *trace, const HieraMatch *match, guint32 collective);

#endif
