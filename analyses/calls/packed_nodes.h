/** Nodes of call paths in several processes, whose trees differ.
 *
 * One process numbers nodes in the order in which it finds them, rank after rank, and these numbers decide the order of
 * otherwise equal rows. So each process sends all its nodes, each with the first of its processors that needed it. */
#pragma once

#include "call_paths.h"

/** Give all processes the nodes of all, in the order in which one process would have found them. All processes call it;
 * with one process nothing changes.
 *
 * @return by old node number, the new one; to be freed with g_free */
guint32 *hiera_nodes_unite(HieraCallPaths *paths, const HieraScope *scope);

/** Same as hiera_call_paths_init(), but called by several processes together: each gets the nodes of all, and the nodes
 * of its own rows. */
void hiera_call_paths_init_together(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);
