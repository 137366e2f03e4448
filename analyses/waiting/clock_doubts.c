/* Compares waits with the errors of the clocks; see clock_doubts.h. */
#include "clock_doubts.h"
#include "values/shares.h"
#include <string.h>

enum {
    UNSURE_SHARE = 1000, /* smallest share of the waiting in doubt for which there is a remark, in 0.01 % */
    LEAST_SHARE = 50     /* smallest share of the run that waiting in doubt must have for a remark, in 0.01 % */
};

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

/* Whether a call ended before the operation that it waited for began, which is impossible if clocks are right. Failed
 * tests are no evidence, nor is the last call of a trace that is cut short. */
static gboolean is_impossible(const HieraTrace *trace, const HieraWait *wait, const HieraProcessor *waiter)
{
    const HieraPending *pending;
    return trace->start_ns[wait->causer] > trace->finish_ns[wait->row] && !waiter->cut &&
           hiera_trace_peek_pending(trace, wait->row, &pending) == 0;
}

gboolean hiera_clock_doubts_touch(const HieraClockDoubts *doubts, const HieraWait *wait)
{
    const HieraTrace *trace = doubts->trace;
    gint64 error_ns = doubts->greatest_ns;
    if (error_ns == 0)
        return FALSE;
    if (wait->causer != HIERA_NONE) {
        const HieraProcessor *waiter = &trace->processors[hiera_trace_find_processor(trace, wait->row)];
        error_ns = hiera_clocks_differ_by(waiter, &trace->processors[hiera_trace_find_processor(trace, wait->causer)]);
        if (error_ns != 0 && is_impossible(trace, wait, waiter))
            return TRUE;
    }
    return error_ns == HIERA_CLOCK_ERROR_UNKNOWN || hiera_minus(wait->end_ns, wait->begin_ns) <= error_ns;
}

/* Add up the waits of those processors whose operations this process has. */
static HieraDoubtSums sum_own(const HieraTrace *trace, const GArray *waits, const HieraScope *scope)
{
    HieraClockDoubts doubts = hiera_clock_doubts_of(trace);
    HieraDoubtSums sums = {0, 0};
    for (guint i = 0; doubts.greatest_ns != 0 && i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        gint64 time_ns = hiera_minus(wait->end_ns, wait->begin_ns);
        if (!hiera_scope_is_own(scope, hiera_trace_find_processor(trace, wait->row)))
            continue;
        sums.waiting_ns = hiera_plus(sums.waiting_ns, time_ns);
        sums.unsure_ns = hiera_plus(sums.unsure_ns, hiera_clock_doubts_touch(&doubts, wait) ? time_ns : 0);
    }
    return sums;
}

HieraDoubtSums hiera_clock_doubts_gather(const HieraTrace *trace, const GArray *waits, const HieraScope *scope)
{
    HieraDoubtSums sums = sum_own(trace, waits, scope);
    gint64 numbers[] = {sums.unsure_ns, sums.waiting_ns};
    hiera_scope_add_up(scope, trace, numbers, G_N_ELEMENTS(numbers));
    return (HieraDoubtSums){.unsure_ns = numbers[0], .waiting_ns = numbers[1]};
}

char *hiera_clock_doubts_say(const HieraTrace *trace, const HieraDoubtSums *sums)
{
    HieraClockDoubts doubts = hiera_clock_doubts_of(trace);
    char time[HIERA_NUMBER_BYTES], share[HIERA_NUMBER_BYTES];
    if (doubts.greatest_ns == HIERA_TOO_LARGE)
        return g_strdup("the clocks of the ranks were not compared to the end: waits may be wrong");
    const HieraScope all = HIERA_SCOPE_ALL;
    gint64 unsure = hiera_percent(sums->unsure_ns, sums->waiting_ns);
    if (unsure < UNSURE_SHARE || hiera_percent(sums->unsure_ns, hiera_run_sum(trace, &all)) < LEAST_SHARE)
        return NULL;
    hiera_time_format(time, doubts.greatest_ns);
    hiera_percent_format(share, unsure);
    return g_strdup_printf("the error of the clocks, up to %s as measured, could turn %s of the waiting round", time,
                           share);
}

void hiera_clock_doubts_limit(const HieraTrace *trace, const HieraDoubtSums *sums, HieraTable *table)
{
    g_autofree char *sentence = hiera_clock_doubts_say(trace, sums);
    hiera_table_limit(table, HIERA_FINDING_CLOCKS, sentence);
}
