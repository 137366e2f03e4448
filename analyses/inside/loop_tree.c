#include "loop_tree.h"
#include "timed_threads.h"
#include "values/shares.h"

enum { ENOUGH_NS = 1000000 }; /* a function that took less time is not judged: its share is not significant */

static HieraLoopNode *at(const HieraLoopTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraLoopNode, node);
}

void hiera_loop_tree_init(HieraLoopTree *tree)
{
    const HieraLoopNode root = {.step = "", .reason = "", .slowest = -1, .lost = -1};
    *tree = (HieraLoopTree){.nodes = g_array_new(FALSE, FALSE, sizeof(HieraLoopNode)),
                            .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                            .texts = g_string_chunk_new(4096)};
    g_array_append_val(tree->nodes, root);
}

void hiera_loop_tree_clear(HieraLoopTree *tree)
{
    g_array_unref(tree->nodes);
    g_hash_table_unref(tree->places);
    g_string_chunk_free(tree->texts);
}

/* --- nodes of the tree --- */

/* Return name and lines of a function or loop, such as "compute_forces force.c:88-97" or "loop force.c:70-82". */
static char *describe(const HieraTimed *timed)
{
    g_autofree char *file = *timed->file ? g_path_get_basename(timed->file) : NULL;
    const char *what = timed->irreducible ? "irreducible loop" : "loop";
    if (timed->kind != HIERA_TIMED_LOOP)
        what = timed->operation;
    if (!file)
        return g_strdup(what);
    return timed->last_line == timed->line ? g_strdup_printf("%s %s:%u", what, file, timed->line)
                                           : g_strdup_printf("%s %s:%u-%u", what, file, timed->line, timed->last_line);
}

static guint32 append(HieraLoopTree *tree, guint32 parent, const HieraTimed *timed, const char *step)
{
    guint32 number = tree->nodes->len, before = at(tree, parent)->last;
    const HieraLoopNode node = {.parent = parent,
                                .function = parent == 0 ? number : at(tree, parent)->function,
                                .kind = timed->kind,
                                .step = g_string_chunk_insert(tree->texts, step),
                                .reason = timed->reason,
                                .slowest = -1,
                                .lost = -1};
    g_array_append_val(tree->nodes, node);
    if (before == 0)
        at(tree, parent)->first = number;
    else
        at(tree, before)->next = number;
    at(tree, parent)->last = number;
    return number;
}

static guint32 child(HieraLoopTree *tree, guint32 parent, const HieraTimed *timed, const char *step)
{
    char *key = g_strdup_printf("%u %s", parent, step);
    guint32 node = GPOINTER_TO_UINT(g_hash_table_lookup(tree->places, key));
    if (node != 0) {
        g_free(key);
        return node;
    }
    node = append(tree, parent, timed, step);
    g_hash_table_insert(tree->places, key, GUINT_TO_POINTER(node));
    return node;
}

/* Find or make the node of a function or loop: no other one of its processor has it. The compiler may split a loop into
 * several with the same lines: the second is "loop x.c:5-6 #2". */
static guint32 find(HieraLoopTree *tree, guint32 parent, const HieraTimed *timed)
{
    g_autofree char *step = describe(timed);
    guint32 node = child(tree, parent, timed, step);
    guint32 first = node;
    while (at(tree, node)->processor == tree->n_processors) {
        g_autofree char *numbered = g_strdup_printf("%s #%u", step, ++at(tree, first)->same);
        node = child(tree, parent, timed, numbered);
    }
    at(tree, node)->processor = tree->n_processors;
    at(tree, node)->same = 1;
    return node;
}

/* --- sums of times in nodes --- */

/* Add a rank's slowest thread: its share of the time in which the rank timed the function. */
static void add_part(HieraLoopNode *node, const HieraTimed *timed, gint64 busiest_ns, gint64 window_ns, gint64 rank)
{
    gint64 part = window_ns > 0 ? (gint64)((gdouble)busiest_ns / (gdouble)window_ns * 1e9) : 0;
    node->ranks++;
    node->parts += part;
    if (timed->count > 0 || timed->open > 0)
        node->slowest = node->slowest < 0 || part > node->most_part ? rank : node->slowest;
    node->most_part = MAX(node->most_part, part);
}

