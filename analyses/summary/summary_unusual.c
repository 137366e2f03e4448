/* What is unusual about a run, and what limits the answers; see summary.h. */
#include "summary.h"

enum {
    SMALL_BYTES = 1000,     /* messages of fewer bytes are small … */
    SMALL_COUNT = 10000,    /* … and worth a sentence from so many on */
    FLUSH_SHARE = 100,      /* hundredths of a percent that writing the trace may take */
    DIFFERENT_PERCENT = 150 /* of the median from which a rank's computation is unlike the others' */
};

/* True if the rank that executed an operation is in the scope. */
static gboolean is_selected(const HieraSummary *summary, guint32 row)
{
    guint32 processor = hiera_trace_find_processor(summary->trace, row);
    return hiera_scope_accepts_rank(summary->scope, summary->trace->processors[processor].rank);
}

static void add_small_messages(const HieraSummary *summary)
{
    guint n = 0, n_all;
    gint64 bytes = 0;
    const HieraMessage *messages = hiera_match_peek_messages(summary->match, &n_all);
    for (guint i = 0; i < n_all; i++) {
        if (!is_selected(summary, messages[i].from))
            continue;
        n++;
        bytes = hiera_plus(bytes, MAX(summary->trace->bytes[messages[i].from], 0));
    }
    if (n < SMALL_COUNT || bytes / n >= SMALL_BYTES)
        return;
    hiera_summary_say(summary, "Unusual", -1, "--measure histogram",
                      "%u messages have only %" G_GINT64_FORMAT " bytes on average: gather them", n, bytes / n);
}

/* The small collectives of one node of the call paths. */
typedef struct {
    gint64 calls, bytes;
} Small;

static void say_small_collectives(const HieraSummary *summary, guint32 node, const Small *small)
{
    guint32 parent = hiera_call_tree_peek(summary->paths.tree, node)->parent;
    const char *place = hiera_cause_place(&summary->paths, node, summary->table),
               *caller = hiera_cause_place(&summary->paths, parent, summary->table);
    hiera_summary_say(summary, "Unusual", -1, "--measure matrix --by collective",
                      "%" G_GINT64_FORMAT " calls of %s%s%s send only %" G_GINT64_FORMAT
                      " bytes each on average: combine them",
                      small->calls, place, *caller ? ", called by " : "", caller, small->bytes / small->calls);
}

/* Name the collective with most calls, if these are many and small. */
static void add_small_collectives(const HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    guint32 n = summary->paths.tree->nodes->len, most = 0;
    g_autofree Small *all = g_new0(Small, n);
    for (guint32 row = 0; row < trace->n_operations; row++) {
        if (hiera_match_collective(summary->match, row) == HIERA_NONE || !is_selected(summary, row))
            continue;
        Small *small = &all[summary->paths.node[row]];
        small->calls++;
        small->bytes = hiera_plus(small->bytes, MAX(trace->bytes[row], 0));
    }
    for (guint32 node = 1; node < n; node++)
        most = all[node].calls > all[most].calls ? node : most;
    if (most != 0 && all[most].calls >= SMALL_COUNT && all[most].bytes / all[most].calls < SMALL_BYTES)
        say_small_collectives(summary, most, &all[most]);
}

