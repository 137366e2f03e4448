/* Rows of a thread stand together, so a lane is a range of rows. */
#include "lanes.h"
#include "alike/subtree_hash.h"

static void add_lane(HieraScene *scene, guint32 processor, guint32 thread, guint32 first)
{
    const guint32 *first_of_all = scene->scope->first;
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

/* Sort the rows of a lane by their begin, if its clock went back. */
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

/* Processors whose main threads do the same operations are a group; it has the index of its first one. */
static void find_groups(HieraScene *scene)
{
    HieraSubtreeHashes hashes;
    guint32 n = scene->trace->n_processors;
    g_autoptr(GHashTable) first = g_hash_table_new(g_int64_hash, g_int64_equal);
    hiera_subtree_hashes_init(&hashes, scene->trace, &HIERA_SCOPE_ALL);
    scene->group = g_new(guint32, n);
    for (guint32 i = 0; i < n; i++) {
        gpointer found;
        scene->group[i] = i;
        if (!hiera_scope_accepts_rank(scene->scope, scene->trace->processors[i].rank))
            continue;
        gboolean known = g_hash_table_lookup_extended(first, &hashes.of_processor[i], NULL, &found);
        if (!known)
            g_hash_table_insert(first, &hashes.of_processor[i], GUINT_TO_POINTER(i));
        scene->group[i] = known ? GPOINTER_TO_UINT(found) : i;
    }
    g_hash_table_remove_all(first);
    hiera_subtree_hashes_clear(&hashes);
}

static void tell_times(HieraPacker *to, gpointer user)
{
    const HieraScene *scene = user;
    hiera_pack_number(to, scene->begin_ns);
    hiera_pack_number(to, scene->end_ns);
}

static void hear_times(HieraUnpacker *from, gpointer user)
{
    HieraScene *scene = user;
    gint64 begin_ns = hiera_unpack_number(from), end_ns = hiera_unpack_number(from);
    scene->begin_ns = MIN(scene->begin_ns, begin_ns);
    scene->end_ns = MAX(scene->end_ns, end_ns);
}

/* Find the lanes, and when the run begins and ends for those of all processes. */
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
    hiera_scope_gather(scene->scope, trace, tell_times, hear_times, scene);
    hiera_scope_tell(scene->scope, trace, tell_times, hear_times, scene);
}

void hiera_scene_init(HieraScene *scene, const HieraMatch *match, const HieraScope *scope, const gint64 *waiting)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    *scene = (HieraScene){.match = match, .trace = trace, .scope = scope, .waiting = waiting};
    scene->lanes = g_array_new(FALSE, FALSE, sizeof(HieraLane));
    scene->whole = !scope->own && !scope->ranks && scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64;
    find_lanes(scene);
    scene->begin_ns = MAX(scene->begin_ns, scope->from_ns);
    scene->end_ns = MAX(scene->begin_ns, MIN(scene->end_ns, scope->to_ns));
    for (guint i = 0; i < scene->lanes->len; i++)
        sort_lane(scene, &g_array_index(scene->lanes, HieraLane, i));
    hiera_site_order_init(&scene->order, trace);
    if (!scope->own)
        find_groups(scene);
}

void hiera_scene_clear(HieraScene *scene)
{
    g_array_unref(scene->lanes);
    hiera_site_order_clear(&scene->order);
    g_free(scene->group);
    g_free(scene->by_begin);
}

gboolean hiera_scene_has(const HieraScene *scene, guint32 row)
{
    return scene->whole || hiera_scope_touches(scene->scope, scene->trace->start_ns[row], scene->trace->finish_ns[row]);
}

gboolean hiera_scene_shows(const HieraScene *scene, guint32 row)
{
    if (scene->whole || scene->lanes->len == 0)
        return scene->whole;
    const HieraLane *lane = &g_array_index(scene->lanes, HieraLane, hiera_scene_lane(scene, row));
    return row - lane->first < lane->n_rows && hiera_scene_has(scene, row);
}

guint32 hiera_scene_lane(const HieraScene *scene, guint32 row)
{
    guint32 low = 0, high = scene->lanes->len;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(scene->lanes, HieraLane, middle).first <= row)
            low = middle;
        else
            high = middle;
    }
    /* A lane without rows begins where the next one does; the last of them has the row. */
    return low;
}

guint32 hiera_scene_main_lane(const HieraScene *scene, guint32 processor)
{
    guint32 low = 0, high = scene->lanes->len;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(scene->lanes, HieraLane, middle).processor < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A time from the begin of what is shown. */
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
