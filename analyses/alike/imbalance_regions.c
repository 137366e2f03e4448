/* How much the threads of all ranks differ in each parallel region: the useful time that each has there. What is
 * outside of regions is a row as well, so that all rows are the useful time of all threads. */
#include "imbalance.h"
#include "threads/rank_threads.h"
#include "threads/thread_forms.h"
#include "values/outermost.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    {"region", HIERA_CELL_TEXT, HIERA_ROLE_KEY},           {"threads", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},        {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"median", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, {"overload", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},    {"longest", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};

enum { NAMES_MAX = 8 }; /* number of threads that `longest` names */

/* Useful time of a thread. */
typedef struct {
    guint32
        site; /* number of the call site of a region; HIERA_NONE: outside of regions, where each thread has a part */
    guint32 processor, thread;
    gboolean is_several; /* whether several threads count as this one */
    gint64 time_ns;
} Part;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    GArray *parts;        /* Part */
    guint32 processor;    /* whose parts come */
    gboolean are_several; /* whether several of its threads count as one */
} Search;

/* All parts of a region. */
typedef struct {
    guint first, n;
    gint64 sum_ns;
    HieraTimeSpread spread;
} Region;

static void add_part(const Search *search, guint32 site, guint32 thread, gint64 time_ns)
{
    const Part part = {site, search->processor, thread, thread != 0 && search->are_several, time_ns};
    g_array_append_val(search->parts, part);
}

static void add_span(const HieraTimeSpan *span, gpointer user)
{
    const Search *search = user;
    if (span->doing == HIERA_DOES_COMPUTE && hiera_row_unit(search->trace, search->scope, span->row) != HIERA_NONE)
        add_part(search, HIERA_NONE, 0, hiera_scope_clip(search->scope, span->begin_ns, span->end_ns));
}

/* @param is_alone  the rank has one thread, which idles for none */
static void add_threads(Search *search, const HieraRankThreads *threads, gboolean is_alone)
{
    g_autoptr(GArray) spans = hiera_thread_places_find(threads);
    search->are_several = spans != threads->spans;
    for (guint i = 0; i < spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(spans, HieraThreadSpan, i);
        if (i == 0 || span[-1].thread != span->thread)
            add_part(search, HIERA_NONE, span->thread, 0);
        if (span->doing != HIERA_DOES_COMPUTE || (!is_alone && span->idles != HIERA_IDLE_NOT) ||
            hiera_thread_span_unit(search->trace, search->scope, threads, span) == HIERA_NONE)
            continue;
        guint32 team = span->team == HIERA_NONE ? HIERA_NONE : g_array_index(threads->teams, HieraTeam, span->team).row;
        add_part(search, team == HIERA_NONE ? HIERA_NONE : hiera_trace_peek_site(search->trace, team)->id, span->thread,
                 hiera_scope_clip(search->scope, span->begin_ns, span->end_ns));
    }
}

static gint compare_parts(gconstpointer left, gconstpointer right)
{
    const Part *a = left, *b = right;
    if (a->site != b->site)
        return a->site > b->site ? 1 : -1;
    return a->processor != b->processor ? (a->processor > b->processor) - (a->processor < b->processor)
                                        : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Add up the parts of the same thread in the same region, from `first` on. */
static void join_parts(GArray *parts, guint first)
{
    guint n = first;
    qsort(&g_array_index(parts, Part, first), parts->len - first, sizeof(Part), compare_parts);
    for (guint i = first; i < parts->len; i++) {
        const Part part = g_array_index(parts, Part, i);
        Part *last = n > first ? &g_array_index(parts, Part, n - 1) : NULL;
        if (last && compare_parts(last, &part) == 0)
            last->time_ns = hiera_plus(last->time_ns, part.time_ns);
        else
            g_array_index(parts, Part, n++) = part;
    }
    g_array_set_size(parts, n);
}

static void add_rank(Search *search, const HieraMatch *match, guint32 processor)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    guint first = search->parts->len;
    HieraRankThreads alone;
    search->processor = processor;
    if (threads) {
        add_threads(search, threads, FALSE);
    } else if (hiera_rank_regions_find(&alone, search->trace, processor)) {
        add_threads(search, &alone, TRUE);
        hiera_rank_threads_clear(&alone);
    } else {
        add_part(search, HIERA_NONE, 0, 0);
        hiera_timeline_visit(search->trace, processor, add_span, search);
    }
    join_parts(search->parts, first);
}

