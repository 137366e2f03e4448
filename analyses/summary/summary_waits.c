/* The worst waits in sentences; see summary.h. Rows with the same cause form one sentence, with the place where most of
 * the waiting happens. */
#include "summary.h"
#include <string.h>

enum {
    SENTENCES_MAX = 3,
    LEAST_SHARE = 50,        /* least share of the run that a wait takes for a sentence, in 0.01 % */
    FACTOR_LEAST = 105,      /* least time of a causing rank for "takes longer", in percent of the other ranks' mean */
    FACTOR_GREATEST = 10000, /* from this percentage on, the other ranks "hardly have" what the causing rank does */
    INDIRECT_PERCENT = 10,   /* least indirect part of a cause that the sentence mentions, in percent */
    ELSEWHERE_PERCENT = 10,  /* least part of a cause at other places that the sentence mentions, in percent */
    UNSURE_PERCENT = 50,     /* least part in doubt because of the clocks that the sentence mentions, in percent */
    DELAYED_PERCENT = 10,    /* least waiting of a rank that is named, in percent of the longest waiting */
    CAUSING_PERCENT = 90 /* least part of a rank in a cause for counting as causing rank, in percent of the greatest */
};

/* All HieraCauseRow with the same causing path; unexplained waiting is one Cause for each class. */
typedef struct {
    guint32 node;
    guint8 class;
    gint64 time_ns, indirect_ns, unsure_ns;
    const HieraCauseRow *worst;
    guint places;
    GArray *delayed; /* HieraShare: waiting time in all rows, by processor */
} Cause;

static gint64 time_of(const HieraCauseRow *row)
{
    return hiera_plus(row->direct_ns, row->indirect_ns);
}

static void cause_clear(gpointer cause)
{
    g_array_unref(((Cause *)cause)->delayed);
}

static gint compare_causes(gconstpointer left, gconstpointer right)
{
    const Cause *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Merge rows into causes (Cause), the worst first; to be freed with g_array_unref.
 * @param rows  HieraCauseRow, the most expensive first */
static GArray *gather(const GArray *rows)
{
    GArray *causes = g_array_new(FALSE, FALSE, sizeof(Cause));
    g_array_set_clear_func(causes, cause_clear);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < rows->len; i++) {
        const HieraCauseRow *row = &g_array_index(rows, HieraCauseRow, i);
        gpointer key = GSIZE_TO_POINTER((gsize)row->node << 8 | (row->node == HIERA_NONE ? row->class : 0));
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, key));
        if (place == 0) {
            Cause cause = {.node = row->node,
                           .class = row->class,
                           .worst = row,
                           .delayed = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
            g_array_append_val(causes, cause);
            g_hash_table_insert(places, key, GUINT_TO_POINTER(place = causes->len));
        }
        Cause *cause = &g_array_index(causes, Cause, place - 1);
        cause->time_ns = hiera_plus(cause->time_ns, time_of(row));
        cause->indirect_ns = hiera_plus(cause->indirect_ns, row->indirect_ns);
        cause->unsure_ns = hiera_plus(cause->unsure_ns, row->unsure_ns);
        cause->places++;
        g_array_append_vals(cause->delayed, row->delayed->data, row->delayed->len);
    }
    for (guint i = 0; i < causes->len; i++)
        hiera_shares_settle(g_array_index(causes, Cause, i).delayed);
    g_array_sort(causes, compare_causes);
    return causes;
}

/* --- why a rank takes longer --- */

static gint64 most_of(const GArray *shares)
{
    gint64 most_ns = 0;
    for (guint i = 0; i < shares->len; i++)
        most_ns = MAX(most_ns, g_array_index(shares, HieraShare, i).time_ns);
    return most_ns;
}

static gint64 share_of(const GArray *shares, guint32 processor)
{
    for (guint i = 0; i < shares->len; i++) {
        if (g_array_index(shares, HieraShare, i).processor == processor)
            return g_array_index(shares, HieraShare, i).time_ns;
    }
    return 0;
}

