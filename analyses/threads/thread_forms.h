/** Forms (words of --by) of the measure `threads`. */
#pragma once

#include "hiera_measure.h"
#include "thread_spans.h"

#define HIERA_THREADS_BY "place,thread,region"
#define HIERA_THREADS_NOTHING                                                                                          \
    "no rank has several threads of OpenMP with operations (hiera-run --level=openmp records them)"

extern const HieraMeasure hiera_threads_by_thread, hiera_threads_by_region;

/** hiera_threads_by_thread as a form of the measure imbalance. */
extern const HieraMeasure hiera_imbalance_by_thread;

/** Lengths of computation of each thread, as a form of the measure histogram. */
extern const HieraMeasure hiera_histogram_by_thread;

/** Return the outermost operation of the level, depth or --where around a row, or 0 if all time counts; HIERA_NONE: the
 * row is in none. The second function does so for a span: what a thread does in a region is also in what is around the
 * region. */
guint32 hiera_row_unit(const HieraTrace *trace, const HieraScope *scope, guint32 row);
guint32 hiera_thread_span_unit(const HieraTrace *trace, const HieraScope *scope, const HieraRankThreads *threads,
                               const HieraThreadSpan *span);

/** Return the spans of a rank (HieraThreadSpan, by thread and time) as those of as many threads as it has at one time
 * at most. A thread that comes when there were that many gets the number of the one that left longest ago. To be freed
 * with g_array_unref. */
GArray *hiera_thread_places_find(const HieraRankThreads *threads);

/** Say which threads were not recorded. */
void hiera_threads_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table);
