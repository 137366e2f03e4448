/* The hierarchy of operations: children lie within the time of their parent, and what a thread does one after the other
 * does not overlap. The bytes that MPI calls send inside a level are found in two ways, by document order and by
 * parents, which must agree. */
#include "checks.h"
#include "report/table.h"
#include "trace/catalog.h"
#include <string.h>

enum { LEVELS_MAX = 64 }; /* a bit for each in `around`; further levels are not counted */
#define MISPLACED G_MININT64

/* One level. */
typedef struct {
    const char *name;
    gint64 operations;
    gint64 inclusive, exclusive;    /* nanoseconds; inclusive counts nested operations of the level once */
    gint64 bytes, bytes_by_parents; /* sent by MPI calls inside the level: by document order, by parents */
    guint32 depth, thread;          /* of its outermost operation that is open now; depth HIERA_NONE: none is */
    guint32 first;                  /* its first operation, as its row where one process has all */
} Level;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope; /* its own processors count */
    GArray *levels;   /* Level */
    guint64 *around;  /* by row: levels of the operation and of its parents, a bit each */
    gint64 *children; /* by row: time of its children, in nanoseconds; MISPLACED: one lies outside of it */
    GArray *latest;   /* guint32, by depth: the operation there that ended last */
} Tree;

/* Return a level by its name; a new one if there is none; NULL if there are too many.
 * @param first  of a new one */
static Level *find_level(Tree *tree, const char *name, guint32 first)
{
    for (guint i = 0; i < tree->levels->len; i++)
        if (strcmp(g_array_index(tree->levels, Level, i).name, name) == 0)
            return &g_array_index(tree->levels, Level, i);
    Level level = {.name = name, .depth = HIERA_NONE, .first = first};
    if (tree->levels->len == LEVELS_MAX)
        return NULL;
    g_array_append_val(tree->levels, level);
    return &g_array_index(tree->levels, Level, tree->levels->len - 1);
}

static gint64 time_of(const HieraTrace *trace, guint32 row)
{
    return trace->finish_ns[row] - trace->start_ns[row];
}

static gint64 bytes_of(const HieraTrace *trace, guint32 row)
{
    return hiera_site_gives(hiera_trace_peek_site(trace, row)) ? MAX(trace->bytes[row], 0) : 0;
}

/* Close the levels whose outermost operation has ended. By document order it has if this row is the first of its
 * processor, is in another thread, or is not deeper. */
static void leave_levels(Tree *tree, guint32 row, gboolean first_of_processor)
{
    for (guint i = 0; i < tree->levels->len; i++) {
        Level *level = &g_array_index(tree->levels, Level, i);
        if (first_of_processor || tree->trace->thread[row] != level->thread || tree->trace->depth[row] <= level->depth)
            level->depth = HIERA_NONE;
    }
}

static void add_bytes(Tree *tree, guint32 row)
{
    gint64 bytes = bytes_of(tree->trace, row);
    for (guint i = 0; bytes > 0 && i < tree->levels->len; i++) {
        Level *level = &g_array_index(tree->levels, Level, i);
        level->bytes = hiera_plus(level->bytes, level->depth != HIERA_NONE ? bytes : 0);
        level->bytes_by_parents = hiera_plus(level->bytes_by_parents, tree->around[row] >> i & 1 ? bytes : 0);
    }
}

static void add_operation(Tree *tree, guint32 row, gboolean first_of_processor, gpointer user)
{
    (void)user;
    const HieraTrace *trace = tree->trace;
    guint32 parent = trace->parent[row];
    Level *level = find_level(tree, hiera_trace_peek_site(trace, row)->level, row);
    leave_levels(tree, row, first_of_processor);
    tree->around[row] = parent == HIERA_NONE ? 0 : tree->around[parent];
    if (parent != HIERA_NONE)
        tree->children[parent] = hiera_plus(tree->children[parent], time_of(trace, row));
    if (level) {
        tree->around[row] |= (guint64)1 << (level - (Level *)(void *)tree->levels->data);
        level->operations++;
        if (level->depth == HIERA_NONE) {
            level->depth = trace->depth[row];
            level->thread = trace->thread[row];
            level->inclusive = hiera_plus(level->inclusive, time_of(trace, row));
        }
    }
    add_bytes(tree, row);
}

static void add_exclusive(Tree *tree, guint32 row, gboolean first_of_processor, gpointer user)
{
    (void)first_of_processor;
    (void)user;
    Level *level = find_level(tree, hiera_trace_peek_site(tree->trace, row)->level, row);
    if (level)
        level->exclusive = hiera_plus(level->exclusive, hiera_minus(time_of(tree->trace, row), tree->children[row]));
}

