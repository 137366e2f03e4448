/* Finds the needs of calls on windows: epochs and locks of other ranks. */
#include "hang_parts.h"
#include <string.h>

/* Return a rank's last call of a kind, before `row`, on the window of `row`; HIERA_NONE: there is none. */
static guint32 find_before(const HieraHang *hang, guint32 processor, guint32 row, HieraKind kind)
{
    const HieraTrace *trace = hang->trace;
    for (guint32 at = row; at-- > trace->processors[processor].first;) {
        if (hiera_trace_peek_site(trace, at)->kind == kind && trace->comm[at] == trace->comm[row])
            return at;
    }
    return HIERA_NONE;
}

/* Whether the matching has paired an epoch of a rank with a row. */
static gboolean is_connected(const HieraHang *hang, gint32 rank, guint32 row)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(hang->match, HIERA_PAIRS_EPOCH, &n);
    for (guint i = 0; i < n; i++) {
        if (pairs[i].completion == row &&
            (gint32)hang->trace->processors[hiera_trace_find_processor(hang->trace, pairs[i].start)].rank == rank)
            return TRUE;
    }
    return FALSE;
}

/* Need those ranks of an epoch's group that have not yet taken their part.
 * @param opened  row that began the epoch, which names the group
 * @param row     row with which their calls would be paired */
static void need_group(const HieraHang *hang, HieraHangNeed *need, guint32 opened, guint32 row)
{
    need->all = TRUE;
    guint32 group = opened == HIERA_NONE ? HIERA_NONE : hiera_trace_peek_sparse(hang->trace, opened)->other;
    gint32 rank;
    for (gint64 n = 0; n <= hang->trace->n_processors; n++) {
        rank = hiera_match_member(hang->match, group, n);
        if (rank == HIERA_ABSENT)
            break;
        if (!is_connected(hang, rank, row))
            hiera_hang_need_rank(need, rank);
    }
    need->met = need->ranks->len == 0;
}

/* True if a lock is shared, or locks all targets, which is shared always. */
static gboolean is_shared(const HieraTrace *trace, guint32 row)
{
    return hiera_lock_is_shared(trace->tag[row]) ||
           g_str_has_suffix(hiera_trace_peek_site(trace, row)->operation, "lock_all");
}

/* Whether two locks or unlocks have the same target on one window; a lock of all targets has each of them. */
static gboolean same_target(const HieraHang *hang, guint32 a, guint32 b)
{
    const HieraTrace *trace = hang->trace;
    gint32 left = hiera_hang_peer(hang, a, trace->peer[a]), right = hiera_hang_peer(hang, b, trace->peer[b]);
    return hiera_match_context(hang->match, trace->comm[a]) == hiera_match_context(hang->match, trace->comm[b]) &&
           (left == right || left == HIERA_ABSENT || right == HIERA_ABSENT);
}

/* Return the index in `locks` of a rank's lock of the target of `row`; -1: the rank has not locked the target. */
static gint find_lock(const HieraHang *hang, guint32 processor, guint32 row)
{
    for (guint i = hang->locks->len; i-- > 0;) {
        guint32 lock = g_array_index(hang->locks, guint32, i);
        if (hiera_trace_find_processor(hang->trace, lock) == processor && same_target(hang, lock, row))
            return (gint)i;
    }
    return -1;
}

void hiera_hang_see_lock(const HieraHang *hang, guint32 processor, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(hang->trace, row);
    if (site->kind != HIERA_KIND_RMA || hiera_trace_is_open(hang->trace, row))
        return;
    if (g_str_has_prefix(site->operation, "win_lock"))
        g_array_append_val(hang->locks, row);
    else if (g_str_has_prefix(site->operation, "win_unlock")) {
        gint place = find_lock(hang, processor, row);
        if (place >= 0)
            g_array_remove_index(hang->locks, (guint)place);
    }
}

/* Add the ranks that have locked the same target, where their lock and this rank's lock exclude each other. */
static void need_lock(const HieraHang *hang, guint32 processor, HieraHangNeed *need)
{
    const HieraTrace *trace = hang->trace;
    gint held = find_lock(hang, processor, need->act);
    guint32 own = held < 0 ? need->act : g_array_index(hang->locks, guint32, held);
    for (guint i = 0; i < hang->locks->len; i++) {
        guint32 lock = g_array_index(hang->locks, guint32, i), other = hiera_trace_find_processor(trace, lock);
        if (other == processor || !same_target(hang, lock, need->act) ||
            (is_shared(trace, lock) && is_shared(trace, own)))
            continue;
        need->other = lock;
        need->all = TRUE;
        hiera_hang_need_rank(need, (gint32)trace->processors[other].rank);
    }
}

/* Add the target if it is outside of MPI: MPI may execute accesses of another rank only while the target calls MPI. */
static void need_target(const HieraHang *hang, HieraHangNeed *need)
{
    gint32 target = hiera_hang_peer(hang, need->act, hang->trace->peer[need->act]);
    guint32 processor = target < 0 ? HIERA_NONE : hiera_trace_find_rank(hang->trace, target);
    if (processor != HIERA_NONE && hang->ranks[processor].state == HIERA_HANG_COMPUTES)
        hiera_hang_need_rank(need, target);
    need->met = need->ranks->len == 0;
}

void hiera_hang_window_need(const HieraHang *hang, guint32 processor, HieraHangNeed *need)
{
    if (need->kind == HIERA_KIND_ACCESS)
        need_group(hang, need, need->act, need->act);
    else if (need->kind == HIERA_KIND_ACCESS_END) {
        guint32 opened = find_before(hang, processor, need->act, HIERA_KIND_ACCESS);
        need_group(hang, need, opened, opened);
    } else if (need->kind == HIERA_KIND_EXPOSE_END)
        need_group(hang, need, find_before(hang, processor, need->act, HIERA_KIND_EXPOSE), need->act);
    else if (need->kind == HIERA_KIND_RMA)
        need_lock(hang, processor, need);
    if (need->kind == HIERA_KIND_RMA && need->ranks->len == 0)
        need_target(hang, need);
    else if (need->ranks->len == 0)
        need->met = TRUE;
}
