/** Finds the teams and the spans of the threads of a processor (thread_spans.h). */
#pragma once

#include "hiera_measure.h"
#include "thread_spans.h"

/** Find the threads of a processor, whose operations the caller's process has. O(operations · log(operations)).
 *
 * @return FALSE if it has no teams: then nothing is to be freed */
gboolean hiera_rank_threads_find(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor);
/** Find the regions of a processor that has one thread, as teams of this thread. @return as hiera_rank_threads_find */
gboolean hiera_rank_regions_find(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor);
void hiera_rank_threads_clear(HieraRankThreads *threads);

/** The same for measures: the match finds the threads of each processor once, and owns them. @return NULL if it has no
 * teams */
const HieraRankThreads *hiera_rank_threads_of(const HieraMatch *match, guint32 processor);

/** Say how many ranks in a scope have further threads that are in no team, and do not count. With several processes all
 * must call it. */
void hiera_other_threads_limit(const HieraMatch *match, const HieraScope *scope, HieraTable *table);

/** Return the number of MPI calls of other threads than the main thread of a processor. */
gint64 hiera_other_threads_calls(const HieraTrace *trace, guint32 processor);

/** Return the spans of teams, by team, thread and time (HieraThreadSpan); to be freed with g_ptr_array_unref. */
GPtrArray *hiera_team_spans_order(const HieraRankThreads *threads);

/** Return the last span of a thread that begins before a moment; NULL: none does. */
const HieraThreadSpan *hiera_thread_span_before(const HieraRankThreads *threads, guint32 thread, gint64 before_ns);

/** Compare two HieraThreadSpan by thread and time. */
gint hiera_thread_spans_compare(gconstpointer left, gconstpointer right);

/** Return the name of a reason to idle; a constant. */
const char *hiera_idle_name(HieraIdle idles);

/** Return why a thread idles in an operation that is no region: in a wait of OpenMP; HIERA_IDLE_NOT in all others. */
HieraIdle hiera_site_idles(const HieraSite *site);

/** Return the activity of a thread that is in an operation outside of MPI, and in none inside: HIERA_DOES_IDLE in a
 * wait of OpenMP, and in a region before and after its implicit task. */
HieraDoing hiera_site_does_outside(const HieraSite *site);

/** The timeline of a main thread as hiera_timeline_visit(), in which time that it idles in teams is HIERA_DOES_IDLE. */
void hiera_idle_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user);
