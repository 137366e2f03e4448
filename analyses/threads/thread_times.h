/** What the threads of a rank do in parts of its time, in thread-nanoseconds: sums over all threads.
 *
 * The time of all threads, n_threads times the length of a window, is the sum of the members of HieraThreadTimes. Idle
 * time is divided as TALP does it (DLB's documentation, "TALP Performance metrics"): outside of parallel regions; in a
 * region what a thread idles longer than the one that idles least; and the rest. */
#pragma once

#include "rank_threads.h"

typedef struct {
    gint64 useful_ns, mpi_ns, io_ns, own_ns;
    gint64 serial_ns;     /* threads idle because they are in no team */
    gint64 balance_ns;    /* in teams: idle time above the least of a thread of the same team */
    gint64 scheduling_ns; /* in teams: the least idle time of a thread, for each thread */
} HieraThreadTimes;

typedef struct {
    gint64 begin_ns, end_ns;
} HieraTimeWindow;

/** Add up what threads do in windows.
 *
 * @param windows  n windows, in order of time, which do not overlap
 * @param times    n sums, one for each window, which are set */
void hiera_thread_times_find(const HieraRankThreads *threads, const HieraTimeWindow *windows, guint n,
                             HieraThreadTimes *times);

/** Add times to others. */
void hiera_thread_times_add(HieraThreadTimes *to, const HieraThreadTimes *times);

/** Return the idle time of all kinds. */
static inline gint64 hiera_thread_times_idle(const HieraThreadTimes *times)
{
    return times->serial_ns + times->balance_ns + times->scheduling_ns;
}
