/* The loop that takes most of the CPU time outside MPI, by samples, and its share of its function, by exact times. See
 * summary.h. */
#include "inside/loop_tree.h"
#include "inside/sample_tree.h"
#include "inside/sampled_list.h"
#include "summary.h"

/* In 0.01 %: the least share of the samples, or of a function, that a loop has for a sentence; and the least part of
 * the run that would be saved if it took the same time everywhere. */
enum { LEAST = 500, LEAST_UNEVEN = 200 };

static void add_samples(const HieraSummary *summary, HieraSampledTree *tree)
{
    const HieraTrace *trace = summary->trace;
    for (guint i = 0; i < summary->sampled->len; i++) {
        const HieraSampled *sampled = &g_array_index(summary->sampled, HieraSampled, i);
        if (sampled->object && !sampled->in_mpi &&
            hiera_scope_accepts_rank(summary->scope, trace->processors[sampled->processor].rank))
            hiera_sampled_tree_add(tree, HIERA_SAMPLES_BY_LOOP, sampled);
    }
}

static void say_sampled(HieraSummary *summary)
{
    HieraSampledTree tree;
    if (summary->sampled->len == 0)
        return;
    hiera_sampled_tree_init(&tree);
    add_samples(summary, &tree);
    hiera_sampled_tree_sort(&tree);
    guint32 node = hiera_sampled_tree_find_hottest(&tree, 0);
    const HieraSampledNode *hottest = hiera_sampled_tree_peek(&tree, node), *all = hiera_sampled_tree_peek(&tree, 0);
    gint64 share = hiera_percent(hottest->count, all->count);
    if (node != 0 && share >= LEAST) {
        char percent[HIERA_NUMBER_BYTES];
        g_autofree char *where = hiera_sampled_tree_describe(&tree, node);
        hiera_percent_format(percent, share);
        hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_FIRST, "--measure samples",
                          "%s of the CPU time outside MPI: %s (%s)", percent, where,
                          hiera_summary_count(summary, all->count, "sample"));
    }
    hiera_sampled_tree_clear(&tree);
}

/* --- exact times of functions --- */

/* Return the node of the function with most time of its own code; 0: there is none. */
static guint32 find_function(const HieraLoopTree *tree)
{
    guint32 found = 0;
    for (guint32 i = hiera_loop_tree_peek(tree, 0)->first; i != 0; i = hiera_loop_tree_peek(tree, i)->next) {
        if (hiera_loop_tree_judge(tree, i, 0) == HIERA_TEST_TRUE &&
            (found == 0 || hiera_loop_tree_peek(tree, i)->own_ns > hiera_loop_tree_peek(tree, found)->own_ns))
            found = i;
    }
    return found;
}

/* Descend from a function into the inner loop with the most time, as long as it has at least half of the time around
 * it. */
static guint32 find_longest(const HieraLoopTree *tree, guint32 node)
{
    for (;;) {
        guint32 most = 0;
        for (guint32 i = hiera_loop_tree_peek(tree, node)->first; i != 0; i = hiera_loop_tree_peek(tree, i)->next) {
            if (most == 0 || hiera_loop_tree_peek(tree, i)->time_ns > hiera_loop_tree_peek(tree, most)->time_ns)
                most = i;
        }
        if (most == 0 || hiera_loop_tree_peek(tree, most)->time_ns < hiera_loop_tree_peek(tree, node)->time_ns / 2)
            return node;
        node = most;
    }
}

static void say_longest(HieraSummary *summary, const HieraLoopTree *tree)
{
    guint32 function = find_function(tree), node = find_longest(tree, function);
    const HieraLoopNode *loop = hiera_loop_tree_peek(tree, node);
    gint64 share = hiera_loop_tree_share(tree, node);
    if (node != function && share >= LEAST) {
        char percent[HIERA_NUMBER_BYTES], mean[HIERA_NUMBER_BYTES];
        hiera_percent_format(percent, share);
        hiera_time_format(mean, loop->count > 0 ? loop->time_ns / loop->count : loop->time_ns);
        hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_FIRST, "--measure loops",
                          "%s, %s%s: %s of its time (%s of %s)", hiera_loop_tree_peek(tree, function)->step,
                          loop->parent == function ? "" : "inner ", loop->step, percent,
                          hiera_summary_count(summary, loop->count, "execution"), mean);
    }
}

