/** The chain of threads that sets the time of a rank.
 *
 * It is followed back in time, from the main thread, from join to join (thread_joins.h): where a thread has waited, the
 * chain goes over to the thread that came last, at the moment when that came. */
#pragma once

#include "rank_threads.h"

typedef struct {
    const HieraTrace *trace;
    guint32 processor;
    const HieraRankThreads *threads;
    GArray *hops;     /* where the chain leaves a thread; private */
    guint n_left_out; /* as in HieraThreadJoins */
} HieraThreadPath;

/** Prepare a processor. @return FALSE if it has no teams: then nothing is to be freed */
gboolean hiera_thread_path_init(HieraThreadPath *path, const HieraMatch *match, guint32 processor);
void hiera_thread_path_clear(HieraThreadPath *path);

/** Visit what the threads of the chain do between two moments, the latest first: HIERA_DOES_IDLE where one waits and
 * no other is known to be late. From begin_ns to end_ns each moment between the rank's init and finalize is in one
 * span. */
void hiera_thread_path_visit(const HieraThreadPath *path, gint64 begin_ns, gint64 end_ns, HieraSpanVisit visit,
                             gpointer user);

typedef void (*HieraDetourVisit)(gint64 begin_ns, gint64 end_ns, gpointer user);

/** Visit, in order of time, when the chain is on other threads than the main thread: it is on that until begin_ns, and
 * from end_ns on, when it ends there. */
void hiera_thread_path_detours(const HieraThreadPath *path, HieraDetourVisit visit, gpointer user);

/** The leading timeline of a processor: in MPI calls of the main thread as hiera_timeline_visit(); between them what
 * the threads of the chain do that ends with the main thread at the next call. Time of other threads in MPI is visited
 * as computation in the call, so that only calls of the main thread are calls. */
void hiera_leading_timeline_visit(const HieraMatch *match, guint32 processor, HieraSpanVisit visit, gpointer user);
