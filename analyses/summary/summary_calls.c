/* Finds calls that cost much for what they do: small messages, small collectives, files. See summary.h. */
#include "calls/span_cutter.h"
#include "summary.h"
#include <string.h>

enum {
    SMALL_BYTES = 1000,  /* messages and collectives with fewer bytes on average are small */
    SMALL_COUNT = 10000, /* least number of small messages or calls for a sentence */
    LEAST_SHARE = 100,   /* least share of the run that such calls take for a sentence, in 0.01 % */
    UNLIKE_PERCENT = 150 /* least time of a rank in file calls for being named, in percent of the median of all ranks */
};

static gboolean matters(HieraSummary *summary, gint64 time_ns)
{
    gint64 share = hiera_percent(time_ns, summary->run_ns);
    if (share < LEAST_SHARE)
        return FALSE;
    summary->worst_call = MAX(summary->worst_call, share);
    return TRUE;
}

/* --- small collectives --- */

/* Small collectives of one name whose callers have one name, and make one such call each. */
typedef struct {
    guint32 node, caller; /* first node, and its caller; both are equal if no operation makes one such call each time */
    guint32 other;        /* caller of another node with these names; HIERA_NONE: there is one caller */
    guint callers;
    gint64 calls, bytes, time_ns;
} Small;

typedef struct {
    const HieraSummary *summary;
    const gint64 *calls, *bytes; /* by node: number of its calls that take part in collectives, and their bytes */
    const gint64 *operations;    /* by node: number of its operations */
    gint64 *mpi;                 /* by node: number of MPI calls in it, with all below it */
    gint64 *inclusive_ns;        /* by node: time in it and all below it, waits included */
    GHashTable *places, *seen;   /* names of caller and collective → index in `all` + 1; set of counted callers */
    GArray *all;                 /* Small */
} Search;

/* Set inclusive_ns, waits included. */
static void sum_times(const Search *search)
{
    const HieraSummary *summary = search->summary;
    memcpy(search->inclusive_ns, summary->own_ns, summary->paths.tree->nodes->len * sizeof *search->inclusive_ns);
    for (guint32 node = 0; node < summary->paths.tree->nodes->len; node++)
        search->inclusive_ns[node] = hiera_plus(search->inclusive_ns[node], summary->nodes.waiting_ns[node]);
    for (guint32 node = summary->paths.tree->nodes->len; node-- > 1;) {
        gint64 *around = &search->inclusive_ns[hiera_call_tree_peek(summary->paths.tree, node)->parent];
        *around = hiera_plus(*around, search->inclusive_ns[node]);
    }
}

static void count_mpi_calls(const Search *search)
{
    const HieraCallPaths *paths = &search->summary->paths;
    for (guint32 node = paths->tree->nodes->len; node-- > 1;) {
        const HieraSite *site = hiera_call_paths_site(paths, node);
        search->mpi[node] += site && site->mpi ? search->operations[node] : 0;
        search->mpi[hiera_call_tree_peek(paths->tree, node)->parent] += search->mpi[node];
    }
}

/* Return the outermost operation around a node that makes no other MPI calls, and on average at most one call of the
 * node; if there is none, the node. */
static guint32 find_caller(const Search *search, guint32 node)
{
    guint32 caller = node;
    for (guint32 at = node; (at = hiera_call_tree_peek(search->summary->paths.tree, at)->parent) != 0;)
        caller =
            search->operations[at] >= search->operations[node] && search->mpi[at] == search->mpi[node] ? at : caller;
    return caller;
}