static gboolean is_causing(const GArray *causing, guint32 processor, gint64 most_ns)
{
    return share_of(causing, processor) >= MAX(most_ns / 100 * CAUSING_PERCENT, 1);
}

/* Return the time of a rank in a node, and in the same work of other threads: of a rank the thread counts for which it
 * waits, which is now the main one, now another. */
static gint64 time_in(const HieraSummary *summary, guint32 processor, guint32 node)
{
    const HieraCallTree *tree = summary->paths.tree;
    const HieraRankTimes *times = &summary->delays->times[processor];
    guint32 site = hiera_call_tree_peek(tree, node)->site;
    gboolean is_further = hiera_call_tree_is_further(tree, node);
    gint64 time_ns = hiera_rank_times_of(times, node);
    for (guint32 i = 0; i < times->n_nodes; i++) {
        guint32 other = times->nodes[i];
        if (hiera_call_tree_peek(tree, other)->site == site && hiera_call_tree_is_further(tree, other) != is_further)
            time_ns = hiera_plus(time_ns, hiera_rank_times_of(times, other));
    }
    return time_ns;
}

/* Return the mean time in a node of the ranks of `shares` that have at least a part of `most_ns`, in percent. */
static gint64 mean_time(const HieraSummary *summary, guint32 node, const GArray *shares, gint64 most_ns, gint64 part)
{
    __int128 sum_ns = 0;
    gint64 n = 0;
    for (guint i = 0; i < shares->len; i++) {
        const HieraShare *share = &g_array_index(shares, HieraShare, i);
        if (share->time_ns < most_ns / 100 * part)
            continue;
        sum_ns += time_in(summary, share->processor, node);
        n++;
    }
    return n > 0 ? (gint64)(sum_ns / n) : 0;
}

/* A wait is caused by the rank that comes last. Others that take as long came hardly earlier: if that one alone becomes
 * faster, nobody waits less. Add those that hardly wait, and take about as much longer than the delayed ranks. */
static void add_alike(const HieraSummary *summary, const Cause *cause)
{
    const HieraCauseRow *row = cause->worst;
    gint64 most_ns = most_of(row->causing), waited_ns = most_of(cause->delayed),
           fast_ns = mean_time(summary, row->node, cause->delayed, waited_ns, DELAYED_PERCENT),
           longer_ns = mean_time(summary, row->node, row->causing, most_ns, CAUSING_PERCENT) - fast_ns;
    if (longer_ns < waited_ns / 2)
        return;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        gint64 more_ns = time_in(summary, i, row->node) - fast_ns;
        if (!is_causing(row->causing, i, most_ns) && share_of(cause->delayed, i) < waited_ns / 100 * DELAYED_PERCENT &&
            more_ns >= longer_ns / 100 * CAUSING_PERCENT)
            hiera_shares_add(row->causing, i, most_ns - share_of(row->causing, i));
    }
    hiera_shares_settle(row->causing);
}

/* Return the causing ranks' mean time in the causing path, in percent of that of the others that have it; 0: none has.
 */
static gint64 factor_of(const HieraSummary *summary, const HieraCauseRow *row)
{
    gint64 most_ns = most_of(row->causing);
    __int128 slow_ns = 0, other_ns = 0;
    gint64 n_slow = 0, n_other = 0;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        gint64 time_ns = time_in(summary, i, row->node);
        if (is_causing(row->causing, i, most_ns)) {
            slow_ns += time_ns;
            n_slow++;
        } else if (time_ns > 0) {
            other_ns += time_ns;
            n_other++;
        }
    }
    return other_ns == 0 || n_slow == 0 ? 0 : (gint64)(slow_ns * n_other * 100 / (other_ns * n_slow));
}

/* Return the place of a cause, like " (ring.c:10)"; to be freed with g_free. Empty if it is the place of the wait,
 * which the sentence has just named. */
