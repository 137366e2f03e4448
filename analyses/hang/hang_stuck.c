/* Ranks that can never go on: beginning with the ranks that can, those whose needs they can meet are freed step by
 * step. The remaining ranks are stuck. */
#include "hang_parts.h"

gboolean hiera_hang_has_ended(const HieraHang *hang, guint32 processor)
{
    HieraHangState state = hang->ranks[processor].state;
    return state == HIERA_HANG_ENDED || state == HIERA_HANG_FINALIZE || state == HIERA_HANG_FAILED;
}

/* Whether a rank may still do what another rank needs: it has not ended, and is not stuck, or has a thread that is in
 * no call. */
static gboolean may_act(const HieraHang *hang, gint32 rank)
{
    guint32 processor = hiera_trace_find_rank(hang->trace, rank);
    if (processor == HIERA_NONE)
        return TRUE; /* the rank's trace is missing, so what it does is not known */
    const HieraHangRank *other = &hang->ranks[processor];
    return !hiera_hang_has_ended(hang, processor) && (!other->stuck || other->has_free_thread);
}

/* Whether a need is not met, and cannot be met any more. */
static gboolean is_in_vain(const HieraHang *hang, const HieraHangNeed *need)
{
    if (need->met || need->never)
        return !need->met;
    guint n = 0;
    for (guint i = 0; i < need->ranks->len; i++)
        n += may_act(hang, g_array_index(need->ranks, gint32, i));
    return need->all ? n < need->ranks->len : n == 0;
}

/* Return the first need that can never be met of a call; NULL if the call may still end. */
static const HieraHangNeed *blocked_by(const HieraHang *hang, const HieraHangCall *call)
{
    const HieraHangNeed *first = NULL;
    for (guint i = 0; i < call->needs->len; i++) {
        const HieraHangNeed *need = &g_array_index(call->needs, HieraHangNeed, i);
        gboolean in_vain = is_in_vain(hang, need);
        if (!in_vain && call->one)
            return NULL;
        if (in_vain && !first)
            first = need;
    }
    return first;
}

const HieraHangNeed *hiera_hang_first_need(const HieraHang *hang, guint32 processor)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    for (guint i = 0; rank->stuck && i < rank->calls->len; i++) {
        const HieraHangNeed *need = blocked_by(hang, &g_array_index(rank->calls, HieraHangCall, i));
        if (need)
            return need;
    }
    return NULL;
}

/* Return the first unmet need of a call; NULL: all are met, or one is met and one is enough. */
static const HieraHangNeed *open_need_of(const HieraHangCall *call)
{
    const HieraHangNeed *first = NULL;
    for (guint i = 0; call->needs && i < call->needs->len; i++) {
        const HieraHangNeed *need = &g_array_index(call->needs, HieraHangNeed, i);
        if (need->met && call->one)
            return NULL;
        if (!need->met && !first)
            first = need;
    }
    return first;
}

const HieraHangNeed *hiera_hang_open_need(const HieraHang *hang, guint32 processor)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    const HieraHangNeed *first = NULL;
    for (guint i = 0; !first && i < rank->calls->len; i++)
        first = open_need_of(&g_array_index(rank->calls, HieraHangCall, i));
    return first;
}

/* Set a rank to not stuck if all its calls may still end. @return TRUE if it was stuck before */
static gboolean release(HieraHang *hang, guint32 processor)
{
    HieraHangRank *rank = &hang->ranks[processor];
    if (!rank->stuck || hiera_hang_first_need(hang, processor))
        return FALSE;
    rank->stuck = FALSE;
    return TRUE;
}

/* Passes over the ranks alternate in direction, so that chains of waits in either direction need few passes. */
void hiera_hang_find_stuck(HieraHang *hang)
{
    guint32 n = hang->trace->n_processors;
    for (guint32 i = 0; i < n; i++) {
        HieraHangRank *rank = &hang->ranks[i];
        rank->has_free_thread = rank->calls->len < (gsize)hang->trace->processors[i].last_thread + 1;
        rank->stuck = rank->calls->len > 0 && (rank->state == HIERA_HANG_WAITS || rank->state == HIERA_HANG_TESTS);
    }
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint32 i = 0; i < n; i++)
            changed = release(hang, i) || changed;
        for (guint32 i = n; i-- > 0;)
            changed = release(hang, i) || changed;
    }
    for (guint32 i = 0; i < n; i++)
        hang->stuck = hang->stuck || hang->ranks[i].stuck;
}
