/* The fields of HieraMatch, for the passes of matching, the graph and the checks. */
#pragma once

#include "hiera_match.h"
#include "trace/catalog.h"

/* Numbers and sizes of the messages on one communicator. */
typedef struct {
    guint64 messages, doubts[HIERA_DOUBT_COUNTED + 1];
    gint64 sent, received; /* total bytes; a size that is known on one side only is added to both */
    /* The rest is about messages whose sizes are known on both sides, and whose doubt is not HIERA_DOUBT_COUNTED: */
    gint64 compared[2]; /* [0] bytes sent, [1] bytes received */
    guint64 differ;     /* number of messages whose partners are certain, but whose sizes sent and received differ */
    guint32 first_row;  /* first row that received one of the `differ` messages */
} HieraTraffic;

/* Tag and size of a message, where the columns of the row that sent it tell others: a start of a persistent request has
 * none, and the receiver alone may know the size. */
typedef struct {
    guint32 message; /* index in `messages` */
    gint32 tag;
    gint64 bytes; /* size of the message; -1: neither side knows it */
} HieraMessageArguments;

/* A message that was sent and not received, or received and not sent. */
typedef struct {
    guint32 row, comm;
    gboolean sent;
    gint64 bytes; /* size of the message; -1: the trace does not say */
} HieraUnmatched;

/* A call that breaks MPI's rules of epochs. `text` is static, and continues a sentence whose subject is the call. */
typedef struct {
    guint32 row;
    const char *text;
    guint32 fences[2]; /* it breaks them only if neither of these fences has an assert; HIERA_NONE: in any case */
} HieraMisuse;

/* What a call did to a request that it should not have done: X(identifier, code of the finding, text). The text
 * continues a sentence whose subject is the call; %s is the call that began the operation. */
#define HIERA_REQUEST_FAULTS(X)                                                                                        \
    X(STARTED_AGAIN, REQUEST, "starts a request that is active: %s started it, and no call has completed it since")    \
    X(FREED_ACTIVE, FREED, "frees the request of %s before it is complete: nothing tells when its buffer may be used") \
    X(FREED_FOREVER, REQUEST, "frees the request of %s, which only a wait or a test may end")                          \
    X(READY_AGAIN, REQUEST, "marks a partition as ready that %s has marked since the request was started")             \
    X(MESSAGE_LOST, REQUEST, "takes a message that no mrecv receives, so nobody can receive it")
typedef enum {
#define X(identifier, code, text) HIERA_REQUEST_##identifier,
    HIERA_REQUEST_FAULTS(X)
#undef X
} HieraRequestFaultKind;

typedef struct {
    guint32 row, began; /* call that did it; call that began the operation */
    HieraRequestFaultKind kind;
} HieraRequestFault;

struct HieraMatch {
    const HieraTrace *trace;
    const guint8 *own;      /* by processor: 1 if `traffic` counts messages to it; NULL: `traffic` counts all */
    GArray *messages;       /* HieraMessage */
    GArray *arguments;      /* HieraMessageArguments, sorted by `message` */
    HieraTraffic *traffic;  /* by index of a communicator */
    guint32 n_traffic;      /* number of elements of `traffic` */
    GArray *collectives;    /* HieraCollective */
    GArray *members;        /* guint32: rows of the members of all collectives, one collective after the other */
    GArray *requests;       /* HieraPair: call that started a request → call that completed it */
    GArray *starts;         /* HieraStart of persistent requests, by row (match_common.h) */
    GArray *probes;         /* HieraProbe, sorted by row */
    GArray *unmatched;      /* HieraUnmatched */
    GArray *open_requests;  /* guint32: rows that made a request which no call completed or freed; of a persistent one
                               that is active, the row that started it */
    GArray *request_faults; /* HieraRequestFault, by processor */
    GArray *transfers; /* HieraPair: access → call that closes the window at its target; call that opens it there →
                          access */
    GArray *completions; /* HieraPair: access (put, get, …) → call that completes it at the origin */
    GArray *epochs;      /* HieraPair: win_post → win_start, win_complete → win_wait */
    GArray *misuses;     /* HieraMisuse, by processor */
    /* Both by row, and zeros at first: pages without communicating rows are never written, so they take no memory. */
    guint32 *collective_behind; /* number of the row's collective + 1; 0: none */
    guint8 *reason;             /* HieraReason: why the row has no partner */
    guint32 *context;           /* by communicator; communicators with equal contexts are the same one for MPI;
                                 * HIERA_NONE: not known (yet) */
    GHashTable *differs;        /* row of a collective call → row + 1 of another member whose call differs */
    GHashTable *position;       /* row of an unmatched collective → its 1-based index among the collectives that this
                                 * rank called on its communicator */
    GHashTable *lacking; /* processor and context → HieraLacks: kinds of calls that the processor did not record on the
                            context */
    struct HieraMatchBefore *before;   /* counts of calls before traces begin; NULL: no trace begins late */
    struct HieraMatchResults *results; /* what measures have computed from this match (match_results.c) */
};

/* hiera_match_build() of what one of several processes has to know.
 * @param own  of HieraScope; must outlive the match */
HieraMatch *hiera_match_build_part(const HieraTrace *trace, const guint8 *own);

/* Return the row that made the n-th persistent request which a row starts; HIERA_NONE: it starts fewer. */
guint32 hiera_match_maker(const HieraMatch *match, guint32 row, guint n);

/* Return the time at which a receive was complete; G_MAXINT64 if it is not known.
 * @param ended_by  of HieraMessage: the row that completed it, or HIERA_NONE */
static inline gint64 hiera_match_end_ns(const HieraTrace *trace, guint32 ended_by)
{
    return ended_by == HIERA_NONE ? G_MAXINT64 : trace->finish_ns[ended_by];
}

/* Return the world ranks of the members that took no part in a collective, separated by spaces, "" if none is
 * missing. After the first few the text ends in "…". To be freed with g_free. */
char *hiera_match_missing(const HieraTrace *trace, const HieraMatch *match, guint32 collective);