static void add_small(const Search *search, guint32 node)
{
    const HieraCallPaths *paths = &search->summary->paths;
    guint32 caller = find_caller(search, node);
    char *key = g_strdup_printf("%s %s", hiera_cause_name(paths, caller, search->summary->table),
                                hiera_cause_name(paths, node, search->summary->table));
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, key));
    if (place == 0) {
        Small small = {.node = node, .caller = caller, .other = HIERA_NONE};
        g_array_append_val(search->all, small);
        place = search->all->len;
    }
    g_hash_table_replace(search->places, key, GUINT_TO_POINTER(place));
    Small *small = &g_array_index(search->all, Small, place - 1);
    small->calls += search->calls[node];
    small->bytes = hiera_plus(small->bytes, search->bytes[node]);
    if (!g_hash_table_add(search->seen, GUINT_TO_POINTER(caller)))
        return;
    small->time_ns = hiera_plus(small->time_ns, search->inclusive_ns[caller]);
    small->other = ++small->callers == 2 ? caller : small->other;
}

/* Return where the other callers are, like " and x.c:5"; "" if there are none. The table owns the text. */
static const char *name_others(const HieraSummary *summary, const Small *small)
{
    if (small->callers < 2)
        return "";
    const HieraSite *site = hiera_call_paths_site(&summary->paths, small->other);
    g_autofree char *place = site ? hiera_site_place(site) : g_strdup("");
    g_autofree char *text = small->callers == 2 ? g_strdup_printf(" and %s", *place ? place : "elsewhere")
                                                : g_strdup_printf(" and %u other places", small->callers - 1);
    return hiera_table_keep(summary->table, text);
}

static void say_small(HieraSummary *summary, const Small *small)
{
    const HieraSite *site = hiera_call_paths_site(&summary->paths, small->node);
    g_autofree char *what = small->caller == small->node ? g_strdup_printf("and send") : NULL;
    if (!what)
        what = g_strdup_printf("each for %s %s of", strchr("aeiou", *site->operation) ? "an" : "a", site->operation);
    hiera_summary_say(summary, HIERA_SUMMARY_CALLS, HIERA_SAY_FIRST, "--measure matrix --by collective",
                      "%s of %s%s take %s of all time, %s only %" G_GINT64_FORMAT " bytes on average: combine them",
                      hiera_summary_count(summary, small->calls, "call"), hiera_summary_place(summary, small->caller),
                      name_others(summary, small), hiera_summary_share(summary, small->time_ns), what,
                      small->bytes / small->calls);
}

static void say_worst(HieraSummary *summary, const GArray *all)
{
    const Small *worst = NULL;
    for (guint i = 0; i < all->len; i++) {
        const Small *small = &g_array_index(all, Small, i);
        if (small->calls >= SMALL_COUNT && (!worst || small->time_ns > worst->time_ns))
            worst = small;
    }
    if (worst && matters(summary, worst->time_ns))
        say_small(summary, worst);
}

static void add_small_collectives(HieraSummary *summary)
{
    const guint32 n = summary->paths.tree->nodes->len;
    const HieraSummaryNodes *nodes = &summary->nodes;
    g_autofree gint64 *mpi = g_new0(gint64, n), *inclusive = g_new0(gint64, n);
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                          seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Small));
    const Search search = {summary, nodes->calls, nodes->bytes, nodes->operations, mpi, inclusive, places, seen, all};
    count_mpi_calls(&search);
    sum_times(&search);
    for (guint32 node = 1; node < n; node++) {
        if (nodes->calls[node] > 0 && nodes->bytes[node] / nodes->calls[node] < SMALL_BYTES)
            add_small(&search, node);
    }
    say_worst(summary, all);
}

/* --- small messages --- */

/* Return the time, without waits, of calls in chosen nodes. @param takes_part  by node: 0 if it is left out */
static gint64 sum_nodes(const HieraSummary *summary, const gint64 *takes_part)
{
    gint64 sum_ns = 0;
    for (guint32 node = 1; node < summary->paths.tree->nodes->len; node++)
        sum_ns = hiera_plus(sum_ns, takes_part[node] ? summary->own_ns[node] : 0);
    return sum_ns;
}

