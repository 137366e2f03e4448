/* Of each call path the worst operations: the longest, the one with the longest wait, and so on; one for each metric of
 * the tree. */
#ifndef HIERA_TREE_WORST_H
#define HIERA_TREE_WORST_H

#include "worst.h"

/* What the worst ones have most of. Behind these follow the classes of waiting. */
typedef enum {
    HIERA_MOST_TIME,
    HIERA_MOST_OWN_TIME, /* without callees */
    HIERA_MOST_TRANSFER, /* of that, without waiting */
    HIERA_MOST_BYTES,
    HIERA_MOST_WAITING,
    HIERA_MOST_OF_CLASS,
    HIERA_N_MOST = HIERA_MOST_OF_CLASS + HIERA_N_WAITS
} HieraMost;

typedef struct HieraTreeWorst HieraTreeWorst;

/* @param node  by row. It is used until all operations are taken */
HieraTreeWorst *hiera_tree_worst_new(const HieraScene *scene, const guint32 *node, guint n_nodes);
void hiera_tree_worst_free(HieraTreeWorst *worst);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTreeWorst, hiera_tree_worst_free)

/* Take the next operation of a rank that the page shows. Their order is that of the rows. */
void hiera_tree_worst_add(HieraTreeWorst *worst, guint32 row);
/* An operation waits. */
void hiera_tree_worst_wait(HieraTreeWorst *worst, guint32 row, HieraWaitClass class, gint64 waiting_ns);
/* All operations are taken. */
void hiera_tree_worst_end(HieraTreeWorst *worst);
/* To be called behind that; of several processes by all, with the same nodes. Then the one that leads has the worst
 * ones of all. */
void hiera_tree_worst_gather(HieraTreeWorst *worst);

/* Append how many operations a node has here; each: row, lane, depth, begin, duration, n, of what it has most, and how
 * much. They are wanted from then on. */
void hiera_tree_worst_write(const HieraTreeWorst *worst, guint32 node, HieraWorst *known, GByteArray *block);

#endif
