#include "loop_tree.h"
#include "values/shares.h"

enum { ENOUGH_NS = 1000000 }; /* a function that took less time is not judged: its share is not significant */

static HieraLoopNode *at(const HieraLoopTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraLoopNode, node);
}

void hiera_loop_tree_init(HieraLoopTree *tree)
{
    const HieraLoopNode root = {.step = "", .reason = "", .slowest = -1};
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
                                .slowest = -1};
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

/* Find or make the node of a function or loop. The compiler may split a loop into several with the same lines: the
 * second is "loop x.c:5-6 #2". */
static guint32 find(HieraLoopTree *tree, guint32 parent, const HieraTimed *timed)
{
    g_autofree char *step = describe(timed);
    guint32 node = child(tree, parent, timed, step);
    HieraLoopNode *first = at(tree, node);
    if (first->processor != tree->n_processors) {
        first->processor = tree->n_processors;
        first->same = 1;
        return node;
    }
    g_autofree char *numbered = g_strdup_printf("%s #%u", step, ++first->same);
    return child(tree, parent, timed, numbered);
}

/* --- sums of times in nodes --- */

static gint64 times(gint64 a, gint64 b)
{
    gint64 product;
    return a == HIERA_TOO_LARGE || __builtin_mul_overflow(a, b, &product) ? HIERA_TOO_LARGE : product;
}

/* Return a time minus a cost; 0 if the cost is greater. */
static gint64 without(gint64 time_ns, gint64 cost_ns)
{
    return time_ns > cost_ns ? time_ns - cost_ns : 0;
}

/* Times of a function or loop on one rank, without the cost of the timers' events. */
typedef struct {
    gint64 time_ns, own_ns, cost_ns;
} Net;

/* What is inside an element, added up. */
typedef struct {
    gint64 executions, time_ns, longest_ns, own_ns;
} Inside;

/* Subtract the cost of events. A call has two events: one of them is in the time of what is called. `within`: the
 * elements inside, whose times are not longer, but for loops of a function that calls itself: they may run inside each
 * other. */
static Net subtract(const HieraTimed *timed, const Inside *within)
{
    gint64 known = hiera_plus(timed->count, times(within->executions, 2)), own_ns = MIN(timed->own_ns, timed->time_ns);
    gint64 all = MAX(timed->events, known), calls = own_ns < timed->time_ns;
    gint64 own_events = timed->own_events >= 0 ? timed->own_events : calls ? known : all;
    gint64 more = MAX(hiera_minus(own_events, known), 0) / (calls ? 2 : 1);
    Net net = {.cost_ns = times(all, timed->event_ns)};
    net.own_ns = MAX(without(own_ns, times(hiera_plus(known, more), timed->event_ns)), within->own_ns);
    net.time_ns = MAX(without(timed->time_ns, net.cost_ns), timed->inner > 0 ? within->longest_ns : within->time_ns);
    net.own_ns = MAX(MIN(net.own_ns, net.time_ns), within->own_ns);
    net.time_ns = MAX(net.time_ns, net.own_ns);
    return net;
}

static void put_inside(Inside *of, const HieraTimed *timed, const Inside *within, const Net *net)
{
    of->executions = hiera_plus(of->executions, hiera_plus(timed->count, within->executions));
    of->time_ns = hiera_plus(of->time_ns, net->time_ns);
    of->longest_ns = MAX(of->longest_ns, net->time_ns);
    of->own_ns = hiera_plus(of->own_ns, net->own_ns);
}

/* Return the times of each element, to be freed with g_free: at any place time ≥ own ≥ 0, and no more inside than
 * around. This is the one place that subtracts the cost of events. */
static Net *subtract_all(const HieraTimed *timed, guint n)
{
    Net *net = g_new0(Net, n + 1);
    g_autoptr(GArray) below = g_array_new(FALSE, TRUE, sizeof(Inside)); /* by depth: since the last shallower element */
    for (guint i = n; i-- > 0;) {
        guint32 depth = timed[i].depth;
        if (below->len < depth + 2)
            g_array_set_size(below, depth + 2);
        Inside *sums = (Inside *)(void *)below->data;
        net[i] = subtract(&timed[i], &sums[depth + 1]);
        put_inside(&sums[depth], &timed[i], &sums[depth + 1], &net[i]);
        sums[depth + 1] = (Inside){0};
    }
    return net;
}

