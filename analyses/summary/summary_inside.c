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

void hiera_summary_add_inside(HieraSummary *summary)
{
    HieraSampleTree tree;
    if (summary->trace->sampled->len == 0)
        return;
    hiera_sample_tree_init(&tree);
    add_samples(summary, &tree);
    hiera_sample_tree_sort(&tree);
    guint32 node = hiera_sample_tree_find_hottest(&tree, 0);
    const HieraSampleNode *hottest = hiera_sample_tree_peek(&tree, node), *all = hiera_sample_tree_peek(&tree, 0);
    gint64 share = hiera_percent(hottest->count, all->count);
    if (node != 0 && share >= LEAST) {
        char percent[HIERA_NUMBER_BYTES];
        g_autofree char *where = hiera_sample_tree_describe(&tree, node);
        hiera_percent_format(percent, share);
        hiera_summary_say(summary, HIERA_SUMMARY_INSIDE, HIERA_SAY_FIRST, "--measure samples",
                          "%s of the CPU time outside MPI: %s (%s)", percent, where,
                          hiera_summary_count(summary, all->count, "sample"));
    }
    hiera_sample_tree_clear(&tree);
}