static char *place_of(const HieraSummary *summary, const HieraCauseRow *row)
{
    const HieraSite *site = hiera_call_paths_site(&summary->paths, row->node),
                    *wait = hiera_call_paths_site(&summary->paths, row->at);
    g_autofree char *place = site ? hiera_site_place(site) : g_strdup(""),
                    *named = wait ? hiera_site_place(wait) : NULL;
    return *place && g_strcmp0(place, named) != 0 ? g_strdup_printf(" (%s)", place) : g_strdup("");
}

/* Whether all ranks are causing ranks of a wait. */
static gboolean is_of_all(const HieraSummary *summary, const HieraCauseRow *row)
{
    gint64 most_ns = most_of(row->causing);
    guint32 i = 0;
    while (i < summary->trace->n_processors && is_causing(row->causing, i, most_ns))
        i++;
    return i == summary->trace->n_processors;
}

/* Return the reason, like "its compute (ring.c:10) takes 1.6 times as long as on the others"; to be freed with g_free.
 */
static char *explain(const HieraSummary *summary, const HieraCauseRow *row, gboolean several)
{
    const HieraSite *site = hiera_call_paths_site(&summary->paths, row->node);
    const char *its = several ? "their" : "its";
    gint64 factor = factor_of(summary, row);
    g_autofree char *place = place_of(summary, row), *what = NULL;
    if (site)
        what = g_strdup_printf("%s %s%s", its, hiera_summary_name(summary, row->node), place);
    else if (hiera_call_paths_is_own(&summary->paths, row->node))
        what = g_strdup(HIERA_ITSELF);
    else
        what = g_strdup_printf("%s computation", its);
    if (is_of_all(summary, row))
        return g_strdup_printf(several ? "%s, in turn" : "%s", what);
    if (factor == 0)
        return g_strdup_printf("%s, which the others do not have", what);
    if (factor >= FACTOR_GREATEST)
        return g_strdup_printf("%s, which the others hardly have", what);
    if (factor < FACTOR_LEAST)
        return g_strdup_printf("%s, which comes late", what);
    if (factor >= 1000)
        return g_strdup_printf("%s takes %" G_GINT64_FORMAT " times as long as on the others", what, factor / 100);
    return g_strdup_printf("%s takes %.1f times as long as on the others", what, (double)factor / 100);
}

/* --- parts of a sentence on a wait --- */

/* Return the ranks (HieraShare) that wait for a cause, without those that cause it or hardly wait; to be freed with
 * g_array_unref. */
static GArray *find_delayed(const Cause *cause)
{
    gint64 most_ns = 0, most_caused_ns = most_of(cause->worst->causing);
    GArray *others = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    for (guint i = 0; i < cause->delayed->len; i++) {
        const HieraShare *share = &g_array_index(cause->delayed, HieraShare, i);
        if (is_causing(cause->worst->causing, share->processor, most_caused_ns))
            continue;
        g_array_append_vals(others, share, 1);
        most_ns = MAX(most_ns, share->time_ns);
    }
    for (guint i = others->len; i-- > 0;) {
        if (g_array_index(others, HieraShare, i).time_ns < most_ns / 100 * DELAYED_PERCENT)
            g_array_remove_index(others, i);
    }
    return others;
}

/* Return the ranks of find_delayed() as text, like "0-3 7"; the table owns the text. */
static const char *name_delayed(const HieraSummary *summary, const Cause *cause)
{
    g_autoptr(GArray) delayed = find_delayed(cause);
    return hiera_shares_name_ranks(delayed, summary->trace, 0, summary->table);
}

/* Whether each rank is a causing rank of a wait, or waits. */
static gboolean delays_all(const HieraSummary *summary, const Cause *cause)
{
    gint64 most_caused_ns = most_of(cause->worst->causing);
    g_autoptr(GArray) delayed = find_delayed(cause);
    guint n = delayed->len;
    for (guint32 i = 0; i < summary->trace->n_processors; i++)
        n += is_causing(cause->worst->causing, i, most_caused_ns);
    return n == summary->trace->n_processors;
}

