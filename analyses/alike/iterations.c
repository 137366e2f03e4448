/* Search for repeated operations, rank by rank; see iterations.h. */
#include "iterations.h"
#include "periods.h"
#include "subtree_hash.h"
#include "values/outermost.h"
#include "values/shares.h"

enum { DEPTH_MAX = 32 }; /* greatest depth of the operations inside which repeats are searched */

typedef struct {
    HieraIterations *all;
    const HieraCallPaths *paths;
    HieraSubtreeHashes hashes;
    GHashTable *places; /* HieraPhase.key → index in `phases` + 1 */
    GHashTable *ordered; /* HieraPhase.key → guint64: `ordered` on the first rank with the phase; NULL: not known yet */
} Search;

/* --- lists of phases and of iterations --- */

/* Return the index of the phase with a key; make the phase if there is none. */
static guint32 find_phase(const Search *search, guint64 key, guint32 row, guint32 length, guint64 ordered)
{
    guint32 place = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, GSIZE_TO_POINTER(key)));
    if (place == 0) {
        const guint64 *shared = search->ordered ? g_hash_table_lookup(search->ordered, GSIZE_TO_POINTER(key)) : NULL;
        HieraPhase phase = {.key = key,
                            .row = row,
                            .site = search->all->trace->site[row],
                            .node = search->paths->node[row],
                            .length = length,
                            .ordered = shared ? *shared : ordered,
                            .processor = HIERA_NONE};
        g_array_append_val(search->all->phases, phase);
        place = search->all->phases->len;
        g_hash_table_insert(search->places, GSIZE_TO_POINTER(key), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static void add_iteration(const Search *search, guint32 processor, guint32 number, gint64 begin_ns, gint64 end_ns,
                          gboolean cut)
{
    HieraPhase *phase = &g_array_index(search->all->phases, HieraPhase, number);
    phase->ranks += phase->processor != processor;
    phase->n = phase->processor == processor ? phase->n + 1 : 1;
    phase->processor = processor;
    phase->repeats = MAX(phase->repeats, phase->n);
    phase->time_ns = hiera_plus(phase->time_ns, MAX(hiera_minus(end_ns, begin_ns), 0));
    HieraIteration iteration = {begin_ns, MAX(begin_ns, end_ns), number, phase->n - 1, cut};
    g_array_append_val(search->all->iterations, iteration);
}

/* --- repeated operations --- */

/* Return a hash of a cycle of elements that is the same for each of its elements as the first one. */
static guint64 hash_cycle(const HieraSubtree *elements, guint length)
{
    guint64 sum = 0;
    for (guint i = 0; i < length; i++)
        sum += hiera_subtree_hash_add(elements[i].hash, elements[i + 1 < length ? i + 1 : 0].hash);
    return sum;
}

static const guint64 base = G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);

static guint64 hash_in_order(const HieraSubtree *elements, guint length)
{
    guint64 hash = 0;
    for (guint i = 0; i < length; i++)
        hash = hash * base + elements[i].hash;
    return hash;
}

/* Move the begin of repeats to the element with which the phase begins. @param ordered  HieraPhase.ordered */
static void align(HieraRepeats *repeats, const HieraSubtree *elements, guint64 ordered)
{
    const HieraSubtree *first = elements + repeats->first;
    guint64 hash = hash_in_order(first, repeats->length), highest = 1;
    guint shift = 0;
    for (guint i = 1; i < repeats->length; i++)
        highest *= base;
    for (; hash != ordered && shift < repeats->length; shift++)
        hash = (hash - first[shift].hash * highest) * base + first[shift].hash;
    if (shift == repeats->length)
        return;
    repeats->first += shift;
    repeats->repeats = (repeats->end - repeats->first) / repeats->length;
}

/* Add the iterations of repeats. An iteration of a region has the times of the region; with other operations, it begins
 * where the previous one ended, so that the computation between them belongs to it. */
static void add_repeats(const Search *search, guint32 processor, const HieraSubtree *elements, HieraRepeats *repeats,
                        guint32 parent)
{
    const HieraTrace *trace = search->all->trace;
    const HieraSubtree *first = elements + repeats->first;
    guint64 key = hiera_subtree_hash_add(parent == HIERA_NONE ? 0 : search->paths->node[parent], repeats->length);
    guint64 ordered = hash_in_order(first, repeats->length);
    key = hiera_subtree_hash_add(key, hash_cycle(first, repeats->length));
    guint32 phase = find_phase(search, key, first->row, repeats->length, ordered);
    align(repeats, elements, g_array_index(search->all->phases, HieraPhase, phase).ordered);
    first = elements + repeats->first;
    gboolean region = repeats->length == 1 && !hiera_trace_peek_site(trace, first->row)->mpi;
    gint64 begin_ns = trace->start_ns[first->row];
    for (guint i = 0; i < repeats->repeats; i++, first += repeats->length) {
        gint64 end_ns = trace->finish_ns[first[repeats->length - 1].row];
        add_iteration(search, processor, phase, region ? trace->start_ns[first->row] : begin_ns, end_ns,
                      i == 0 && !region);
        begin_ns = MAX(begin_ns, end_ns);
    }
}

static GArray *find_repeats(const HieraTrace *trace, const GArray *elements)
{
    guint n = elements->len;
    g_autofree guint64 *symbols = g_new(guint64, (gsize)n + 1);
    g_autofree gint64 *edges_ns = g_new0(gint64, (gsize)n + 1);
    for (guint i = 0; i < n; i++) {
        const HieraSubtree *element = &g_array_index(elements, HieraSubtree, i);
        symbols[i] = element->hash;
        edges_ns[i] = trace->start_ns[element->row];
        edges_ns[i + 1] = trace->finish_ns[element->row];
    }
    return hiera_repeats_find(&(HieraSequence){symbols, edges_ns, n});
}

/* Search for repeats in the operations inside `parent`, then inside each operation that is not part of a repeat. */
static void search_inside(const Search *search, guint32 processor, guint32 parent, guint depth)
{
    const HieraTrace *trace = search->all->trace;
    g_autoptr(GArray) elements = hiera_subtrees_inside(&search->hashes, processor, parent, FALSE);
    g_autoptr(GArray) found = find_repeats(trace, elements);
    for (guint i = 0, next = 0; i < elements->len;) {
        guint32 row = g_array_index(elements, HieraSubtree, i).row;
        while (next < found->len && g_array_index(found, HieraRepeats, next).first < i)
            next++;
        HieraRepeats *repeats = next < found->len ? &g_array_index(found, HieraRepeats, next) : NULL;
        if (repeats && repeats->first == i) {
            add_repeats(search, processor, &g_array_index(elements, HieraSubtree, 0), repeats, parent);
            i = repeats->first + repeats->length * repeats->repeats;
            continue;
        }
        if (depth < DEPTH_MAX && !hiera_trace_peek_site(trace, row)->mpi &&
            hiera_subtree_end(trace, processor, row) > row + HIERA_REPEATS_LEAST)
            search_inside(search, processor, row, depth + 1);
        i++;
    }
}

/* --- marked iterations: the outermost operations in the scope --- */

static void add_marked(const Search *search, guint32 processor)
{
    const HieraTrace *trace = search->all->trace;
    const HieraProcessor *of = &trace->processors[processor];
    HieraInside inside = HIERA_OUTSIDE;
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        if (trace->thread[row] != 0 || hiera_inside_holds(&inside, trace->depth[row], 0) ||
            !hiera_scope_accepts_row(search->all->scope, trace, row))
            continue;
        hiera_inside_enter(&inside, trace->depth[row], 0);
        if (!hiera_scope_accepts_time(search->all->scope, trace->start_ns[row]))
            continue;
        guint32 phase = find_phase(search, (guint64)trace->site[row] + 1, row, 1, 0);
        add_iteration(search, processor, phase, trace->start_ns[row], trace->finish_ns[row], FALSE);
    }
}

