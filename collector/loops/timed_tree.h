/* The times of a function and its loops as one tree: no more inside than around. */
#pragma once

#include "timed_loops.h"

/* Times of a function and of its loops, by loop of the function. */
typedef struct HieraTimedTree {
    HieraTimedTotal function, loops[HIERA_PLAN_LOOPS];
} HieraTimedTree;

/* Take off what copies take that count executions of loops inside. Half of it is uncertain, and twice the slack for
 * each: code that is added where they begin and end may let the processor forget which way branches go. Of executions
 * that are hidden nothing is taken off, and less is uncertain; so it is for calls. Times of which only some executions
 * tell may be more than those around: they are made less in the same proportion. Executions that run inside each other
 * may take longer together. */
void hiera_timed_tree(const HieraPlan *plan, uint32_t function, HieraTimedTree *tree);

/* Whether a loop of the plan's one function has loops inside that are not timed and worth it: an iteration may take
 * this many ticks, and the loop the share (percent) of the function; neither is false by the interval of its time. */
bool hiera_timed_tree_goes_deeper(const HieraPlan *plan, const HieraTimedTree *tree, unsigned share, uint64_t ticks);
