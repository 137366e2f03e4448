#include "call_counters.h"
#include "values/counter_cells.h"
#include <math.h>

struct HieraCallCounters {
    const HieraScope *scope;
    GArray *around; /* HieraCountedPlace by depth: node of the last operation at this depth */
    GArray *values; /* gdouble by node, then by counter; NaN: no value */
    GArray *levels; /* gboolean by counter: TRUE if its values are levels (such as memory in use), not counts */
};

HieraCallCounters *hiera_call_counters_new(const HieraScope *scope)
{
    if (!scope->options.counters)
        return NULL;
    HieraCallCounters *counters = g_new(HieraCallCounters, 1);
    *counters =
        (HieraCallCounters){scope, g_array_new(FALSE, FALSE, sizeof(HieraCountedPlace)),
                            g_array_new(FALSE, FALSE, sizeof(gdouble)), g_array_new(FALSE, TRUE, sizeof(gboolean))};
    g_array_set_size(counters->levels, scope->options.counters->n);
    return counters;
}

void hiera_call_counters_free(HieraCallCounters *counters)
{
    if (!counters)
        return;
    g_array_unref(counters->around);
    g_array_unref(counters->values);
    g_array_unref(counters->levels);
    g_free(counters);
}

const HieraScopeCounters *hiera_call_counters_peek(const HieraCallCounters *counters)
{
    return counters ? counters->scope->options.counters : NULL;
}

void hiera_call_counters_note(HieraCallCounters *counters, const HieraOperation *operation, guint32 node)
{
    if (counters)
        hiera_counted_note(counters->around, operation,
                           hiera_scope_accepts_time(counters->scope, operation->start_ns) ? node : HIERA_NONE);
}

void hiera_call_counters_note_summed(HieraCallCounters *counters, guint32 depth, guint32 node)
{
    if (counters)
        hiera_counted_note_summed(counters->around, depth, node);
}

static gdouble *value_of(HieraCallCounters *counters, guint32 node, guint i)
{
    static const gdouble nothing = NAN;
    guint at = node * counters->scope->options.counters->n + i;
    while (at >= counters->values->len)
        g_array_append_val(counters->values, nothing);
    return &g_array_index(counters->values, gdouble, at);
}

/* Combine `value` into `to`: sum of counts, maximum of levels. NaN: no value. */
static void combine(gdouble *to, gdouble value, gboolean level)
{
    if (isnan(value))
        return;
    if (isnan(*to))
        *to = value;
    else
        *to = level ? MAX(*to, value) : *to + value;
}

void hiera_call_counters_add(HieraCallCounters *counters, const HieraCounted *counted)
{
    gint i = counters ? hiera_scope_find_counter(counters->scope, counted) : -1;
    guint32 node = i >= 0 ? hiera_counted_find(counters->around, counted) : HIERA_NONE;
    if (node == HIERA_NONE)
        return;
    g_array_index(counters->levels, gboolean, i) = counted->counter->level;
    combine(value_of(counters, node, (guint)i), counted->value, counted->counter->level);
}

void hiera_call_counters_merge(HieraCallCounters *all, const HieraCallCounters *one, const guint32 *nodes)
{
    guint n = all ? all->scope->options.counters->n : 0;
    for (guint i = 0; i < n; i++)
        g_array_index(all->levels, gboolean, i) |= g_array_index(one->levels, gboolean, i);
    for (guint at = 0; n > 0 && at < one->values->len; at++)
        combine(value_of(all, nodes[at / n], at % n), g_array_index(one->values, gdouble, at),
                g_array_index(one->levels, gboolean, at % n));
}

void hiera_call_counters_pack(const HieraCallCounters *counters, HieraPacker *to)
{
    if (!counters)
        return;
    hiera_pack_array(to, counters->values);
    hiera_pack_array(to, counters->levels);
}

void hiera_call_counters_unpack(HieraCallCounters *counters, HieraUnpacker *from)
{
    if (!counters)
        return;
    hiera_unpack_array(from, counters->values);
    g_array_set_size(counters->levels, 0);
    hiera_unpack_array(from, counters->levels);
}

static void add_to_root(HieraCallCounters *counters, guint32 node, guint i)
{
    gdouble value = *value_of(counters, node, i);
    combine(value_of(counters, 0, i), value, g_array_index(counters->levels, gboolean, i));
}

void hiera_call_counters_sum(HieraCallCounters *counters, const HieraCallTree *tree)
{
    guint n = counters ? counters->scope->options.counters->n : 0;
    for (guint32 node = 1; node < tree->nodes->len; node++) {
        for (guint i = 0; i < n && hiera_call_tree_peek(tree, node)->parent == 0; i++)
            add_to_root(counters, node, i);
    }
}

gint64 hiera_call_counters_cell(const HieraCallCounters *counters, guint32 node, guint i, HieraCellType type)
{
    guint at = node * counters->scope->options.counters->n + i;
    gdouble value = at < counters->values->len ? g_array_index(counters->values, gdouble, at) : NAN;
    return isnan(value) ? 0 : hiera_counter_cell(value, type);
}