/* Add the time of a rank's slowest thread, and the time in which the rank timed the function (`window_ns`). */
static void add_window(HieraLoopNode *node, const HieraTimed *timed, gint64 window_ns, gint64 rank)
{
    gint64 busiest_ns = MIN(timed->thread_ns, timed->time_ns);
    node->busiest_ns = hiera_plus(node->busiest_ns, busiest_ns);
    node->mean_ns = hiera_plus(node->mean_ns, MIN(hiera_mean(timed->time_ns, timed->threads), busiest_ns));
    node->run_ns = hiera_plus(node->run_ns, window_ns);
    if (timed->kind != HIERA_TIMED_NOT && !timed->too_deep)
        add_part(node, timed, busiest_ns, window_ns, rank);
}

/* Add a rank's times to those of a node. */
static void add_times(HieraLoopNode *node, const HieraTimed *timed)
{
    node->time_ns = hiera_plus(node->time_ns, timed->time_ns);
    node->own_ns = hiera_plus(node->own_ns, timed->own_ns);
    node->uncertainty_ns = hiera_plus(node->uncertainty_ns, timed->uncertainty_ns);
    node->own_uncertainty_ns = hiera_plus(node->own_uncertainty_ns, timed->own_uncertainty_ns);
}

/* Note whose threads are most uneven. */
static void note_threads(HieraLoopNode *node, const HieraTimed *timed, gint64 window_ns, gint64 rank)
{
    gint64 mean_ns = hiera_mean(timed->time_ns, timed->threads);
    gint64 lost = timed->threads > 1 ? hiera_percent(hiera_minus(timed->thread_ns, mean_ns), window_ns) : -1;
    if (lost <= node->lost)
        return;
    node->lost = lost;
    node->uneven_rank = rank;
    node->uneven_thread = hiera_timed_threads_slowest(timed);
}

static void add_counts(HieraLoopNode *node, const HieraTimed *timed)
{
    if (timed->count > 0 && (node->count == 0 || timed->min_ns < node->min_ns))
        node->min_ns = timed->min_ns;
    node->is_estimated |= timed->is_estimated;
    node->was_timed |= timed->kind != HIERA_TIMED_NOT && !timed->too_deep;
    node->max_ns = MAX(node->max_ns, timed->max_ns);
    node->count = hiera_plus(node->count, timed->count);
    node->timed = hiera_plus(node->timed, timed->timed);
    node->open = hiera_plus(node->open, timed->open);
    node->iterations = hiera_plus(node->iterations, timed->iterations);
    node->iterations_doubt = hiera_plus(node->iterations_doubt, timed->iterations_doubt);
    node->threads = hiera_plus(node->threads, timed->threads);
}

void hiera_loop_tree_add(HieraLoopTree *tree, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns)
{
    g_autoptr(GArray) around =
        g_array_new(FALSE, TRUE, sizeof(guint32)); /* by depth: node that is the parent of an element at this depth */
    guint32 node = 0;
    gint64 window_ns = run_ns;
    tree->n_processors++;
    for (guint i = 0; i < n; i++) {
        if (timed[i].kind == HIERA_TIMED_ALL) {
            tree->missed = hiera_plus(tree->missed, timed[i].count);
            continue;
        }
        g_array_set_size(around, timed[i].depth + 1);
        node = find(tree, g_array_index(around, guint32, timed[i].depth), &timed[i]);
        if (timed[i].depth == 0)
            window_ns = timed[i].watched_ns > 0 ? timed[i].watched_ns : run_ns;
        if (window_ns < run_ns)
            at(tree, node)->unseen_ns = hiera_plus(at(tree, node)->unseen_ns, timed[i].max_ns);
        add_times(at(tree, node), &timed[i]);
        add_window(at(tree, node), &timed[i], window_ns, rank);
        note_threads(at(tree, node), &timed[i], window_ns, rank);
        add_counts(at(tree, node), &timed[i]);
        g_array_append_val(around, node);
    }
}

