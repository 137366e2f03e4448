/* Repeated calls become sums (HIERA_FOLD=statistics), which replace these calls in the trace.
 *
 * Idea: a call at a place that was reached many times before, by the same callers, is in a loop: the first calls are
 * single operations, all later ones become sums. Consecutive calls of this kind are in one tree (tree.h), with all
 * calls inside them, until another call comes or the operation around them ends. Until then the tree is in the tail of
 * the file, and grows there. So the size of the trace does not depend on the length of the run. */
#pragma once

#include "record/record.h"
#include "write/trace_file.h"

/* Begin to sum up repeated calls in this new file of a thread, if HIERA_FOLD=statistics is set. */
void hiera_repeats_begin(HieraTraceFile *stream);

/* The buffered records of this file's thread have been written, and their memory is used again: forget addresses in it.
 */
void hiera_repeats_rewind(HieraTraceFile *stream);

/* Let all calls become sums from now on, because the trace has reached its size limit. */
void hiera_repeats_take_all(HieraTraceFile *stream);