/* --- rows --- */

static gint compare_regions(gconstpointer left, gconstpointer right)
{
    const Region *a = left, *b = right;
    return a->spread.overload_ns != b->spread.overload_ns
               ? (a->spread.overload_ns < b->spread.overload_ns) - (a->spread.overload_ns > b->spread.overload_ns)
               : (a->first > b->first) - (a->first < b->first);
}

/* Return the regions (Region) of sorted parts, by overload; to be freed with g_array_unref. @param n  number of threads
 */
static GArray *find_regions(const GArray *parts, guint n)
{
    const Part *of = (const Part *)(const void *)parts->data;
    GArray *regions = g_array_new(FALSE, FALSE, sizeof(Region));
    g_autofree gint64 *times = g_new(gint64, (gsize)parts->len + 1);
    for (guint i = 0; n > 0 && i < parts->len;) {
        Region region = {.first = i};
        for (; i < parts->len && of[i].site == of[region.first].site; i++) {
            region.sum_ns = hiera_plus(region.sum_ns, of[i].time_ns);
            times[region.n++] = of[i].time_ns;
        }
        region.spread = hiera_time_spread_find(times, region.n, n, region.sum_ns);
        if (region.sum_ns > 0)
            g_array_append_val(regions, region);
    }
    g_array_sort(regions, compare_regions);
    return regions;
}

/* Return the threads with the longest times, like "0:1 1:1", rank and thread of each. */
static const char *name_longest(const HieraTrace *trace, const Part *parts, const Region *region, HieraTable *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gint64 nearer_ns = hiera_time_spread_nearer(&region->spread);
    guint named = 0;
    for (guint i = region->first; i < region->first + region->n; i++) {
        if (parts[i].time_ns < nearer_ns)
            continue;
        if (named++ == NAMES_MAX) {
            g_string_append(text, " …");
            break;
        }
        g_string_append_printf(text, "%s%u:%u", text->len ? " " : "", trace->processors[parts[i].processor].rank,
                               parts[i].thread);
    }
    return hiera_table_keep(table, text->str);
}

/* Return the call site of a region; NULL: it is what is outside of regions. */
static const HieraSite *find_site(const HieraTrace *trace, const Part *parts, const Region *region)
{
    guint32 number = parts[region->first].site;
    return number == HIERA_NONE ? NULL : hiera_catalog_peek_site(trace->catalog, number);
}

static void add_row(const HieraTrace *trace, const Part *parts, const Region *region, guint n, HieraTable *table)
{
    const HieraSite *site = find_site(trace, parts, region);
    const HieraTimeSpread *of = &region->spread;
    g_autofree char *place = site ? hiera_site_place(site) : NULL;
    g_autofree char *name = site ? g_strjoin(*place ? " " : "", site->operation, place, NULL) : NULL;
    gint64 n_there = 0;
    for (guint i = region->first; i < region->first + region->n; i++)
        n_there += parts[i].time_ns > 0;
    hiera_table_add(table, (HieraCell[]){{.text = hiera_table_keep(table, name ? name : "outside of regions")},
                                         {.number = n_there},
                                         {.number = region->sum_ns},
                                         {.number = of->mean_ns},
                                         {.number = of->median_ns},
                                         {.number = of->max_ns},
                                         {.number = hiera_imbalance(region->sum_ns, n, of->max_ns)},
                                         {.number = of->overload_ns},
                                         {.number = hiera_ratio(of->max_ns, of->median_ns)},
                                         {.text = name_longest(trace, parts, region, table)}});
}

/* Find the parts of all threads, joined and sorted. With several processes, process 0 gets all.
 *
 * @param n  becomes the number of threads; 0: no rank has a region */
