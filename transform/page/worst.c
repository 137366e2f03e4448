/* See worst.h. Each list is kept sorted while instances are offered to it, so one pass over operations, waits and
 * messages finds all lists. */
#include "worst.h"
#include "alike/iterations.h"
#include "base/together.h"
#include "objects/window_calls.h"
#include "timeline/arrows.h"

enum {
    INSTANCES_MAX = 20,
    OPERATIONS_MAX = 500 /* most operation names that have a list of their own: those with the longest calls */
};

static const char of_calls[] = "operations counts statistics histogram hotspots profile imbalance";

typedef struct {
    const HieraScene *scene;
    const GArray *waits;
    const HieraCriticalPath *path;
    HieraWorst *worst;
} Search;

/* --- sorted lists of the worst operations --- */

static void clear_list(gpointer data)
{
    HieraWorstList *list = data;
    g_free(list->name);
    g_array_unref(list->instances);
}

static HieraWorstList make_list(const char *name, const char *measures, gboolean bytes)
{
    return (HieraWorstList){g_strdup(name), measures, bytes, g_array_new(FALSE, FALSE, sizeof(HieraWorstInstance))};
}

/* Whether an instance is worse than another one: its value is greater, or equal with a smaller row. */
static gboolean is_worse(const HieraWorstInstance *instance, const HieraWorstInstance *other)
{
    return instance->value != other->value ? instance->value > other->value : instance->row < other->row;
}

/* Insert an instance into a sorted list if it is one of the worst. */
static void insert(HieraWorstList *list, const HieraWorstInstance *instance)
{
    GArray *instances = list->instances;
    guint at = instances->len;
    while (at > 0 && is_worse(instance, &g_array_index(instances, HieraWorstInstance, at - 1)))
        at--;
    if (at == INSTANCES_MAX)
        return;
    g_array_insert_vals(instances, at, instance, 1);
    if (instances->len > INSTANCES_MAX)
        g_array_set_size(instances, INSTANCES_MAX);
}

static void offer(const HieraScene *scene, HieraWorstList *list, guint32 row, gint64 value)
{
    const GArray *instances = list->instances;
    gboolean full = instances->len == INSTANCES_MAX;
    if (value <= 0 || (full && value < g_array_index(instances, HieraWorstInstance, instances->len - 1).value))
        return;
    const HieraWorstInstance instance = {hiera_scene_number(scene, row), 0, value};
    insert(list, &instance);
}

/* --- merging the lists of several processes --- */

typedef struct {
    HieraWorstList *lists;
    guint n;
} Gathering;

static void pack_lists(HieraPacker *to, gpointer user)
{
    const Gathering *gathering = user;
    for (guint i = 0; i < gathering->n; i++)
        hiera_pack_array(to, gathering->lists[i].instances);
}

static void unpack_lists(HieraUnpacker *from, gpointer user)
{
    const Gathering *gathering = user;
    for (guint i = 0; i < gathering->n; i++) {
        g_autoptr(GArray) instances = g_array_new(FALSE, FALSE, sizeof(HieraWorstInstance));
        hiera_unpack_array(from, instances);
        for (guint k = 0; k < instances->len; k++)
            insert(&gathering->lists[i], &g_array_index(instances, HieraWorstInstance, k));
    }
}

/* Merge the lists of all processes into those of process 0. */
static void gather(const Search *search, HieraWorstList *lists, guint n)
{
    const HieraScope *scope = search->scene->scope;
    Gathering gathering = {lists, n};
    hiera_scope_gather_others(scope, search->scene->trace, pack_lists, unpack_lists, &gathering);
}

/* --- adding lists to the result --- */

static void keep(const Search *search, HieraWorstList *list)
{
    if (list->instances->len > 0)
        g_array_append_val(search->worst->lists, *list);
    else
        clear_list(list);
}

/* Gather a list from all processes; add it to the result if it is not empty, or free it. */
static void take(const Search *search, HieraWorstList *list)
{
    gather(search, list, 1);
    keep(search, list);
}

static gint64 greatest(const HieraWorstList *list)
{
    return list->instances->len ? g_array_index(list->instances, HieraWorstInstance, 0).value : -1;
}

/* Compare two lists by their worst instance, the greatest first; then by name. */
static gint compare_lists(gconstpointer left, gconstpointer right)
{
    const HieraWorstList *a = left, *b = right;
    if (greatest(a) != greatest(b))
        return greatest(a) < greatest(b) ? 1 : -1;
    return g_strcmp0(a->name, b->name);
}

