/* See thread_order.h. Where the trace does not say which of several strands waited for which, the later one takes from
 * all that may be meant: so accesses may count as ordered that are not, but never the other way round. */
#include "thread_order.h"
#include "base/rising.h"
#include <string.h>

/* An operation that orders strands. */
typedef struct {
    guint32 row, place;
    gint32 number; /* of its region, lock or task; HIERA_ABSENT: none */
    HieraThreadPart part;
    gint64 start_ns, finish_ns;
} Act;

typedef struct {
    HieraThreadOrder *order;
    const HieraTrace *trace;
    guint8 *part_of; /* by site: HieraThreadPart */
    guint32 n_tasks; /* strands of tasks and sections, of all processors */
    /* of a processor: */
    guint32 processor;
    const HieraProcessor *of;
    guint32 *last;                                 /* by row, from the first one on: last row of its subtree */
    GArray *acts[HIERA_STRAND_UNKNOWN];            /* Act, by part; in the order of rows until they are sorted */
    GArray *ended, *threads_ended, *threads_begun; /* gint64: moments, rising; place of each, see `*_places` */
    GArray *ended_places, *threads_ended_places, *threads_begun_places;
    gboolean is_known;
} Search;

static HieraThreadPart part_at(const Search *search, guint32 row)
{
    return (HieraThreadPart)search->part_of[search->trace->site[row]];
}

/* --- steps --- */

static guint32 new_place(const Search *search)
{
    guint32 none = 0;
    g_array_append_val(search->order->givers, none);
    g_array_append_val(search->order->takers, none);
    return search->order->givers->len - 1;
}

static void put_step(const Search *search, HieraOrderStep step)
{
    g_array_append_val(search->order->steps, step);
    g_array_index(step.takes ? search->order->takers : search->order->givers, guint32, step.place)++;
}

static void add_step(const Search *search, guint32 row, guint32 place, gboolean behind, gboolean takes)
{
    put_step(search, (HieraOrderStep){.strand = search->order->strands.of_row[row],
                                      .row = behind ? search->last[row - search->of->first] : row,
                                      .place = place,
                                      .depth = search->trace->depth[row],
                                      .behind = behind,
                                      .takes = takes});
}

static void give(const Search *search, guint32 row, guint32 place, gboolean behind)
{
    add_step(search, row, place, behind, FALSE);
}

static void take(const Search *search, guint32 row, guint32 place, gboolean behind)
{
    add_step(search, row, place, behind, TRUE);
}

static gint compare_moments(gconstpointer a, gconstpointer b)
{
    gint64 left = *(const gint64 *)a, right = *(const gint64 *)b;
    return (left > right) - (left < right);
}

/* Take from the last of the moments until a time: its place has what all before it gave, too. */
static void take_until(const Search *search, guint32 row, gint64 ns, gboolean behind, const GArray *moments,
                       const GArray *places)
{
    guint n = hiera_rising_until(moments, &ns, compare_moments);
    if (n > 0)
        take(search, row, g_array_index(places, guint32, n - 1), behind);
}

/* --- acts, in the order of time --- */

