/** Hangs: what each rank was in when the run was ended, on whom it waits, and why that never came.
 *
 * A call that had not ended has needs: operations of other ranks without which it cannot end. A need is met if the
 * operation is in the trace. A rank is stuck if a need of it cannot be met any more, whatever the ranks do that are not
 * stuck: it needs all ranks of a collective, but one of the possible senders. Ranks that have ended meet no needs. */
#pragma once

#include "hiera_measure.h"

/** What a rank was in: X(identifier, name). */
#define HIERA_HANG_STATES(X)                                                                                           \
    X(UNKNOWN, "not known")    /* its trace is cut short, and does not say how */                                      \
    X(ENDED, "ended")          /* its process had ended, after MPI_Finalize */                                         \
    X(FINALIZE, "in finalize") /* it had called MPI_Finalize, and its process was ended from outside */                \
    X(FAILED, "failed")        /* its process ended itself: an error, MPI_Abort, exit without MPI_Finalize */          \
    X(WAITS, "waits")          /* in an MPI call */                                                                    \
    X(TESTS, "tests")          /* its last MPI calls were tests or probes without success */                           \
    X(COMPUTES, "computes")    /* in no MPI call */

typedef enum {
#define X(identifier, name) HIERA_HANG_##identifier,
    HIERA_HANG_STATES(X)
#undef X
} HieraHangState;

/** What has to happen on other ranks. */
typedef struct {
    guint32 made_by; /* row with the arguments: the call, or the one that made its request */
    guint32 act;     /* row that takes part in MPI's order: of a persistent request its start, else `made_by` */
    GArray *ranks;   /* gint32: world ranks that could do it, or that all have to */
    HieraKind kind;  /* of what this rank does */
    guint32
        other;       /* the row that is in the way, HIERA_NONE: an earlier receive that took the message; another
                      * member's call that differs; the lock of another rank; the call that freed or completed the request */
    gboolean all;    /* all of `ranks` have to; else one of them is enough */
    gboolean never;  /* the program cannot do it any more: a collective that differs, a
                      * request that was freed */
    gboolean unsure; /* a short message, which MPI may have taken over */
    gboolean met;
} HieraHangNeed;

/** A call that had not ended. */
typedef struct {
    guint32 row;
    gboolean one;  /* it ends as soon as one of its needs is met */
    GArray *needs; /* HieraHangNeed */
} HieraHangCall;

typedef struct {
    HieraHangState state;
    guint32 row;     /* the MPI call that it was in, or its last one; HIERA_NONE: there is none */
    gint64 since_ns; /* when that began, or ended */
    gint64 end_ns;   /* of its trace */
    GArray *calls;   /* HieraHangCall: one for each thread that was in a call */
    gboolean stuck;
} HieraHangRank;

/** A send or a receive without a partner. */
typedef struct {
    guint32 made_by, act, processor;
    gint32 peer, tag; /* world rank; each may be HIERA_ANY */
    gboolean sent;
} HieraHangEnd;

/** A request that nothing has completed. */
typedef struct {
    guint32 made_by;
    guint32 start;    /* the start of a persistent request; HIERA_NONE: it is not persistent, or not active */
    gboolean started; /* it was ever started */
} HieraHangRequest;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    HieraHangRank *ranks;  /* by processor */
    GArray *ends;          /* HieraHangEnd, by row */
    GArray *freed;         /* guint32: calls of MPI_Request_free for requests that were active */
    guint8 *partnered;     /* by row: HIERA_HANG_SENT, HIERA_HANG_RECEIVED */
    GArray *locks;         /* guint32: calls that locked a window which was not unlocked */
    GHashTable *missing;   /* number of a collective → GArray of gint32: ranks that have not come */
    GHashTable *shared;    /* row that starts several requests → GArray of guint: its messages, by number */
    GHashTable **requests; /* by processor: number of a request → HieraHangRequest */
    gboolean hung;         /* a rank was ended from outside */
    gboolean stuck;        /* a rank is stuck */
} HieraHang;
enum { HIERA_HANG_SENT = 1, HIERA_HANG_RECEIVED = 2 };

/** Find out what each rank was in and on whom it waits. O(operations + waits × ranks that they need).
 *
 * @return the answer, to be freed by hiera_hang_free */
HieraHang *hiera_hang_find(const HieraMatch *match);
void hiera_hang_free(HieraHang *hang);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHang, hiera_hang_free)

/** What happened to the run as a whole: X(identifier, name). */
#define HIERA_HANG_VERDICTS(X)                                                                                         \
    X(ENDED, "ended normally")                                                                                         \
    X(FAILED, "failed")         /* a rank ended the run by itself */                                                   \
    X(DEADLOCK, "deadlock")     /* a rank waits for what cannot come any more */                                       \
    X(STOPPED, "stopped")       /* it was ended from outside, and no rank waited in vain */                            \
    X(UNFINISHED, "incomplete") /* its traces do not say how it ended */

typedef enum {
#define X(identifier, name) HIERA_HANG_RUN_##identifier,
    HIERA_HANG_VERDICTS(X)
#undef X
} HieraHangVerdict;

/** A name of HIERA_HANG_VERDICTS; a constant. */
const char *hiera_hang_verdict_name(HieraHangVerdict verdict);

/** Why the run did not end, in sentences, the most telling one first.
 *
 * @param verdict  becomes what happened
 * @return an array of strings that it owns, at least one; to be freed with g_ptr_array_unref */
GPtrArray *hiera_hang_causes(const HieraHang *hang, HieraHangVerdict *verdict);
