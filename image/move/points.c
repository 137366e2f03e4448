#include "points.h"

static guint64 pair(guint loop, guint block)
{
    return (guint64)loop << 32 | block;
}

HieraPoints hiera_points_of(const HieraFlow *flow, const guint *loops, const HieraInduction *inductions)
{
    HieraPoints points = {flow, loops, inductions, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    for (guint i = 0; i < flow->loops->len; i++) {
        const GArray *nodes = ((const HieraLoop *)flow->loops->pdata[i])->nodes;
        if (loops[i] == HIERA_PLAN_NO_LOOP) /* a loop that is not timed gets no nodes, so it is never entered */
            continue;
        for (guint j = 0; j < nodes->len; j++) {
            guint64 key = pair(i, g_array_index(nodes, guint, j));
            g_hash_table_add(points.nodes, g_memdup2(&key, sizeof key));
        }
    }
    return points;
}

void hiera_points_clear(HieraPoints *points)
{
    g_hash_table_unref(points->nodes);
}

static gboolean has(const HieraPoints *points, guint loop, guint block)
{
    guint64 key = pair(loop, block);
    return g_hash_table_contains(points->nodes, &key);
}

static const HieraLoop *loop_at(const HieraPoints *points, guint i)
{
    return points->flow->loops->pdata[i];
}

static void add(GArray *events, guint kind, guint loop, gboolean has_changed)
{
    const HieraPoint point = {(guint8)kind, loop, (guint)has_changed};
    g_array_append_val(events, point);
}

void hiera_points_entry(const HieraPoints *points, GArray *events)
{
    add(events, HIERA_PLAN_FUNCTION_IN, 0, FALSE);
    for (guint i = 0; i < points->flow->loops->len; i++)
        if (has(points, i, 0))
            add(events, HIERA_PLAN_LOOP_IN, i, FALSE);
}

/* The events are in the right order, because flow->loops has a loop before the loops inside it. */
void hiera_points_edge(const HieraPoints *points, guint from, guint to, GArray *events)
{
    guint n = points->flow->loops->len;
    for (guint i = n; i > 0; i--)
        if (has(points, i - 1, from) && !has(points, i - 1, to))
            add(events, HIERA_PLAN_LOOP_OUT, i - 1,
                points->inductions[i - 1].is_found &&
                    hiera_induction_has_changed(points->flow, &points->inductions[i - 1], from));
    for (guint i = 0; i < n; i++)
        if (!has(points, i, from) && has(points, i, to))
            add(events, HIERA_PLAN_LOOP_IN, i, FALSE);
    for (guint i = 0; i < n; i++)
        if (loop_at(points, i)->header == to && has(points, i, from) && !points->inductions[i].is_found &&
            !points->inductions[i].is_spare)
            add(events, HIERA_POINT_NEXT, i, FALSE);
}

gboolean hiera_points_is_landing(const HieraPoints *points, guint block)
{
    guint64 begin = g_array_index(points->flow->blocks, HieraBlock, block).begin;
    for (guint i = 0; i < points->flow->table_edges->len; i++)
        if (g_array_index(points->flow->table_edges, HieraTableEdge, i).to == begin)
            return TRUE;
    return FALSE;
}

void hiera_points_landing(const HieraPoints *points, guint to, GArray *events)
{
    const HieraFlow *flow = points->flow;
    guint64 begin = g_array_index(flow->blocks, HieraBlock, to).begin;
    for (guint i = flow->loops->len; i > 0; i--) {
        guint loop = i - 1, n_edges = 0, n_inside = 0;
        for (guint j = 0; j < flow->table_edges->len; j++) {
            const HieraTableEdge *edge = &g_array_index(flow->table_edges, HieraTableEdge, j);
            if (edge->to != begin)
                continue;
            n_edges++;
            n_inside += has(points, loop, hiera_flow_block(flow, edge->from));
        }
        if (!has(points, loop, to) && n_inside > 0)
            add(events, HIERA_PLAN_LOOP_OUT, loop, FALSE);
        if (has(points, loop, to) && n_inside < n_edges)
            add(events, HIERA_PLAN_LOOP_IN, loop, FALSE);
        else if (n_edges > 0 && loop_at(points, loop)->header == to && has(points, loop, to))
            add(events, HIERA_POINT_NEXT, loop, FALSE);
    }
}