static gint compare_starts(gconstpointer a, gconstpointer b)
{
    const Act *left = a, *right = b;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    if (left->start_ns != right->start_ns)
        return left->start_ns < right->start_ns ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

static gint compare_ends(gconstpointer a, gconstpointer b)
{
    const Act *left = a, *right = b;
    if (left->finish_ns != right->finish_ns)
        return left->finish_ns < right->finish_ns ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

static Act *act_at(const GArray *acts, guint i)
{
    return &g_array_index(acts, Act, i);
}

/* Return the last act of a number that has begun by a time; NULL: none. The acts are sorted by number and start. */
static Act *find_last(const GArray *acts, gint32 number, gint64 ns)
{
    const Act key = {.row = HIERA_NONE, .number = number, .start_ns = ns};
    guint n = hiera_rising_until(acts, &key, compare_starts);
    return n > 0 && act_at(acts, n - 1)->number == number ? act_at(acts, n - 1) : NULL;
}

static gboolean has_strand(const Search *search, guint32 row)
{
    guint32 parent = search->trace->parent[row];
    return parent == HIERA_NONE || search->order->strands.of_row[parent] != search->order->strands.of_row[row];
}

static void collect(Search *search)
{
    const HieraTrace *trace = search->trace;
    guint32 first = (guint32)search->of->first, behind = first + (guint32)search->of->n_operations;
    for (guint32 row = first; row < behind; row++) {
        HieraThreadPart part = part_at(search, row);
        search->is_known = search->is_known && part != HIERA_STRAND_UNKNOWN;
        if (part == HIERA_STRAND_OTHER || part == HIERA_STRAND_UNKNOWN)
            continue;
        const Act act = {row,  HIERA_NONE,           hiera_trace_peek_sparse(trace, row)->rtag,
                         part, trace->start_ns[row], trace->finish_ns[row]};
        g_array_append_val(search->acts[part], act);
    }
}

/* Each act takes what the one before it gave, and gives. `ends`: the acts are moments at their ends. */
static void chain(const Search *search, GArray *acts, gboolean ends, GArray *moments, GArray *places)
{
    g_array_sort(acts, ends ? compare_ends : compare_starts);
    for (guint i = 0; i < acts->len; i++) {
        Act *act = act_at(acts, i);
        gint64 ns = ends ? act->finish_ns : act->start_ns;
        act->place = new_place(search);
        if (places->len > 0)
            take(search, act->row, g_array_index(places, guint32, places->len - 1), ends);
        give(search, act->row, act->place, ends);
        g_array_append_val(moments, ns);
        g_array_append_val(places, act->place);
    }
}

/* --- regions --- */

static void order_regions(Search *search)
{
    GArray *regions = search->acts[HIERA_STRAND_REGION], *shares = search->acts[HIERA_STRAND_SHARE];
    g_array_sort(regions, compare_starts);
    for (guint i = 0; i < regions->len; i++) {
        Act *region = act_at(regions, i);
        region->place = new_place(search); /* the next one is that of its end */
        new_place(search);
        give(search, region->row, region->place, FALSE);
        take(search, region->row, region->place + 1, TRUE);
        take_until(search, region->row, region->finish_ns, TRUE, search->ended, search->ended_places);
    }
    for (guint i = 0; i < shares->len; i++) {
        Act *share = act_at(shares, i);
        const Act *region = find_last(regions, share->number, share->start_ns);
        search->is_known = search->is_known && region;
        if (!region)
            continue;
        share->place = region->place;
        take(search, share->row, region->place, FALSE);
        give(search, share->row, region->place + 1, TRUE);
    }
}

/* Return the part of a region in which a row is; HIERA_NONE: it is in none. */
static guint32 find_share(const Search *search, guint32 row)
{
    while (row != HIERA_NONE && part_at(search, row) != HIERA_STRAND_SHARE)
        row = search->trace->parent[row];
    return row;
}

/* The n-th barriers of the parts of a region are one. */
static void order_barriers(Search *search)
{
    g_autoptr(GHashTable) region_of = g_hash_table_new(NULL, NULL), n_of = g_hash_table_new(NULL, NULL),
                          all = g_hash_table_new(NULL, NULL), most = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < search->acts[HIERA_STRAND_SHARE]->len; i++) {
        const Act *share = act_at(search->acts[HIERA_STRAND_SHARE], i);
        g_hash_table_insert(region_of, GUINT_TO_POINTER(share->row), GUINT_TO_POINTER(share->place));
    }
    for (guint i = 0; i < search->acts[HIERA_STRAND_BARRIER]->len; i++) {
        const Act *barrier = act_at(search->acts[HIERA_STRAND_BARRIER], i);
        guint32 share = find_share(search, barrier->row);
        if (share == HIERA_NONE)
            continue;
        guint n = GPOINTER_TO_UINT(g_hash_table_lookup(n_of, GUINT_TO_POINTER(share))) + 1;
        guint32 region = GPOINTER_TO_UINT(g_hash_table_lookup(region_of, GUINT_TO_POINTER(share)));
        gpointer key = (gpointer)(guintptr)((guint64)region << 32 | n);
        guint32 place = GPOINTER_TO_UINT(g_hash_table_lookup(all, key));
        if (place == 0)
            place = new_place(search) + 1;
        g_hash_table_insert(n_of, GUINT_TO_POINTER(share), GUINT_TO_POINTER(n));
        g_hash_table_insert(all, key, GUINT_TO_POINTER(place));
        guint most_of = GPOINTER_TO_UINT(g_hash_table_lookup(most, GUINT_TO_POINTER(region)));
        g_hash_table_insert(most, GUINT_TO_POINTER(region), GUINT_TO_POINTER(MAX(most_of, n)));
        give(search, barrier->row, place - 1, FALSE);
        take(search, barrier->row, place - 1, TRUE);
        take_until(search, barrier->row, barrier->finish_ns, TRUE, search->ended, search->ended_places);
    }
    /* Parts of a region that was cancelled have not as many. */
    for (guint i = 0; i < search->acts[HIERA_STRAND_SHARE]->len && search->is_known; i++) {
        const Act *share = act_at(search->acts[HIERA_STRAND_SHARE], i);
        search->is_known = g_hash_table_lookup(n_of, GUINT_TO_POINTER(share->row)) ==
                           g_hash_table_lookup(most, GUINT_TO_POINTER(share->place));
    }
}

/* --- sections --- */

/* Return the last row before the next one of the sections, or of the last one. */
static guint32 find_end_of_section(const Search *search, guint32 row)
{
    guint32 parent = search->trace->parent[row], last = search->last[parent - (guint32)search->of->first];
    for (guint32 next = row + 1; next <= last; next = search->last[next - (guint32)search->of->first] + 1)
        if (search->trace->parent[next] == parent && part_at(search, next) == HIERA_STRAND_SECTION)
            return next - 1;
    return last;
}

static void order_sections(Search *search)
{
    GArray *all = search->acts[HIERA_STRAND_SECTIONS];
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < all->len; i++) {
        Act *sections = act_at(all, i);
        sections->place = new_place(search); /* the next one is that of the end */
        new_place(search);
        give(search, sections->row, sections->place, FALSE);
        take(search, sections->row, sections->place + 1, TRUE);
        g_hash_table_insert(places, GUINT_TO_POINTER(sections->row), GUINT_TO_POINTER(sections->place + 1));
    }
    for (guint i = 0; i < search->acts[HIERA_STRAND_SECTION]->len; i++) {
        const Act *section = act_at(search->acts[HIERA_STRAND_SECTION], i);
        guint32 place =
            GPOINTER_TO_UINT(g_hash_table_lookup(places, GUINT_TO_POINTER(search->trace->parent[section->row])));
        if (place == 0 || !has_strand(search, section->row))
            continue;
        take(search, section->row, place - 1, FALSE);
        put_step(search, (HieraOrderStep){.strand = search->order->strands.of_row[section->row],
                                          .row = find_end_of_section(search, section->row),
                                          .place = place,
                                          .behind = TRUE});
    }
}

