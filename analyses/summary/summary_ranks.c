/* Ranks unlike the others, and serial sections; see summary.h. */
#include "alike/behaviour_groups.h"
#include "calls/serial_sections.h"
#include "summary.h"
#include "values/hypotheses.h"
#include "values/outermost.h"
#include "waiting/clock_doubts.h"
#include <stdlib.h>
#include <string.h>

enum {
    LONG_PERCENT = 150, /* of the median from which a rank computes long … */
    SHORT_PERCENT = 50, /* … and up to which it computes short … */
    LEAST_APART = 500,  /* … if it is so far from the median, in hundredths of a percent of its run */
    FEW_PERCENT = 10    /* so many ranks at most are short */
};

static int compare_numbers(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* --- a rank unlike the others --- */

/* Return the time of a rank outside of MPI. */
static gint64 computes_ns(const HieraSummary *summary, guint32 processor)
{
    const HieraRankTimes *times = &summary->delays->times[processor];
    gint64 sum = 0;
    for (guint32 i = 0; i < times->n_nodes; i++) {
        if (hiera_call_paths_computes(&summary->paths, times->nodes[i]))
            sum = hiera_plus(sum, hiera_rank_times_of(times, times->nodes[i]));
    }
    return sum;
}

/* Return the ranks that are nearer to the farthest one than to the median. */
static const char *name_ranks(const HieraSummary *summary, const gint64 *times, gint64 median_ns, gint64 far_ns,
                              guint *n_far)
{
    g_autoptr(GArray) far = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        gint64 middle_ns = median_ns + (far_ns - median_ns) / 2;
        if (far_ns > median_ns ? times[i] > middle_ns : times[i] < middle_ns)
            hiera_shares_add(far, i, 1);
    }
    *n_far = far->len;
    return hiera_shares_name_ranks(far, summary->trace, 0, summary->table);
}

/* Return whether what a rank does is the reason; to be freed. */
static char *describe_behaviour(const HieraSummary *summary, guint32 processor, gboolean several)
{
    const char *they = several ? "they" : "it", *s = several ? "" : "s";
    HieraBehaviour of = hiera_behaviour_of(summary->trace, summary->scope, processor, summary->table);
    if (of.like == HIERA_BEHAVES_UNCLEAR)
        return g_strdup("");
    if (of.like == HIERA_BEHAVES_AS_MOST)
        return g_strdup_printf("; %s call%s the same as most ranks", they, s);
    if (strcmp(of.does, "end") == 0)
        return g_strdup_printf("; %s end%s where most ranks call %s", they, s, of.others_do);
    return g_strdup_printf("; %s call%s %s where most ranks %s%s", they, s, of.does,
                           strcmp(of.others_do, "end") == 0 ? "" : "call ", of.others_do);
}

static void say_far(HieraSummary *summary, const gint64 *times, guint32 far, gint64 median_ns)
{
    guint n_far;
    gboolean is_short = times[far] < median_ns;
    const char *ranks = name_ranks(summary, times, median_ns, times[far], &n_far);
    if (is_short && n_far > 1 && (guint64)n_far * 100 > (guint64)summary->trace->n_processors * FEW_PERCENT)
        return;
    g_autofree char *behaviour = describe_behaviour(summary, far, n_far > 1);
    hiera_summary_say(summary, HIERA_SUMMARY_UNUSUAL, HIERA_SAY_SECOND, "--measure imbalance --by rank",
                      "rank%s %s compute%s %s%s, the median of all ranks is %s%s", n_far > 1 ? "s" : "", ranks,
                      n_far > 1 ? "" : "s",
                      is_short    ? "only "
                      : n_far > 1 ? "up to "
                                  : "",
                      hiera_summary_time(summary, times[far]), hiera_summary_time(summary, median_ns), behaviour);
}

