/** Where each rank spends its time: the main thread of a rank, and with threads of OpenMP the leading one
 * (thread_path.h), as a row of segments without gaps, from init to finalize.
 *
 * A segment is a part of a span (span_cutter.h). It belongs to the span's node of the call paths; computation before a
 * call has its own node, "before send x.c:20", so that it has a place. A segment of waiting belongs to no node. */
#pragma once

#include "calls/call_paths.h"
#include "waiting/waiting.h"

/** The segments of one rank, in order of time. */
typedef struct {
    guint n_segments, n_room;
    gint64 *start_ns; /* by segment: its begin, where the one before ends; last element: finalize */
    guint32 *place;   /* by segment: index of its node in `nodes`; HIERA_NONE: it is waiting */
    guint32 *nodes;   /* the nodes in which the rank spends time, rising */
    guint32 n_nodes;
    guint32 n_blocks; /* number of blocks of successive segments */
    gint64 *sums;     /* by block (and one more), then by index in `nodes`: time in this node before the block */
} HieraRankTimes;

/** Find the segments of a rank.
 *
 * @param paths      its tree gets a node for the times before operations
 * @param processor  index in the trace
 * @param waits      of hiera_waits_find()
 * @param at         index of the first wait of the rank; advanced past its last one */
void hiera_rank_times_init(HieraRankTimes *times, const HieraMatch *match, HieraCallPaths *paths, guint32 processor,
                           const GArray *waits, guint *at);
/** Give the nodes new numbers. @param to  by old number: the new one; no two are equal */
void hiera_rank_times_move(HieraRankTimes *times, const guint32 *to);
void hiera_rank_times_clear(HieraRankTimes *times);

/** Return the time of a rank in a node, without waits. O(log nodes). */
gint64 hiera_rank_times_of(const HieraRankTimes *times, guint32 node);

/** Called with a node and a time, more than 0, that a rank spends in it. */
typedef void (*HieraNodeVisit)(guint32 node, gint64 time_ns, gpointer user);

/** Visit the nodes in which a rank spends time between two times; a node may be visited several times. Waits are left
 * out. O(log segments + min(segments, nodes)). */
void hiera_rank_times_visit(const HieraRankTimes *times, gint64 from_ns, gint64 to_ns, HieraNodeVisit visit,
                            gpointer user);