static gboolean is_several(const char *ranks)
{
    return strpbrk(ranks, "- ") != NULL;
}

/* Return the first part of a sentence on a wait: time, share, place and class; to be freed with g_free. */
static char *describe_wait(const HieraSummary *summary, const Cause *cause, guint number)
{
    const HieraCauseRow *row = cause->worst;
    gboolean is_elsewhere = cause->time_ns - time_of(row) >= cause->time_ns / 100 * ELSEWHERE_PERCENT;
    return g_strdup_printf(
        "wait%s %s (%s%s) in %s%s (%s)",
        cause->node == HIERA_NONE && !is_several(name_delayed(summary, cause)) ? "s" : "",
        hiera_summary_time(summary, cause->time_ns), hiera_summary_share(summary, cause->time_ns),
        number == 1 ? " of all time" : "", hiera_cause_place(&summary->paths, row->at, summary->table),
        cause->places > 1 && is_elsewhere ? " and elsewhere" : "", hiera_wait_name((HieraWaitClass)row->class));
}

/* Return which ranks a cause lets wait, like "lets ranks 0-1, and through them others, "; to be freed with g_free. */
static char *describe_delayed(const HieraSummary *summary, const Cause *cause, gboolean several)
{
    const char *delayed = name_delayed(summary, cause), *chain = "";
    gboolean several_wait = is_several(delayed);
    if (!*delayed) /* only the causing ranks themselves wait */
        return g_strdup(several ? "let each other " : "lets itself ");
    if (cause->indirect_ns / INDIRECT_PERCENT >= cause->time_ns / 100) {
        if (!delays_all(summary, cause))
            chain = several_wait ? ", and through them others," : ", and through it others,";
        else if (several_wait)
            chain = ", partly through each other,";
    }
    return g_strdup_printf("%s rank%s %s%s ", several ? "let" : "lets", several_wait ? "s" : "", delayed, chain);
}

static char *explain_unexplained(const HieraSummary *summary, const HieraCauseRow *row)
{
    gboolean completion = row->class == HIERA_WAIT_BARRIER_COMPLETION || row->class == HIERA_WAIT_N_X_N_COMPLETION;
    if (hiera_call_tree_is_further(summary->paths.tree, row->at))
        return g_strdup("in further threads, of whose waits no cause is sought");
    return g_strdup(completion ? "MPI itself, or more ranks than cores" : "the trace shows no cause");
}

/* --- the example call that a sentence refers to --- */

/* A sentence that wants an example: which wait should be its row. */
typedef struct {
    guint sentence;
    guint32 class, at;
    GArray *delayed, *causing; /* guint32: processors that wait, and processors that cause the wait */
} Wanted;

/* The best example for a sentence that was found so far. */
typedef struct {
    gint64 fits, longest_ns;
    gint64 row; /* row of the waiting call in the trace of all ranks; HIERA_NONE: none fits */
} Instance;

static void wanted_clear(gpointer data)
{
    const Wanted *wanted = data;
    g_array_unref(wanted->delayed);
    g_array_unref(wanted->causing);
}

static gboolean has(const GArray *processors, guint32 processor)
{
    guint i = 0;
    while (i < processors->len && g_array_index(processors, guint32, i) != processor)
        i++;
    return i < processors->len;
}

