/* The loop that takes most of the CPU time outside MPI, by samples, and its share of its function, by exact times. See
 * summary.h. */
#include "inside/loop_tree.h"
#include "inside/sample_tree.h"
#include "inside/sampled_list.h"
#include "summary.h"

enum { LEAST = 500 }; /* least share of the samples that a loop has for a sentence, in 0.01 % */

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

static void say_timed(HieraSummary *summary)
{
    HieraLoopTree tree;
    hiera_loop_tree_init(&tree);
    hiera_loop_tree_add_trace(&tree, summary->trace, summary->timed, summary->scope);
    guint32 function = find_function(&tree), node = find_longest(&tree, function);
    const HieraLoopNode *loop = hiera_loop_tree_peek(&tree, node);
    gint64 share = hiera_loop_tree_share(&tree, node);
    if (node != function && share >= LEAST) {
        char percent[HIERA_NUMBER_BYTES], mean[HIERA_NUMBER_BYTES];
        hiera_percent_format(percent, share);
        hiera_time_format(mean, loop->count > 0 ? loop->time_ns / loop->count : loop->time_ns);
        hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_FIRST, "--measure loops",
                          "%s, %s%s: %s of its time (%s of %s)", hiera_loop_tree_peek(&tree, function)->step,
                          loop->parent == function ? "" : "inner ", loop->step, percent,
                          hiera_summary_count(summary, loop->count, "execution"), mean);
    }
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
