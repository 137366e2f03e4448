/* Reports simulated spans; see fed_rank.h. */
#include "fed_rank.h"

void fed_rank_note_span(FedRank *rank, const HieraTimeSpan *span, guint first)
{
    const FollowedSpan followed = {*span, first, rank->room.queue->len - first};
    if (rank->spans)
        g_array_append_val(rank->spans, followed);
}

void fed_rank_drop_held(FedRank *rank)
{
    g_array_set_size(rank->room.queue, rank->held_from);
    for (guint i = rank->spans ? rank->spans->len : 0; i > 0; i--) {
        FollowedSpan *followed = &g_array_index(rank->spans, FollowedSpan, i - 1);
        if (followed->first < rank->held_from)
            return;
        followed->n = 0;
    }
}

/* Return the simulated time at which the first done_ns (recorded time) of a computation are over. */
static gint64 part_of(const HieraSimOperation *operation, const FollowedTimes *times, gint64 done_ns)
{
    gint64 of_ps = operation->duration_ps, length_ps = times->end_ps - times->begin_ps;
    if (length_ps == of_ps)
        return times->begin_ps + done_ns * HIERA_PS_PER_NS;
    gdouble part = of_ps > 0 ? (gdouble)(done_ns * HIERA_PS_PER_NS) / (gdouble)of_ps : 1;
    return times->begin_ps + (gint64)(part * (gdouble)length_ps + 0.5);
}

void fed_rank_tell_spans(FedRank *rank, const SpanFollower *follower, gboolean is_main)
{
    guint computes = G_MAXUINT; /* index of the computation that contains the previous span */
    gint64 done_ns = 0;         /* recorded time of that computation up to the end of the previous span */
    for (guint i = 0; i < rank->spans->len; i++) {
        const FollowedSpan *followed = &g_array_index(rank->spans, FollowedSpan, i);
        gint64 begin_ps = rank->reported_ps;
        if (followed->n > 0 && followed->first != computes)
            begin_ps = MAX(begin_ps, g_array_index(rank->times, FollowedTimes, followed->first).begin_ps);
        if (followed->n > 0 &&
            g_array_index(rank->room.queue, HieraSimOperation, followed->first).kind == HIERA_SIM_COMPUTE) {
            done_ns = (computes == followed->first ? done_ns : 0) + followed->span.end_ns - followed->span.begin_ns;
            computes = followed->first;
            rank->reported_ps = part_of(&g_array_index(rank->room.queue, HieraSimOperation, computes),
                                        &g_array_index(rank->times, FollowedTimes, computes), done_ns);
        } else if (followed->n > 0) {
            rank->reported_ps = g_array_index(rank->times, FollowedTimes, followed->first + followed->n - 1).end_ps;
        }
        if (is_main)
            follower->span(follower->user, &followed->span, begin_ps, rank->reported_ps);
        else
            follower->of_thread(follower->user, g_array_index(rank->acts, Act, 0).thread, &followed->span, begin_ps,
                                rank->reported_ps);
    }
    rank->reported_ps = rank->at_ps;
    g_array_set_size(rank->spans, 0);
}

void fed_rank_note_times(FedRank *rank, const HieraSimTimes *times)
{
    const FollowedTimes followed = {times->start_ps, times->end_ps};
    if (rank->times->len < rank->n_read)
        g_array_set_size(rank->times, rank->n_read);
    g_array_index(rank->times, FollowedTimes, rank->n_read - 1) = followed;
}