/* Append to `all` what is wanted as an example for the sentence that was added last. */
static void want_instance(HieraSummary *summary, const Cause *cause, GArray *all)
{
    g_autoptr(GArray) delayed = find_delayed(cause);
    const HieraCauseRow *row = cause->worst;
    gint64 most_ns = most_of(row->causing);
    Wanted wanted = {summary->sentences->len - 1, row->class, row->at, g_array_new(FALSE, FALSE, sizeof(guint32)),
                     g_array_new(FALSE, FALSE, sizeof(guint32))};
    for (guint i = 0; i < delayed->len; i++)
        g_array_append_val(wanted.delayed, g_array_index(delayed, HieraShare, i).processor);
    for (guint i = 0; i < row->causing->len; i++) {
        guint32 processor = g_array_index(row->causing, HieraShare, i).processor;
        if (is_causing(row->causing, processor, most_ns))
            g_array_append_val(wanted.causing, processor);
    }
    g_array_append_val(all, wanted);
}

/* Return how well a wait of this process fits: 0 not at all, 1 by class and place, 2 also by the waiting rank, 3 also
 * by the rank that it waits for. */
static gint64 fit(const HieraSummary *summary, const Wanted *wanted, const HieraWait *wait)
{
    if (wait->class != wanted->class || summary->paths.node[wait->row] != wanted->at ||
        !hiera_summary_selects(summary, wait->row))
        return 0;
    guint32 processor = hiera_trace_find_processor(summary->trace, wait->row);
    if (!hiera_scope_is_own(summary->scope, processor))
        return 0;
    if (!has(wanted->delayed, processor))
        return 1;
    return wait->causer != HIERA_NONE && has(wanted->causing, hiera_trace_find_processor(summary->trace, wait->causer))
               ? 3
               : 2;
}

/* Whether example a is better than b: it fits better, else is longer, else has a lower row. */
static gboolean is_better(const Instance *a, const Instance *b)
{
    if (a->fits != b->fits)
        return a->fits > b->fits;
    return a->longest_ns != b->longest_ns ? a->longest_ns > b->longest_ns : a->row < b->row;
}

static Instance find_instance(const HieraSummary *summary, const Wanted *wanted)
{
    Instance best = {0, 0, HIERA_NONE};
    for (guint i = 0; i < summary->waits->len; i++) {
        const HieraWait *wait = &g_array_index(summary->waits, HieraWait, i);
        Instance found = {0, hiera_scope_clip(summary->scope, wait->begin_ns, wait->end_ns), wait->row};
        if (found.longest_ns > 0 && (found.fits = fit(summary, wanted, wait)) > 0 && is_better(&found, &best))
            best = found;
    }
    if (best.row != HIERA_NONE)
        best.row = hiera_scope_row_of_all(summary->scope, summary->trace, (guint32)best.row);
    return best;
}

typedef struct {
    GArray *wanted;
    GArray *found; /* Instance for each of `wanted`: of this process; then, in process 0, of all */
} Search;

static void pack_wanted(HieraPacker *to, gpointer user)
{
    const GArray *all = ((Search *)user)->wanted;
    hiera_pack_number(to, all->len);
    for (guint i = 0; i < all->len; i++) {
        const Wanted *wanted = &g_array_index(all, Wanted, i);
        hiera_pack_number(to, wanted->class);
        hiera_pack_number(to, wanted->at);
        hiera_pack_array(to, wanted->delayed);
        hiera_pack_array(to, wanted->causing);
    }
}

static void unpack_wanted(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        Wanted wanted = {.class = (guint32)hiera_unpack_number(from)};
        wanted.at = (guint32)hiera_unpack_number(from);
        hiera_unpack_array(from, wanted.delayed = g_array_new(FALSE, FALSE, sizeof(guint32)));
        hiera_unpack_array(from, wanted.causing = g_array_new(FALSE, FALSE, sizeof(guint32)));
        g_array_append_val(((Search *)user)->wanted, wanted);
    }
}

static void pack_found(HieraPacker *to, gpointer user)
{
    const Search *search = user;
    for (guint i = 0; i < search->wanted->len; i++)
        hiera_pack_bytes(to, &g_array_index(search->found, Instance, i), sizeof(Instance));
}

