/* See lanes.h. The rows of a thread are consecutive in the trace, so a lane is a range of rows. */
#include "lanes.h"
#include "alike/subtree_hash.h"
#include "base/together.h"

static void add_lane(HieraScene *scene, guint32 processor, guint32 thread, guint32 first)
{
    const guint32 *first_of_all = scene->scope->share.first;
    guint32 shift = first_of_all ? first_of_all[processor] - (guint32)scene->trace->processors[processor].first : 0;
    const HieraLane lane = {processor, thread, first, 0, 0, shift};
    g_array_append_val(scene->lanes, lane);
}

static void add_lanes(HieraScene *scene, guint32 processor)
{
    const HieraTrace *trace = scene->trace;
    const HieraProcessor *of = &trace->processors[processor];
    add_lane(scene, processor, 0, (guint32)of->first);
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        HieraLane *lane = &g_array_index(scene->lanes, HieraLane, scene->lanes->len - 1);
        if (trace->thread[row] != lane->thread) {
            add_lane(scene, processor, trace->thread[row], row);
            lane = &g_array_index(scene->lanes, HieraLane, scene->lanes->len - 1);
        }
        lane->n_rows++;
        scene->begin_ns = MIN(scene->begin_ns, trace->start_ns[row]);
        scene->end_ns = MAX(scene->end_ns, trace->finish_ns[row]);
        if (hiera_scene_has(scene, row))
            lane->n_depths = MAX(lane->n_depths, trace->depth[row] + 1);
    }
}

typedef struct {
    gint64 start_ns;
    guint32 row;
} Begin;

static gint compare_begins(gconstpointer a, gconstpointer b)
{
    const Begin *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* If the start times of a lane's rows do not rise, because its clock went back, sort its part of `by_begin`. */
static void sort_lane(HieraScene *scene, const HieraLane *lane)
{
    const gint64 *start_ns = scene->trace->start_ns + lane->first;
    guint32 i = 1;
    while (i < lane->n_rows && start_ns[i - 1] <= start_ns[i])
        i++;
    if (i >= lane->n_rows)
        return;
    g_autoptr(GArray) begins = g_array_sized_new(FALSE, FALSE, sizeof(Begin), lane->n_rows);
    for (i = 0; i < lane->n_rows; i++) {
        const Begin begin = {start_ns[i], lane->first + i};
        g_array_append_val(begins, begin);
    }
    g_array_sort(begins, compare_begins);
    if (!scene->by_begin) {
        scene->by_begin = g_new(guint32, scene->trace->n_operations);
        for (guint32 row = 0; row < scene->trace->n_operations; row++)
            scene->by_begin[row] = row;
    }
    for (i = 0; i < lane->n_rows; i++)
        scene->by_begin[lane->first + i] = g_array_index(begins, Begin, i).row;
}

/* --- groups of ranks that do the same operations --- */

typedef struct {
    guint64 processor, hash;
} Doing;

/* Return a hash of each main thread's operations, unsorted; in process 0 those of all processes. */
static GArray *find_doings(const HieraScene *scene)
{
    HieraSubtreeHashes hashes;
    HieraScope scope = HIERA_SCOPE_ALL;
    GArray *doings = g_array_new(FALSE, FALSE, sizeof(Doing));
    scope.share.own = scene->scope->share.own;
    hiera_subtree_hashes_init(&hashes, scene->trace, &scope);
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        const Doing doing = {i, hashes.of_processor[i]};
        if (hiera_scope_is_own(&scope, i))
            g_array_append_val(doings, doing);
    }
    hiera_subtree_hashes_clear(&hashes);
    hiera_scope_gather_array(scene->scope, scene->trace, doings);
    return doings;
}

