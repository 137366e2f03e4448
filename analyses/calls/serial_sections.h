/** Serial sections: when one rank alone computes, and all others are in MPI or have no run. */
#ifndef HIERA_SERIAL_SECTIONS_H
#define HIERA_SERIAL_SECTIONS_H

#include "span_cutter.h"

/** Visit the serial sections of a job in order of time, as parts of the spans of the rank that computes. A job of one
 * rank has none. O(operations · log ranks), in memory that does not grow with the operations. */
void hiera_serial_sections_visit(const HieraTrace *trace, HieraSpanVisit visit, gpointer user);

#endif
