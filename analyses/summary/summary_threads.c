/* Makes the sentences on threads of OpenMP that idle. See summary.h. */
#include "alike/imbalance.h"
#include "summary.h"
#include "threads/thread_waits.h"
#include "values/unrecorded.h"

enum {
    SENTENCES_MAX = 3,
    LEAST_SHARE = 100,  /* in 0.01 %, of the time of all threads */
    UNEVEN_SHARE = 200, /* in 0.01 %: overload of a region, of the time of all threads, for which it is said */
    SHORT_NS = 100000,  /* mean length of regions that are short */
    SHORT_SHARE = 500   /* in 0.01 %: idle time at their begins and ends for which it is said */
};

/* Return the least idle time of a thread or rank that is named. */
static gint64 find_least(const GArray *shares)
{
    gint64 most_ns = 0;
    for (guint i = 0; i < shares->len; i++)
        most_ns = MAX(most_ns, g_array_index(shares, HieraShare, i).time_ns);
    return most_ns / 10;
}

/* Return who idles, like "threads 1-3 of ranks 0-7 idle", "thread 1 of rank 0 idles". */
static char *describe_who(const HieraSummary *summary, const HieraThreadWait *row)
{
    const char *ranks = hiera_shares_name_ranks(row->ranks, summary->trace, find_least(row->ranks), summary->table);
    const char *threads = hiera_thread_waits_name(row->threads, find_least(row->threads), summary->table);
    gboolean one_rank = !strpbrk(ranks, " -…"), one_thread = *threads && !strpbrk(threads, " -…");
    return g_strdup_printf("%s%s%s of rank%s %s %s", one_thread ? "thread" : "threads", *threads ? " " : "", threads,
                           one_rank ? "" : "s", ranks, one_thread ? "idles" : "idle");
}

/* Return where and why, like "at the end of parallel region smooth.c:21". */
static const char *describe_where(const HieraSummary *summary, const HieraThreadWait *row)
{
    static const char *const words[] = {
        [HIERA_IDLE_NOT] = "",
        [HIERA_IDLE_START] = "until they begin in %s",
        [HIERA_IDLE_BARRIER] = "at %s",
        [HIERA_IDLE_END] = "at the end of %s",
        [HIERA_IDLE_TASKS] = "in %s",
        [HIERA_IDLE_CRITICAL] = "in %s",
        [HIERA_IDLE_LOCK] = "in %s",
        [HIERA_IDLE_SERIAL] = "in the serial part before %s",
        [HIERA_IDLE_MPI] = "while the main thread is in MPI, in %s",
        [HIERA_IDLE_UNUSED] = "because they have no part in %s",
    };
    g_autofree char *place = row->site ? hiera_site_place(row->site) : NULL;
    g_autofree char *name = row->site ? g_strdup_printf("%s%s%s", row->site->operation, *place ? " " : "", place)
                                      : g_strdup("the next operation");
    g_autoptr(GString) text = g_string_new(words[row->class]);
    g_string_replace(text, "%s", name, 1);
    return hiera_table_keep(summary->table, text->str);
}

static void say(HieraSummary *summary, const HieraThreadWaits *waits, const HieraThreadWait *row, guint number)
{
    static const HieraSaying sayings[SENTENCES_MAX] = {HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_LAST};
    const char *cause = hiera_thread_wait_cause(row, summary->trace, summary->table);
    char share[HIERA_NUMBER_BYTES];
    g_autofree char *who = describe_who(summary, row);
    hiera_percent_format(share, hiera_percent(row->time_ns, waits->all_ns));
    hiera_summary_say(summary, HIERA_SUMMARY_THREADS, sayings[number - 1], "--measure threads", "%u. %s %s (%s) %s%s%s",
                      number, who, hiera_summary_time(summary, row->time_ns), share, describe_where(summary, row),
                      *cause ? ": " : "", cause);
}

/* --- all idle time, by class --- */

typedef struct {
    guint8 class;
    gint64 time_ns;
} ClassSum;

static gint compare_sums(gconstpointer left, gconstpointer right)
{
    const ClassSum *a = left, *b = right;
    return a->time_ns != b->time_ns ? (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns)
                                    : (a->class > b->class) - (a->class < b->class);
}

