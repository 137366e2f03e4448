/** Values of counters by node of a call tree: the sum for a count, the maximum for a level (such as memory in use). */
#pragma once

#include "call_tree.h"

typedef struct HieraCallCounters HieraCallCounters;

/** Return NULL if the scope has no counters; then the functions below do nothing. To be freed by
 * hiera_call_counters_free. */
HieraCallCounters *hiera_call_counters_new(const HieraScope *scope);
void hiera_call_counters_free(HieraCallCounters *counters);
/** Return the counters of the scope; NULL if none. */
const HieraScopeCounters *hiera_call_counters_peek(const HieraCallCounters *counters);
/** Note the node of an operation. @param node  HIERA_NONE if it has no node of its own */
void hiera_call_counters_note(HieraCallCounters *counters, const HieraOperation *operation, guint32 node);
/** Note the node of a summed operation, which stands for several calls. */
void hiera_call_counters_note_summed(HieraCallCounters *counters, guint32 depth, guint32 node);
/** Add a value to the node of its operation, if one was noted. */
void hiera_call_counters_add(HieraCallCounters *counters, const HieraCounted *counted);
/** Add the values of one tree to those of all. @param nodes  by node of `one`: its node in `all` */
void hiera_call_counters_merge(HieraCallCounters *all, const HieraCallCounters *one, const guint32 *nodes);
/** Pack values and kinds for another process, and unpack them there into new counters. */
void hiera_call_counters_pack(const HieraCallCounters *counters, HieraPacker *to);
void hiera_call_counters_unpack(HieraCallCounters *counters, HieraUnpacker *from);
/** Set the values of node 0 from its children, after all trees are merged. */
void hiera_call_counters_sum(HieraCallCounters *counters, const HieraCallTree *tree);
/** Return the value of the scope's i-th counter in a node, as a cell; HIERA_TOO_LARGE if it does not fit, 0 if there is
 * none. */
gint64 hiera_call_counters_cell(const HieraCallCounters *counters, guint32 node, guint i, HieraCellType type);