static void add_small_messages(HieraSummary *summary)
{
    const HieraSummaryNodes *nodes = &summary->nodes;
    gint64 n = nodes->n_messages, bytes = nodes->message_bytes, time_ns = sum_nodes(summary, nodes->messages);
    guint32 most = 0;
    for (guint32 node = 1; node < summary->paths.tree->nodes->len; node++)
        most = nodes->sent[node] > nodes->sent[most] || most == 0 ? node : most;
    if (n < SMALL_COUNT || bytes / n >= SMALL_BYTES || most == 0 || !matters(summary, time_ns))
        return;
    hiera_summary_say(summary, HIERA_SUMMARY_CALLS, HIERA_SAY_FIRST, "--measure histogram --by communicator",
                      "%s have only %" G_GINT64_FORMAT
                      " bytes on average, most from %s; their calls take %s of all time, waits apart: gather them",
                      hiera_summary_count(summary, n, "message"), bytes / n, hiera_summary_place(summary, most),
                      hiera_summary_share(summary, time_ns));
}

/* --- calls on files --- */

static gboolean is_file_call(const HieraSummary *summary, guint32 node)
{
    const HieraSite *site = hiera_call_paths_site(&summary->paths, node);
    return site && !hiera_call_paths_computes(&summary->paths, node) && hiera_site_does(site) == HIERA_DOES_IO;
}

static int compare_numbers(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* Return a text on the slowest rank, like "; rank 2 takes 41.6 ms, the median of all ranks is 12.1 ms"; "" if it is not
 * unusual. */
static char *name_slow_rank(const HieraSummary *summary)
{
    guint32 n = summary->trace->n_processors, longest = 0;
    g_autofree gint64 *times = g_new0(gint64, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        const HieraRankTimes *of = &summary->delays->times[i];
        for (guint32 k = 0; k < of->n_nodes; k++)
            times[i] =
                hiera_plus(times[i], is_file_call(summary, of->nodes[k]) ? hiera_rank_times_of(of, of->nodes[k]) : 0);
        longest = times[i] > times[longest] ? i : longest;
    }
    const HieraProcessor *slow = &summary->trace->processors[longest];
    gint64 longest_ns = times[longest];
    qsort(times, n, sizeof *times, compare_numbers);
    gint64 median_ns = times[(n - 1) / 2], apart = longest_ns - median_ns;
    if (n < 3 || hiera_percent(longest_ns, median_ns) < UNLIKE_PERCENT * 100 * (median_ns > 0) ||
        hiera_percent(apart, slow->finalize_ns - slow->init_ns) < LEAST_SHARE ||
        !hiera_scope_accepts_rank(summary->scope, slow->rank))
        return g_strdup("");
    return g_strdup_printf("; rank %u takes %s, the median of all ranks is %s", slow->rank,
                           hiera_summary_time(summary, longest_ns), hiera_summary_time(summary, median_ns));
}

static void add_files(HieraSummary *summary)
{
    gint64 sum_ns = 0;
    guint32 most = 0;
    for (guint32 node = 1; node < summary->paths.tree->nodes->len; node++) {
        if (!is_file_call(summary, node))
            continue;
        sum_ns = hiera_plus(sum_ns, summary->own_ns[node]);
        most = most == 0 || summary->own_ns[node] > summary->own_ns[most] ? node : most;
    }
    if (most == 0 || !matters(summary, sum_ns))
        return;
    g_autofree char *slow = name_slow_rank(summary);
    hiera_summary_say(summary, HIERA_SUMMARY_CALLS, HIERA_SAY_FIRST, "--measure io --by rank",
                      "files take %s (%s of all time), most in %s%s", hiera_summary_time(summary, sum_ns),
                      hiera_summary_share(summary, sum_ns), hiera_summary_place(summary, most), slow);
}

void hiera_summary_add_calls(HieraSummary *summary)
{
    if (!hiera_scope_leads(summary->scope))
        return;
    add_small_collectives(summary);
    add_small_messages(summary);
    add_files(summary);
}