/* --- search in all ranks of this process --- */

static void search_own(Search *search, gboolean marked)
{
    HieraIterations *all = search->all;
    const HieraTrace *trace = all->trace;
    g_hash_table_remove_all(search->places);
    all->n_ranks = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        all->first[i] = all->iterations->len;
        if (!hiera_scope_accepts_rank(all->scope, trace->processors[i].rank))
            continue;
        all->n_ranks++;
        if (!hiera_scope_is_own(all->scope, i))
            continue;
        if (marked)
            add_marked(search, i);
        else
            search_inside(search, i, HIERA_NONE, 0);
    }
    all->first[trace->n_processors] = all->iterations->len;
}

/* --- several processes: each gets the phases of all --- */

/* Phases of one process, and the phases of all processes. */
typedef struct {
    GArray *own, *all;  /* arrays of HieraPhase */
    GHashTable *places; /* HieraPhase.key → index + 1 in `all` */
    gboolean differ;    /* TRUE if a phase begins with different elements in two processes (HieraPhase.ordered) */
} Union;

static void pack_some(const GArray *phases, HieraPacker *to)
{
    hiera_pack_number(to, phases->len);
    for (guint i = 0; i < phases->len; i++) {
        const HieraPhase *phase = &g_array_index(phases, HieraPhase, i);
        const gint64 numbers[] = {(gint64)phase->key, phase->site,  phase->node,    phase->length,
                                  phase->repeats,     phase->ranks, phase->time_ns, (gint64)phase->ordered};
        for (guint k = 0; k < G_N_ELEMENTS(numbers); k++)
            hiera_pack_number(to, numbers[k]);
    }
}

