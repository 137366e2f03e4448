/* Makes sentences on ranks that compute much longer or shorter than others. See summary.h. */
#include "alike/behaviour_groups.h"
#include "summary.h"
#include "values/outermost.h"
#include <stdlib.h>
#include <string.h>

enum {
    LONG_PERCENT = 150, /* least computation of a rank that computes long, in percent of the median */
    SHORT_PERCENT = 50, /* greatest computation of a rank that computes short, in percent of the median */
    LEAST_APART = 500,  /* least difference from the median, as share of the rank's run time, in 0.01 % */
    FEW_PERCENT = 10    /* greatest share of the ranks that compute short, in percent */
};

static int compare_numbers(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* --- a rank that differs from the others --- */

/* Return the computation of a rank, in ns. */
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

/* Return the ranks whose time is nearer to far_ns than to the median, like "0-3 7"; n_far becomes their number. */
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

/* Return whether ranks make other calls than most ranks, as text, as this may be why; to be freed with g_free. */
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

/* The rank whose computation is farthest from the median, and the ranks nearer to it than to the median. */
typedef struct {
    guint32 processor; /* processor of that rank; HIERA_NONE: none is far enough */
    gint64 time_ns, median_ns;
    const char *ranks;
    guint n;
} Far;

static void pack_far(HieraPacker *to, gpointer user)
{
    hiera_pack_number(to, ((Far *)user)->processor);
}

static void unpack_far(HieraUnpacker *from, gpointer user)
{
    ((Far *)user)->processor = (guint32)hiera_unpack_number(from);
}

static void say_far(HieraSummary *summary, const Far *far)
{
    gboolean is_short = far->time_ns < far->median_ns;
    guint n_far = far->n;
    const char *ranks = far->ranks, *about = n_far > 1 ? "up to " : "";
    g_autofree char *behaviour = describe_behaviour(summary, far->processor, n_far > 1);
    if (!hiera_scope_leads(summary->scope))
        return;
    if (is_short)
        about = "only ";
    hiera_summary_say(summary, HIERA_SUMMARY_UNUSUAL, HIERA_SAY_SECOND, "--measure imbalance --by rank",
                      "rank%s %s compute%s %s%s, the median of all ranks is %s%s", n_far > 1 ? "s" : "", ranks,
                      n_far > 1 ? "" : "s", about, hiera_summary_time(summary, far->time_ns),
                      hiera_summary_time(summary, far->median_ns), behaviour);
}

/* Find the rank that computes longest, or shortest, and those like it, if they are far from the median. */
static Far find_far(const HieraSummary *summary)
{
    Far found = {.processor = HIERA_NONE};
    guint32 n = summary->trace->n_processors, longest = 0, shortest = 0;
    g_autofree gint64 *times = g_new(gint64, (gsize)n + 1), *sorted = g_new(gint64, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        times[i] = sorted[i] = computes_ns(summary, i);
        longest = times[i] > times[longest] ? i : longest;
        shortest = times[i] < times[shortest] ? i : shortest;
    }
    if (n < 3)
        return found;
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    gint64 median_ns = sorted[n / 2], longer_ns = times[longest] - median_ns, shorter_ns = median_ns - times[shortest];
    guint32 far = longer_ns >= shorter_ns ? longest : shortest;
    const HieraProcessor *processor = &summary->trace->processors[far];
    gint64 factor = hiera_percent(times[far], median_ns) / 100;
    if (median_ns <= 0 || !hiera_scope_accepts_rank(summary->scope, processor->rank) ||
        (far == longest ? factor < LONG_PERCENT : factor > SHORT_PERCENT) ||
        hiera_percent(MAX(longer_ns, shorter_ns), processor->finalize_ns - processor->init_ns) < LEAST_APART)
        return found;
    found = (Far){far, times[far], median_ns, NULL, 0};
    found.ranks = name_ranks(summary, times, median_ns, times[far], &found.n);
    if (times[far] < median_ns && found.n > 1 && (guint64)found.n * 100 > (guint64)n * FEW_PERCENT)
        found.processor = HIERA_NONE;
    return found;
}

/* Add the sentence on ranks far from the median. All processes must call it, to compare what the ranks call. */
static void add_far_rank(HieraSummary *summary)
{
    Far far = {.processor = HIERA_NONE};
    if (hiera_scope_leads(summary->scope))
        far = find_far(summary);
    hiera_scope_tell(summary->scope, summary->trace, pack_far, unpack_far, &far);
    if (far.processor != HIERA_NONE)
        say_far(summary, &far);
}

/* With --level, --depth or --where computation is unknown: the time of a node then includes the operations inside it.
 */
void hiera_summary_add_ranks(HieraSummary *summary)
{
    if (hiera_scope_has_units(summary->scope))
        return;
    add_far_rank(summary);
    hiera_summary_add_serial(summary);
}
