#include "hiera_summed.h"

gint64 hiera_summed_time(const HieraSummed *summed, gint64 finalize_ns)
{
    gint64 open_ns, each_ns = MAX(hiera_minus(finalize_ns, summed->open_since_ns), 0);
    if (summed->open == 0)
        return summed->time_ns;
    if (each_ns == HIERA_TOO_LARGE || __builtin_mul_overflow(summed->open, each_ns, &open_ns))
        return HIERA_TOO_LARGE;
    return hiera_plus(summed->time_ns, open_ns);
}

gint64 hiera_summed_time_between(const HieraSummed *summed, gint64 from_ns, gint64 to_ns)
{
    gint64 last_ns = summed->open > 0 ? to_ns : summed->last_ns;
    if (last_ns <= from_ns || summed->first_ns >= to_ns)
        return 0;
    if (summed->calls == 1)
        return MIN(last_ns, to_ns) - MAX(summed->first_ns, from_ns);
    return hiera_summed_time(summed, to_ns);
}

guint hiera_trace_find_summed(const HieraTrace *trace, guint32 processor)
{
    guint low = 0, high = trace->summed->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(trace->summed, HieraSummedOf, middle).processor < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gboolean hiera_trace_has_sums(const HieraTrace *trace)
{
    gboolean has = FALSE;
    for (guint32 i = 0; i < trace->n_processors; i++)
        has = has || trace->processors[i].n_summed > 0;
    return has;
}

gboolean hiera_trace_has_waits(const HieraTrace *trace)
{
    gboolean has = FALSE;
    for (guint32 i = 0; i < trace->n_processors; i++)
        has = has || trace->processors[i].n_waits > 0;
    return has;
}

gint64 hiera_summed_waiting(const HieraSummed *summed)
{
    return hiera_plus(summed->members.time_ns, summed->completion.time_ns);
}

HieraSummed *hiera_summed_copy(const HieraSummed *summed)
{
    HieraSummed *copy = g_memdup2(summed, sizeof *summed);
    copy->times = g_array_copy(summed->times);
    copy->sizes = g_array_copy(summed->sizes);
    copy->parts = g_array_copy(summed->parts);
    return copy;
}

void hiera_summed_free(HieraSummed *summed)
{
    g_array_unref(summed->times);
    g_array_unref(summed->sizes);
    g_array_unref(summed->parts);
    g_free(summed);
}
