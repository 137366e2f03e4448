/* See levels.h. The bytes that MPI calls send inside a level are found in two ways, by document order and by parents,
 * which must agree. */
#include "levels.h"
#include <string.h>

enum { LEVELS_MAX = 64 }; /* greatest number of levels, as each has a bit in `around`; further levels are not counted */

struct HieraLevels {
    const HieraScope *scope;
    GArray *levels;   /* HieraLevel: the levels that were seen */
    GPtrArray *open;  /* by processor: GArray of gint64, by depth: time of the children of operations that may continue
                       * in the next  part */
    GPtrArray *ended; /* by processor: GArray of Ended, by depth, as the previous part of the run left it */
};

/* Of the operations that one caller made one after the other in one thread: the one that ended last. */
typedef struct {
    guint32 row, thread; /* row of the operation; HIERA_NONE: it is in an earlier part of the run */
    gint64 finish;       /* finish time of the operation; G_MININT64: there is no operation */
} Ended;

/* State while the operations of one trace are added. */
typedef struct {
    HieraLevels *levels;
    const HieraCheck *check;
    const HieraTrace *trace;
    guint64 *around;  /* by row: levels of the operation and of its ancestors; bit i is the level with index i */
    gint64 *children; /* by row: total time of the operation's children, in ns */
    GArray *ended;    /* Ended, by depth, of the current processor */
    guint32 processor;
} Tree;

HieraLevels *hiera_levels_new(const HieraScope *scope)
{
    HieraLevels *levels = g_new0(HieraLevels, 1);
    levels->scope = scope;
    levels->levels = g_array_new(FALSE, FALSE, sizeof(HieraLevel));
    levels->open = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    levels->ended = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    return levels;
}

void hiera_levels_free(HieraLevels *levels)
{
    g_array_unref(levels->levels);
    g_ptr_array_unref(levels->open);
    g_ptr_array_unref(levels->ended);
    g_free(levels);
}

gboolean hiera_levels_are_exact(const HieraLevels *levels)
{
    gboolean exact = levels->levels->len < LEVELS_MAX;
    for (guint i = 0; i < levels->levels->len && exact; i++) {
        const HieraLevel *level = &g_array_index(levels->levels, HieraLevel, i);
        exact = level->inclusive != HIERA_TOO_LARGE && level->exclusive != HIERA_TOO_LARGE &&
                level->bytes != HIERA_TOO_LARGE && level->bytes_by_parents != HIERA_TOO_LARGE;
    }
    return exact;
}

/* Return a level by its name; a new one if there is none; NULL if there are too many.
 * @param first  number of its first operation, for a new one */
static HieraLevel *find_level(GArray *levels, const char *name, guint64 first)
{
    for (guint i = 0; i < levels->len; i++)
        if (strcmp(g_array_index(levels, HieraLevel, i).name, name) == 0)
            return &g_array_index(levels, HieraLevel, i);
    HieraLevel level = {.name = name, .depth = HIERA_NONE, .first = first};
    if (levels->len == LEVELS_MAX)
        return NULL;
    g_array_append_val(levels, level);
    return &g_array_index(levels, HieraLevel, levels->len - 1);
}

static HieraLevel *find_level_of(const Tree *tree, guint32 row)
{
    return find_level(tree->levels->levels, hiera_trace_peek_site(tree->trace, row)->level,
                      hiera_check_number(tree->check, tree->processor, row));
}

static gint64 time_of(const HieraTrace *trace, guint32 row)
{
    return trace->finish_ns[row] - trace->start_ns[row];
}

static gint64 bytes_of(const HieraTrace *trace, guint32 row)
{
    return hiera_site_gives(hiera_trace_peek_site(trace, row)) ? MAX(trace->bytes[row], 0) : 0;
}

/* Close the levels whose outermost operation has ended: in document order, if this row is the first of its
 * processor, is in another thread, or is not deeper. */
static void leave_levels(const Tree *tree, guint32 row)
{
    gboolean first_of_processor = row == tree->trace->processors[tree->processor].first;
    for (guint i = 0; i < tree->levels->levels->len; i++) {
        HieraLevel *level = &g_array_index(tree->levels->levels, HieraLevel, i);
        if (first_of_processor || tree->trace->thread[row] != level->thread || tree->trace->depth[row] <= level->depth)
            level->depth = HIERA_NONE;
    }
}

static void add_bytes(const Tree *tree, guint32 row)
{
    gint64 bytes = bytes_of(tree->trace, row);
    for (guint i = 0; bytes > 0 && i < tree->levels->levels->len; i++) {
        HieraLevel *level = &g_array_index(tree->levels->levels, HieraLevel, i);
        level->bytes = hiera_plus(level->bytes, level->depth != HIERA_NONE ? bytes : 0);
        level->bytes_by_parents = hiera_plus(level->bytes_by_parents, tree->around[row] >> i & 1 ? bytes : 0);
    }
}

