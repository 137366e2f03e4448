/** Waiting: the part of an MPI call during which it could not go on, however fast the machine, because another rank had
 * not yet begun, or not yet ended, its own call.
 *
 * A call has at most two intervals of waiting, which do not overlap:
 *
 * 1. From its start s until the last operation on which it depends has begun, but not beyond its finish f. If it
 *    depends on several, the one that begins last gives the interval its class and its causer. For a call that ends as
 *    soon as some requests are complete (MPI_Waitany, MPI_Waitsome, MPI_Testany, MPI_Testsome), it is the request that
 *    could complete first.
 * 2. For a barrier and an N x N collective: f − max(s, latest start of all members, earliest finish of all members), at
 *    its end (completion).
 *
 * A test that fails waits for the operations that it tested, a probe for the message that it finds (waiting_tests.c).
 * An operation that is non-blocking or persistent does not wait; the call that completes it does. The start of a
 * non-blocking operation is the start of the call that posts it. Definitions: Scalasca (Geimer et al. 2010), for
 * one-sided communication Hermanns et al. 2013; docs/measures.md says where these differ. */
#pragma once

#include "calls/span_cutter.h"
#include "hiera_measure.h"

/** Classes of waiting, with Scalasca's names: X(identifier, name). */
#define HIERA_WAITS(X)                                                                                                 \
    X(LATE_SENDER, "late sender")              /* the receiver waits for a message that was sent late */               \
    X(WRONG_ORDER, "late sender, wrong order") /* sent late, and an earlier message is received later */               \
    X(LATE_RECEIVER, "late receiver")          /* the sender waits: its send could not end before the receive began */ \
    X(BARRIER, "wait at barrier")              /* each member waits for the last one */                                \
    X(BARRIER_COMPLETION, "barrier completion") /* a member waits after the first member has left the barrier */       \
    X(N_X_N, "wait at N x N")                   /* a member waits for the last one from which it needs data */         \
    X(N_X_N_COMPLETION, "N x N completion")     /* a member waits after the first member has left the collective */    \
    X(NEIGHBORS, "wait at neighbors")   /* in a neighborhood collective, a member waits for its last neighbor */       \
    X(LATE_BROADCAST, "late broadcast") /* a member waits for the root */                                              \
    X(EARLY_REDUCE, "early reduce")     /* the root waits for the last member */                                       \
    X(EARLY_SCAN, "early scan")         /* a member waits for the last one of lower rank */                            \
    X(FENCE, "wait at fence")           /* each rank waits for the last one in MPI_Win_fence */                        \
    X(LATE_POST, "late post")           /* an origin waits until its targets expose their windows */                   \
    X(LATE_COMPLETE, "late complete")   /* a target waits at the end of an exposure until all accesses have ended */   \
    X(LOCK, "lock contention")          /* a rank waits for another rank's lock of the same target; an estimate */

typedef enum {
#define X(identifier, name) HIERA_WAIT_##identifier,
    HIERA_WAITS(X)
#undef X
        HIERA_N_WAITS
} HieraWaitClass;

/** Return the name of a class of waiting, as in the column `class`; a constant. */
const char *hiera_wait_name(HieraWaitClass class);

/** One interval of waiting. Times in nanoseconds. */
typedef struct {
    guint32 row;    /* row of the waiting call, which is not inside another MPI call */
    guint32 causer; /* row of another rank's operation that the call waits for; HIERA_NONE: `class` is a completion */
    gint64 begin_ns, end_ns;
    guint8 class; /* HieraWaitClass */
} HieraWait;

/** Find the waiting of all MPI calls. O(operations + messages + members of collectives) the first time; the match keeps
 * the result.
 *
 * @return an array of HieraWait by row, then by time; not to be changed, to be freed with g_array_unref */
GArray *hiera_waits_find(const HieraMatch *match);

/** Return how long a row waits between the scope's times, in nanoseconds. Rows must be asked for in rising order.
 *
 * @param waits  of hiera_waits_find()
 * @param at     index from which to search; moved to the first wait of a later row */
gint64 hiera_waits_clip(const GArray *waits, guint *at, guint32 row, const HieraScope *scope);

/** Called with a part of a span. @param wait  the wait in which the part lies; NULL: the part is no waiting */
typedef void (*HieraPartVisit)(const HieraTimeSpan *part, const HieraWait *wait, gpointer user);

/** Visit the parts of a span in order of time: the waits of its call, clipped to the span, and the parts between them.
 * No part is empty.
 *
 * @param at  as in hiera_waits_clip() */
void hiera_waits_cut(const GArray *waits, guint *at, const HieraTimeSpan *span, HieraPartVisit visit, gpointer user);

/** Return how long each row waits between the scope's times, in nanoseconds; to be freed with g_free. Operations around
 * a waiting call do not include its time. */
gint64 *hiera_waits_by_row(const HieraMatch *match, const HieraScope *scope);
