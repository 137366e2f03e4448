/** The causes of waits as rows: one row sums up the ranks that have the same causing path and the same place where
 * other ranks wait for it. */
#pragma once

#include "delays.h"

typedef struct {
    guint32 node, at; /* nodes of the causing path, and of the waiting call (HieraDelay) */
    guint8 class;
    gint64 direct_ns, indirect_ns, unsure_ns;
    GArray *causing, *delayed; /* HieraShare by processor: ranks that cause the waits; ranks that wait */
} HieraCauseRow;

/** Make rows from delays.
 *
 * @param delays  HieraDelay; will be sorted
 * @return HieraCauseRow, the most expensive first; to be freed with g_array_unref */
GArray *hiera_cause_rows_make(GArray *delays);

/** Return the ranks with nearly the longest time, in the notation of rank lists.
 *
 * @param shares  HieraShare
 * @param table   owns the text, here and below */
const char *hiera_cause_ranks(const GArray *shares, const HieraTrace *trace, HieraTable *table);

/** Return the ranks with nearly the longest time as indices.
 *
 * @return guint32: indices of processors, rising, to be freed with g_array_unref */
GArray *hiera_cause_processors(const GArray *shares);

/** Return what a rank does in a node, such as "step", "before allreduce"; HIERA_NONE: "(unexplained)". */
const char *hiera_cause_name(const HieraCallPaths *paths, guint32 node, HieraTable *table);

/** Return operation and call site of a node, like "allreduce md.c:46"; "" for nodes without call site. */
const char *hiera_cause_place(const HieraCallPaths *paths, guint32 node, HieraTable *table);