static HieraPhase unpack_one(HieraUnpacker *from)
{
    HieraPhase phase = {.row = HIERA_NONE, .processor = HIERA_NONE};
    phase.key = (guint64)hiera_unpack_number(from);
    phase.site = (guint32)hiera_unpack_number(from);
    phase.node = (guint32)hiera_unpack_number(from);
    phase.length = (guint32)hiera_unpack_number(from);
    phase.repeats = (guint32)hiera_unpack_number(from);
    phase.ranks = (guint32)hiera_unpack_number(from);
    phase.time_ns = hiera_unpack_number(from);
    phase.ordered = (guint64)hiera_unpack_number(from);
    return phase;
}

static void add_received(Union *phases, const HieraPhase *received)
{
    gpointer key = GSIZE_TO_POINTER(received->key);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(phases->places, key));
    if (place == 0) {
        g_array_append_vals(phases->all, received, 1);
        g_hash_table_insert(phases->places, key, GUINT_TO_POINTER(phases->all->len));
        return;
    }
    HieraPhase *phase = &g_array_index(phases->all, HieraPhase, place - 1);
    phase->repeats = MAX(phase->repeats, received->repeats);
    phase->ranks += received->ranks;
    phase->time_ns = hiera_plus(phase->time_ns, received->time_ns);
    phases->differ = phases->differ || phase->ordered != received->ordered;
}

static void pack_own(HieraPacker *to, gpointer user)
{
    pack_some(((Union *)user)->own, to);
}

static void unpack_own(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const HieraPhase received = unpack_one(from);
        add_received(user, &received);
    }
}

static void pack_all(HieraPacker *to, gpointer user)
{
    hiera_pack_number(to, ((Union *)user)->differ);
    pack_some(((Union *)user)->all, to);
}

static void unpack_all(HieraUnpacker *from, gpointer user)
{
    ((Union *)user)->differ = hiera_unpack_number(from) != 0;
    unpack_own(from, user);
}

/* Replace the phases by those of all processes. @return TRUE if processes differ in `ordered` of a phase */
static gboolean unite(const Search *search)
{
    HieraIterations *all = search->all;
    const HieraTrace *trace = all->trace;
    Union phases = {all->phases, g_array_new(FALSE, FALSE, sizeof(HieraPhase)), search->places, FALSE};
    g_hash_table_remove_all(search->places);
    for (guint i = 0; hiera_scope_leads(all->scope) && i < all->phases->len; i++) {
        HieraPhase own = g_array_index(all->phases, HieraPhase, i);
        own.row = own.processor = HIERA_NONE;
        add_received(&phases, &own);
    }
    hiera_scope_gather_others(all->scope, trace, pack_own, unpack_own, &phases);
    hiera_scope_tell(all->scope, trace, pack_all, unpack_all, &phases);
    for (guint i = 0; i < all->iterations->len; i++) {
        HieraIteration *iteration = &g_array_index(all->iterations, HieraIteration, i);
        gpointer key = GSIZE_TO_POINTER(g_array_index(phases.own, HieraPhase, iteration->phase).key);
        iteration->phase = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, key)) - 1;
    }
    g_array_unref(all->phases);
    all->phases = phases.all;
    return phases.differ;
}