/* --- tasks --- */

/* Whether a creation depends on other tasks: rows behind it say so. */
static gboolean depends(const Search *search, guint32 row)
{
    guint64 behind = search->of->first + search->of->n_operations;
    return row + 1 < behind && part_at(search, row + 1) == HIERA_STRAND_DEPEND &&
           search->trace->parent[row + 1] == search->trace->parent[row];
}

/* Tasks that have ended: whoever waits for some takes from all. */
static void order_ends(Search *search)
{
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(Act));
    for (guint i = 0; i < search->acts[HIERA_STRAND_TASK]->len; i++) {
        const Act *task = act_at(search->acts[HIERA_STRAND_TASK], i);
        if (has_strand(search, task->row))
            g_array_append_val(own, *task);
    }
    chain(search, own, TRUE, search->ended, search->ended_places);
    for (guint i = 0; i < search->acts[HIERA_STRAND_WAIT]->len; i++) {
        const Act *wait = act_at(search->acts[HIERA_STRAND_WAIT], i);
        take_until(search, wait->row, wait->finish_ns, TRUE, search->ended, search->ended_places);
    }
}

static void order_tasks(Search *search)
{
    GArray *creations = search->acts[HIERA_STRAND_CREATE];
    g_autoptr(GHashTable) begun = g_hash_table_new(NULL, NULL);
    g_array_sort(creations, compare_starts);
    for (guint i = 0; i < creations->len; i++) {
        Act *creation = act_at(creations, i);
        creation->place = new_place(search);
        give(search, creation->row, creation->place, FALSE);
    }
    for (guint i = 0; i < search->acts[HIERA_STRAND_TASK]->len; i++) {
        const Act *task = act_at(search->acts[HIERA_STRAND_TASK], i);
        if (!has_strand(search, task->row))
            continue;
        const Act *creation = task->number == HIERA_ABSENT ? NULL : find_last(creations, task->number, task->start_ns);
        search->is_known = search->is_known && creation;
        if (!creation)
            continue;
        take(search, task->row, creation->place, FALSE);
        /* A task that waits goes on in a part of its own. */
        if (depends(search, creation->row) || !g_hash_table_add(begun, GUINT_TO_POINTER(creation->row)))
            take_until(search, task->row, task->start_ns, FALSE, search->ended, search->ended_places);
    }
}

