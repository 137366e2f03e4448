/* Arrivals at barriers and ends, and who has critical sections and locks after whom, become joins; see thread_joins.h.
 */
#include "thread_joins.h"
#include "lock_holders.h"
#include "task_needs.h"
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

/* --- critical sections and locks --- */

/* Whether a thread is in a team at a moment, or until then. */
static gboolean is_in_team(const HieraRankThreads *threads, guint32 thread, gint64 at_ns)
{
    for (gint64 behind_ns = at_ns + 1; behind_ns >= at_ns; behind_ns--) {
        const HieraThreadSpan *span = hiera_thread_span_before(threads, thread, behind_ns);
        if (span && span->team != HIERA_NONE && span->end_ns >= at_ns)
            return TRUE;
    }
    return FALSE;
}

/* Add a join for each section that another thread has before: also where nobody waits for that. */
static void add_locks(const HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace,
                      guint32 processor)
{
    g_autoptr(GArray) sections = hiera_locks_held_find(trace, processor, NULL);
    for (guint i = 1; i < sections->len; i++) {
        const HieraLockHeld *next = &g_array_index(sections, HieraLockHeld, i), *held = next - 1;
        gint64 left_ns = hiera_lock_held_until(held, next);
        if (held->lock != next->lock || held->thread == next->thread || left_ns > next->begin_ns ||
            !is_in_team(threads, held->thread, left_ns) || !is_in_team(threads, next->thread, next->begin_ns))
            continue;
        HieraThreadJoin *join = add_join(joins, HIERA_JOIN_CRITICAL, HIERA_NONE);
        add_member(joins, join, (HieraJoinMember){held->thread, TRUE, FALSE, left_ns, left_ns});
        add_member(joins, join, (HieraJoinMember){next->thread, TRUE, TRUE, next->ask_ns, next->begin_ns});
    }
}

/* --- tasks --- */

/* Add that a thread needs what another one does until a moment. */
static void add_needed(const HieraThreadJoins *joins, HieraThreadJoin *join, const HieraTaskNeed *need)
{
    for (guint i = join->first; i < join->first + join->n; i++) {
        HieraJoinMember *member = &g_array_index(joins->members, HieraJoinMember, i);
        if (member->thread == need->thread) {
            member->arrival_ns = member->leave_ns = need->at_ns; /* needs are in order of time */
            join->at_ns = MAX(join->at_ns, need->at_ns);
            return;
        }
    }
    add_member(joins, join, (HieraJoinMember){need->thread, TRUE, FALSE, need->at_ns, need->at_ns});
}

/* Add a join where a thread begins a task, or leaves a wait, and needs what other threads do. */
static void add_start(const HieraThreadJoins *joins, const HieraRankThreads *threads, const GArray *needs,
                      const HieraTaskStart *start)
{
    HieraThreadJoin *join = NULL;
    if (!is_in_team(threads, start->thread, start->leave_ns))
        return;
    for (guint i = hiera_task_needs_first(needs, start->row); i < needs->len; i++) {
        const HieraTaskNeed *need = &g_array_index(needs, HieraTaskNeed, i);
        if (need->row != start->row)
            break;
        if (need->thread == HIERA_NONE || need->thread == start->thread ||
            !is_in_team(threads, need->thread, need->at_ns))
            continue;
        join = join ? join : add_join(joins, HIERA_JOIN_TASK, HIERA_NONE);
        add_needed(joins, join, need);
    }
    if (join)
        add_member(joins, join, (HieraJoinMember){start->thread, TRUE, TRUE, start->idle_ns, start->leave_ns});
}

/* A thread that comes to a barrier, and idles until it begins a task of what follows, waits for that task if another
 * thread creates it behind the barrier; else for the barrier alone. */