/* Return the time of an operation's children in earlier parts of the run, in ns. */
static gint64 children_before(const Tree *tree, guint32 row)
{
    const GArray *open = tree->processor < tree->levels->open->len ? tree->levels->open->pdata[tree->processor] : NULL;
    guint32 depth = tree->trace->depth[row];
    return open && hiera_check_is_around(tree->check, tree->processor, row) && depth < open->len
               ? g_array_index(open, gint64, depth)
               : 0;
}

static void add_operation(Tree *tree, guint32 row, gpointer user)
{
    (void)user;
    const HieraTrace *trace = tree->trace;
    guint32 parent = trace->parent[row];
    gboolean again = hiera_check_is_around(tree->check, tree->processor, row);
    HieraLevel *level = find_level_of(tree, row);
    leave_levels(tree, row);
    tree->around[row] = parent == HIERA_NONE ? 0 : tree->around[parent];
    tree->children[row] = children_before(tree, row);
    if (parent != HIERA_NONE && !again)
        tree->children[parent] = hiera_plus(tree->children[parent], time_of(trace, row));
    if (level) {
        tree->around[row] |= (guint64)1 << (level - (HieraLevel *)(void *)tree->levels->levels->data);
        level->operations += !again;
        if (!again)
            level->first = MIN(level->first, hiera_check_number(tree->check, tree->processor, row));
        if (level->depth == HIERA_NONE) {
            level->depth = trace->depth[row];
            level->thread = trace->thread[row];
            level->inclusive = hiera_plus(level->inclusive, again ? 0 : time_of(trace, row));
        }
    }
    add_bytes(tree, row);
}

static void add_exclusive(Tree *tree, guint32 row, gpointer user)
{
    (void)user;
    HieraLevel *level = find_level_of(tree, row);
    gboolean again = hiera_check_is_around(tree->check, tree->processor, row);
    gint64 time = again ? 0 : time_of(tree->trace, row);
    gint64 children = again ? hiera_minus(tree->children[row], children_before(tree, row)) : tree->children[row];
    if (level)
        level->exclusive = hiera_plus(level->exclusive, hiera_minus(time, children));
}

typedef void (*VisitRow)(Tree *tree, guint32 row, gpointer user);

static void visit_own(Tree *tree, VisitRow visit, gpointer user)
{
    for (guint32 i = 0; i < tree->trace->n_processors; i++) {
        guint64 first = tree->trace->processors[i].first, end = first + tree->trace->processors[i].n_operations;
        tree->processor = i;
        for (guint64 row = first; hiera_scope_is_own(tree->levels->scope, i) && row < end; row++)
            visit(tree, (guint32)row, user);
    }
}

/* Save, for the next part, the time of children of a processor's last operation and of all operations around it. */
static void keep_open(Tree *tree, guint32 processor)
{
    const HieraProcessor *of = &tree->trace->processors[processor];
    GArray *open = g_array_new(FALSE, TRUE, sizeof(gint64));
    guint32 row = of->n_operations > 0 ? (guint32)(of->first + of->n_operations - 1) : HIERA_NONE;
    if (row != HIERA_NONE)
        g_array_set_size(open, tree->trace->depth[row] + 1);
    for (; row != HIERA_NONE; row = tree->trace->parent[row])
        g_array_index(open, gint64, tree->trace->depth[row]) = tree->children[row];
    g_ptr_array_add(tree->levels->open, open);
}

/* Restore, from the previous part of the run, the operations of a processor that ended last. */
static void take_ended(Tree *tree, guint32 processor)
{
    g_array_set_size(tree->ended, 0);
    if (processor >= tree->levels->ended->len)
        return;
    const GArray *ended = tree->levels->ended->pdata[processor];
    g_array_append_vals(tree->ended, ended->data, ended->len);
    for (guint i = 0; i < tree->ended->len; i++)
        g_array_index(tree->ended, Ended, i).row = HIERA_NONE;
}

/* Return the operation before a row, of the same caller and thread, that ended last; and note the row if it ends later.
 * Deeper entries belong to earlier callers. In a trace that begins late, calls from before have no place in
 * this order. */
