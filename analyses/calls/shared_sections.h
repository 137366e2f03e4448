/** Serial sections of all ranks of a job, also if they are distributed over several processes. */
#pragma once

#include "hiera_measure.h"
#include "serial_sections.h"

/** A serial section: one rank computes, no other rank does. */
typedef struct {
    guint32 rank;
    gint64 begin_ns, end_ns;
} HieraSection;

/** If there are several processes, all call this. Each finds the times when any of its own ranks computes; process 0
 * finds and sends the times when only one process computes.
 *
 * @param own   processors of this process, guint32; they are the ranks
 * @param next  computations of a rank, as in HieraComputations
 * @return sections (HieraSection) of own ranks, in order of time; to be freed with g_array_unref */
GArray *hiera_sections_find(const HieraScope *scope, const HieraTrace *trace, const GArray *own,
                            gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user), gpointer user);
