/** Serial sections: when one rank alone computes, and all others are in MPI or have no run. */
#pragma once

#include "span_cutter.h"

/** When the ranks of a job compute. */
typedef struct {
    guint32 n_ranks;

    /* Go on to the next computation of a rank. @return when it begins; HIERA_TIME_OPEN: there is no further one */
    gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user);

    /* Called in order of time, each time as late as possible: a rank computes alone. Its computations have been asked
     * for farther than that. */
    void (*alone)(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user);

    gpointer user;

    gboolean others; /* the job has other ranks, which are not known here: one rank can compute alone */

    /* May be NULL. Likewise: one of them computes, or several. */
    void (*busy)(gint64 begin_ns, gint64 end_ns, gpointer user);
} HieraComputations;

/** Find the serial sections of a job. A job of one rank has none. O(computations · log ranks), but O(computations)
 * where ranks compute at the same times, in memory that does not grow with them. */
void hiera_serial_sections_find(const HieraComputations *of);