/* Add a rank's slowest thread: its share of the time in which the rank timed the function. */
static void add_part(HieraLoopNode *node, const HieraTimed *timed, gint64 busiest_ns, gint64 seen_ns, gint64 rank)
{
    gint64 part = seen_ns > 0 ? (gint64)((gdouble)busiest_ns / (gdouble)seen_ns * 1e9) : 0;
    node->ranks++;
    node->parts += part;
    if (timed->count > 0 || timed->open > 0)
        node->slowest = node->slowest < 0 || part > node->most_part ? rank : node->slowest;
    node->most_part = MAX(node->most_part, part);
}

/* Add the time of a rank's slowest thread, and the time in which the rank timed the function (`window_ns`), both
 * without the cost of this thread's events: what was timed throughout has 100 %. */
static void add_window(HieraLoopNode *node, const HieraTimed *timed, const Net *net, gint64 window_ns, gint64 rank)
{
    gdouble part = timed->time_ns > 0 ? (gdouble)net->time_ns / (gdouble)timed->time_ns : 0;
    gint64 longest_ns = MIN(timed->thread_ns, timed->time_ns), busiest_ns = (gint64)(part * (gdouble)longest_ns);
    gint64 seen_ns = hiera_minus(window_ns, hiera_minus(longest_ns, busiest_ns));
    node->busiest_ns = hiera_plus(node->busiest_ns, busiest_ns);
    node->mean_ns = hiera_plus(node->mean_ns, MIN(hiera_mean(net->time_ns, timed->threads), busiest_ns));
    node->run_ns = hiera_plus(node->run_ns, seen_ns);
    if (timed->kind != HIERA_TIMED_NOT && !timed->too_deep)
        add_part(node, timed, busiest_ns, seen_ns, rank);
}

/* Add a rank's times to those of a node. */
static void add_times(HieraLoopNode *node, const Net *net)
{
    node->time_ns = hiera_plus(node->time_ns, net->time_ns);
    node->own_ns = hiera_plus(node->own_ns, net->own_ns);
    node->cost_ns = hiera_plus(node->cost_ns, net->cost_ns);
}

static void add_counts(HieraLoopNode *node, const HieraTimed *timed)
{
    if (timed->count > 0 && (node->count == 0 || timed->min_ns < node->min_ns))
        node->min_ns = timed->min_ns;
    node->was_timed |= timed->kind != HIERA_TIMED_NOT && !timed->too_deep;
    node->max_ns = MAX(node->max_ns, timed->max_ns);
    node->count = hiera_plus(node->count, timed->count);
    node->open = hiera_plus(node->open, timed->open);
    node->iterations = hiera_plus(node->iterations, timed->iterations);
    node->threads = hiera_plus(node->threads, timed->threads);
}

void hiera_loop_tree_add(HieraLoopTree *tree, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns)
{
    g_autofree Net *net = subtract_all(timed, n);
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
        add_times(at(tree, node), &net[i]);
        add_window(at(tree, node), &timed[i], &net[i], window_ns, rank);
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

gint64 hiera_loop_tree_share(const HieraLoopTree *tree, guint32 node)
{
    const HieraLoopNode *of = at(tree, node);
    if (of->function == node)
        return hiera_percent(of->busiest_ns, of->run_ns);
    return hiera_percent(of->time_ns, at(tree, of->function)->time_ns);
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
    return find_imbalance(node->mean_ns, node->busiest_ns);
}

HieraTestVerdict hiera_loop_tree_judge(const HieraLoopTree *tree, guint32 node, gint64 threshold)
{
    const HieraLoopNode *function = at(tree, at(tree, node)->function);
    if (!at(tree, node)->was_timed)
        return HIERA_TEST_UNTESTED;
    if (function->time_ns < ENOUGH_NS || function->time_ns == HIERA_TOO_LARGE)
        return HIERA_TEST_UNKNOWN;
    if (hiera_loop_tree_share(tree, node) >= threshold)
        return HIERA_TEST_TRUE;
    gint64 most_ns = hiera_plus(function->busiest_ns, function->unseen_ns);
    gboolean may_be = function == at(tree, node) && hiera_percent(most_ns, function->run_ns) >= threshold;
    return may_be ? HIERA_TEST_UNKNOWN : HIERA_TEST_FALSE;
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
