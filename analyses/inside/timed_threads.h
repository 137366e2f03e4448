/** How long each thread of a rank executed functions and loops (HieraTimed.by_thread). */
#pragma once

#include "values/shares.h"

/** Return the times of the threads that have executed a function or loop (HieraShare: number of the thread), by number;
 * empty: they are not recorded. To be freed with g_array_unref. */
GArray *hiera_timed_threads_of(const HieraTimed *timed);

/** Compare the numbers of threads (HieraShare). */
gint hiera_timed_threads_compare(gconstpointer left, gconstpointer right);

/** Return the number of the thread that took longest; -1: it is not recorded. */
gint64 hiera_timed_threads_slowest(const HieraTimed *timed);
