/** What the threads of OpenMP of a rank do, from sums over calls (profiles).
 *
 * Sums do not say when a thread idles, so its idle time inside regions is not divided. They tell enough only if each
 * thread has a part of each region, and no region is in another one. */
#pragma once

#include "thread_times.h"

typedef struct {
    guint32 n_threads;      /* threads with an implicit task, and the main thread */
    HieraThreadTimes times; /* of the whole run; balance_ns: all idle time inside regions */
    gint64 main_idle_ns;    /* idle time of the main thread inside regions; set also if sums do not tell enough */
} HieraSummedThreads;

/** Find the times of all threads of a processor.
 *
 * @param main  does_ns of the main thread (summed_times.h, span_cutter.h), without OpenMP
 * @return FALSE if it has one thread, or if sums do not tell enough; threads that came and went are such a case */
gboolean hiera_summed_threads_find(HieraSummedThreads *threads, const HieraTrace *trace, guint32 processor,
                                   const gint64 main[HIERA_N_DOINGS]);
