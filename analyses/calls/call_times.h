/** The time of each call path, added up while operations are read: the merged call trees of all processors.
 *
 * With a level or a depth, only operations of it have nodes; others belong to the node that encloses them. The
 * functions are those of HieraJobOps; the state for all processors is a HieraCallTimes. */
#pragma once

#include "call_counters.h"
#include "call_sequence.h"
#include "call_tree.h"

/** Calls of a rank's main thread, in their order. */
typedef struct {
    guint32 rank;
    HieraCallSequence *calls;
    guint32 *nodes; /* by call number in `calls`: its node in HieraCallTimes.tree */
} HieraRankCalls;

typedef struct {
    HieraCallTree *tree;
    HieraCallCounters *counters; /* values by node; NULL: the scope has no counters */
    GArray *calls;               /* HieraRankCalls, by rank; empty unless begun by hiera_call_times_begin_with_calls */
} HieraCallTimes;

void hiera_call_times_free(HieraCallTimes *times);

gpointer hiera_call_times_open(const HieraScope *scope);
gpointer hiera_call_times_begin(const HieraScope *scope, const HieraProcessor *processor);
/** As hiera_call_times_begin, but keeps the order of calls (HieraCallTimes.calls). */
gpointer hiera_call_times_begin_with_calls(const HieraScope *scope, const HieraProcessor *processor);
void hiera_call_times_operation(gpointer state, const HieraOperation *operation);
void hiera_call_times_summed(gpointer state, const HieraSummed *summed);
/** Take an operation without counting it: operations inside it become children of its caller. */
void hiera_call_times_pass(gpointer state, const HieraSummed *summed);
void hiera_call_times_filtered(gpointer state, const HieraFiltered *filtered);
void hiera_call_times_counted(gpointer state, const HieraCounted *counted);
void hiera_call_times_own_time(gpointer state, const HieraOwnTime *own);
void hiera_call_times_pack(gpointer state, const HieraProcessor *processor, HieraPacker *to);
gpointer hiera_call_times_unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from);
void hiera_call_times_merge(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep);
