/* Makes sentences on what limits the answers: missing data, clocks, Hiera's own time. See summary.h. */
#include "summary.h"
#include "values/unrecorded.h"
#include "waiting/clock_doubts.h"

enum {
    OWN_SHARE = 100, /* share of all time from which the collector's own time may be reported, in 0.01 % */
    MUCH_OWN = 1000  /* share of all time from which the collector's own time is always reported, in 0.01 % */
};

/* How many ranks have data that limit the answers, by kind of limit. */
typedef struct {
    guint cut, alive, working, pausing, threaded;
    gint64 own_ns, paused_calls, missing;
} Limits;

static Limits count_limits(const HieraTrace *trace)
{
    Limits limits = {0};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        limits.cut += processor->cut;
        limits.alive += processor->alive;
        limits.working += processor->own_ns > 0;
        limits.own_ns = hiera_plus(limits.own_ns, processor->own_ns);
        limits.pausing += processor->paused_calls > 0;
        limits.paused_calls = hiera_plus(limits.paused_calls, processor->paused_calls);
        limits.threaded += processor->threaded;
        limits.missing = MAX(limits.missing, processor->size - (gint64)trace->n_processors);
    }
    return limits;
}

static void say_own_time(HieraSummary *summary, const Limits *limits)
{
    gint64 share = hiera_percent(limits->own_ns, summary->run_ns);
    if (share >= OWN_SHARE)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, share >= MUCH_OWN ? HIERA_SAY_ALWAYS : HIERA_SAY_SECOND, "",
                          "Hiera itself took %s of all time, on %s: it wrote the trace (HIERA_BUFFER), or ran scripts "
                          "and plug-ins; only the ideal run of Efficiency has that as computation",
                          hiera_summary_share(summary, limits->own_ns),
                          hiera_summary_count(summary, limits->working, "rank"));
}

/* Return the number of operations that had not ended when the run ended. */
static gint64 count_open(const HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    gint64 n = 0;
    for (guint i = 0; i < trace->open->len; i++)
        n += hiera_scope_is_own(summary->scope,
                                hiera_trace_find_processor(trace, g_array_index(trace->open, guint32, i)));
    hiera_scope_add_up(summary->scope, trace, &n, 1);
    return n;
}

static void say_counted(HieraSummary *summary, const Limits *limits)
{
    guint32 n = summary->trace->n_processors;
    gint64 n_open = count_open(summary);
    g_autofree char *open = n_open == 0
                                ? g_strdup("")
                                : g_strdup_printf("; %s had not ended", hiera_summary_count(summary, n_open, "call"));
    if (limits->alive > 0 && !hiera_trace_peek_past(summary->trace))
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "the job still runs: %u of %u ranks have not ended%s", limits->alive, n, open);
    else if (limits->cut > limits->alive)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "the traces of %u of %u ranks end before MPI_Finalize%s", limits->cut, n, open);
    if (limits->missing > 0)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "there is no trace of %" G_GINT64_FORMAT " of the job's %" G_GINT64_FORMAT
                          " ranks; waits for these are not seen",
                          limits->missing, limits->missing + n);
    if (hiera_trace_peek_past(summary->trace))
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "%s: how many is not known; these count as computation, and waits in them are not seen",
                          hiera_trace_peek_past(summary->trace));
    if (limits->pausing > 0)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "recording was off for %s, on %u of %u ranks; these count as computation",
                          hiera_summary_count(summary, limits->paused_calls, "MPI call"), limits->pausing, n);
    if (summary->n_teams > 0)
        hiera_summary_say(
            summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
            "Efficiency and Threads are about all threads of OpenMP, all else here about main threads, or the "
            "thread for which they wait");
    gint64 not_counted = limits->threaded - summary->n_teams + summary->n_others;
    if (not_counted > 0)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_SECOND, "",
                          "%" G_GINT64_FORMAT " of %u ranks have further threads; what these compute is not counted",
                          not_counted, n);
}

void hiera_summary_add_unrecorded(HieraSummary *summary)
{
    HieraUnrecorded unrecorded = hiera_unrecorded_find(summary->trace, summary->scope);
    unrecorded.of_threads = summary->n_teams > 0 ? HIERA_OF_RECORDED_THREADS : NULL;
    g_autofree char *sentence = hiera_unrecorded_say(&unrecorded);
    if (sentence)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_ALWAYS, "", "%s", sentence);
}

static void say_filtered(HieraSummary *summary)
{
    gint64 count = 0;
    for (guint i = 0; i < summary->trace->filtered->len; i++)
        count = hiera_plus(count, g_array_index(summary->trace->filtered, HieraFilteredOf, i).sum.count);
    if (count > 0)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "a filter left out %s; waits for them are not seen",
                          hiera_summary_count(summary, count, "operation"));
}

/* Say it if errors of the clocks could reverse much of the waiting. */
static void say_clocks(HieraSummary *summary)
{
    HieraDoubtSums sums = hiera_clock_doubts_gather(summary->trace, summary->waits, summary->scope);
    g_autofree char *sentence = hiera_clock_doubts_say(summary->trace, &sums);
    if (sentence)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "--measure waits", "%s", sentence);
}

void hiera_summary_add_limits(HieraSummary *summary)
{
    Limits limits = count_limits(summary->trace);
    say_counted(summary, &limits);
    hiera_summary_add_unrecorded(summary);
    say_filtered(summary);
    say_clocks(summary);
    say_own_time(summary, &limits);
}
