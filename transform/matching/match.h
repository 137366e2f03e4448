/* The fields of HieraMatch, for the steps of matching, the graph and the checks. */
#pragma once

#include "hiera_match.h"
#include "trace/catalog.h"

/* Totals of the messages of one communicator. */
typedef struct {
    guint64 messages, doubts[HIERA_DOUBT_COUNTED + 1];
    gint64 sent, received; /* bytes; where one side's size is not known, the other side's is taken for both */
    /* Only messages whose sizes are known on both sides and whose doubt is not COUNTED: */
    gint64 compared[2]; /* bytes sent, bytes received */
    guint64 differ;     /* messages without any doubt whose two sizes differ */
    guint32 first_row;  /* the first row that received one of these */
} HieraTraffic;

/* Tag and size of a message, where the columns of the row that sent it tell others: a start of a persistent request has
 * none, and the receiver alone may know the size. */
typedef struct {
    guint32 message; /* index of the message */
    gint32 tag;
    gint64 bytes; /* -1 where neither side knows it */
} HieraMessageArguments;

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

struct HieraMatch {
    const HieraTrace *trace;
    const guint8 *own;     /* by processor: 1 if `traffic` has the messages that it receives; NULL: all are there */
    GArray *messages;      /* HieraMessage */
    GArray *arguments;     /* HieraMessageArguments, by index */
    HieraTraffic *traffic; /* by communicator */
    guint32 n_traffic;     /* elements of traffic */
    GArray *collectives;   /* HieraCollective */
    GArray *members;       /* guint32 */
    GArray *requests;      /* HieraPair */
    GArray *probes;        /* HieraProbe, by row */
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
    struct HieraMatchBefore *before;   /* where traces begin later (match_before.h); else NULL */
    struct HieraMatchResults *results; /* what was found in it; see match_results.c */
};

/* hiera_match_build() of what one of several processes has to know.
 * @param own  of HieraScope; must outlive the match */
HieraMatch *hiera_match_build_part(const HieraTrace *trace, const guint8 *own);

/* Return the time at which a receive was complete; G_MAXINT64 if it is not known.
 * @param ended_by  of HieraMessage: the row that completed it, or HIERA_NONE */
static inline gint64 hiera_match_end_ns(const HieraTrace *trace, guint32 ended_by)
{
    return ended_by == HIERA_NONE ? G_MAXINT64 : trace->finish_ns[ended_by];
}

/* Return the world ranks of the members that took no part in a collective, separated by spaces, "" if none is
 * missing. After the first few the text ends in "…". To be freed with g_free. */
char *hiera_match_missing(const HieraTrace *trace, const HieraMatch *match, guint32 collective);
