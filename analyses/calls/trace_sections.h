/** Serial sections (times when one rank alone computes) of a trace, as spans. */
#pragma once

#include "hiera_measure.h"
#include "span_cutter.h"

/** Visit the times when one rank alone computes, as parts of the spans of that rank. O(operations · log
 * ranks). If there are several processes, all call it, and each visits the sections of its own ranks. */
void hiera_serial_sections_visit(const HieraTrace *trace, const HieraScope *scope, HieraSpanVisit visit, gpointer user);
