/* Calls that come again and again become sums (HIERA_FOLD=statistics), which take the place of these calls in the
 * trace.
 *
 * Idea: a call at a place that was reached many times before, by the same callers, is in a loop: the first turns are
 * single operations, all later ones are sums. Calls one after the other of which that is true are in one tree (tree.h),
 * with all calls inside them, until another call comes, or the operation around them ends. Meanwhile the tree is in the
 * tail of the file, and grows there. So a run of any length has a trace of the same size. */
#ifndef HIERA_TURNS_H
#define HIERA_TURNS_H

#include "record/record.h"
#include "write/trace_file.h"

/* Begin to do so in this file, which a thread has just opened, if the settings ask for it. */
void hiera_turns_begin(HieraTraceFile *stream);

/* The records in the buffer of the thread of this file have been written: their memory is used again. */
void hiera_turns_rewind(HieraTraceFile *stream);

/* A limit is reached: from now on all calls become sums. */
void hiera_turns_take_all(HieraTraceFile *stream);

#endif