/* Search for repeats again, now with HieraPhase.ordered of the first process that has a phase. */
static void search_again(Search *search, gboolean marked)
{
    HieraIterations *all = search->all;
    g_autoptr(GHashTable) ordered = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < all->phases->len; i++) {
        const HieraPhase *phase = &g_array_index(all->phases, HieraPhase, i);
        g_hash_table_insert(ordered, GSIZE_TO_POINTER(phase->key), g_memdup2(&phase->ordered, sizeof phase->ordered));
    }
    g_array_set_size(all->phases, 0);
    g_array_set_size(all->iterations, 0);
    search->ordered = ordered;
    search_own(search, marked);
    (void)unite(search);
    search->ordered = NULL;
}

static void search_all(Search *search, gboolean marked)
{
    search_own(search, marked);
    if (search->all->scope->share.own && unite(search))
        search_again(search, marked);
}

static void start(HieraIterations *all, const HieraTrace *trace, const HieraScope *scope)
{
    *all = (HieraIterations){trace,
                             scope,
                             g_array_new(FALSE, FALSE, sizeof(HieraPhase)),
                             g_array_new(FALSE, FALSE, sizeof(HieraIteration)),
                             g_new0(guint, (gsize)trace->n_processors + 1),
                             0};
}

/* Set `kept` of the phases that at least nine tenths of the ranks have. @return the sum of these phases' times */
static gint64 keep(HieraIterations *all, gboolean marked)
{
    gint64 time_ns = 0;
    for (guint i = 0; i < all->phases->len; i++) {
        HieraPhase *phase = &g_array_index(all->phases, HieraPhase, i);
        phase->kept = marked || (guint64)phase->ranks * 10 >= (guint64)all->n_ranks * 9;
        time_ns = hiera_plus(time_ns, phase->kept ? phase->time_ns : 0);
    }
    return time_ns;
}

/* Search again, with all calls of one site as equal; keep this result if its phases take much longer than `time_ns`. */
static void search_sites(Search *search, gint64 time_ns)
{
    HieraIterations *by_subtree = search->all, by_site;
    const HieraTrace *trace = by_subtree->trace;
    for (guint32 row = 0; row < trace->n_operations; row++) {
        if (search->hashes.of_row[row] != 0)
            search->hashes.of_row[row] = search->hashes.of_site[trace->site[row]] | 1;
    }
    start(&by_site, trace, by_subtree->scope);
    search->all = &by_site;
    search_all(search, FALSE);
    gint64 more_ns = keep(&by_site, FALSE);
    if (time_ns < more_ns - more_ns / 10) {
        HieraIterations other = *by_subtree;
        *by_subtree = by_site;
        by_site = other;
    }
    search->all = by_subtree;
    hiera_iterations_clear(&by_site);
}

void hiera_iterations_init(HieraIterations *all, const HieraCallPaths *paths, const HieraScope *scope)
{
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    gboolean marked = hiera_scope_has_units(scope);
    Search search = {all, paths, {0}, places, NULL};
    start(all, paths->trace, scope);
    if (!marked)
        hiera_subtree_hashes_init(&search.hashes, paths->trace, scope);
    search_all(&search, marked);
    gint64 time_ns = keep(all, marked), run_ns = hiera_run_sum(paths->trace, scope);
    if (!marked && time_ns < run_ns - run_ns / 10) /* else the phases cover nearly the whole run already */
        search_sites(&search, time_ns);
    hiera_subtree_hashes_clear(&search.hashes);
}

void hiera_iterations_clear(HieraIterations *all)
{
    g_array_unref(all->phases);
    g_array_unref(all->iterations);
    g_free(all->first);
}
