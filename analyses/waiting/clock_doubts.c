/* Doubts about waits; see clock_doubts.h. */
#include "clock_doubts.h"
#include <string.h>

HieraClockDoubts hiera_clock_doubts_of(const HieraTrace *trace)
{
    gint64 greatest_ns = 0;
    gboolean differ = FALSE;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        gboolean unknown = processor->clock_error_ns == HIERA_CLOCK_ERROR_UNKNOWN;
        differ = differ || strcmp(processor->clock, trace->processors[0].clock) != 0;
        greatest_ns = MAX(greatest_ns, unknown ? HIERA_TOO_LARGE : processor->clock_error_ns);
    }
    return (HieraClockDoubts){trace, differ ? hiera_plus(greatest_ns, greatest_ns) : 0};
}

gboolean hiera_clock_doubts_touch(const HieraClockDoubts *doubts, const HieraWait *wait)
{
    const HieraTrace *trace = doubts->trace;
    gint64 error_ns = doubts->greatest_ns;
    if (error_ns == 0)
        return FALSE;
    if (wait->causer != HIERA_NONE)
        error_ns = hiera_clocks_differ_by(&trace->processors[hiera_trace_find_processor(trace, wait->row)],
                                          &trace->processors[hiera_trace_find_processor(trace, wait->causer)]);
    return error_ns == HIERA_CLOCK_ERROR_UNKNOWN || hiera_minus(wait->end_ns, wait->begin_ns) <= error_ns;
}
