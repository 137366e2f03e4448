/* The worst operations of each call path: the longest one, the one with the longest wait, and so on; one for each
 * metric of the tree. */
#pragma once

#include "worst.h"

/* Metrics of the worst operations, followed by the classes of waiting. */
typedef enum {
    HIERA_MOST_TIME,
    HIERA_MOST_OWN_TIME, /* exclusive time, without callees */
    HIERA_MOST_TRANSFER, /* exclusive time without waiting */
    HIERA_MOST_BYTES,
    HIERA_MOST_WAITING,
    HIERA_MOST_OF_CLASS,
    HIERA_N_MOST = HIERA_MOST_OF_CLASS + HIERA_N_WAITS
} HieraMost;

typedef struct HieraTreeWorst HieraTreeWorst;

/* @param node  node of each row; used until all operations are added */
HieraTreeWorst *hiera_tree_worst_new(const HieraScene *scene, const guint32 *node, guint n_nodes);
void hiera_tree_worst_free(HieraTreeWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTreeWorst, hiera_tree_worst_free)

/* Add the next operation of a rank that the page shows, in the order of rows. */
void hiera_tree_worst_add(HieraTreeWorst *worst, guint32 row);
/* Add a wait of an operation. */
void hiera_tree_worst_wait(HieraTreeWorst *worst, guint32 row, HieraWaitClass class, gint64 waiting_ns);
/* Finish after all operations were added. */
void hiera_tree_worst_end(HieraTreeWorst *worst);
/* Gather the worst operations of all processes in process 0. To be called after hiera_tree_worst_end(), in all
 * processes, with the same nodes. */
void hiera_tree_worst_gather(HieraTreeWorst *worst);

/* Append the number of worst operations of a node; then for each: row, lane, depth, begin, duration, number of metrics,
 * and these with their values. The operations are added to those to be known. */
void hiera_tree_worst_write(const HieraTreeWorst *worst, guint32 node, HieraWorst *known, GByteArray *block);
