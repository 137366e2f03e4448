/* The algorithms. Each function fills step number `schedule->step` of a member; in some steps a member has nothing to
 * do (both members NOBODY, as initially). @return false after the last step */
#pragma once

#include "steps.h"

typedef gboolean (*Algorithm)(const Schedule *schedule, ScheduleStep *step);

/* --- trees.c: along binomial trees --- */
gboolean tree_broadcast(const Schedule *schedule, ScheduleStep *step);
gboolean tree_scatter(const Schedule *schedule, ScheduleStep *step);
gboolean tree_scatter_allgather(const Schedule *schedule, ScheduleStep *step);
gboolean tree_reduce(const Schedule *schedule, ScheduleStep *step);
gboolean tree_gather(const Schedule *schedule, ScheduleStep *step);

/* --- rounds.c: with members 2^k apart --- */
gboolean rounds_dissemination(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_bruck_allgather(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_bruck_alltoall(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_scan(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_allreduce(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_allgather(const Schedule *schedule, ScheduleStep *step);
gboolean rounds_reduce_scatter(const Schedule *schedule, ScheduleStep *step);

/* --- rings.c: with neighbours, or each member in turn --- */
gboolean ring_allgather(const Schedule *schedule, ScheduleStep *step);
gboolean ring_allreduce(const Schedule *schedule, ScheduleStep *step);
gboolean ring_pairwise(const Schedule *schedule, ScheduleStep *step);

static inline guint32 member_after(const Schedule *schedule, guint32 distance)
{
    return (guint32)(((guint64)schedule->me + distance) % schedule->n);
}

static inline guint32 member_before(const Schedule *schedule, guint32 distance)
{
    return (guint32)(((guint64)schedule->me + schedule->n - distance) % schedule->n);
}
