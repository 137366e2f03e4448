#include "otf2_metrics.h"

void hiera_otf2_write_counted(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, OTF2_EvtWriter *events, guint64 time,
                              guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(writer->trace, row, &counted);
    for (guint i = 0; i < n; i++) {
        const OTF2_Type type = OTF2_TYPE_DOUBLE;
        const OTF2_MetricValue value = {.floating_point = counted[i].value};
        HieraOtf2Name *name = hiera_otf2_names_find(&writer->names, HIERA_OTF2_METRIC, counted[i].counter->name);
        OTF2_EvtWriter_Metric(events, NULL, time, hiera_otf2_number(numbers, name), 1, &type, &value);
    }
}