static void unpack_found(HieraUnpacker *from, gpointer user)
{
    const Search *search = user;
    for (guint i = 0; i < search->wanted->len; i++) {
        Instance found, *best = &g_array_index(search->found, Instance, i);
        hiera_unpack_bytes(from, &found, sizeof found);
        if (is_better(&found, best))
            *best = found;
    }
}

/* Find an example for each sentence, each process among its own ranks, and link it to its sentence. */
static void point_at_instances(HieraSummary *summary, GArray *wanted)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Instance));
    Search search = {wanted, found};
    hiera_scope_tell(summary->scope, summary->trace, pack_wanted, unpack_wanted, &search);
    for (guint i = 0; i < wanted->len; i++) {
        const Instance own = find_instance(summary, &g_array_index(wanted, Wanted, i));
        g_array_append_val(found, own);
    }
    hiera_scope_gather_others(summary->scope, summary->trace, pack_found, unpack_found, &search);
    for (guint i = 0; hiera_scope_leads(summary->scope) && i < wanted->len; i++)
        hiera_summary_point(summary, g_array_index(wanted, Wanted, i).sentence,
                            (guint32)g_array_index(found, Instance, i).row);
}

/* --- sentences on the worst waits --- */

static void say(HieraSummary *summary, const Cause *cause, guint number)
{
    static const HieraSaying sayings[SENTENCES_MAX] = {HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_THIRD};
    const HieraCauseRow *row = cause->worst;
    gboolean unexplained = cause->node == HIERA_NONE;
    const char *ranks =
        unexplained ? name_delayed(summary, cause) : hiera_cause_ranks(row->causing, summary->trace, summary->table);
    gboolean several = is_several(ranks),
             unsure = cause->unsure_ns > 0 && cause->unsure_ns >= cause->time_ns / 100 * UNSURE_PERCENT;
    g_autofree char *let = unexplained ? g_strdup("") : describe_delayed(summary, cause, several);
    g_autofree char *wait = describe_wait(summary, cause, number);
    g_autofree char *reason = unexplained ? explain_unexplained(summary, row) : explain(summary, row, several);
    hiera_summary_say(summary, HIERA_SUMMARY_WAITS, sayings[number - 1], "--measure waits, --measure causes",
                      "%u. rank%s %s %s%s: %s%s%s", number, several ? "s" : "", ranks, let, wait, reason,
                      hiera_trace_peek_past(summary->trace) ? ", or calls that are not recorded" : "",
                      unsure ? "; the error of the clocks could turn this round" : "");
}

/* Add the sentences. @param wanted  becomes what examples they want (Wanted) */
static void say_all(HieraSummary *summary, GArray *wanted)
{
    g_autoptr(GArray) rows = hiera_cause_rows_make(summary->delays->list), causes = gather(rows);
    guint said = 0;
    for (guint i = 0; i < causes->len && said < SENTENCES_MAX; i++) {
        const Cause *cause = &g_array_index(causes, Cause, i);
        gint64 share = hiera_percent(cause->time_ns, summary->run_ns);
        if (share < LEAST_SHARE)
            continue;
        summary->worst_wait = MAX(summary->worst_wait, share);
        if (cause->node != HIERA_NONE)
            add_alike(summary, cause);
        say(summary, cause, ++said);
        want_instance(summary, cause, wanted);
    }
    if (said == 0 && !summary->hung)
        hiera_summary_say(summary, HIERA_SUMMARY_WAITS, HIERA_SAY_FIRST, "",
                          hiera_trace_peek_past(summary->trace)
                              ? "no recorded call waits half a percent of the run"
                              : "no wait is seen that takes half a percent of the run");
}

void hiera_summary_add_waits(HieraSummary *summary)
{
    g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(Wanted));
    g_array_set_clear_func(wanted, wanted_clear);
    if (hiera_scope_leads(summary->scope))
        say_all(summary, wanted);
    point_at_instances(summary, wanted);
}