/* Name the ranks that compute longest, or shortest, if they are far from the median. */
static void add_far_rank(HieraSummary *summary)
{
    guint32 n = summary->trace->n_processors, longest = 0, shortest = 0;
    g_autofree gint64 *times = g_new(gint64, (gsize)n + 1), *sorted = g_new(gint64, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        times[i] = sorted[i] = computes_ns(summary, i);
        longest = times[i] > times[longest] ? i : longest;
        shortest = times[i] < times[shortest] ? i : shortest;
    }
    if (n < 3)
        return;
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    gint64 median_ns = sorted[n / 2], longer_ns = times[longest] - median_ns, shorter_ns = median_ns - times[shortest];
    guint32 far = longer_ns >= shorter_ns ? longest : shortest;
    const HieraProcessor *processor = &summary->trace->processors[far];
    gint64 factor = hiera_percent(times[far], median_ns) / 100;
    if (median_ns > 0 && hiera_scope_accepts_rank(summary->scope, processor->rank) &&
        (far == longest ? factor >= LONG_PERCENT : factor <= SHORT_PERCENT) &&
        hiera_percent(MAX(longer_ns, shorter_ns), processor->finalize_ns - processor->init_ns) >= LEAST_APART)
        say_far(summary, times, far, median_ns);
}

/* --- serial sections --- */

/* The time in which only one rank computes. */
typedef struct {
    HieraSummary *summary;
    gint64 time_ns, sections;
    gint64 *by_node; /* times */
    guint32 node;    /* whose times by processor are asked for; HIERA_NONE: not yet known */
    gint64 *by_processor;
    gboolean *computes; /* by node */
    guint32 *next;      /* by processor: the first segment that was not searched yet */
    guint32 *alone;     /* by processor: the last segment in which it was alone */
} Serial;

static gboolean computes_in(const Serial *serial, const HieraRankTimes *times, guint32 segment)
{
    guint32 place = times->place[segment];
    return place != HIERA_NONE && serial->computes[times->nodes[place]];
}

/* The next segments of a rank in which it computes, as far as they follow each other. */
static gint64 next_computation(guint32 processor, gint64 *end_ns, gpointer user)
{
    Serial *serial = user;
    const HieraRankTimes *times = &serial->summary->delays->times[processor];
    guint32 first = serial->next[processor], last = times->n_segments - 1;
    while (first < last && !computes_in(serial, times, first))
        first++;
    guint32 behind = first;
    while (behind < last && computes_in(serial, times, behind))
        behind++;
    serial->next[processor] = behind;
    *end_ns = times->start_ns[behind];
    return first < behind ? times->start_ns[first] : HIERA_TIME_OPEN;
}

static void add_to_node(Serial *serial, guint32 processor, guint32 node, gint64 begin_ns, gint64 end_ns)
{
    gint64 time_ns = hiera_scope_clip(serial->summary->scope, begin_ns, end_ns);
    if (time_ns == 0)
        return;
    gint64 *sum = &serial->by_processor[processor];
    if (node == serial->node)
        *sum = hiera_plus(*sum, time_ns);
    if (serial->node != HIERA_NONE)
        return;
    serial->by_node[node] = hiera_plus(serial->by_node[node], time_ns);
    serial->time_ns = hiera_plus(serial->time_ns, time_ns);
    serial->sections++;
}

/* A section, segment by segment. */
static void add_section(guint32 processor, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    Serial *serial = user;
    const HieraSummary *summary = serial->summary;
    const HieraRankTimes *times = &summary->delays->times[processor];
    const gint64 *start_ns = times->start_ns;
    if (!hiera_scope_accepts_rank(summary->scope, summary->trace->processors[processor].rank))
        return;
    guint32 i = serial->alone[processor];
    while (start_ns[i + 1] <= begin_ns)
        i++;
    serial->alone[processor] = i;
    for (; start_ns[i] < end_ns; i++)
        add_to_node(serial, processor, times->nodes[times->place[i]], MAX(start_ns[i], begin_ns),
                    MIN(start_ns[i + 1], end_ns));
}