static void share_waits(const HieraThreadJoins *joins, const GArray *needs, const GArray *starts)
{
    for (guint i = 0; i < joins->joins->len; i++) {
        const HieraThreadJoin *join = &g_array_index(joins->joins, HieraThreadJoin, i);
        for (guint k = join->first; join->kind == HIERA_JOIN_BARRIER && k < join->first + join->n; k++) {
            HieraJoinMember *member = &g_array_index(joins->members, HieraJoinMember, k);
            HieraTaskStart *start = hiera_task_starts_peek(starts, member->thread, member->leave_ns);
            const HieraTaskNeed *need = start ? hiera_task_needs_last(needs, start->row) : NULL;
            if (need && need->thread != member->thread && need->at_ns >= join->at_ns)
                member->waits = FALSE;
            else if (start)
                start->idle_ns = start->leave_ns;
        }
    }
}

static void add_tasks(HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace,
                      guint32 processor)
{
    g_autoptr(GArray) needs = hiera_task_needs_find(trace, processor);
    g_autoptr(GArray) starts = hiera_task_starts_find(threads, trace, needs);
    share_waits(joins, needs, starts);
    for (guint i = 0; i < starts->len; i++)
        add_start(joins, threads, needs, &g_array_index(starts, HieraTaskStart, i));
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        const HieraTaskStart *start = hiera_task_starts_peek(starts, span->thread, span->end_ns);
        if (hiera_idle_runs_tasks(span->idles))
            joins->n_unknown += start ? !hiera_task_needs_last(needs, start->row) : span->idles == HIERA_IDLE_TASKS;
    }
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
    static const gint phases[] = {[HIERA_JOIN_BARRIER] = 0,
                                  [HIERA_JOIN_CRITICAL] = 0,
                                  [HIERA_JOIN_TASK] = 0,
                                  [HIERA_JOIN_END] = 1,
                                  [HIERA_JOIN_BEGIN] = 2};
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
                                g_array_new(FALSE, FALSE, sizeof(HieraJoinMember)), 0, 0};
    add_begins(joins, threads, trace);
    add_arrivals(joins, threads, trace);
    add_locks(joins, threads, trace, processor);
    add_tasks(joins, threads, trace, processor);
    leave_out_contradicted(joins);
    g_array_sort(joins->joins, compare_joins);
}

void hiera_thread_joins_clear(HieraThreadJoins *joins)
{
    g_array_unref(joins->joins);
    g_array_unref(joins->members);
}

void hiera_thread_joins_limit(gint64 n_left_out, const HieraTrace *trace, const HieraScope *scope, HieraTable *table)
{
    gint64 n = n_left_out;
    hiera_scope_add_up(scope, trace, &n, 1);
    g_autofree char *sentence = g_strdup_printf(
        "%" G_GINT64_FORMAT " wait%s of threads for each other count%s for nothing: times contradict each other", n,
        n == 1 ? "" : "s", n == 1 ? "s" : "");
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, n > 0 ? sentence : NULL);
}

/* --- moments --- */

static gint compare_moments(gconstpointer left, gconstpointer right)
{
    const HieraThreadMoment *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return a->join != b->join ? (a->join > b->join) - (a->join < b->join)
                              : (a->member > b->member) - (a->member < b->member);
}

GArray *hiera_thread_moments_list(const HieraThreadJoins *joins)
{
    GArray *moments = g_array_new(FALSE, FALSE, sizeof(HieraThreadMoment));
    for (guint32 i = 0; i < joins->joins->len; i++) {
        const HieraThreadJoin *join = &g_array_index(joins->joins, HieraThreadJoin, i);
        const HieraThreadMoment at = {join->at_ns, i, HIERA_NONE};
        g_array_append_val(moments, at);
        for (guint32 k = join->first; k < join->first + join->n; k++) {
            const HieraJoinMember *member = &g_array_index(joins->members, HieraJoinMember, k);
            const HieraThreadMoment comes = {member->arrival_ns, i, k};
            if (member->comes)
                g_array_append_val(moments, comes);
        }
    }
    g_array_sort(moments, compare_moments);
    return moments;
}