/* --- locks --- */

/* What one thread does at a time takes what the last one gave that had the same number. */
static void order_alone(Search *search)
{
    GArray *alone = search->acts[HIERA_STRAND_ALONE];
    for (guint i = 0; i < alone->len; i++) {
        Act *act = act_at(alone, i);
        gboolean is_ordered = strcmp(hiera_trace_peek_site(search->trace, act->row)->operation, "ordered") == 0;
        search->is_known = search->is_known && (is_ordered || act->number != HIERA_ABSENT);
        act->place = new_place(search);
    }
    g_array_sort(alone, compare_starts);
    for (guint i = 0; i < alone->len; i++) {
        const Act *act = act_at(alone, i);
        if (i > 0 && act_at(alone, i - 1)->number == act->number)
            take(search, act->row, act_at(alone, i - 1)->place, FALSE);
        give(search, act->row, act->place, TRUE);
    }
}

static void order_locks(Search *search)
{
    GArray *releases = search->acts[HIERA_STRAND_RELEASE];
    g_array_sort(releases, compare_starts);
    for (guint i = 0; i < releases->len; i++) {
        Act *release = act_at(releases, i);
        release->place = new_place(search);
        give(search, release->row, release->place, FALSE);
        search->is_known = search->is_known && release->number != HIERA_ABSENT;
    }
    for (guint i = 0; i < search->acts[HIERA_STRAND_ACQUIRE]->len; i++) {
        const Act *acquire = act_at(search->acts[HIERA_STRAND_ACQUIRE], i);
        const Act *release = find_last(releases, acquire->number, acquire->finish_ns);
        if (release && release->row != acquire->row)
            take(search, acquire->row, release->place, TRUE);
    }
    g_autoptr(GArray) moments = g_array_new(FALSE, FALSE, sizeof(gint64)),
                      places = g_array_new(FALSE, FALSE, sizeof(guint32));
    chain(search, search->acts[HIERA_STRAND_ATOMIC], TRUE, moments, places);
}

/* --- POSIX threads --- */

static void order_threads(Search *search)
{
    GArray *threads = search->acts[HIERA_STRAND_THREAD];
    chain(search, search->acts[HIERA_STRAND_BEGIN_THREAD], FALSE, search->threads_begun, search->threads_begun_places);
    for (guint i = 0; i < threads->len; i++) {
        const Act *thread = act_at(threads, i);
        take_until(search, thread->row, thread->start_ns, FALSE, search->threads_begun, search->threads_begun_places);
    }
    chain(search, threads, TRUE, search->threads_ended, search->threads_ended_places);
    for (guint i = 0; i < search->acts[HIERA_STRAND_JOIN]->len; i++) {
        const Act *join = act_at(search->acts[HIERA_STRAND_JOIN], i);
        take_until(search, join->row, join->finish_ns, TRUE, search->threads_ended, search->threads_ended_places);
    }
}

