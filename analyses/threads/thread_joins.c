/* Arrivals at barriers and ends, and waits for critical sections and locks, become joins; see thread_joins.h. */
#include "thread_joins.h"
#include "thread_teams.h"

static HieraThreadJoin *add_join(const HieraThreadJoins *joins, HieraJoinKind kind, guint32 team)
{
    HieraThreadJoin join = {kind, team, G_MININT64, joins->members->len, 0, 0};
    g_array_append_val(joins->joins, join);
    return &g_array_index(joins->joins, HieraThreadJoin, joins->joins->len - 1);
}

/* Add a member to the last join. */
static void add_member(const HieraThreadJoins *joins, HieraThreadJoin *join, HieraJoinMember member)
{
    g_array_append_val(joins->members, member);
    join->n++;
    join->n_comes += member.comes;
    if (member.comes)
        join->at_ns = MAX(join->at_ns, member.arrival_ns);
}

static guint32 find_beginner(const HieraRankThreads *threads, const HieraTrace *trace, guint32 team)
{
    return trace->thread[g_array_index(threads->teams, HieraTeam, team).row];
}

/* --- begins of regions --- */

static void add_begins(const HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace)
{
    g_autoptr(GPtrArray) spans = hiera_team_spans_order(threads);
    HieraThreadJoin *join = NULL;
    const HieraThreadSpan *last = NULL;
    for (guint i = 0; i < spans->len; last = g_ptr_array_index(spans, i), i++) {
        const HieraThreadSpan *begin = g_ptr_array_index(spans, i);
        gint64 leave_ns = begin->idles == HIERA_IDLE_START ? begin->end_ns : begin->begin_ns;
        guint32 beginner = find_beginner(threads, trace, begin->team);
        gint64 at_ns = g_array_index(threads->teams, HieraTeam, begin->team).begin_ns;
        if (!last || last->team != begin->team) {
            join = add_join(joins, HIERA_JOIN_BEGIN, begin->team);
            add_member(joins, join, (HieraJoinMember){beginner, TRUE, FALSE, at_ns, at_ns});
        }
        if (begin->thread != beginner && (!last || last->team != begin->team || last->thread != begin->thread))
            add_member(joins, join, (HieraJoinMember){begin->thread, FALSE, TRUE, begin->begin_ns, leave_ns});
    }
}

/* --- barriers, and ends of regions --- */

static void add_arrivals(const HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace)
{
    g_autoptr(GArray) arrivals = hiera_team_arrivals_find(threads, trace);
    HieraThreadJoin *join = NULL;
    const HieraTeamArrival *last = NULL;
    for (guint i = 0; i < arrivals->len; i++) {
        const HieraTeamArrival *arrival = &g_array_index(arrivals, HieraTeamArrival, i);
        gboolean ends = arrival->step == HIERA_STEP_END;
        if (!last || last->team != arrival->team || last->step != arrival->step)
            join = add_join(joins, ends ? HIERA_JOIN_END : HIERA_JOIN_BARRIER, arrival->team);
        gboolean waits = !ends || arrival->thread == find_beginner(threads, trace, arrival->team);
        add_member(joins, join, (HieraJoinMember){arrival->thread, TRUE, waits, arrival->idle_ns, arrival->leave_ns});
        last = arrival;
    }
}

/* --- critical sections --- */

static void add_critical(const HieraTeamWait *wait, gpointer user)
{
    const HieraThreadJoins *joins = user;
    gboolean is_handed = wait->class == HIERA_IDLE_CRITICAL || wait->class == HIERA_IDLE_LOCK;
    if (!is_handed || wait->late == HIERA_NONE || wait->late_ns > wait->end_ns)
        return;
    HieraThreadJoin *join = add_join(joins, HIERA_JOIN_CRITICAL, HIERA_NONE);
    add_member(joins, join, (HieraJoinMember){wait->late, TRUE, FALSE, wait->late_ns, wait->late_ns});
    add_member(joins, join, (HieraJoinMember){wait->thread, FALSE, TRUE, wait->begin_ns, wait->end_ns});
}

/* Whether a thread goes on before the last one has come: then the times contradict the join. */
static gboolean is_contradicted(const HieraThreadJoins *joins, const HieraThreadJoin *join)
{
    for (guint i = join->first; i < join->first + join->n; i++) {
        const HieraJoinMember *member = &g_array_index(joins->members, HieraJoinMember, i);
        if (member->waits && member->leave_ns < join->at_ns)
            return TRUE;
    }
    return FALSE;
}

static void leave_out_contradicted(HieraThreadJoins *joins)
{
    for (guint i = joins->joins->len; i-- > 0;) {
        if (!is_contradicted(joins, &g_array_index(joins->joins, HieraThreadJoin, i)))
            continue;
        g_array_remove_index_fast(joins->joins, i);
        joins->n_left_out++;
    }
}

/* Of one moment, barriers come before ends, inner ends before outer ones, and begins behind them, outer ones first. */
static gint compare_joins(gconstpointer left, gconstpointer right)
{
    static const gint phases[] = {
        [HIERA_JOIN_BARRIER] = 0, [HIERA_JOIN_CRITICAL] = 0, [HIERA_JOIN_END] = 1, [HIERA_JOIN_BEGIN] = 2};
    const HieraThreadJoin *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    if (phases[a->kind] != phases[b->kind])
        return phases[a->kind] - phases[b->kind];
    if (a->team != b->team)
        return (a->team < b->team) == (a->kind == HIERA_JOIN_END) ? 1 : -1;
    return (a->first > b->first) - (a->first < b->first);
}

void hiera_thread_joins_find(HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace,
                             guint32 processor)
{
    *joins = (HieraThreadJoins){g_array_new(FALSE, FALSE, sizeof(HieraThreadJoin)),
                                g_array_new(FALSE, FALSE, sizeof(HieraJoinMember)), 0};
    add_begins(joins, threads, trace);
    add_arrivals(joins, threads, trace);
    hiera_team_waits_visit(threads, trace, processor, add_critical, joins);
    leave_out_contradicted(joins);
    g_array_sort(joins->joins, compare_joins);
}

void hiera_thread_joins_clear(HieraThreadJoins *joins)
{
    g_array_unref(joins->joins);
    g_array_unref(joins->members);
}
