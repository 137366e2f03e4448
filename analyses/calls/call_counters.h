/** Values of counters by node of a call tree: the sum of a count, the maximum of a level (such as memory in use). */
#pragma once

#include "call_tree.h"

typedef struct HieraCallCounters HieraCallCounters;

/** Return NULL if the scope has no counters; then the functions below do nothing. To be freed by
 * hiera_call_counters_free. */
HieraCallCounters *hiera_call_counters_new(const HieraScope *scope);
void hiera_call_counters_free(HieraCallCounters *counters);
/** Return the counters that --counters selects; NULL: none. */
const HieraScopeCounters *hiera_call_counters_peek(const HieraCallCounters *counters);
/** Remember the node that gets an operation's counter values. @param node  HIERA_NONE: its values are dropped */
void hiera_call_counters_note(HieraCallCounters *counters, const HieraOperation *operation, guint32 node);
/** Remember the node that gets the counter values of an operation that stands for several calls. */
void hiera_call_counters_note_summed(HieraCallCounters *counters, guint32 depth, guint32 node);
/** Add a counter value to the node that was noted for its operation; ignored if none was. */
void hiera_call_counters_add(HieraCallCounters *counters, const HieraCounted *counted);
/** Add the values of one rank's tree to those of all ranks. @param nodes  by node of `one`: the same node in `all` */
void hiera_call_counters_merge(HieraCallCounters *all, const HieraCallCounters *one, const guint32 *nodes);
/** Pack all values, and which counters are levels, for another process; unpack them there. */
void hiera_call_counters_pack(const HieraCallCounters *counters, HieraPacker *to);
void hiera_call_counters_unpack(HieraCallCounters *counters, HieraUnpacker *from);
/** Set the values of node 0 (the processor) from those of its children, after all trees are merged. */
void hiera_call_counters_sum(HieraCallCounters *counters, const HieraCallTree *tree);
/** Return the value of the scope's i-th counter in a node, as a cell; HIERA_TOO_LARGE if it does not fit, 0 if there is
 * none. */
gint64 hiera_call_counters_cell(const HieraCallCounters *counters, guint32 node, guint i, HieraCellType type);