static GArray *find_parts(const HieraMatch *match, const HieraScope *scope, guint *n)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Search search = {trace, scope, g_array_new(FALSE, FALSE, sizeof(Part)), 0, FALSE};
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            add_rank(&search, match, i);
    hiera_scope_gather_array(scope, trace, search.parts);
    join_parts(search.parts, 0);
    *n = 0;
    for (guint i = 0; i < search.parts->len; i++)
        *n += g_array_index(search.parts, Part, i).site == HIERA_NONE;
    if (*n == search.parts->len)
        *n = 0;
    return search.parts;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    guint n;
    g_autoptr(GArray) parts = find_parts(match, scope, &n), regions = find_regions(parts, n);
    for (guint i = 0; hiera_scope_leads(scope) && i < regions->len; i++)
        add_row(trace, (const Part *)(const void *)parts->data, &g_array_index(regions, Region, i), n, table);
    hiera_other_threads_limit(match, scope, table);
    hiera_threads_limit(trace, scope, table);
    return TRUE;
}

/* --- a sentence --- */

/* Return what the longest threads of a region do, like "thread 1 of rank 3 computes", "threads 1-2 of ranks 0 4 compute
 * up to"; NULL: more than half of n_ranks have one, or several threads count as one of them. */
static char *describe_longest(const HieraTrace *trace, const Part *parts, const Region *region, guint n_ranks,
                              HieraTable *table)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                      threads = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    guint n = 0;
    for (guint i = region->first; i < region->first + region->n; i++) {
        const HieraShare rank = {parts[i].processor, 1}, thread = {parts[i].thread, 1};
        if (parts[i].time_ns < hiera_time_spread_nearer(&region->spread))
            continue;
        if (parts[i].is_several)
            return NULL;
        g_array_append_val(ranks, rank);
        g_array_append_val(threads, thread);
        n++;
    }
    hiera_shares_settle(ranks);
    hiera_shares_settle(threads);
    if (ranks->len * 2 > n_ranks)
        return NULL;
    if (n < ranks->len * threads->len)
        return g_strdup_printf("threads %s (rank:thread) compute up to", name_longest(trace, parts, region, table));
    return g_strdup_printf("thread%s %s of rank%s %s %s", threads->len > 1 ? "s" : "",
                           hiera_shares_name_ranks(threads, NULL, 0, table), ranks->len > 1 ? "s" : "",
                           hiera_shares_name_ranks(ranks, trace, 0, table), n > 1 ? "compute up to" : "computes");
}

char *hiera_imbalance_say_region(const HieraMatch *match, const HieraScope *scope, gint64 least_ns)
{
    guint n = 0, n_ranks = 0;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        n += trace->processors[i].threaded;
        n_ranks += hiera_scope_accepts_rank(scope, trace->processors[i].rank);
    }
    if (n == 0)
        return NULL;
    g_autoptr(GArray) parts = find_parts(match, scope, &n), regions = find_regions(parts, n);
    g_autoptr(HieraTable) texts = hiera_table_new("", NULL, 0);
    const Part *of = (const Part *)(const void *)parts->data;
    for (guint i = 0; hiera_scope_leads(scope) && i < regions->len; i++) {
        const Region *region = &g_array_index(regions, Region, i);
        const HieraSite *site = find_site(trace, of, region);
        const HieraTimeSpread *spread = &region->spread;
        if (spread->overload_ns < least_ns)
            break;
        if (spread->median_ns == 0 || spread->max_ns / 3 < spread->median_ns / 2)
            continue;
        g_autofree char *who = site ? describe_longest(trace, of, region, n_ranks, texts) : NULL;
        g_autofree char *place = site ? hiera_site_place(site) : NULL;
        if (who)
            return g_strdup_printf("in %s%s%s %s %.1f times as long as the median of all threads", site->operation,
                                   *place ? " " : "", place, who, (double)spread->max_ns / (double)spread->median_ns);
    }
    return NULL;
}

const HieraMeasure hiera_imbalance_by_region = {
    .name = "imbalance",
    .nothing = HIERA_THREADS_NOTHING,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
