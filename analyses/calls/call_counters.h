/** Values of counters by node of a call tree: of what grows the sum, of a level the greatest. */
#pragma once

#include "call_tree.h"

typedef struct HieraCallCounters HieraCallCounters;

/** NULL if the scope has no counters; then the functions below do nothing. To be freed by hiera_call_counters_free. */
HieraCallCounters *hiera_call_counters_new(const HieraScope *scope);
void hiera_call_counters_free(HieraCallCounters *counters);
/** The counters that the scope asks for; NULL: none. */
const HieraScopeCounters *hiera_call_counters_peek(const HieraCallCounters *counters);
/** Note the node of an operation. @param node  HIERA_NONE: it has none of its own */
void hiera_call_counters_note(HieraCallCounters *counters, const HieraOperation *operation, guint32 node);
/** The same for an operation that stands for several calls. */
void hiera_call_counters_note_summed(HieraCallCounters *counters, guint32 depth, guint32 node);
/** Add a value to the node of its operation, if one was noted. */
void hiera_call_counters_add(HieraCallCounters *counters, const HieraCounted *counted);
/** Add those of one tree to those of all. @param nodes  by node of the one: its node in all */
void hiera_call_counters_merge(HieraCallCounters *all, const HieraCallCounters *one, const guint32 *nodes);
/** Values and kinds as bytes for another process, and there: into counters that are new. */
void hiera_call_counters_pack(const HieraCallCounters *counters, HieraPacker *to);
void hiera_call_counters_unpack(HieraCallCounters *counters, HieraUnpacker *from);
/** Give node 0 what its children have; once all is merged. */
void hiera_call_counters_sum(HieraCallCounters *counters, const HieraCallTree *tree);
/** The value of a node and of the scope's i-th counter, as a cell; HIERA_TOO_LARGE is too large, 0 is none. */
gint64 hiera_call_counters_cell(const HieraCallCounters *counters, guint32 node, guint i, HieraCellType type);