typedef void VisitRow(Tree *tree, guint32 row, gboolean first_of_processor, gpointer user);

static void visit_own(Tree *tree, VisitRow *visit, gpointer user)
{
    for (guint32 i = 0; i < tree->trace->n_processors; i++) {
        guint64 first = tree->trace->processors[i].first, end = first + tree->trace->processors[i].n_operations;
        for (guint64 row = first; hiera_scope_is_own(tree->scope, i) && row < end; row++)
            visit(tree, (guint32)row, row == first, user);
    }
}

static void tree_build(Tree *tree, const HieraTrace *trace, const HieraScope *scope)
{
    *tree = (Tree){.trace = trace,
                   .scope = scope,
                   .levels = g_array_new(FALSE, FALSE, sizeof(Level)),
                   .latest = g_array_new(FALSE, FALSE, sizeof(guint32))};
    tree->around = g_new0(guint64, (gsize)trace->n_operations + 1);
    tree->children = g_new0(gint64, (gsize)trace->n_operations + 1);
    visit_own(tree, add_operation, NULL);
    visit_own(tree, add_exclusive, NULL);
}

static void tree_clear(Tree *tree)
{
    g_array_unref(tree->levels);
    g_array_unref(tree->latest);
    g_free(tree->around);
    g_free(tree->children);
}

/* --- several processes --- */

typedef struct {
    const Tree *own;
    Tree *all;
} Shared;

static void tell_levels(HieraPacker *to, gpointer user)
{
    const Tree *own = ((const Shared *)user)->own;
    hiera_pack_number(to, own->levels->len);
    for (guint i = 0; i < own->levels->len; i++) {
        const Level *level = &g_array_index(own->levels, Level, i);
        hiera_pack_text(to, level->name);
        hiera_pack_number(to, hiera_scope_row_of_all(own->scope, own->trace, level->first));
        hiera_pack_number(to, level->operations);
        hiera_pack_number(to, level->inclusive);
        hiera_pack_number(to, level->exclusive);
        hiera_pack_number(to, level->bytes);
        hiera_pack_number(to, level->bytes_by_parents);
    }
}

/* Another process tells of its ranks. */
static void hear_level(Tree *tree, HieraUnpacker *from)
{
    const char *name = hiera_unpack_text(from);
    guint32 first = (guint32)hiera_unpack_number(from);
    gint64 operations = hiera_unpack_number(from), inclusive = hiera_unpack_number(from),
           exclusive = hiera_unpack_number(from), bytes = hiera_unpack_number(from),
           bytes_by_parents = hiera_unpack_number(from);
    Level *level = find_level(tree, name, first);
    if (!level)
        return;
    level->first = MIN(level->first, first);
    level->operations += operations;
    level->inclusive = hiera_plus(level->inclusive, inclusive);
    level->exclusive = hiera_plus(level->exclusive, exclusive);
    level->bytes = hiera_plus(level->bytes, bytes);
    level->bytes_by_parents = hiera_plus(level->bytes_by_parents, bytes_by_parents);
}

static void hear_levels(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        hear_level(((const Shared *)user)->all, from);
}

