/* The worst operations of each call path: the longest one, the one with the longest wait, and so on; one for each
 * metric of the tree. */
#pragma once

#include "worst.h"

/* Metrics in which an operation can be the worst; behind these, one for each class of waiting. */
typedef enum {
    HIERA_MOST_TIME,
    HIERA_MOST_OWN_TIME, /* time of the operation without its callees */
    HIERA_MOST_TRANSFER, /* time of the operation without its callees and without waiting */
    HIERA_MOST_BYTES,
    HIERA_MOST_WAITING,
    HIERA_MOST_OF_CLASS,
    HIERA_N_MOST = HIERA_MOST_OF_CLASS + HIERA_N_WAITS
} HieraMost;

typedef struct HieraTreeWorst HieraTreeWorst;

/* @param node  by row: node (call path) of the operation; used until all operations are added */
HieraTreeWorst *hiera_tree_worst_new(const HieraScene *scene, const guint32 *node, guint n_nodes);
void hiera_tree_worst_free(HieraTreeWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTreeWorst, hiera_tree_worst_free)

/* Add the next operation that the page shows, and what it waits in ns. To be called in the order of a rank's rows. */
void hiera_tree_worst_add(HieraTreeWorst *worst, guint32 row, gint64 waiting_ns);
/* Add a wait of an operation, in ns, to its metric of that class of waiting. */
void hiera_tree_worst_wait(HieraTreeWorst *worst, guint32 row, HieraWaitClass class, gint64 waiting_ns);
/* To be called after all operations were added. */
void hiera_tree_worst_end(HieraTreeWorst *worst);
/* Gather the worst operations of all processes in process 0. To be called after hiera_tree_worst_end(), in all
 * processes, with the same nodes. */
void hiera_tree_worst_gather(HieraTreeWorst *worst);

/* Append the number of worst operations of a node; then for each: row, lane, depth, begin, duration, number of metrics,
 * and these with their values.
 * @param known  gets these operations as wanted ones (hiera_worst_want) */
void hiera_tree_worst_write(const HieraTreeWorst *worst, guint32 node, HieraWorst *known, GByteArray *block);
