/* Declarations shared by the files waiting_*.c, one file for each way in which calls depend on each other. */
#pragma once

#include "waiting.h"

#define HIERA_NEVER G_MININT64

/* A dependence of a row on another rank's operation: the one that begins last. */
typedef struct {
    gint64 until_ns; /* start of the operation that the row depends on; HIERA_NEVER: there is none */
    guint32 causer;
    guint8 class; /* HieraWaitClass */
} HieraDependence;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    HieraDependence *needs; /* by row: the dependence of the row */
    guint32 *taken;         /* 1 + row; 0: none. By row of a send: the receive that begins last. It counts only if it
                             * begins before the send ends, since an eager send does not need it; or at the same
                             * time, as on a network that takes no time. By row of a win_start: the last post that
                             * begins after the win_start has returned, so that only its win_complete needs it */
    gint64 *complete_ns;    /* by collective: the time from which its members could leave; HIERA_NEVER if its class has
                             * no completion */
} HieraWaiting;

/* Replace `last` by a dependence that ends later; if at the same time, by one of lower class, then row. */
static inline void hiera_waiting_later(HieraDependence *last, gint64 until_ns, guint32 causer, HieraWaitClass class)
{
    if (until_ns > last->until_ns ||
        (until_ns == last->until_ns && (class < last->class || (class == last->class && causer < last->causer))))
        *last = (HieraDependence){until_ns, causer, (guint8) class};
}

/* Return the dependence that `taken` has for a row. */
static inline HieraDependence hiera_waiting_taken(const HieraWaiting *waiting, guint32 row)
{
    guint32 causer = waiting->taken[row] - 1;
    if (causer == HIERA_NONE)
        return (HieraDependence){HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS};
    gboolean of_window = hiera_trace_peek_site(waiting->trace, row)->kind == HIERA_KIND_ACCESS;
    return (HieraDependence){waiting->trace->start_ns[causer], causer,
                             of_window ? HIERA_WAIT_LATE_POST : HIERA_WAIT_LATE_RECEIVER};
}

/* Set `taken` of a row to `causer`, if that begins later than the present entry. */
static inline void hiera_waiting_take(const HieraWaiting *waiting, guint32 row, guint32 causer)
{
    HieraDependence last = hiera_waiting_taken(waiting, row);
    hiera_waiting_later(&last, waiting->trace->start_ns[causer], causer, last.class);
    waiting->taken[row] = last.causer + 1;
}

/* Whether a call only starts a non-blocking operation or a persistent request, so that it does not wait. */
gboolean hiera_waiting_is_start(const HieraTrace *trace, guint32 row);

/* Add the dependences of sends on receives, and of receives on sends. */
void hiera_waiting_messages(const HieraWaiting *waiting);
/* Add the dependences between members of collectives, and set complete_ns. */
void hiera_waiting_collectives(const HieraWaiting *waiting);
/* Add the dependences of calls on windows. Call it after hiera_waiting_collectives. */
void hiera_waiting_windows(const HieraWaiting *waiting);
/* Called with the rows of a win_start and of the win_complete that ends its epoch. */
typedef void (*HieraEpochVisit)(guint32 start, guint32 end, gpointer user);
/* Visit the epochs of all windows. An MPI library may let win_start return before the post; then win_complete waits. */
void hiera_waiting_visit_epochs(const HieraTrace *trace, HieraEpochVisit visit, gpointer user);
/* Add the dependences of failed tests and of probes. Call it after all other functions. */
void hiera_waiting_tests(const HieraWaiting *waiting);
/* Return the last dependence of an operation, with `taken` if that begins before `finish_ns`, the end of the call. */
HieraDependence hiera_waiting_for(const HieraWaiting *waiting, guint32 start, gint64 finish_ns);
/* Whether a call returns as soon as some of its requests are complete, like MPI_Waitany. */
gboolean hiera_waiting_returns_early(const HieraSite *site);
/* Change waits of class LATE_SENDER to WRONG_ORDER where the rank received a message later that was sent earlier. */
void hiera_waiting_order(const HieraWaiting *waiting, GArray *waits);
