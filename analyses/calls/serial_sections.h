/** Serial sections: times when one rank alone computes, while all others are in MPI or have no run. */
#pragma once

#include "span_cutter.h"

/** What the search knows of a job: callbacks for the computations of its ranks, and for the results. */
typedef struct {
    guint32 n_ranks;

    /* Return the begin of the next computation of a rank, and set its end; HIERA_TIME_OPEN: there is no further one. */
    gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user);

    /* Called in order of time, as late as possible, when a rank computes alone. Its computations after that time have
     * already been requested by `next`. */
    void (*alone)(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user);

    gpointer user;

    gboolean others; /* TRUE if the job has further ranks, whose computations are not known: so n_ranks may be 1 */

    /* Called in order of time with each time when at least one rank computes. NULL: not wanted. */
    void (*busy)(gint64 begin_ns, gint64 end_ns, gpointer user);
} HieraComputations;

/** Find the serial sections of a job. A job of one rank has none. O(computations · log ranks), but O(computations)
 * where ranks compute at the same times. Memory does not grow with the number of computations. */
void hiera_serial_sections_find(const HieraComputations *of);
