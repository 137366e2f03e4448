/** Where threads of OpenMP idle, why, and which thread lets them wait.
 *
 * Rows are disjoint, and their times add up to the idle time of efficiency (thread_times.h). */
#pragma once

#include "thread_teams.h"
#include "values/shares.h"

/** All idle time of one class at one call site. */
typedef struct {
    guint8 class;
    const HieraSite *site; /* of the operation; of SERIAL that of the operation that follows; NULL: none */
    gint64 count, time_ns, worst_ns;
    GArray *ranks;   /* HieraShare: idle time by processor */
    GArray *threads; /* HieraShare: idle time by number of the thread; of classes outside of teams empty */
    GArray *late;    /* HieraShare: idle time of others by number of the thread for which they wait; empty: not known */
    GArray *taken;   /* HieraShare: the same by call site where that thread entered or took what others wait for; of a
                        barrier by loop whose end it is */
    gint32 schedule; /* of these loops, a HIERA_CONSTRUCT_SCHEDULES from 1; HIERA_ABSENT: not known */
    /* Of BARRIER and END: computation since the last barrier of the threads that come last, and the mean of the others
     * of their teams. */
    gint64 last_ns, others_ns;
} HieraThreadWait;

typedef struct {
    GArray *rows;             /* HieraThreadWait, the longest first; in process 0 */
    gint64 all_ns;            /* time of all threads of all ranks in the scope; in process 0 */
    gint64 n_ranks;           /* ranks that have teams; in process 0 */
    gint64 most_threads;      /* most threads of one of them; in process 0 */
    gint64 n_teams, teams_ns; /* executions of regions by several threads, and Σ of their lengths; in process 0 */
    GArray *crowded; /* HieraShare: ranks that have fewer processors than threads, with the number of processors */
} HieraThreadWaits;

/** Find the idle time of the ranks in a scope, between its times; with a level, a depth or --where only that of
 * operations in it. With several processes all must call it. To be freed by hiera_thread_waits_clear. */
void hiera_thread_waits_find(HieraThreadWaits *waits, const HieraMatch *match, const HieraScope *scope);
void hiera_thread_waits_clear(HieraThreadWaits *waits);

/** Return what is said of ranks with fewer processors than threads, and how long these waited for processors; NULL:
 * there are none. To be freed with g_free. */
char *hiera_thread_waits_say_crowded(const HieraThreadWaits *waits, const HieraTrace *trace, const HieraScope *scope);

/** Return the numbers of threads with at least `least_ns`, like "0-3 7"; the table owns the text. */
const char *hiera_thread_waits_name(const GArray *threads, gint64 least_ns, HieraTable *table);

/** Return why threads of a row wait, like "thread 0 computes 1.8 times as long"; "": not known. The table owns the
 * text. */
const char *hiera_thread_wait_cause(const HieraThreadWait *row, const HieraTrace *trace, HieraTable *table);
