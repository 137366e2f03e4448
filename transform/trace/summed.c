/* See hiera_summed.h. */
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