static gint compare_first(gconstpointer a, gconstpointer b)
{
    const Level *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

/* Return the levels of all processes, in the order of their first operations; no levels in one that does not lead. To
 * be freed with g_array_unref. */
static GArray *gather_levels(Tree *own)
{
    if (!own->scope->own)
        return g_array_ref(own->levels);
    Tree all = {.levels = g_array_new(FALSE, FALSE, sizeof(Level))};
    Shared shared = {own, &all};
    hiera_scope_gather(own->scope, own->trace, tell_levels, hear_levels, &shared);
    g_array_sort(all.levels, compare_first);
    return all.levels;
}

/* --- checks --- */

enum { PLACES, ORDER, LEVELS }; /* in the order of their findings */

/* Report a child outside the time of its parent. The parent is then exempt from check_order(), so that one fault is
 * reported once. */
static void check_place(Tree *tree, guint32 row, gboolean first_of_processor, gpointer user)
{
    (void)first_of_processor;
    const HieraCheck *check = user;
    const HieraTrace *trace = check->trace;
    guint32 parent = trace->parent[row];
    if (parent == HIERA_NONE ||
        (trace->start_ns[row] >= trace->start_ns[parent] && trace->finish_ns[row] <= trace->finish_ns[parent]))
        return;
    tree->children[parent] = MISPLACED;
    hiera_check_stand_at(check, PLACES, row);
    const char *path = hiera_check_path(check, row);
    g_autofree char *subject = g_strdup_printf("%u %s", trace->site[row], path);
    g_autofree char *child = hiera_check_describe(check, row), *outer = hiera_check_describe(check, parent);
    hiera_findings_add(check->findings, HIERA_FINDING_NESTING, path, hiera_check_line(check, row), subject,
                       "%s starts before or ends after %s, which called it", child, outer);
}

/* Return which of the operations of this depth before a row ended last, and note the row if it ends later. HIERA_NONE:
 * there is none with the same caller in the same thread. */
static guint32 turn_to(Tree *tree, guint32 row, gboolean first_of_processor)
{
    const HieraTrace *trace = tree->trace;
    guint32 depth = trace->depth[row];
    if (first_of_processor)
        g_array_set_size(tree->latest, 0);
    while (tree->latest->len <= depth)
        g_array_append_val(tree->latest, (guint32){HIERA_NONE});
    guint32 *latest = &g_array_index(tree->latest, guint32, depth), before = *latest;
    if (before != HIERA_NONE &&
        (trace->parent[before] != trace->parent[row] || trace->thread[before] != trace->thread[row]))
        before = HIERA_NONE;
    if (before == HIERA_NONE || trace->finish_ns[row] >= trace->finish_ns[before])
        *latest = row;
    return before;
}

/* Report an operation that starts before another one has ended, which the same caller made before it in its thread. */
static void check_order(Tree *tree, guint32 row, gboolean first_of_processor, gpointer user)
{
    const HieraCheck *check = user;
    const HieraTrace *trace = check->trace;
    guint32 before = turn_to(tree, row, first_of_processor), parent = trace->parent[row];
    if (before == HIERA_NONE || trace->start_ns[row] >= trace->finish_ns[before] ||
        (parent != HIERA_NONE && tree->children[parent] == MISPLACED))
        return;
    const char *path = hiera_check_path(check, row);
    char by[HIERA_NUMBER_BYTES];
    hiera_seconds_format(by, hiera_minus(trace->finish_ns[before], trace->start_ns[row]));
    g_autofree char *subject = g_strdup_printf("before %u %u %s", trace->site[before], trace->site[row], path);
    g_autofree char *first = hiera_check_describe(check, before), *second = hiera_check_describe(check, row);
    hiera_check_stand_at(check, ORDER, row);
    hiera_findings_add(check->findings, HIERA_FINDING_NESTING, path, hiera_check_line(check, row), subject,
                       "%s starts %s s before %s ends, which the same thread called earlier: they overlap", second, by,
                       first);
}

void hiera_check_hierarchy(const HieraCheck *check)
{
    Tree tree;
    tree_build(&tree, check->trace, check->scope);
    visit_own(&tree, check_place, (gpointer)check);
    visit_own(&tree, check_order, (gpointer)check);
    g_autoptr(GArray) levels = gather_levels(&tree);
    for (guint i = 0; i < levels->len; i++) {
        const Level *level = &g_array_index(levels, Level, i);
        hiera_check_stand(check, LEVELS, i);
        if (level->bytes != level->bytes_by_parents)
            hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, "", 0, level->name,
                               "level %s: MPI calls inside its operations sent %" G_GINT64_FORMAT
                               " bytes by document order, but %" G_GINT64_FORMAT " by their parents",
                               level->name, level->bytes, level->bytes_by_parents);
    }
    tree_clear(&tree);
}

/* --- the table --- */

static const HieraColumn columns[] = {
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},           {"operations", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"inclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},    {"exclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"bytes inside", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

static void add_rows(const GArray *levels, HieraTable *table)
{
    for (guint i = 0; i < levels->len; i++) {
        const Level *level = &g_array_index(levels, Level, i);
        hiera_table_add(table, (HieraCell[]){{.text = level->name},
                                             {.number = level->operations},
                                             {.number = level->inclusive},
                                             {.number = MAX(level->exclusive, 0)},
                                             {.number = level->bytes}});
    }
}

HieraTable *hiera_check_table_hierarchy(const HieraMatch *match, const HieraScope *scope)
{
    Tree tree;
    HieraTable *table = hiera_table_new("levels", columns, G_N_ELEMENTS(columns));
    tree_build(&tree, match->trace, scope);
    g_autoptr(GArray) levels = gather_levels(&tree);
    add_rows(levels, table);
    tree_clear(&tree);
    hiera_table_settle(table);
    return table;
}

HieraTable *hiera_match_make_hierarchy(const HieraMatch *match)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    return hiera_check_table_hierarchy(match, &all);
}