/* --- a processor --- */

/* Whether all that further threads do is in constructs whose begin is ordered. */
static gboolean are_begun(const Search *search)
{
    guint32 first = (guint32)search->of->first, behind = first + (guint32)search->of->n_operations;
    for (guint32 row = first; row < behind; row++) {
        HieraThreadPart part = part_at(search, row);
        if (search->trace->thread[row] != 0 && search->trace->parent[row] == HIERA_NONE && part != HIERA_STRAND_SHARE &&
            part != HIERA_STRAND_TASK && part != HIERA_STRAND_THREAD &&
            strcmp(hiera_trace_peek_site(search->trace, row)->level, "access"))
            return FALSE;
    }
    return TRUE;
}

static GArray *new_numbers(void)
{
    return g_array_new(FALSE, FALSE, sizeof(gint64));
}

static GArray *new_places(void)
{
    return g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void search_processor(Search *search)
{
    search->last =
        hiera_thread_strands_find(&search->order->strands, search->part_of, search->processor, &search->n_tasks);
    GArray **moments[] = {&search->ended, &search->threads_ended, &search->threads_begun};
    GArray **places[] = {&search->ended_places, &search->threads_ended_places, &search->threads_begun_places};
    for (guint i = 0; i < G_N_ELEMENTS(moments); i++) {
        *moments[i] = new_numbers();
        *places[i] = new_places();
    }
    for (guint i = 0; i < HIERA_STRAND_UNKNOWN; i++)
        search->acts[i] = g_array_new(FALSE, FALSE, sizeof(Act));
    search->is_known = are_begun(search);
    collect(search);
    order_ends(search);
    order_regions(search);
    order_barriers(search);
    order_sections(search);
    order_tasks(search);
    order_alone(search);
    order_locks(search);
    order_threads(search);
    search->order->is_known[search->processor] = search->is_known;
    for (guint i = 0; i < HIERA_STRAND_UNKNOWN; i++)
        g_array_unref(search->acts[i]);
    for (guint i = 0; i < G_N_ELEMENTS(moments); i++) {
        g_array_unref(*moments[i]);
        g_array_unref(*places[i]);
    }
    g_free(search->last);
}

HieraThreadOrder *hiera_thread_order_new(const HieraTrace *trace)
{
    HieraThreadOrder *order = g_new0(HieraThreadOrder, 1);
    gboolean any = FALSE;
    *order = (HieraThreadOrder){.strands = {.trace = trace, .n = trace->n_processors}};
    order->strands.processor = g_new0(guint32, trace->n_processors + 1);
    order->is_known = g_new0(gboolean, trace->n_processors + 1);
    order->steps = g_array_new(FALSE, FALSE, sizeof(HieraOrderStep));
    order->givers = new_places();
    order->takers = new_places();
    for (guint32 i = 0; i < trace->n_processors; i++) {
        order->strands.processor[i] = i;
        order->is_known[i] = TRUE;
        any = any || trace->processors[i].threaded;
    }
    if (!any)
        return order;
    guint n = hiera_catalog_count_sites(trace->catalog);
    g_autofree guint8 *part_of = g_new0(guint8, n + 1);
    for (guint i = 0; i < n; i++)
        part_of[i] = (guint8)hiera_thread_part_find(hiera_catalog_peek_site(trace->catalog, i));
    order->strands.of_row = g_new0(guint32, trace->n_operations + 1);
    Search search = {.order = order, .trace = trace, .part_of = part_of};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        search.processor = i;
        search.of = &trace->processors[i];
        search_processor(&search);
    }
    return order;
}

void hiera_thread_order_free(HieraThreadOrder *order)
{
    g_free(order->strands.of_row);
    g_free(order->strands.processor);
    g_free(order->is_known);
    g_array_unref(order->steps);
    g_array_unref(order->givers);
    g_array_unref(order->takers);
    g_free(order);
}