/* Return the classes with most idle time, like "serial part 30.0 %, wait at barrier 11.0 %". */
static char *describe_classes(const HieraThreadWaits *waits, const ClassSum *sums)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < SENTENCES_MAX && hiera_percent(sums[i].time_ns, waits->all_ns) >= LEAST_SHARE; i++) {
        char share[HIERA_NUMBER_BYTES];
        hiera_percent_format(share, hiera_percent(sums[i].time_ns, waits->all_ns));
        g_string_append_printf(text, "%s%s %s", i > 0 ? ", " : "", hiera_thread_wait_name(sums[i].class), share);
    }
    return g_string_free(text, FALSE);
}

/* Add how much threads idle, and how. Regions so short that their begin and end take much are named. */
static void say_all(HieraSummary *summary, const HieraThreadWaits *waits)
{
    ClassSum sums[HIERA_N_THREAD_WAITS] = {{0}};
    gint64 all_ns = 0, around_ns = 0, mean_ns = hiera_mean(waits->teams_ns, waits->n_teams);
    char share[HIERA_NUMBER_BYTES];
    for (guint i = 0; i < HIERA_N_THREAD_WAITS; i++)
        sums[i].class = (guint8)i;
    for (guint i = 0; i < waits->rows->len; i++) {
        const HieraThreadWait *row = &g_array_index(waits->rows, HieraThreadWait, i);
        sums[row->class].time_ns = hiera_plus(sums[row->class].time_ns, row->time_ns);
        all_ns = hiera_plus(all_ns, row->time_ns);
    }
    around_ns = hiera_plus(sums[HIERA_IDLE_START].time_ns, sums[HIERA_IDLE_END].time_ns);
    gboolean are_short = mean_ns < SHORT_NS && hiera_percent(around_ns, waits->all_ns) >= SHORT_SHARE;
    g_autofree char *regions =
        are_short ? g_strdup_printf("; %s of %s on average", hiera_summary_count(summary, waits->n_teams, "region"),
                                    hiera_summary_time(summary, mean_ns))
                  : g_strdup("");
    qsort(sums, HIERA_N_THREAD_WAITS, sizeof *sums, compare_sums);
    g_autofree char *classes = describe_classes(waits, sums);
    hiera_percent_format(share, hiera_percent(all_ns, waits->all_ns));
    hiera_summary_say(summary, HIERA_SUMMARY_THREADS, HIERA_SAY_FIRST, "--measure threads",
                      "threads idle %s of their time%s%s%s", share, *classes ? ": " : "", classes, regions);
}

/* Name the threads of few ranks that compute longer than all others in a region. */
static void say_uneven(HieraSummary *summary, const HieraThreadWaits *waits)
{
    g_autofree char *sentence =
        hiera_imbalance_say_region(summary->match, summary->scope, waits->all_ns / 10000 * UNEVEN_SHARE);
    if (sentence)
        hiera_summary_say(summary, HIERA_SUMMARY_THREADS, HIERA_SAY_SECOND, "--measure imbalance --by region", "%s",
                          sentence);
}

void hiera_summary_add_threads(HieraSummary *summary)
{
    HieraThreadWaits waits;
    guint said = 0;
    hiera_thread_waits_find(&waits, summary->match, summary->scope);
    g_autofree char *crowded = hiera_scope_leads(summary->scope)
                                   ? hiera_thread_waits_say_crowded(&waits, summary->trace, summary->scope)
                                   : NULL;
    g_autofree char *queued = hiera_queued_say(summary->trace, summary->scope, waits.crowded);
    if (crowded)
        hiera_summary_say(summary, HIERA_SUMMARY_THREADS, HIERA_SAY_ALWAYS, "--measure threads", "%s", crowded);
    if (queued)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "", "%s", queued);
    if (waits.n_ranks > 0 && hiera_scope_leads(summary->scope))
        say_all(summary, &waits);
    say_uneven(summary, &waits);
    for (guint i = 0; hiera_scope_leads(summary->scope) && i < waits.rows->len && said < SENTENCES_MAX; i++) {
        const HieraThreadWait *row = &g_array_index(waits.rows, HieraThreadWait, i);
        if (hiera_percent(row->time_ns, waits.all_ns) >= LEAST_SHARE)
            say(summary, &waits, row, ++said);
    }
    hiera_thread_waits_clear(&waits);
}
