/* Makes the sentences on threads of OpenMP that idle. See summary.h. */
#include "summary.h"
#include "threads/thread_waits.h"

enum { SENTENCES_MAX = 3, LEAST_SHARE = 100 /* in 0.01 %, of the time of all threads */ };

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
    static const HieraSaying sayings[SENTENCES_MAX] = {HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_THIRD};
    const char *cause = hiera_thread_wait_cause(row, summary->table);
    char share[HIERA_NUMBER_BYTES];
    g_autofree char *who = describe_who(summary, row);
    hiera_percent_format(share, hiera_percent(row->time_ns, waits->all_ns));
    hiera_summary_say(summary, HIERA_SUMMARY_THREADS, sayings[number - 1], "--measure threads",
                      "%u. %s %s (%s of all threads' time) %s%s%s", number, who,
                      hiera_summary_time(summary, row->time_ns), share, describe_where(summary, row),
                      *cause ? ": " : "", cause);
}

void hiera_summary_add_threads(HieraSummary *summary)
{
    HieraThreadWaits waits;
    guint said = 0;
    hiera_thread_waits_find(&waits, summary->trace, summary->scope);
    g_autofree char *crowded =
        hiera_scope_leads(summary->scope) ? hiera_thread_waits_say_crowded(&waits, summary->trace) : NULL;
    if (crowded)
        hiera_summary_say(summary, HIERA_SUMMARY_THREADS, HIERA_SAY_ALWAYS, "--measure threads", "%s", crowded);
    for (guint i = 0; hiera_scope_leads(summary->scope) && i < waits.rows->len && said < SENTENCES_MAX; i++) {
        const HieraThreadWait *row = &g_array_index(waits.rows, HieraThreadWait, i);
        if (hiera_percent(row->time_ns, waits.all_ns) >= LEAST_SHARE)
            say(summary, &waits, row, ++said);
    }
    if (waits.n_ranks > 0 && said == 0 && hiera_scope_leads(summary->scope))
        hiera_summary_say(summary, HIERA_SUMMARY_THREADS, HIERA_SAY_SECOND, "--measure threads",
                          "threads of OpenMP idle nowhere for 1 %% of their time");
    hiera_thread_waits_clear(&waits);
}
