/** Hangs: what each rank was in when the run was ended, on whom it waits, and why that never came.
 *
 * A call that had not ended has needs: operations of other ranks without which it cannot end. A need is met if the
 * operation is in the trace. A rank is stuck if one of its needs cannot be met any more, whatever the ranks do that are
 * not stuck: a collective needs all its ranks, a receive from any source only one possible sender. Ranks that have
 * ended meet no needs. */
#pragma once

#include "hiera_measure.h"

/** States of a rank: X(identifier, name). */
#define HIERA_HANG_STATES(X)                                                                                           \
    X(UNKNOWN, "not known")    /* its trace is cut short, and does not show how it ended */                            \
    X(ENDED, "ended")          /* its process had ended, after MPI_Finalize */                                         \
    X(FINALIZE, "in finalize") /* it had called MPI_Finalize, and its process was ended from outside */                \
    X(FAILED, "failed")        /* its process ended by itself: an error, MPI_Abort, exit without MPI_Finalize */       \
    X(WAITS, "waits")          /* in an MPI call */                                                                    \
    X(TESTS, "tests")          /* its last MPI calls were tests or probes without success */                           \
    X(COMPUTES, "computes")    /* outside of MPI calls */

typedef enum {
#define X(identifier, name) HIERA_HANG_##identifier,
    HIERA_HANG_STATES(X)
#undef X
} HieraHangState;

/** A need: an operation that other ranks have to do. */
typedef struct {
    guint32 made_by; /* row with the arguments: the call, or the call that made its request */
    guint32 act;     /* row in MPI's order of messages: for a persistent request its start, else `made_by` */
    GArray *ranks;   /* gint32: world ranks that could do the operation, or that all have to */
    HieraKind kind;  /* kind of this rank's own operation */
    guint32 other;   /* row of the obstacle: an earlier receive that took the message; another member's call that
                      * differs; another rank's lock; the call that freed or completed the request. HIERA_NONE: none */
    gboolean all;    /* TRUE: all of `ranks` have to do it; else one of them is enough */
    gboolean never;  /* TRUE if the program cannot meet it any more: a collective that
                      * differs, a request that was freed */
    gboolean unsure; /* TRUE for a send of a short message, which MPI may have buffered */
    gboolean met;
} HieraHangNeed;

/** A call that had not ended. */
typedef struct {
    guint32 row;
    gboolean one;  /* the call ends as soon as one of its needs is met */
    GArray *needs; /* HieraHangNeed */
} HieraHangCall;

typedef struct {
    HieraHangState state;
    guint32 row;     /* the MPI call that the rank was in, or its last one; HIERA_NONE if there is none */
    gint64 since_ns; /* when that call began, or ended */
    gint64 end_ns;   /* end of its trace */
    GArray *calls;   /* HieraHangCall: one for each thread that was in a call */
    gboolean stuck;
} HieraHangRank;

/** A send or a receive without a partner. */
typedef struct {
    guint32 made_by, act, processor;
    gint32 peer, tag; /* peer: world rank; each may be HIERA_ANY */
    gboolean sent;
} HieraHangEnd;

/** A request that no call has completed. */
typedef struct {
    guint32 made_by;
    guint32 start;    /* row that started a persistent request; HIERA_NONE: not persistent, or not active */
    gboolean started; /* TRUE if it was ever started */
} HieraHangRequest;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    HieraHangRank *ranks;  /* by processor */
    GArray *ends;          /* HieraHangEnd, by row */
    GArray *freed;         /* guint32: calls of MPI_Request_free on active requests */
    guint8 *partnered;     /* by row: bits HIERA_HANG_SENT, HIERA_HANG_RECEIVED */
    GArray *locks;         /* guint32: calls that locked a window which is still locked */
    GHashTable *missing;   /* number of a collective → GArray of gint32: members that did not call it */
    GHashTable *shared;    /* row that starts several requests → GArray of guint: numbers of its messages */
    GHashTable **requests; /* by processor: number of a request → HieraHangRequest */
    gboolean hung;         /* TRUE if a rank was ended from outside */
    gboolean stuck;        /* TRUE if a rank is stuck */
} HieraHang;
enum { HIERA_HANG_SENT = 1, HIERA_HANG_RECEIVED = 2 };

/** Find the state of each rank and whom it waits for. O(operations + waits × ranks that they need).
 *
 * @return to be freed by hiera_hang_free */
HieraHang *hiera_hang_find(const HieraMatch *match);
void hiera_hang_free(HieraHang *hang);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHang, hiera_hang_free)

/** Verdicts on the run as a whole: X(identifier, name). */
#define HIERA_HANG_VERDICTS(X)                                                                                         \
    X(ENDED, "ended normally")                                                                                         \
    X(FAILED, "failed")         /* a rank ended the run by itself */                                                   \
    X(DEADLOCK, "deadlock")     /* a rank waits for an operation that can no longer come */                            \
    X(STOPPED, "stopped")       /* the run was ended from outside, and no rank waited in vain */                       \
    X(UNFINISHED, "incomplete") /* the traces do not show how the run ended */

typedef enum {
#define X(identifier, name) HIERA_HANG_RUN_##identifier,
    HIERA_HANG_VERDICTS(X)
#undef X
} HieraHangVerdict;

/** Return the name of a verdict in HIERA_HANG_VERDICTS; a constant. */
const char *hiera_hang_verdict_name(HieraHangVerdict verdict);

/** Return why the run did not end, in sentences, the most important first.
 *
 * @param verdict  receives the verdict
 * @return an array of strings that it owns, at least one; to be freed with g_ptr_array_unref */
GPtrArray *hiera_hang_causes(const HieraHang *hang, HieraHangVerdict *verdict);
