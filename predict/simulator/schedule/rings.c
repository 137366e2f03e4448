/* Algorithms with n - 1 steps (allreduce: twice as many), between neighbours of a ring or each pair in turn. */
#include "algorithms.h"

static gboolean to_the_right(const Schedule *schedule, guint32 n_steps, gint64 bytes, ScheduleStep *step)
{
    if (schedule->step >= n_steps)
        return FALSE;
    step->to = member_after(schedule, 1);
    step->from = member_before(schedule, 1);
    step->bytes = bytes;
    return TRUE;
}

gboolean ring_allgather(const Schedule *schedule, ScheduleStep *step)
{
    return to_the_right(schedule, schedule->n - 1, schedule->bytes, step);
}

/* Allreduce in a ring: the n parts of the vector go round twice, first to be reduced, then to be gathered. */
gboolean ring_allreduce(const Schedule *schedule, ScheduleStep *step)
{
    step->combines = schedule->step < schedule->n - 1;
    return to_the_right(schedule, 2 * (schedule->n - 1), (schedule->bytes + schedule->n - 1) / schedule->n, step);
}

gboolean ring_pairwise(const Schedule *schedule, ScheduleStep *step)
{
    guint32 distance = schedule->step + 1;
    if (distance >= schedule->n)
        return FALSE;
    step->to = member_after(schedule, distance);
    step->from = member_before(schedule, distance);
    step->bytes = schedule->bytes;
    return TRUE;
}
