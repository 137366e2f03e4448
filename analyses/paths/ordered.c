#include "ordered.h"

static gint64 plus(gint64 a, gint64 b)
{
    gint64 sum;
    return a == HIERA_SIM_TOO_LARGE || b == HIERA_SIM_TOO_LARGE || __builtin_add_overflow(a, b, &sum)
               ? HIERA_SIM_TOO_LARGE
               : sum;
}

static gint64 minus(gint64 a, gint64 b)
{
    gint64 difference;
    return a == HIERA_SIM_TOO_LARGE || b == HIERA_SIM_TOO_LARGE || __builtin_sub_overflow(a, b, &difference)
               ? HIERA_SIM_TOO_LARGE
               : difference;
}

/* Return the latest of `latest` and the times of the nodes that a node depends on. */
static gint64 find_latest(const HieraSimOrdered *run, guint32 node, const gint64 *time, gint64 latest)
{
    for (guint32 edge = run->first_edge[node]; edge < run->first_edge[node + 1]; edge++) {
        if (run->from[edge] != G_MAXUINT32)
            latest = MAX(latest, time[run->from[edge]]);
    }
    return latest;
}

static void end_call(const HieraSimOrdered *run, guint32 call, gint64 *time, gint64 *duration)
{
    gint64 end = find_latest(run, call, time, time[call]);
    if (run->busy)
        end = plus(end, run->busy(run->context, call));
    duration[call] = minus(end, time[call]);
    if (!hiera_sim_is_last(run->last, call))
        time[call + 1] = plus(end, minus(run->start[call + 1], run->finish[call]));
}

void hiera_sim_run_ordered(const HieraSimOrdered *run, gint64 *time, gint64 *duration)
{
    gsize n = (gsize)run->n_calls + run->n_joins;
    for (gsize i = 0; i < n; i++) {
        guint32 node = run->order[i];
        if (node >= run->n_open)
            continue;
        if (node < run->n_calls)
            end_call(run, node, time, duration);
        else
            time[node] = find_latest(run, node, time, G_MININT64);
    }
}
