/** The measure `loops` by thread. */
#pragma once

#include "hiera_measure.h"

/** Add rows of the measure `loops` by thread: processor, thread, path, time, share, factor.
 *
 * @param timed  n elements, all those of the rank, in their order
 * @return how many of them were executed by threads that are not recorded */
gint64 hiera_loop_threads_add_rows(HieraTable *table, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns);