/* Share of the time of a function or loop in one of the slowest, and the mean, in 0.01 % of the run. */
typedef struct {
    gint64 most, mean;
} Uneven;

static Uneven over_ranks(const HieraLoopNode *node)
{
    return (Uneven){node->most_part / 100000, hiera_mean(node->parts, node->ranks) / 100000};
}

static Uneven over_threads(const HieraLoopNode *node)
{
    return (Uneven){hiera_percent(node->busiest_ns, node->run_ns), hiera_percent(node->mean_ns, node->run_ns)};
}

static gint64 lost(const HieraLoopTree *tree, guint32 node, Uneven (*over)(const HieraLoopNode *))
{
    const Uneven uneven = over(hiera_loop_tree_peek(tree, node));
    return uneven.most - uneven.mean;
}

/* Return the function or loop that loses most, or the loop inside of it that loses at least half of that; 0: none. */
static guint32 find_uneven(const HieraLoopTree *tree, Uneven (*over)(const HieraLoopNode *))
{
    guint32 worst = 0;
    for (guint32 i = 1; i < tree->nodes->len; i++)
        if (lost(tree, i, over) > (worst == 0 ? LEAST_UNEVEN - 1 : lost(tree, worst, over)))
            worst = i;
    for (guint32 i = worst + 1; worst != 0 && i < tree->nodes->len; i++) /* loops stand behind what is around them */
        if (hiera_loop_tree_peek(tree, i)->parent == worst && lost(tree, i, over) >= lost(tree, worst, over) / 2)
            worst = i;
    return worst;
}

/* Return of whom the greatest share is. */
static char *name_slowest(const HieraLoopNode *node, gboolean is_ranks)
{
    if (is_ranks)
        return g_strdup_printf("rank %" G_GINT64_FORMAT, node->slowest);
    return node->ranks == 1 && node->uneven_thread >= 0
               ? g_strdup_printf("thread %" G_GINT64_FORMAT " of rank %" G_GINT64_FORMAT, node->uneven_thread,
                                 node->uneven_rank)
               : g_strdup("the slowest thread of a rank");
}

static void say_uneven(HieraSummary *summary, const HieraLoopTree *tree, Uneven (*over)(const HieraLoopNode *))
{
    guint32 number = find_uneven(tree, over);
    const HieraLoopNode *node = hiera_loop_tree_peek(tree, number);
    const Uneven uneven = over(node);
    gboolean is_ranks = over == over_ranks;
    if (number == 0)
        return;
    char most[HIERA_NUMBER_BYTES], mean[HIERA_NUMBER_BYTES];
    hiera_percent_format(most, uneven.most);
    hiera_percent_format(mean, uneven.mean);
    g_autofree char *in = g_strconcat(" in ", hiera_loop_tree_peek(tree, node->function)->step, NULL);
    g_autofree char *whose = name_slowest(node, is_ranks);
    g_autofree char *most_of_all =
        is_ranks || node->ranks == 1 || node->uneven_thread < 0
            ? g_strdup("")
            : g_strdup_printf("; most of all thread %" G_GINT64_FORMAT " of rank %" G_GINT64_FORMAT,
                              node->uneven_thread, node->uneven_rank);
    hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_SECOND,
                      is_ranks ? "--measure loops --by rank" : "--measure loops --by thread",
                      "%s%s is uneven over %s: %s of the time of %s, %s on average%s", node->step,
                      node->function == number ? "" : in, is_ranks ? "ranks" : "threads", most, whose, mean,
                      most_of_all);
}

static void say_timed(HieraSummary *summary)
{
    HieraLoopTree tree;
    hiera_loop_tree_init(&tree);
    hiera_loop_tree_add_trace(&tree, summary->trace, summary->timed, summary->scope);
    say_longest(summary, &tree);
    say_uneven(summary, &tree, over_ranks);
    say_uneven(summary, &tree, over_threads);
    hiera_loop_tree_clear(&tree);
}

static void say_all(HieraSummary *summary)
{
    say_sampled(summary);
    if (summary->timed->len > 0)
        say_timed(summary);
}

void hiera_summary_add_inside(HieraSummary *summary)
{
    g_autoptr(GArray) sampled = hiera_sampled_gather(summary->trace, summary->scope),
                      timed = hiera_loop_tree_gather(summary->trace, summary->scope);
    summary->sampled = sampled;
    summary->timed = timed;
    if (hiera_scope_leads(summary->scope))
        say_all(summary);
}
