/** What the call tree of a run tells of its threads of OpenMP. */
#pragma once

#include "calls/call_tree.h"

typedef struct {
    gint64 regions, parts; /* executions of parallel regions, and of implicit tasks in them, of all ranks */
    gboolean has_further;  /* whether operations of further threads were recorded */
    gint64 *idle_ns;       /* by node: time in waits of OpenMP, in the node and inside; without further threads, unless
                              the node is one of theirs */
} HieraRunThreads;

/** @param catalog  the call sites of the tree */
HieraRunThreads hiera_run_threads_find(const HieraCallTree *tree, const HieraCatalog *catalog);
void hiera_run_threads_clear(HieraRunThreads *threads);
