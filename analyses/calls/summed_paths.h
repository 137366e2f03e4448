/** What operations that stand for several calls add to the rows of time by call path.
 *
 * Each moment belongs to the MPI call that is inside no other one, or else to the innermost operation, as of single
 * operations (span_cutter.h). In which order calls came is not known: computation between two calls belongs to the
 * operation around them, and to no node "before" the second one. */
#ifndef HIERA_SUMMED_PATHS_H
#define HIERA_SUMMED_PATHS_H

#include "path_rows.h"

/** Add those of the main thread of a processor; O(1) where nothing is summed up. To be called for processors in rising
 * order, for each one before its spans or after them: what an operation takes away from the time of the one around it
 * may be added first. */
void hiera_summed_paths_add(HieraPathRows *rows, guint32 processor);

#endif
