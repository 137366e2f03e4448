/* Matching: finds the operations on different ranks that belong together. Hides MPI's rules of order.
 *
 * The result does not use igraph. The graph is built from it. */
#ifndef HIERA_MATCH_H
#define HIERA_MATCH_H

#include "hiera_graph.h"
#include "trace/catalog.h"

/* Why the pairing of a message is ambiguous. */
typedef enum {
    HIERA_DOUBT_NONE,
    HIERA_DOUBT_THREADS, /* MPI does not order calls of different threads */
    HIERA_DOUBT_COUNTED  /* the sender or the receiver did not record all of its calls, so counting may be off */
} HieraDoubt;

/* A message: the rows that sent and received it. For a persistent request they are the rows that started it. */
typedef struct {
    guint32 from, to;
    guint32 comm : 30;
    guint32 doubt : 2; /* HieraDoubt */
    guint32 ended_by;  /* row that completed the receive; HIERA_NONE if it is not known */
} HieraMessage;

/* Totals of the messages of one communicator. */
typedef struct {
    guint64 messages, doubts[HIERA_DOUBT_COUNTED + 1];
    gint64 sent, received; /* bytes; where one side's size is not known, the other side's is taken for both */
    /* Only messages whose sizes are known on both sides and whose doubt is not COUNTED: */
    gint64 compared[2]; /* bytes sent, bytes received */
    guint64 differ;     /* messages without any doubt whose two sizes differ */
    guint32 first_row;  /* row that received the first of these */
} HieraTraffic;

/* A message that was sent and not received, or received and not sent. */
typedef struct {
    guint32 row, comm;
    gboolean sent;
    gint64 bytes; /* -1 where the trace does not say */
} HieraUnmatched;

/* A call that breaks the rules of epochs. `text` continues a sentence whose subject is the call; it is static. */
typedef struct {
    guint32 row;
    const char *text;
} HieraMisuse;

/* One collective: the calls of all members. */
typedef struct {
    guint32 first, n; /* its part of `members` of the match, sorted by rank in the communicator */
    guint32 root;     /* row of the root; HIERA_NONE if there is no root or it is not traced */
    guint32 comm;
    guint32 made_by; /* row of the first member's arguments: its call, or the call that made its persistent request */
    gboolean whole;  /* all members were found, and they recorded all their calls */
    HieraKind kind;
} HieraCollective;

/* Two rows; for a request, the row that started it and the row that completed it. */
typedef struct {
    guint32 start, completion;
} HieraPair;

typedef struct {
    GArray *messages;      /* HieraMessage */
    HieraTraffic *traffic; /* by communicator */
    guint32 n_traffic;     /* elements of traffic */
    GArray *collectives;   /* HieraCollective */
    GArray *members;       /* guint32 */
    GArray *requests;      /* HieraPair */
    GArray *unmatched;     /* HieraUnmatched */
    GArray *open_requests; /* guint32: rows that made a request which no call completed or freed */
    GArray *transfers; /* HieraPair: access → call that closes the window at its target, or opening call → access */
    GArray *completions; /* HieraPair: access → call that completes it at the origin */
    GArray *epochs;      /* HieraPair: post → start, complete → wait */
    GArray *misuses;     /* HieraMisuse */
    /* By row. Both begin as zeros: pages without communicating rows are never written and take no memory. */
    guint32 *collective_behind; /* 1 + number of its collective; 0: none */
    guint8 *reason;             /* HieraReason */
    guint32 *context;           /* by communicator; communicators with equal contexts are the same one for MPI;
                                 * HIERA_NONE: not known (yet) */
    GHashTable *differs;        /* row of a collective → row + 1 of a member that made a different call */
    GHashTable *position;       /* row of an unmatched collective → its 1-based index among the collectives that this
                                 * rank called on its communicator */
    GHashTable *lacking;        /* processor and context → HieraLacks: kinds of calls that were not recorded there */
} HieraMatch;

HieraMatch *hiera_match_build(const HieraTrace *trace);
void hiera_match_free(HieraMatch *match);

/* Return the number of the collective of a row, HIERA_NONE if it has none. */
static inline guint32 hiera_match_collective(const HieraMatch *match, guint32 row)
{
    return match->collective_behind[row] - 1;
}

/* Return the time at which a receive was complete; G_MAXINT64 if it is not known.
 * @param ended_by  of HieraMessage: the row that completed it, or HIERA_NONE */
static inline gint64 hiera_match_end_ns(const HieraTrace *trace, guint32 ended_by)
{
    return ended_by == HIERA_NONE ? G_MAXINT64 : trace->finish_ns[ended_by];
}

/* Return the world ranks of the members that took no part in a collective, separated by spaces, "" if none is
 * missing. After the first few the text ends in "…". To be freed with g_free. */
char *hiera_match_missing(const HieraTrace *trace, const HieraMatch *match, guint32 collective);

#endif
