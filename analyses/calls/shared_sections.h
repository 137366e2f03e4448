/** When only one of several processes computes, for serial sections of ranks that several processes have. */
#ifndef HIERA_SHARED_SECTIONS_H
#define HIERA_SHARED_SECTIONS_H

#include "hiera_measure.h"

typedef struct {
    gint64 begin_ns, end_ns;
} HieraBusy;

/** All processes call it, each with the times when one of its own ranks computes, or several do; these are replaced by
 * those of them when no rank of another process does.
 *
 * @param first  the first of the own processors, HIERA_NONE if there is none
 * @param spans  HieraBusy, by time, apart from each other */
void hiera_sections_share(const HieraScope *scope, const HieraTrace *trace, guint32 first, GArray *spans);

#endif
