/* See otf2_metrics.h. Each counter is a class of one metric, which is defined when it is first used. */
#include "otf2_metrics.h"

static OTF2_MetricRef find_class(HieraOtf2Writer *writer, const HieraTraceCounter *counter)
{
    gpointer found;
    if (g_hash_table_lookup_extended(writer->metrics, counter->name, NULL, &found))
        return GPOINTER_TO_UINT(found);
    guint number = g_hash_table_size(writer->metrics);
    OTF2_MetricMemberRef member = number;
    g_hash_table_insert(writer->metrics, g_strdup(counter->name), GUINT_TO_POINTER(number));
    OTF2_GlobalDefWriter_WriteMetricMember(
        writer->definitions, member, hiera_otf2_string(writer, counter->name), hiera_otf2_string(writer, "in the region that ends"),
        OTF2_METRIC_TYPE_OTHER, counter->level ? OTF2_METRIC_ABSOLUTE_POINT : OTF2_METRIC_RELATIVE_POINT, OTF2_TYPE_DOUBLE,
        OTF2_BASE_DECIMAL, 0, hiera_otf2_string(writer, counter->unit));
    OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, number, 1, &member, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    return number;
}

void hiera_otf2_write_counted(HieraOtf2Writer *writer, OTF2_EvtWriter *events, guint64 time, guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(writer->trace, row, &counted);
    for (guint i = 0; i < n; i++) {
        const OTF2_Type type = OTF2_TYPE_DOUBLE;
        const OTF2_MetricValue value = {.floating_point = counted[i].value};
        OTF2_EvtWriter_Metric(events, NULL, time, find_class(writer, counted[i].counter), 1, &type, &value);
    }
}
