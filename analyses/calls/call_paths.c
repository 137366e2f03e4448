/* One pass over the rows finds the call path of each operation; see call_paths.h. */
#include "call_paths.h"
#include "values/outermost.h"

enum { STEPS_MAX = 64 }; /* greatest number of steps of a path in its text; outer ones are left out */

/* The last operation at each depth of the current processor: its node, the node that it and the operations inside are
 * counted for, and the node of its last child (0 if there was none). */
typedef struct {
    guint32 node, counts_for, child;
} Around;

typedef struct {
    HieraCallPaths *paths;
    HieraScope place; /* the scope without --where: level, depth and ranks */
    gboolean all;     /* TRUE if `place` accepts all operations */
    const guint8 *chosen;
    GArray *around; /* Around: last operation at a depth, by depth + 1; element 0 is the processor */
    GArray *after;  /* guint32 by node: sibling that came after it last time; element 0: first child */
} Walk;

/* Find the node of a site below a caller. What follows a call is mostly the same as last time, so the tree is rarely
 * searched. */
static guint32 find_node(const Walk *walk, Around *caller, guint32 site)
{
    HieraCallTree *tree = walk->paths->tree;
    guint32 *after = &g_array_index(walk->after, guint32, caller->child);
    const HieraCallNode *guess = hiera_call_tree_peek(tree, *after);
    if (guess->parent == caller->node && guess->site == site)
        return caller->child = *after;
    caller->child = *after = hiera_call_tree_find(tree, caller->node, site);
    g_array_set_size(walk->after, tree->nodes->len);
    return caller->child;
}

static void add_row(const Walk *walk, guint32 row)
{
    const HieraTrace *trace = walk->paths->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    guint32 depth = trace->depth[row];
    Around threads = {0}, *caller = &g_array_index(walk->around, Around, depth);
    if (depth == 0 && trace->thread[row] != 0) {
        threads.node = hiera_call_tree_find(walk->paths->tree, 0, HIERA_CALL_THREADS);
        threads.counts_for = walk->paths->units ? 0 : threads.node;
        caller = &threads;
    }
    guint32 node = caller->node, counts_for = caller->counts_for;
    if (walk->all || hiera_scope_accepts_row(&walk->place, trace, row))
        node = counts_for = find_node(walk, caller, site->id);
    if (walk->chosen && !walk->chosen[row])
        counts_for = caller->counts_for;
    walk->paths->node[row] = counts_for;
    if (walk->around->len < depth + 2)
        g_array_set_size(walk->around, depth + 2);
    Around *own = &g_array_index(walk->around, Around, depth + 1);
    if (own->node != node)
        *own = (Around){.node = node};
    own->counts_for = counts_for;
}

void hiera_call_paths_init(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    *paths = (HieraCallPaths){trace,
                              hiera_call_tree_new(),
                              g_new0(guint32, (gsize)trace->n_operations + 1),
                              g_array_new(FALSE, TRUE, sizeof(guint32)),
                              g_new(guint32, (gsize)trace->n_processors + 1),
                              hiera_scope_has_units(scope),
                              g_array_new(FALSE, FALSE, sizeof(guint32))};
    g_autoptr(GArray) around = g_array_new(FALSE, TRUE, sizeof(Around)),
                      after = g_array_new(FALSE, TRUE, sizeof(guint32));
    Walk walk = {.paths = paths,
                 .place = *scope,
                 .all = !scope->level && scope->depth < 0,
                 .chosen = scope->chosen,
                 .around = around,
                 .after = after};
    walk.place.chosen = NULL;
    walk.place.where = FALSE;
    g_array_set_size(around, 1);
    g_array_set_size(after, 1);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        gboolean asked = hiera_scope_accepts_rank(scope, processor->rank) && hiera_scope_is_own(scope, i);
        for (guint64 row = processor->first; asked && row < processor->first + processor->n_operations; row++)
            add_row(&walk, (guint32)row);
        paths->made[i] = paths->tree->nodes->len;
    }
}

void hiera_call_paths_init_all_ranks(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    HieraScope all_ranks = *scope;
    all_ranks.ranks = NULL;
    all_ranks.share.own = NULL;
    hiera_call_paths_init(paths, trace, &all_ranks);
}

void hiera_call_paths_clear(HieraCallPaths *paths)
{
    hiera_call_tree_free(paths->tree);
    g_free(paths->node);
    g_free(paths->made);
    g_array_unref(paths->before);
    if (paths->late)
        g_array_unref(paths->late);
}

