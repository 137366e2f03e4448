/** Hashes of subtrees: operations that do the same have the same hash.
 *
 * The hash of an operation combines its level, class, name and call site, and the hashes of the operations inside it in
 * their order. Times, ranks, tags, bytes and requests do not count. A repeated sequence of operations counts once, so
 * that the number of repeats does not matter. Only main threads have hashes, and only operations in the scope: those
 * inside other operations count for the operation in the scope around them. */
#pragma once

#include "hiera_measure.h"

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    guint64 *of_site;      /* by HieraSite.id */
    guint64 *of_row;       /* by row; 0 if the row is not in the scope */
    guint64 *of_processor; /* by processor: hash of all its operations; 0: not in the scope, or of another process */
} HieraSubtreeHashes;

/** Element of a list of operations with the same parent. */
typedef struct {
    guint64 hash;
    guint32 row;
} HieraSubtree;

/** Find all hashes of this process's own processors. O(operations).
 *
 * @param scope  must outlive the hashes */
void hiera_subtree_hashes_init(HieraSubtreeHashes *hashes, const HieraTrace *trace, const HieraScope *scope);
void hiera_subtree_hashes_clear(HieraSubtreeHashes *hashes);

/** Return the operations directly inside another one, without or with their repeats.
 *
 * @param parent     row; HIERA_NONE: the processor
 * @param processor  index in the trace
 * @param collapsed  leave out repeats, as the hash of the parent does
 * @return           an array of HieraSubtree by row, to be freed with g_array_unref */
GArray *hiera_subtrees_inside(const HieraSubtreeHashes *hashes, guint32 processor, guint32 parent, gboolean collapsed);

/** Return a hash of the sequence that `hash` stands for, followed by `other`. */
guint64 hiera_subtree_hash_add(guint64 hash, guint64 other);

/** Return the row behind an operation and all operations inside it. O(operations inside it). */
guint32 hiera_subtree_end(const HieraTrace *trace, guint32 processor, guint32 row);
