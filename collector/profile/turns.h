/* Repeated calls become sums (HIERA_FOLD=statistics), which replace these calls in the trace.
 *
 * Idea: a call at a place that was reached many times before, by the same callers, is in a loop: the first calls are
 * single operations, all later ones become sums. Consecutive calls of this kind are in one tree (tree.h), with all
 * calls inside them, until another call comes or the operation around them ends. Until then the tree is in the tail of
 * the file, and grows there. So the size of the trace does not depend on the length of the run. */
#pragma once

#include "record/record.h"
#include "write/trace_file.h"

/* Begin to sum repeated calls in this file, which a thread has just opened, if the settings ask for it. */
void hiera_turns_begin(HieraTraceFile *stream);

/* The buffered records of this file's thread have been written, and their memory is used again: forget addresses in it.
 */
void hiera_turns_rewind(HieraTraceFile *stream);

/* A limit is reached: from now on all calls become sums. */
void hiera_turns_take_all(HieraTraceFile *stream);