/* Whether a row is in the scope of the page's tables, by level, depth and --where. */
static gboolean is_asked(const HieraScene *scene, guint32 row)
{
    return hiera_scope_accepts_row(scene->scope, scene->trace, row);
}

/* --- lists of the longest waits, by class --- */

static void find_waits(const Search *search)
{
    HieraWorstList lists[HIERA_N_WAITS];
    for (guint i = 0; i < HIERA_N_WAITS; i++)
        lists[i] = make_list(hiera_wait_name(i), "waits causes bottlenecks", FALSE);
    for (guint i = 0; i < search->waits->len; i++) {
        const HieraWait *wait = &g_array_index(search->waits, HieraWait, i);
        if (hiera_scene_owns(search->scene, wait->row) && hiera_scene_shows(search->scene, wait->row) &&
            is_asked(search->scene, wait->row))
            offer(search->scene, &lists[wait->class], wait->row,
                  hiera_scope_clip(search->scene->scope, wait->begin_ns, wait->end_ns));
    }
    for (guint i = 0; i < HIERA_N_WAITS; i++)
        take(search, &lists[i]);
}

/* --- lists of the longest calls, by operation --- */

/* Lists of the longest calls while they are made. */
typedef struct {
    GArray *lists;   /* HieraWorstList, one for each name of an operation */
    guint32 *number; /* by position of the call site: index in `lists` */
    HieraWorstList files, windows;
} Calls;

/* Make an empty list for each name of an operation. */
static void calls_init(Calls *calls, const HieraSiteOrder *order)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    calls->lists = g_array_new(FALSE, FALSE, sizeof(HieraWorstList));
    calls->number = g_new(guint32, (gsize)order->n + 1);
    calls->files = make_list("calls on files", "io", FALSE);
    calls->windows = make_list("one-sided calls", "rma", FALSE);
    for (guint32 i = 0; i < order->n; i++) {
        const HieraSite *site = order->sites[i];
        gpointer number;
        char *name =
            g_strdup_printf("%s %s%s%s", site->level, site->class_name, *site->class_name ? "::" : "", site->operation);
        if (!g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
            HieraWorstList list = make_list(name, of_calls, FALSE);
            number = GUINT_TO_POINTER(calls->lists->len);
            g_array_append_val(calls->lists, list);
        }
        calls->number[i] = GPOINTER_TO_UINT(number);
        g_hash_table_insert(numbers, name, number);
    }
}

static void offer_call(Calls *calls, const HieraScene *scene, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(scene->trace, row);
    gint64 duration_ns = hiera_scene_finish(scene, row) - hiera_scene_start(scene, row);
    offer(scene, &g_array_index(calls->lists, HieraWorstList, calls->number[scene->order.position[site->id]]), row,
          duration_ns);
    if (hiera_site_does(site) == HIERA_DOES_IO)
        offer(scene, &calls->files, row, duration_ns);
    if (hiera_window_call_kind(site))
        offer(scene, &calls->windows, row, duration_ns);
}

/* Move the OPERATIONS_MAX lists with the longest calls to the result; free the others. */
static void calls_end(Calls *calls, const Search *search)
{
    gather(search, (HieraWorstList *)(void *)calls->lists->data, calls->lists->len);
    g_array_sort(calls->lists, compare_lists);
    for (guint i = 0; i < calls->lists->len; i++) {
        HieraWorstList *list = &g_array_index(calls->lists, HieraWorstList, i);
        if (i < OPERATIONS_MAX)
            keep(search, list);
        else
            clear_list(list);
    }
    take(search, &calls->files);
    take(search, &calls->windows);
    g_array_unref(calls->lists);
    g_free(calls->number);
}

static void find_calls(const Search *search)
{
    const HieraScene *scene = search->scene;
    Calls calls;
    calls_init(&calls, &scene->order);
    for (guint i = 0; i < scene->lanes->len; i++) {
        const HieraLane *lane = &g_array_index(scene->lanes, HieraLane, i);
        for (guint32 row = lane->first; row < lane->first + lane->n_rows; row++) {
            if (hiera_scene_has(scene, row) && is_asked(scene, row))
                offer_call(&calls, scene, row);
        }
    }
    calls_end(&calls, search);
}

/* --- lists of messages, requests, operations without an end --- */

static void find_messages(const Search *search)
{
    guint n;
    const HieraScene *scene = search->scene;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    HieraWorstList longest = make_list("messages that take longest", "matrix", FALSE),
                   largest = make_list("largest messages", "matrix", TRUE);
    for (guint i = 0; i < n; i++) {
        gint64 duration_ns = hiera_scene_owns(scene, messages[i].from) ? hiera_arrow_duration(scene, &messages[i]) : -1;
        if (duration_ns < 0 || !is_asked(scene, messages[i].from))
            continue;
        offer(scene, &longest, messages[i].from, duration_ns);
        offer(scene, &largest, messages[i].from, hiera_match_message_bytes(scene->match, i));
    }
    take(search, &longest);
    take(search, &largest);
}

