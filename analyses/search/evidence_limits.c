/* Limits of the evidence: operations that were only counted or went past Hiera, traces that are cut short, ranks
 * without a trace, clocks that differ. */
#include "evidence.h"
#include "waiting/clock_doubts.h"
#include <string.h>

typedef struct {
    HieraEvidences *evidences;
    const HieraTrace *trace;
    GString *why;
} Limits;

static void say(const Limits *limits, const char *why)
{
    if (!strstr(limits->why->str, why))
        g_string_append_printf(limits->why, "%s%s", limits->why->len ? ", " : "", why);
}

static void add_unseen(const Limits *limits, gint64 time_ns)
{
    for (guint i = 0; i < HIERA_N_HYPOTHESES; i++)
        limits->evidences->unseen_ns[i] = hiera_plus(limits->evidences->unseen_ns[i], time_ns);
}

/* Count filtered calls as unseen: in the trace their time looks like computation. If it is unknown, the limit is
 * infinite. */
static void limit_by_filters(const Limits *limits)
{
    for (guint i = 0; i < limits->trace->filtered->len; i++) {
        const HieraFiltered *sum = &g_array_index(limits->trace->filtered, HieraFilteredOf, i).sum;
        if (!sum->site->mpi || sum->thread != 0 || sum->count == 0)
            continue;
        add_unseen(limits, sum->time_ns > 0 ? sum->time_ns : HIERA_TOO_LARGE);
        say(limits, "filter");
    }
}

static gint64 find_last(const HieraTrace *trace)
{
    gint64 last_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++)
        last_ns = MAX(last_ns, trace->processors[i].finalize_ns);
    return last_ns;
}

static void limit_by_traces(const Limits *limits)
{
    const HieraTrace *trace = limits->trace;
    gint64 last_ns = find_last(trace);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (processor->size > (gint64)trace->n_processors) {
            add_unseen(limits, HIERA_TOO_LARGE);
            say(limits, "missing ranks");
        }
        if (processor->paused_calls > 0) {
            add_unseen(limits, HIERA_TOO_LARGE);
            say(limits, "pause");
        }
        if (hiera_processor_is_past(processor)) {
            add_unseen(limits, HIERA_TOO_LARGE);
            say(limits, "calls past Hiera");
        }
        if (processor->cut) {
            add_unseen(limits, hiera_minus(last_ns, processor->finalize_ns));
            say(limits, "cut");
        }
    }
}

/* Each interval of a hypothesis that compares two ranks may be longer or shorter by the error of the clocks. */
static void limit_by_clocks(const Limits *limits)
{
    static const HieraHypothesis between[] = {HIERA_HYPOTHESIS_SERIAL, HIERA_HYPOTHESIS_SYNCHRONISATION,
                                              HIERA_HYPOTHESIS_LATE_SENDERS, HIERA_HYPOTHESIS_LATE_RECEIVERS,
                                              HIERA_HYPOTHESIS_WINDOWS};
    gint64 error_ns = hiera_clock_doubts_of(limits->trace).greatest_ns, all_ns;
    for (guint i = 0; error_ns > 0 && i < G_N_ELEMENTS(between); i++) {
        HieraHypothesis hypothesis = between[i];
        gint64 n = limits->evidences->of[hypothesis].n_intervals;
        if (n > 0)
            say(limits, "clocks");
        if (__builtin_mul_overflow(error_ns, n, &all_ns))
            all_ns = HIERA_TOO_LARGE;
        limits->evidences->unseen_ns[hypothesis] = hiera_plus(limits->evidences->unseen_ns[hypothesis], all_ns);
        limits->evidences->unsure_ns[hypothesis] = all_ns;
    }
}

/* Time not in the trace may be computation of ranks that seem to compute less, which would lower these losses. */
static void limit_comparisons(const Limits *limits)
{
    static const HieraHypothesis comparing[] = {HIERA_HYPOTHESIS_IMBALANCE, HIERA_HYPOTHESIS_SERIAL};
    for (guint i = 0; i < G_N_ELEMENTS(comparing); i++) {
        gint64 *unsure_ns = &limits->evidences->unsure_ns[comparing[i]];
        *unsure_ns = MAX(*unsure_ns, limits->evidences->unseen_ns[comparing[i]]);
    }
}

void hiera_evidences_limit(HieraEvidences *evidences, const HieraTrace *trace, HieraTable *table)
{
    g_autoptr(GString) why = g_string_new(NULL);
    const Limits limits = {evidences, trace, why};
    limit_by_filters(&limits);
    limit_by_traces(&limits);
    limit_by_clocks(&limits);
    limit_comparisons(&limits);
    evidences->why = hiera_table_keep(table, why->str);
}
