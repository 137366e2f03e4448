/** Serial sections of ranks that several processes have. */
#ifndef HIERA_SHARED_SECTIONS_H
#define HIERA_SHARED_SECTIONS_H

#include "hiera_measure.h"
#include "serial_sections.h"

/** A rank computes alone. */
typedef struct {
    guint32 rank;
    gint64 begin_ns, end_ns;
} HieraSection;

/** All processes call it. Each finds when any of its own ranks computes; the one that leads tells when this is so in
 * one process alone.
 *
 * @param own  the own processors, guint32; they are the ranks
 * @param of   when they compute: `next` and `user` are used
 * @return the sections (HieraSection) of own ranks, in order of time; to be freed with g_array_unref */
GArray *hiera_sections_find_shared(const HieraScope *scope, const HieraTrace *trace, const GArray *own,
                                   const HieraComputations *of);

#endif