/* Make the list of non-blocking operations in whose completion a rank waits. */
static void find_requests(const Search *search)
{
    guint n;
    const HieraScene *scene = search->scene;
    const HieraPair *pairs = hiera_match_peek_pairs(scene->match, HIERA_PAIRS_REQUEST, &n);
    HieraWorstList list = make_list("requests that are waited for longest", "overlap", FALSE);
    for (guint i = 0; i < n; i++) {
        guint32 completion = pairs[i].completion;
        if (hiera_scene_owns(scene, completion) && hiera_scene_shows(scene, pairs[i].start) &&
            hiera_scene_shows(scene, completion) && is_asked(scene, pairs[i].start))
            offer(scene, &list, pairs[i].start,
                  hiera_scene_finish(scene, completion) - hiera_scene_start(scene, completion));
    }
    take(search, &list);
}

static void find_open(const Search *search)
{
    const HieraScene *scene = search->scene;
    HieraWorstList list = make_list("operations without an end", "hang", FALSE);
    for (guint i = 0; i < scene->trace->open->len; i++) {
        guint32 row = g_array_index(scene->trace->open, guint32, i);
        if (hiera_scene_owns(scene, row) && hiera_scene_shows(scene, row))
            offer(scene, &list, row, MAX(1, hiera_scene_finish(scene, row) - hiera_scene_start(scene, row)));
    }
    take(search, &list);
}

/* --- lists about parts of a rank's time: critical path, iterations --- */

/* Return the first operation of a rank's main thread that begins in a time span; HIERA_NONE: there is none. */
static guint32 first_in(const HieraScene *scene, guint32 processor, gint64 begin_ns, gint64 end_ns)
{
    const HieraLane *lane = hiera_scene_peek_main_lane(scene, processor);
    if (!lane)
        return HIERA_NONE;
    guint32 at = hiera_scene_search(scene, lane, hiera_minus(begin_ns, scene->begin_ns));
    if (at == lane->first + lane->n_rows)
        return HIERA_NONE;
    guint32 row = hiera_scene_row(scene, at);
    return scene->trace->start_ns[row] < end_ns && hiera_scene_has(scene, row) ? row : HIERA_NONE;
}

static void find_segments(const Search *search)
{
    const GArray *segments = search->path->segments;
    HieraWorstList list = make_list("longest parts of the critical path on one rank", "critical-path slack", FALSE);
    for (guint i = 0; i < segments->len; i++) {
        const HieraPathSegment *segment = &g_array_index(segments, HieraPathSegment, i);
        gint64 length_ns = hiera_scope_clip(search->scene->scope, segment->begin_ns, segment->end_ns);
        guint32 row = first_in(search->scene, segment->processor, segment->begin_ns, segment->end_ns);
        if (row != HIERA_NONE)
            offer(search->scene, &list, row, length_ns);
    }
    take(search, &list);
}

static void find_iterations(const Search *search)
{
    const HieraScene *scene = search->scene;
    HieraCallPaths paths;
    HieraIterations all;
    HieraWorstList list = make_list("longest iterations", "phases", FALSE);
    hiera_call_paths_init(&paths, scene->trace, scene->scope);
    hiera_iterations_init(&all, &paths, scene->scope);
    for (guint32 processor = 0; processor < scene->trace->n_processors; processor++) {
        for (guint i = all.first[processor]; i < all.first[processor + 1]; i++) {
            const HieraIteration *one = &g_array_index(all.iterations, HieraIteration, i);
            guint32 row = one->cut ? HIERA_NONE : first_in(scene, processor, one->begin_ns, one->end_ns);
            if (row != HIERA_NONE)
                offer(scene, &list, row, hiera_scope_clip(scene->scope, one->begin_ns, one->end_ns));
        }
    }
    hiera_iterations_clear(&all);
    hiera_call_paths_clear(&paths);
    take(search, &list);
}

/* --- known operations: those with full details on the page --- */

void hiera_worst_want(HieraWorst *worst, guint32 number)
{
    if (number != HIERA_NONE)
        g_array_append_val(worst->wanted, number);
}

/* Mark an operation and its callers as known (full details on the page), if the page shows them. */
static void know(const HieraWorst *worst, const HieraScene *scene, guint32 row)
{
    for (; row != HIERA_NONE && hiera_scene_shows(scene, row) && !worst->known[row]; row = scene->trace->parent[row])
        worst->known[row] = 1;
}

