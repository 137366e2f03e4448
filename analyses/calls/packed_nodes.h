/** Nodes of call paths in the parts that several processes find, whose trees differ.
 *
 * One process numbers nodes as it meets them, rank after rank, and rows that are equal otherwise have the order of
 * these numbers. So each process tells all its nodes, also those about which it has nothing else to tell, and which of
 * its processors has met a node first. */
#ifndef HIERA_PACKED_NODES_H
#define HIERA_PACKED_NODES_H

#include "call_paths.h"

/** The first columns of such a part. */
#define HIERA_NODE_COLUMNS                                                                                             \
    {"late", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"first", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},                       \
        {"node", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"path", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                       \
    {                                                                                                                  \
        "processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY                                                                \
    }
enum {
    HIERA_NODE_LATE,
    HIERA_NODE_FIRST,
    HIERA_NODE_NUMBER,
    HIERA_NODE_PATH,
    HIERA_NODE_PROCESSOR,
    HIERA_N_NODE_COLUMNS
};

/** Fill the cells of these columns.
 *
 * @param processor  the one that the row is about
 * @param part       keeps the text */
void hiera_node_pack(const HieraCallPaths *paths, guint32 node, guint32 processor, HieraTable *part, HieraCell *cells);

/** Add a row for each node, about HIERA_NONE. */
void hiera_nodes_pack(const HieraCallPaths *paths, HieraTable *part);

/** Make the call paths of the parts of all processes: the nodes have the order in which one process would have met
 * them. No row of the trace has a node. To be cleared by hiera_call_paths_clear. */
void hiera_nodes_unpack(HieraCallPaths *paths, const HieraTrace *trace, const HieraTable *parts);

/** The same of the first rows of a table, which tell all nodes. */
void hiera_nodes_unpack_first(HieraCallPaths *paths, const HieraTrace *trace, const HieraTable *parts, guint n);

/** Return by node of paths its number in a tree that has them all; to be freed with g_free. */
guint32 *hiera_nodes_map(const HieraCallPaths *paths, const HieraCallPaths *all);

/** Give the rows of paths, which are cleared, the nodes of a tree that has them all. */
void hiera_nodes_move(HieraCallPaths *paths, HieraCallPaths *all);

/** As hiera_call_paths_init(). Of several processes all call it: each has the nodes of all, and of the own rows their
 * nodes. */
void hiera_call_paths_init_together(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);

/** The node of a row. */
guint32 hiera_node_unpack(const HieraCallPaths *paths, const HieraCell *cells);

#endif
