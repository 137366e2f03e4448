/* Binomial trees. Members are counted from the root. The parent of v is v without its lowest bit, so the children of v
 * are v + m for all powers m of 2 below its lowest bit, and the subtree of v + m has m members, as far as n allows. */
#include "algorithms.h"

static guint32 from_root(const Schedule *schedule)
{
    return (schedule->me + schedule->n - schedule->root) % schedule->n;
}

static guint32 member(const Schedule *schedule, guint32 v)
{
    return (guint32)(((guint64)v + schedule->root) % schedule->n);
}

/* Return the lowest set bit of v; v = 0, the root: the first power of 2 that is not below n. */
static guint64 lowest_bit(guint32 v, guint32 n)
{
    guint64 bit = v & (0 - v);
    for (guint64 power = 1; v == 0 && bit < n; power *= 2)
        bit = power;
    return bit;
}

/* Away from the root: step 0 receives, the others send, to the largest subtree first.
 * @param each  bytes for each member of a subtree; -1: the whole message goes to each */
static gboolean descend(const Schedule *schedule, gint64 each, ScheduleStep *step)
{
    guint32 v = from_root(schedule);
    guint64 low = lowest_bit(v, schedule->n), mask = low >> schedule->step;
    if (schedule->step == 0) {
        step->from = v == 0 ? NOBODY : member(schedule, v - (guint32)low);
        return TRUE;
    }
    if (mask == 0)
        return FALSE;
    if (v + mask < schedule->n) {
        step->to = member(schedule, v + (guint32)mask);
        step->bytes = each < 0 ? schedule->bytes : each * (gint64)MIN(mask, schedule->n - v - mask);
    }
    return TRUE;
}

/* Send towards the root: receive from all subtrees, the smallest first, then send to the parent. */
static gboolean ascend(const Schedule *schedule, gboolean gathers, ScheduleStep *step)
{
    guint32 v = from_root(schedule);
    guint64 mask = G_GUINT64_CONSTANT(1) << schedule->step, low = lowest_bit(v, schedule->n);
    if (mask > low || mask >= schedule->n)
        return FALSE;
    if (mask == low && v != 0) {
        step->to = member(schedule, v - (guint32)low);
        step->bytes = gathers ? schedule->bytes * (gint64)MIN(low, schedule->n - v) : schedule->bytes;
    } else if (v + mask < schedule->n) {
        step->from = member(schedule, v + (guint32)mask);
    }
    return TRUE;
}

gboolean tree_broadcast(const Schedule *schedule, ScheduleStep *step)
{
    return descend(schedule, -1, step);
}

gboolean tree_scatter(const Schedule *schedule, ScheduleStep *step)
{
    return descend(schedule, schedule->bytes, step);
}

/* Scatter the n parts of the message along a tree, then gather all parts in each member, in a ring. */
gboolean tree_scatter_allgather(const Schedule *schedule, ScheduleStep *step)
{
    Schedule part = *schedule;
    part.bytes = (schedule->bytes + schedule->n - 1) / schedule->n;
    guint32 n_tree = 0;
    while (lowest_bit(from_root(schedule), schedule->n) >> n_tree > 0)
        n_tree++;
    if (schedule->step < n_tree)
        return descend(&part, part.bytes, step);
    part.step -= n_tree;
    return ring_allgather(&part, step);
}

gboolean tree_reduce(const Schedule *schedule, ScheduleStep *step)
{
    return ascend(schedule, FALSE, step);
}

gboolean tree_gather(const Schedule *schedule, ScheduleStep *step)
{
    return ascend(schedule, TRUE, step);
}