/* Mark the operations in `wanted` as known; each process does so for those of its own ranks. */
static void know_wanted(HieraWorst *worst, const HieraScene *scene)
{
    hiera_scope_tell_array(scene->scope, scene->trace, worst->wanted);
    for (guint i = 0; i < worst->wanted->len; i++) {
        guint32 row = hiera_scene_find(scene, g_array_index(worst->wanted, guint32, i));
        if (row != HIERA_NONE && hiera_scene_owns(scene, row))
            know(worst, scene, row);
    }
    g_array_set_size(worst->wanted, 0);
}

/* Whether an operation is known (full details on the page) and belongs to this process's ranks. */
static gboolean is_known(const HieraWorst *worst, const HieraScene *scene, guint32 row)
{
    return worst->known[row] && hiera_scene_owns(scene, row);
}

static void want(HieraWorst *worst, const HieraScene *scene, guint32 row)
{
    if (row != HIERA_NONE)
        hiera_worst_want(worst, hiera_scene_number(scene, row));
}

/* Add to `wanted`: the causes of waits of known operations, the completions of their requests, and the other ends of
 * their messages. */
static void want_others(HieraWorst *worst, const HieraScene *scene, const GArray *waits)
{
    guint n;
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        if (is_known(worst, scene, wait->row))
            want(worst, scene, wait->causer);
    }
    const HieraPair *pairs = hiera_match_peek_pairs(scene->match, HIERA_PAIRS_REQUEST, &n);
    for (guint i = 0; i < n; i++) {
        if (is_known(worst, scene, pairs[i].start))
            want(worst, scene, pairs[i].completion);
    }
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    for (guint i = 0; i < n; i++) {
        guint32 end = hiera_arrow_end(&messages[i]);
        if (is_known(worst, scene, messages[i].from))
            want(worst, scene, end);
        else if (is_known(worst, scene, messages[i].to) || is_known(worst, scene, end))
            want(worst, scene, messages[i].from);
    }
}

/* Mark operations as known that other processes know, so that all processes agree. */
static void know_those_of_others(HieraWorst *worst, const HieraScene *scene)
{
    for (guint32 row = 0; scene->scope->share.own && row < scene->trace->n_operations; row++) {
        if (worst->known[row])
            want(worst, scene, row);
    }
    hiera_scope_gather_array(scene->scope, scene->trace, worst->wanted);
    hiera_scope_tell_array(scene->scope, scene->trace, worst->wanted);
    for (guint i = 0; i < worst->wanted->len; i++) {
        guint32 row = hiera_scene_find(scene, g_array_index(worst->wanted, guint32, i));
        if (row != HIERA_NONE)
            worst->known[row] = 1;
    }
}

void hiera_worst_complete(HieraWorst *worst, const HieraScene *scene, const GArray *waits)
{
    know_wanted(worst, scene);
    want_others(worst, scene, waits);
    hiera_scope_gather_array(scene->scope, scene->trace, worst->wanted);
    know_wanted(worst, scene);
    know_those_of_others(worst, scene);
}

/* --- making the lists of worst operations --- */

static void want_lists(HieraWorst *worst)
{
    for (guint i = 0; i < worst->lists->len; i++) {
        const GArray *instances = g_array_index(worst->lists, HieraWorstList, i).instances;
        for (guint k = 0; k < instances->len; k++)
            hiera_worst_want(worst, g_array_index(instances, HieraWorstInstance, k).row);
    }
}

HieraWorst *hiera_worst_find(const HieraScene *scene, const GArray *waits, const HieraCriticalPath *path)
{
    HieraWorst *worst = g_new(HieraWorst, 1);
    worst->lists = g_array_new(FALSE, FALSE, sizeof(HieraWorstList));
    g_array_set_clear_func(worst->lists, clear_list);
    worst->known = g_new0(guint8, (gsize)scene->trace->n_operations + 1);
    worst->wanted = g_array_new(FALSE, FALSE, sizeof(guint32));
    const Search search = {scene, waits, path, worst};
    find_waits(&search);
    find_calls(&search);
    find_messages(&search);
    find_requests(&search);
    find_open(&search);
    find_segments(&search);
    find_iterations(&search);
    want_lists(worst);
    return worst;
}

void hiera_worst_free(HieraWorst *worst)
{
    if (!worst)
        return;
    g_array_unref(worst->lists);
    g_array_unref(worst->wanted);
    g_free(worst->known);
    g_free(worst);
}
