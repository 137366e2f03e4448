/** The slack of what the threads of OpenMP of a rank do: a pass over its spans and joins (threads/thread_joins.h),
 * backward from its end, which has the slack of the calls of its main thread. */
#pragma once

#include "dependences.h"
#include "threads/rank_threads.h"

/** What slacks do not know, counted. */
typedef struct {
    gint64 n_left_out; /* joins whose times contradict each other */
    gint64 n_unknown;  /* waits of threads for what is not known, and calls of MPI of other threads than main threads */
} HieraThreadSlackDoubts;

/** @param slack  how much later the end of the span could be */
typedef void (*HieraThreadSlackVisit)(const HieraTimeSpan *span, guint32 thread, gint64 slack, gpointer user);

/** Visit all spans of the main thread of a processor, and those of its other threads in which they do not idle, the
 * latest first.
 *
 * @param slack   by call: how much later it could start (hiera_slack_find_shared)
 * @param at_end  slack behind the last call of the processor
 * @param doubts  is added to
 * @return FALSE if it has no teams: then nothing is visited */
gboolean hiera_thread_slack_visit(const HieraMatch *match, const HieraDependences *of, guint32 processor,
                                  const gint64 *slack, gint64 at_end, HieraThreadSlackDoubts *doubts,
                                  HieraThreadSlackVisit visit, gpointer user);