static Ended turn_to(Tree *tree, guint32 row)
{
    const HieraTrace *trace = tree->trace;
    const Ended none = {HIERA_NONE, trace->thread[row], G_MININT64};
    guint32 depth = trace->depth[row];
    if (hiera_check_is_around(tree->check, tree->processor, row) || trace->processors[tree->processor].before)
        return none;
    while (tree->ended->len <= depth)
        g_array_append_val(tree->ended, none);
    g_array_set_size(tree->ended, depth + 1);
    Ended *latest = &g_array_index(tree->ended, Ended, depth), before = *latest;
    if (before.thread != trace->thread[row])
        before = none;
    if (trace->finish_ns[row] >= before.finish)
        *latest = (Ended){row, trace->thread[row], trace->finish_ns[row]};
    return before;
}

static void tell(Tree *tree, guint32 row, gpointer visit)
{
    if (row == tree->trace->processors[tree->processor].first)
        take_ended(tree, tree->processor);
    Ended before = turn_to(tree, row);
    (*(const HieraLevelsVisit *)visit)(&(HieraLevelsRow){row, tree->children, before.row, before.finish}, tree->check);
}

/* Save, for the next part of the run, the operations of each processor that ended last. */
static void keep_ended(Tree *tree)
{
    GPtrArray *kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint32 i = 0; i < tree->trace->n_processors; i++) {
        guint64 first = tree->trace->processors[i].first, end = first + tree->trace->processors[i].n_operations;
        tree->processor = i;
        take_ended(tree, i);
        for (guint64 row = first; row < end; row++)
            turn_to(tree, (guint32)row);
        g_ptr_array_add(kept, g_array_copy(tree->ended));
    }
    g_ptr_array_unref(tree->levels->ended);
    tree->levels->ended = kept;
}

void hiera_levels_add(HieraLevels *levels, const HieraCheck *check, const HieraLevelsVisit *visits, guint n)
{
    g_autoptr(GArray) ended = g_array_new(FALSE, FALSE, sizeof(Ended));
    Tree tree = {.levels = levels, .check = check, .trace = check->trace, .ended = ended};
    g_autofree guint64 *around = tree.around = g_new0(guint64, (gsize)tree.trace->n_operations + 1);
    g_autofree gint64 *children = tree.children = g_new0(gint64, (gsize)tree.trace->n_operations + 1);
    visit_own(&tree, add_operation, NULL);
    visit_own(&tree, add_exclusive, NULL);
    g_ptr_array_set_size(levels->open, 0);
    for (guint32 i = 0; check->part && i < tree.trace->n_processors; i++)
        keep_open(&tree, i);
    for (guint i = 0; i < n; i++)
        visit_own(&tree, tell, (gpointer)&visits[i]);
    if (check->part)
        keep_ended(&tree);
}

/* --- levels of several processes become one list --- */

static void pack_levels(HieraPacker *to, gpointer user)
{
    const GArray *levels = user;
    hiera_pack_number(to, levels->len);
    for (guint i = 0; i < levels->len; i++) {
        const HieraLevel *level = &g_array_index(levels, HieraLevel, i);
        hiera_pack_text(to, level->name);
        hiera_pack_number(to, (gint64)level->first);
        hiera_pack_number(to, level->operations);
        hiera_pack_number(to, level->inclusive);
        hiera_pack_number(to, level->exclusive);
        hiera_pack_number(to, level->bytes);
        hiera_pack_number(to, level->bytes_by_parents);
    }
}

/* Unpack a level that another process has packed, and add it to `all`. */
static void unpack_level(GArray *all, HieraUnpacker *from)
{
    const char *name = hiera_unpack_text(from);
    guint64 first = (guint64)hiera_unpack_number(from);
    gint64 operations = hiera_unpack_number(from), inclusive = hiera_unpack_number(from),
           exclusive = hiera_unpack_number(from), bytes = hiera_unpack_number(from),
           bytes_by_parents = hiera_unpack_number(from);
    HieraLevel *level = find_level(all, name, first);
    if (!level)
        return;
    level->first = MIN(level->first, first);
    level->operations += operations;
    level->inclusive = hiera_plus(level->inclusive, inclusive);
    level->exclusive = hiera_plus(level->exclusive, exclusive);
    level->bytes = hiera_plus(level->bytes, bytes);
    level->bytes_by_parents = hiera_plus(level->bytes_by_parents, bytes_by_parents);
}

static void unpack_levels(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        unpack_level(user, from);
}

static gint compare_first(gconstpointer a, gconstpointer b)
{
    const HieraLevel *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

GArray *hiera_levels_gather(const HieraLevels *levels, const HieraTrace *trace)
{
    GArray *all = g_array_copy(levels->levels);
    for (guint i = 0; i < all->len; i++) {
        HieraLevel *level = &g_array_index(all, HieraLevel, i);
        level->first = hiera_scope_row_of_all(levels->scope, trace, (guint32)level->first);
    }
    hiera_scope_gather_others(levels->scope, trace, pack_levels, unpack_levels, all);
    g_array_sort(all, compare_first);
    return all;
}