void hiera_call_paths_note_late(const HieraCallPaths *paths, guint32 processor)
{
    if (!paths->late)
        return;
    guint32 n_early = paths->made[paths->trace->n_processors - 1];
    while (n_early + paths->late->len < paths->tree->nodes->len)
        g_array_append_val(paths->late, processor);
}

/* Return the child of a node for the time that the collector takes in it. */
static guint32 find_own(HieraCallPaths *paths, guint32 node, const HieraTimeSpan *span)
{
    guint32 own = hiera_call_tree_find(paths->tree, node, HIERA_CALL_OWN);
    hiera_call_paths_note_late(paths, span->processor);
    return own;
}

guint32 hiera_call_paths_of_span(HieraCallPaths *paths, const HieraTimeSpan *span)
{
    guint32 node = span->row == HIERA_NONE ? 0 : paths->node[span->row];
    guint32 next = span->next == HIERA_NONE ? node : paths->node[span->next];
    if (span->doing == HIERA_DOES_OWN)
        return find_own(paths, node, span);
    if (next == node) /* no operation begins at the end of the span, or it has no node of its own */
        return node;
    if (next >= paths->before->len)
        g_array_set_size(paths->before, next + 1);
    guint32 *before = &g_array_index(paths->before, guint32, next);
    if (*before == 0 || hiera_call_tree_peek(paths->tree, *before)->parent != node) {
        *before = hiera_call_tree_find(paths->tree, node, paths->trace->site[span->next] | HIERA_CALL_BEFORE);
        hiera_call_paths_note_late(paths, span->processor);
    }
    return *before;
}

const HieraSite *hiera_call_paths_site(const HieraCallPaths *paths, guint32 node)
{
    guint32 site = hiera_call_tree_peek(paths->tree, node)->site;
    return site >= HIERA_CALL_NO_SITE ? NULL
                                      : hiera_catalog_peek_site(paths->trace->catalog, site & ~HIERA_CALL_BEFORE);
}

gboolean hiera_call_paths_is_own(const HieraCallPaths *paths, guint32 node)
{
    return hiera_call_tree_peek(paths->tree, node)->site == HIERA_CALL_OWN;
}

gboolean hiera_call_paths_computes(const HieraCallPaths *paths, guint32 node)
{
    const HieraSite *site = hiera_call_paths_site(paths, node);
    guint32 number = hiera_call_tree_peek(paths->tree, node)->site;
    return number != HIERA_CALL_OWN && (!site || !site->mpi || hiera_call_is_before(number));
}

void hiera_call_step_append(GString *path, const HieraCatalog *catalog, guint32 number)
{
    static const char *const none[] = {HIERA_ITSELF, "only counted", "further threads", "processors"};
    G_STATIC_ASSERT(HIERA_CALL_NO_SITE + G_N_ELEMENTS(none) - 1 == HIERA_NONE);
    if (number >= HIERA_CALL_NO_SITE) {
        g_string_append(path, none[number - HIERA_CALL_NO_SITE]);
        return;
    }
    const HieraSite *site = hiera_catalog_peek_site(catalog, number & ~HIERA_CALL_BEFORE);
    if (number & HIERA_CALL_BEFORE)
        g_string_append(path, "before ");
    g_string_append_printf(path, "%s%s%s", site->class_name, *site->class_name ? "::" : "", site->operation);
    if (*site->short_file)
        g_string_append_printf(path, " %s", site->short_file);
    if (site->line > 0)
        g_string_append_printf(path, ":%u", site->line);
}

const char *hiera_call_path(const HieraCallTree *tree, const HieraCatalog *catalog, guint32 node, gboolean root,
                            HieraTable *table)
{
    guint32 steps[STEPS_MAX], n = 0, at = node;
    for (; at != HIERA_NONE && n < STEPS_MAX && (root || at != 0 || node == 0);
         at = hiera_call_tree_peek(tree, at)->parent)
        steps[n++] = at;
    g_autoptr(GString) path = g_string_new(n < STEPS_MAX || at == HIERA_NONE || (at == 0 && !root) ? "" : "…");
    while (n-- > 0) {
        if (path->len > 0)
            g_string_append_c(path, HIERA_PATH_SEPARATOR);
        hiera_call_step_append(path, catalog, hiera_call_tree_peek(tree, steps[n])->site);
    }
    return hiera_table_keep(table, path->str);
}

const char *hiera_call_paths_text(const HieraCallPaths *paths, guint32 node, HieraTable *table)
{
    return hiera_call_path(paths->tree, paths->trace->catalog, node, FALSE, table);
}