/* Where the time of the ranks went is known from the delays: the traces need not be cut into spans once more. */
static void find_sections(Serial *serial)
{
    const HieraComputations of = {serial->summary->trace->n_processors, next_computation, add_section, serial};
    memset(serial->next, 0, of.n_ranks * sizeof *serial->next);
    memset(serial->alone, 0, of.n_ranks * sizeof *serial->alone);
    hiera_serial_sections_find(&of);
}

/* Whether the trace has all that MPI does: what is not seen would look like computation, or like a rank at rest. */
static gboolean shows_all(const HieraTrace *trace)
{
    for (guint i = 0; i < trace->filtered->len; i++) {
        if (g_array_index(trace->filtered, HieraFilteredOf, i).sum.site->mpi)
            return FALSE;
    }
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (processor->size > (gint64)trace->n_processors || processor->paused_calls > 0 || processor->cut)
            return FALSE;
    }
    return TRUE;
}

/* The time less what the error of the clocks may account for. */
static gint64 sure_time(const Serial *serial)
{
    gint64 error_ns;
    if (__builtin_mul_overflow(hiera_clock_doubts_of(serial->summary->trace).greatest_ns, serial->sections, &error_ns))
        return 0;
    return serial->time_ns - error_ns;
}

/* Find the node with most of the time, and in it the rank. */
static guint32 find_most(Serial *serial)
{
    const HieraSummary *summary = serial->summary;
    guint32 most = 0, rank = 0;
    for (guint32 node = 0; node < summary->paths.tree->nodes->len; node++)
        most = serial->by_node[node] > serial->by_node[most] ? node : most;
    serial->node = most;
    find_sections(serial);
    for (guint32 i = 0; i < summary->trace->n_processors; i++)
        rank = serial->by_processor[i] > serial->by_processor[rank] ? i : rank;
    return rank;
}

static void say_serial(HieraSummary *summary, Serial *serial, gint64 run_ns)
{
    char share[HIERA_NUMBER_BYTES];
    guint32 processor = find_most(serial);
    hiera_percent_format(share, hiera_percent(serial->time_ns, run_ns));
    hiera_summary_say(summary, HIERA_SUMMARY_UNUSUAL, HIERA_SAY_SECOND, "--measure bottlenecks",
                      "only one rank computes for %s (%s of the run), most of it rank %u in %s: %s",
                      hiera_summary_time(summary, serial->time_ns), share, summary->trace->processors[processor].rank,
                      hiera_summary_place(summary, serial->node),
                      hiera_summary_time(summary, serial->by_processor[processor]));
}

static void add_serial(HieraSummary *summary)
{
    gint64 thresholds[HIERA_N_THRESHOLDS];
    gint64 run_ns = hiera_scope_clip(summary->scope, summary->begin_ns, summary->end_ns);
    g_autofree gint64 *by_node = g_new0(gint64, summary->paths.tree->nodes->len),
                      *by_processor = g_new0(gint64, (gsize)summary->trace->n_processors + 1);
    g_autofree gboolean *computes = g_new(gboolean, summary->paths.tree->nodes->len);
    g_autofree guint32 *next = g_new(guint32, (gsize)summary->trace->n_processors + 1),
                       *alone = g_new(guint32, (gsize)summary->trace->n_processors + 1);
    Serial serial = {summary, 0, 0, by_node, HIERA_NONE, by_processor, computes, next, alone};
    if (!shows_all(summary->trace))
        return;
    for (guint32 node = 0; node < summary->paths.tree->nodes->len; node++)
        computes[node] = hiera_call_paths_computes(&summary->paths, node);
    find_sections(&serial);
    if (hiera_thresholds_parse(NULL, thresholds) &&
        hiera_percent(sure_time(&serial), run_ns) >= thresholds[HIERA_HYPOTHESIS_SERIAL])
        say_serial(summary, &serial, run_ns);
}

/* With --level, --depth or --where, what is computation is not known: nodes have the time of what is inside them. */
void hiera_summary_add_ranks(HieraSummary *summary)
{
    if (hiera_scope_has_units(summary->scope))
        return;
    add_far_rank(summary);
    add_serial(summary);
}
