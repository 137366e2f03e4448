/** Serial sections of all ranks of a job, also if several processes have them. */
#pragma once

#include "hiera_measure.h"
#include "serial_sections.h"

/** A rank computes alone. */
typedef struct {
    guint32 rank;
    gint64 begin_ns, end_ns;
} HieraSection;

/** Of several processes all call it. Each finds when any of its own ranks computes; the one that leads tells when this
 * is so in one process alone.
 *
 * @param own   the own processors, guint32; they are the ranks
 * @param next  when they compute, as in HieraComputations
 * @return the sections (HieraSection) of own ranks, in order of time; to be freed with g_array_unref */
GArray *hiera_sections_find(const HieraScope *scope, const HieraTrace *trace, const GArray *own,
                            gint64 (*next)(guint32 rank, gint64 *end_ns, gpointer user), gpointer user);
