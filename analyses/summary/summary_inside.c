/* Which loop takes most of the CPU time outside MPI, as samples say. See summary.h. */
#include "inside/sample_tree.h"
#include "summary.h"

enum { LEAST = 500 }; /* hundredths of a percent of the samples: what has less is not worth a sentence */

static void add_samples(const HieraSummary *summary, HieraSampleTree *tree)
{
    const HieraTrace *trace = summary->trace;
    for (guint i = 0; i < trace->sampled->len; i++) {
        const HieraSampled *sampled = &g_array_index(trace->sampled, HieraSampled, i);
        if (sampled->object && !sampled->in_mpi &&
            hiera_scope_accepts_rank(summary->scope, trace->processors[sampled->processor].rank))
            hiera_sample_tree_add(tree, HIERA_SAMPLES_BY_LOOP, sampled);
    }
}

/* From the root down, always into the child that has most, as long as that has half of its parent. */
static guint32 find_hottest(const HieraSampleTree *tree)
{
    guint32 node = 0;
    for (guint32 next = hiera_sample_tree_peek(tree, 0)->first; next != 0;
         next = hiera_sample_tree_peek(tree, node)->first) {
        if (2 * hiera_sample_tree_peek(tree, next)->count < hiera_sample_tree_peek(tree, node)->count)
            break;
        node = next;
    }
    return node;
}

static char *describe(const HieraSampleTree *tree, guint32 node)
{
    g_autoptr(GString) text = g_string_new(hiera_sample_tree_peek(tree, node)->step);
    for (guint32 up = hiera_sample_tree_peek(tree, node)->parent; up != 0;
         up = hiera_sample_tree_peek(tree, up)->parent)
        g_string_append_printf(text, " in %s", hiera_sample_tree_peek(tree, up)->step);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

void hiera_summary_add_inside(HieraSummary *summary)
{
    HieraSampleTree tree;
    if (summary->trace->sampled->len == 0)
        return;
    hiera_sample_tree_init(&tree);
    add_samples(summary, &tree);
    hiera_sample_tree_sort(&tree);
    guint32 node = find_hottest(&tree);
    const HieraSampleNode *hottest = hiera_sample_tree_peek(&tree, node), *all = hiera_sample_tree_peek(&tree, 0);
    gint64 share = hiera_percent(hottest->count, all->count);
    if (node != 0 && share >= LEAST) {
        char percent[HIERA_NUMBER_BYTES];
        g_autofree char *where = describe(&tree, node);
        hiera_percent_format(percent, share);
        hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_FIRST, "--measure samples",
                          "%s of the CPU time outside MPI: %s (%s)", percent, where,
                          hiera_summary_count(summary, all->count, "sample"));
    }
    hiera_sample_tree_clear(&tree);
}