static gint compare_doings(gconstpointer a, gconstpointer b)
{
    const Doing *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

/* Set HieraScene.group: ranks whose main threads do the same operations get the index of the first such rank. */
static void find_groups(HieraScene *scene)
{
    g_autoptr(GArray) doings = find_doings(scene);
    g_autoptr(GHashTable) first = g_hash_table_new(g_int64_hash, g_int64_equal);
    scene->group = g_new0(guint32, (gsize)scene->trace->n_processors + 1);
    g_array_sort(doings, compare_doings);
    for (guint i = 0; i < doings->len; i++) {
        Doing *of = &g_array_index(doings, Doing, i);
        guint32 processor = (guint32)of->processor;
        gpointer found;
        scene->group[processor] = processor;
        if (!hiera_scope_accepts_rank(scene->scope, scene->trace->processors[processor].rank))
            continue;
        gboolean known = g_hash_table_lookup_extended(first, &of->hash, NULL, &found);
        if (!known)
            g_hash_table_insert(first, &of->hash, GUINT_TO_POINTER(processor));
        scene->group[processor] = known ? GPOINTER_TO_UINT(found) : processor;
    }
}

/* --- begin, end and lanes over all processes --- */

static void pack_times(HieraPacker *to, gpointer user)
{
    const HieraScene *scene = user;
    hiera_pack_number(to, scene->begin_ns);
    hiera_pack_number(to, scene->end_ns);
}

static void unpack_times(HieraUnpacker *from, gpointer user)
{
    HieraScene *scene = user;
    gint64 begin_ns = hiera_unpack_number(from), end_ns = hiera_unpack_number(from);
    scene->begin_ns = MIN(scene->begin_ns, begin_ns);
    scene->end_ns = MAX(scene->end_ns, end_ns);
}

static gint compare_lanes(gconstpointer a, gconstpointer b)
{
    const HieraLane *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

static GArray *find_all(const HieraScene *scene)
{
    GArray *all = g_array_copy(scene->lanes);
    for (guint i = 0; i < all->len; i++) {
        HieraLane *lane = &g_array_index(all, HieraLane, i);
        lane->first += lane->shift;
    }
    hiera_scope_gather_array(scene->scope, scene->trace, all);
    g_array_sort(all, compare_lanes); /* g_array_sort is stable, so equal lanes keep their order */
    hiera_scope_tell_array(scene->scope, scene->trace, all);
    return all;
}

/* Set the lanes of the scene, and begin and end of the run, over all processes. */
static void find_lanes(HieraScene *scene)
{
    const HieraTrace *trace = scene->trace;
    scene->begin_ns = G_MAXINT64;
    scene->end_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_accepts_rank(scene->scope, trace->processors[i].rank))
            continue;
        scene->begin_ns = MIN(scene->begin_ns, trace->processors[i].init_ns);
        scene->end_ns = MAX(scene->end_ns, trace->processors[i].finalize_ns);
        if (hiera_scope_is_own(scene->scope, i))
            add_lanes(scene, i);
    }
    hiera_scope_gather_others(scene->scope, trace, pack_times, unpack_times, scene);
    hiera_scope_tell(scene->scope, trace, pack_times, unpack_times, scene);
}

void hiera_scene_init(HieraScene *scene, const HieraMatch *match, const HieraScope *scope, const gint64 *waiting)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    *scene = (HieraScene){.match = match, .trace = trace, .scope = scope, .waiting = waiting};
    scene->lanes = g_array_new(FALSE, FALSE, sizeof(HieraLane));
    scene->whole = !scope->share.own && !scope->ranks && scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64;
    find_lanes(scene);
    scene->all = find_all(scene);
    scene->begin_ns = MAX(scene->begin_ns, scope->from_ns);
    scene->end_ns = MAX(scene->begin_ns, MIN(scene->end_ns, scope->to_ns));
    for (guint i = 0; i < scene->lanes->len; i++)
        sort_lane(scene, &g_array_index(scene->lanes, HieraLane, i));
    hiera_site_order_init(&scene->order, trace);
    find_groups(scene);
}

void hiera_scene_clear(HieraScene *scene)
{
    g_array_unref(scene->lanes);
    g_array_unref(scene->all);
    hiera_site_order_clear(&scene->order);
    g_free(scene->group);
    g_free(scene->by_begin);
}

gboolean hiera_scene_has(const HieraScene *scene, guint32 row)
{
    return scene->whole || hiera_scope_touches(scene->scope, scene->trace->start_ns[row], scene->trace->finish_ns[row]);
}

/* --- numbers of operations that are the same in all processes --- */

