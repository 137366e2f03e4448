/* The clock of a trace: what its root element tells of it, and the trace's times on the job's axis. */
#ifndef HIERA_CLOCK_H
#define HIERA_CLOCK_H

#include "arguments.h"

/* The correction is a line between two of the trace's own times and constant outside: it was measured there. */
typedef struct {
    gint64 offset_ns;      /* to be added to every time */
    gint64 drift;          /* to be added for each nanosecond between the two, in 1e-15 */
    gint64 from_ns, to_ns; /* init and finalize, as they stand in the trace */
} HieraClock;

/* Read the attributes of the root element about its clock; its times must have been read as they stand. Fills in what
 * the processor knows of its clock. */
void hiera_clock_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                      HieraProcessor *processor, HieraClock *clock);

/* A time of the trace on the job's axis. Never negative; keeps the order. */
gint64 hiera_clock_correct(const HieraClock *clock, gint64 ns);

#endif
