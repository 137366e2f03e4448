/** Nodes of call paths in several processes, whose trees differ.
 *
 * One process numbers nodes as it meets them, rank after rank, and rows that are equal otherwise have the order of
 * these numbers. So each process tells all its nodes, and for which of its processors it has met a node first. */
#pragma once

#include "call_paths.h"

/** Let the nodes be those of all processes, in the order in which one process would have met them. All call it; of one
 * process nothing changes.
 *
 * @return by node as it was before, what it is now; to be freed with g_free */
guint32 *hiera_nodes_unite(HieraCallPaths *paths, const HieraScope *scope);

/** As hiera_call_paths_init(). Of several processes all call it: each has the nodes of all, and of the own rows their
 * nodes. */
void hiera_call_paths_init_together(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);