static int compare_numbers(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* Return the time of a rank outside of MPI. */
static gint64 computes_ns(const HieraSummary *summary, guint32 processor)
{
    const HieraRankTimes *times = &summary->delays->times[processor];
    gint64 sum = 0;
    for (guint32 i = 0; i < times->n_nodes; i++) {
        const HieraSite *site = hiera_call_paths_site(&summary->paths, times->nodes[i]);
        gboolean before = hiera_call_tree_peek(summary->paths.tree, times->nodes[i])->site & HIERA_CALL_BEFORE;
        if (!site || !site->mpi || before)
            sum = hiera_plus(sum, hiera_rank_times_of(times, times->nodes[i]));
    }
    return sum;
}

/* Name the rank that computes longest, if it is far from the median. */
static void add_different_rank(const HieraSummary *summary)
{
    guint32 n = summary->trace->n_processors, longest = 0;
    g_autofree gint64 *times = g_new(gint64, n + 1), *sorted = g_new(gint64, n + 1);
    for (guint32 i = 0; i < n; i++) {
        times[i] = sorted[i] = computes_ns(summary, i);
        longest = times[i] > times[longest] ? i : longest;
    }
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    gint64 median_ns = sorted[n / 2];
    if (n < 3 || !hiera_scope_accepts_rank(summary->scope, summary->trace->processors[longest].rank) ||
        median_ns <= 0 || times[longest] / DIFFERENT_PERCENT <= median_ns / 100)
        return;
    char time[HIERA_NUMBER_BYTES], median[HIERA_NUMBER_BYTES];
    hiera_time_format(time, times[longest]);
    hiera_time_format(median, median_ns);
    hiera_summary_say(summary, "Unusual", -1, "--measure times",
                      "rank %u computes for %s, the median of all ranks is %s",
                      summary->trace->processors[longest].rank, time, median);
}

/* --- what limits the answers --- */

static void add_ended(const HieraSummary *summary)
{
    guint cut = 0, flushing = 0;
    gint64 flush_ns = 0;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        const HieraProcessor *processor = &summary->trace->processors[i];
        cut += processor->cut;
        flushing += processor->flush_ns > 0;
        flush_ns = hiera_plus(flush_ns, processor->flush_ns);
    }
    if (cut > 0)
        hiera_summary_say(summary, "Limits", -1, "", "%u of %u ranks ended before MPI_Finalize; %u calls had not ended",
                          cut, summary->trace->n_processors, summary->trace->open->len);
    gint64 share = hiera_percent(flush_ns, summary->run_ns);
    if (share < FLUSH_SHARE)
        return;
    char number[HIERA_NUMBER_BYTES];
    hiera_percent_format(number, share);
    hiera_summary_say(summary, "Limits", -1, "", "writing the trace took %s of the run, on %u ranks (HIERA_BUFFER)",
                      number, flushing);
}

static void add_filtered(const HieraSummary *summary)
{
    gint64 count = 0;
    for (guint i = 0; i < summary->trace->filtered->len; i++)
        count = hiera_plus(count, g_array_index(summary->trace->filtered, HieraFilteredOf, i).sum.count);
    if (count > 0)
        hiera_summary_say(summary, "Limits", -1, "",
                          "a filter left out %" G_GINT64_FORMAT " operations; waits for them are not seen", count);
}

/* Say so if the clocks are not exact enough for waits as long as these. */
static void add_clocks(const HieraSummary *summary)
{
    gint64 error_ns = 0, waiting_ns = 0;
    gboolean unknown = FALSE;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        gint64 of_rank = summary->trace->processors[i].clock_error_ns;
        unknown = unknown || (of_rank == HIERA_CLOCK_ERROR_UNKNOWN && *summary->trace->processors[i].clock);
        error_ns = MAX(error_ns, of_rank);
    }
    for (guint i = 0; i < summary->waits->len; i++) {
        const HieraWait *wait = &g_array_index(summary->waits, HieraWait, i);
        waiting_ns = hiera_plus(waiting_ns, wait->end_ns - wait->begin_ns);
    }
    if (summary->waits->len == 0 || (!unknown && waiting_ns / summary->waits->len > error_ns))
        return;
    char error[HIERA_NUMBER_BYTES];
    hiera_time_format(error, error_ns);
    if (unknown)
        hiera_summary_say(summary, "Limits", -1, "",
                          "the clocks of the ranks were not compared to the end: waits may be wrong");
    else if (error_ns > 0)
        hiera_summary_say(summary, "Limits", -1, "",
                          "the clocks are exact to %s: most waits are shorter, and may be wrong", error);
}

void hiera_summary_add_unusual(const HieraSummary *summary)
{
    add_different_rank(summary);
    add_small_messages(summary);
    add_small_collectives(summary);
    add_ended(summary);
    add_filtered(summary);
    add_clocks(summary);
}
