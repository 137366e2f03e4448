/** Hangs: what each rank was in when the run was ended, on whom it waits, and why that never came.
 *
 * A call that had not ended has needs: operations of other ranks without which it cannot end. A need is met if the
 * operation is in the trace. A rank is stuck if one of its needs cannot be met any more, whatever the ranks do that are
 * not stuck: a collective needs all its ranks, a receive from any source only one possible sender. Ranks that have
 * ended meet no needs. */
#pragma once

#include "hiera_measure.h"

/** States of a rank when the run was ended: X(identifier, name). */
#define HIERA_HANG_STATES(X)                                                                                           \
    X(UNKNOWN, "not known")    /* the rank's trace is cut short, and does not say how its process ended; or it may     \
                                  have been in a call that is not recorded */                                          \
    X(ENDED, "ended")          /* the rank's process ended after MPI_Finalize */                                       \
    X(FINALIZE, "in finalize") /* the rank had called MPI_Finalize; its process was ended from outside */              \
    X(FAILED, "failed")     /* the rank's process ended by itself: an error, MPI_Abort, exit without MPI_Finalize */   \
    X(WAITS, "waits")       /* the rank was in an MPI call */                                                          \
    X(TESTS, "tests")       /* the rank's last MPI calls were tests or probes without success */                       \
    X(COMPUTES, "computes") /* the rank was outside of MPI calls */

typedef enum {
#define X(identifier, name) HIERA_HANG_##identifier,
    HIERA_HANG_STATES(X)
#undef X
} HieraHangState;

/** A need of a call: an operation that other ranks have to do before the call can end. */
typedef struct {
    guint32 made_by; /* row with the arguments of the operation: the call itself, or the one that made its request */
    guint32 act;     /* row by which MPI orders messages: for a persistent request its start, else `made_by` */
    GArray *ranks;   /* gint32: world ranks, all or one of which have to do the operation (`all`) */
    HieraKind kind;  /* kind of the waiting rank's own operation */
    guint32 other;   /* row of the obstacle: an earlier receive that took the message; another member's call that
                      * differs; another rank's lock; the call that freed or completed the request. HIERA_NONE: none */
    gboolean all;    /* TRUE: each of `ranks` has to do the operation; FALSE: one of them is enough */
    gboolean never;  /* TRUE if the program cannot meet it any more: a collective that
                      * differs, a request that was freed */
    gboolean unsure; /* TRUE for a send of a short message, which MPI may have buffered */
    gboolean met;
} HieraHangNeed;

/** A call that had not ended, and its needs. */
typedef struct {
    guint32 row;
    gboolean one;  /* TRUE if the call ends as soon as one of its needs is met */
    GArray *needs; /* HieraHangNeed */
} HieraHangCall;

typedef struct {
    HieraHangState state;
    guint32 row;              /* the MPI call that the rank was in, else its last one; HIERA_NONE: none */
    gint64 since_ns;          /* when the rank came into its state: begin or end of `row`, else init or finalize */
    gint64 end_ns;            /* end of the rank's trace */
    GArray *calls;            /* HieraHangCall: calls that had not ended, one for each thread in a call */
    gboolean has_free_thread; /* it has more threads than calls in progress: another one may do what others need */
    gboolean stuck;
} HieraHangRank;

/** A send or a receive for which the matching has found no partner. */
typedef struct {
    guint32 made_by, act, processor;
    gint32 peer, tag; /* world rank of the partner, and tag of the message; HIERA_ANY: any */
    gboolean sent;
} HieraHangEnd;

/** A request of a rank that still exists: not freed, and not completed unless persistent. */
typedef struct {
    guint32 made_by;
    guint32 start;    /* row that started the persistent request; HIERA_NONE: not persistent, or not active */
    gboolean started; /* TRUE if the persistent request was ever started */
} HieraHangRequest;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    HieraHangRank *ranks;  /* by processor */
    GArray *ends;          /* HieraHangEnd, by row */
    GArray *freed;         /* guint32: rows of MPI_Request_free on active requests */
    guint8 *partnered;     /* by row: bits HIERA_HANG_SENT, HIERA_HANG_RECEIVED if that side has its partner */
    GArray *locks;         /* guint32: rows that locked a window which is not unlocked yet */
    GHashTable *missing;   /* index of a collective + 1 → GArray of gint32: world ranks that did not call it */
    GHashTable *shared;    /* row that starts several requests → GArray of guint: indices of its messages */
    GHashTable **requests; /* by processor: gint64, number of a request → HieraHangRequest */
    gboolean hung;         /* TRUE unless all ranks ended after MPI_Finalize */
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
    X(FAILED, "failed") /* the process of a rank ended by itself: an error, MPI_Abort, exit without MPI_Finalize */    \
    X(DEADLOCK, "deadlock")     /* a rank waits for an operation that can never come */                                \
    X(STOPPED, "stopped")       /* the run was ended from outside, and each wait could still have ended */             \
    X(RUNS, "runs")             /* the run goes on, and each wait can still end */                                     \
    X(UNFINISHED, "incomplete") /* the traces do not show how the run ended, or lack calls */

typedef enum {
#define X(identifier, name) HIERA_HANG_RUN_##identifier,
    HIERA_HANG_VERDICTS(X)
#undef X
} HieraHangVerdict;

/** Return the name of a verdict, as in HIERA_HANG_VERDICTS; a constant. */
const char *hiera_hang_verdict_name(HieraHangVerdict verdict);

/** Return why the run did not end, in sentences, the most important first.
 *
 * @param verdict  receives the verdict
 * @return an array of strings that it owns, at least one; to be freed with g_ptr_array_unref */
GPtrArray *hiera_hang_causes(const HieraHang *hang, HieraHangVerdict *verdict);