void hiera_loop_tree_add_trace(HieraLoopTree *tree, const HieraTrace *trace, const GArray *timed,
                               const HieraScope *scope)
{
    const HieraTimed *all = (const HieraTimed *)(const void *)timed->data;
    for (guint first = 0, end; first < timed->len; first = end) {
        const HieraProcessor *processor = &trace->processors[all[first].processor];
        end = first + 1;
        while (end < timed->len && all[end].processor == all[first].processor)
            end++;
        if (hiera_scope_accepts_rank(scope, processor->rank))
            hiera_loop_tree_add(tree, all + first, end - first, processor->rank,
                                hiera_minus(processor->finalize_ns, processor->init_ns));
    }
}

/* --- shares, and verdicts on functions and loops --- */

/* A share, of a time that is longer than a node's by so much. */
static gint64 share_with(const HieraLoopTree *tree, guint32 node, gint64 more_ns)
{
    const HieraLoopNode *of = at(tree, node);
    gboolean is_function = of->function == node;
    gint64 part_ns = hiera_plus(is_function ? of->busiest_ns : of->time_ns, more_ns);
    return hiera_percent(MAX(part_ns, 0), is_function ? of->run_ns : at(tree, of->function)->time_ns);
}

gint64 hiera_loop_tree_share(const HieraLoopTree *tree, guint32 node)
{
    return share_with(tree, node, 0);
}

static gint64 find_imbalance(gint64 mean, gint64 greatest)
{
    return hiera_percent(hiera_minus(greatest, mean), greatest);
}

gint64 hiera_loop_tree_rank_imbalance(const HieraLoopNode *node)
{
    return find_imbalance(hiera_mean(node->parts, node->ranks), node->most_part);
}

gint64 hiera_loop_tree_thread_imbalance(const HieraLoopNode *node)
{
    return node->lost < 0 ? HIERA_UNKNOWN : find_imbalance(node->mean_ns, node->busiest_ns);
}

char *hiera_loop_tree_name_thread(const HieraLoopNode *node)
{
    if (node->lost < 0)
        return g_strdup("");
    return node->uneven_thread < 0
               ? g_strdup_printf("%" G_GINT64_FORMAT ":?", node->uneven_rank)
               : g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, node->uneven_rank, node->uneven_thread);
}

HieraTestVerdict hiera_loop_tree_judge(const HieraLoopTree *tree, guint32 node, gint64 threshold)
{
    const HieraLoopNode *of = at(tree, node), *function = at(tree, of->function);
    if (!of->was_timed)
        return HIERA_TEST_UNTESTED;
    if (function->time_ns < ENOUGH_NS || function->time_ns == HIERA_TOO_LARGE)
        return HIERA_TEST_UNKNOWN;
    if (share_with(tree, node, -of->uncertainty_ns) >= threshold)
        return HIERA_TEST_TRUE;
    gint64 more_ns = hiera_plus(of->uncertainty_ns, function == of ? function->unseen_ns : 0);
    return share_with(tree, node, more_ns) >= threshold ? HIERA_TEST_UNKNOWN : HIERA_TEST_FALSE;
}

gint64 hiera_loop_tree_uncertainty(const HieraLoopTree *tree, guint32 node)
{
    enum { TOLD = 1000 }; /* hundredths of a percent */
    gint64 part = hiera_percent(at(tree, node)->uncertainty_ns, at(tree, node)->time_ns);
    return part > TOLD ? part : 0;
}

/* --- several processes: each has the times of its own traces --- */

static void pack_timed(HieraPacker *to, gpointer user)
{
    const GArray *timed = user;
    hiera_pack_number(to, timed->len);
    for (guint i = 0; i < timed->len; i++) {
        hiera_pack_number(to, g_array_index(timed, HieraTimed, i).processor);
        hiera_pack_timed(to, &g_array_index(timed, HieraTimed, i));
    }
}

static void unpack_timed(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        guint32 processor = (guint32)hiera_unpack_number(from);
        HieraTimed timed = hiera_unpack_timed(from);
        timed.processor = processor;
        g_array_append_val((GArray *)user, timed);
    }
}

GArray *hiera_loop_tree_gather(const HieraTrace *trace, const HieraScope *scope)
{
    GArray *all = g_array_copy(trace->timed);
    hiera_scope_gather_others(scope, trace, pack_timed, unpack_timed, all);
    return all;
}