guint32 hiera_scene_number(const HieraScene *scene, guint32 row)
{
    return hiera_scope_row_of_all(scene->scope, scene->trace, row);
}

gboolean hiera_scene_owns(const HieraScene *scene, guint32 row)
{
    const guint8 *own = scene->scope->share.own;
    return !own || own[hiera_trace_find_processor(scene->trace, row)];
}

/* Return the index of the rank that has the operation with a number (hiera_scene_number). */
static guint32 find_processor(const HieraScene *scene, guint32 number)
{
    guint32 low = 0, high = scene->trace->n_processors;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (scene->scope->share.first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    /* Ranks without operations have the same first number as the next rank; the last of these has the operation. */
    return low;
}

/* Return the index of a number in a rising list; the length of the list: it is not there. */
static guint find_place(const GArray *rows, guint32 number)
{
    guint low = 0, high = rows->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(rows, guint32, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->len && g_array_index(rows, guint32, low) == number ? low : rows->len;
}

guint32 hiera_scene_find(const HieraScene *scene, guint32 number)
{
    if (!scene->scope->share.first)
        return number;
    guint32 processor = find_processor(scene, number), place = number - scene->scope->share.first[processor];
    const GArray *rows = scene->scope->share.rows->pdata[processor];
    guint32 first = (guint32)scene->trace->processors[processor].first;
    if (!rows)
        return first + place;
    place = find_place(rows, place);
    return place < rows->len ? first + place : HIERA_NONE;
}

/* --- lanes of operations --- */

/* Return the index in `all` of the lane that has the operation with a number (hiera_scene_number). */
static guint32 find_lane(const HieraScene *scene, guint32 number)
{
    guint32 low = 0, high = scene->all->len;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(scene->all, HieraLane, middle).first <= number)
            low = middle;
        else
            high = middle;
    }
    /* Lanes without rows have the same first row as the next lane; the last of these has the row. */
    return low;
}

gboolean hiera_scene_shows(const HieraScene *scene, guint32 row)
{
    if (scene->whole || scene->all->len == 0)
        return scene->whole;
    guint32 number = hiera_scene_number(scene, row);
    const HieraLane *lane = &g_array_index(scene->all, HieraLane, find_lane(scene, number));
    return number - lane->first < lane->n_rows && hiera_scene_has(scene, row);
}

guint32 hiera_scene_lane(const HieraScene *scene, guint32 row)
{
    return find_lane(scene, hiera_scene_number(scene, row));
}

/* Return the index of the first lane whose rank is `processor` or later. */
static guint32 find_main(const GArray *lanes, guint32 processor)
{
    guint32 low = 0, high = lanes->len;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(lanes, HieraLane, middle).processor < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

guint32 hiera_scene_main_lane(const HieraScene *scene, guint32 processor)
{
    return find_main(scene->all, processor);
}

const HieraLane *hiera_scene_peek_main_lane(const HieraScene *scene, guint32 processor)
{
    guint32 number = find_main(scene->lanes, processor);
    const HieraLane *lane = &g_array_index(scene->lanes, HieraLane, number);
    return number < scene->lanes->len && lane->processor == processor ? lane : NULL;
}

/* --- times in the shown part of the run --- */

/* Return a time, cut to the shown part of the run, relative to the begin of that part. */
static gint64 time_in(const HieraScene *scene, gint64 time_ns)
{
    return hiera_minus(CLAMP(time_ns, scene->begin_ns, scene->end_ns), scene->begin_ns);
}

gint64 hiera_scene_start(const HieraScene *scene, guint32 row)
{
    return time_in(scene, scene->trace->start_ns[row]);
}

gint64 hiera_scene_finish(const HieraScene *scene, guint32 row)
{
    return time_in(scene, MAX(scene->trace->finish_ns[row], scene->trace->start_ns[row]));
}

guint32 hiera_scene_row(const HieraScene *scene, guint32 i)
{
    return scene->by_begin ? scene->by_begin[i] : i;
}

guint32 hiera_scene_search(const HieraScene *scene, const HieraLane *lane, gint64 begin_ns)
{
    guint32 low = lane->first, high = lane->first + lane->n_rows;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (hiera_scene_start(scene, hiera_scene_row(scene, middle)) < begin_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
