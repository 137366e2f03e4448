/* Adds up, from the leaves to the root, the own times of nodes that are waits; see run_threads.h. */
#include "run_threads.h"
#include "threads/rank_teams.h"
#include "threads/rank_threads.h"

/* Return the call site of a node; NULL: it has none. */
static const HieraSite *site_of(const HieraCallTree *tree, const HieraCatalog *catalog, guint32 node)
{
    guint32 site = hiera_call_tree_peek(tree, node)->site;
    return node > 0 && site < HIERA_CALL_NO_SITE ? hiera_catalog_peek_site(catalog, site) : NULL;
}

static void add_node(HieraRunThreads *threads, const HieraCallNode *node, guint32 number, const HieraSite *site)
{
    if (hiera_site_does_outside(site) == HIERA_DOES_IDLE)
        threads->idle_ns[number] = hiera_plus(threads->idle_ns[number], MAX(node->sums.exclusive, 0));
    if (hiera_site_is_openmp(site, HIERA_PARALLEL))
        threads->regions = hiera_plus(threads->regions, node->sums.calls);
    else if (hiera_site_is_openmp(site, HIERA_IMPLICIT_TASK))
        threads->parts = hiera_plus(threads->parts, node->sums.calls);
}

HieraRunThreads hiera_run_threads_find(const HieraCallTree *tree, const HieraCatalog *catalog)
{
    guint n = tree->nodes->len;
    HieraRunThreads threads = {0, 0, hiera_call_tree_lookup(tree, 0, HIERA_CALL_THREADS) != 0,
                               g_new0(gint64, (gsize)n + 1)};
    for (guint32 i = n; i-- > 1;) {
        const HieraCallNode *node = hiera_call_tree_peek(tree, i);
        const HieraSite *site = site_of(tree, catalog, i);
        if (site)
            add_node(&threads, node, i, site);
        if (node->site != HIERA_CALL_THREADS)
            threads.idle_ns[node->parent] = hiera_plus(threads.idle_ns[node->parent], threads.idle_ns[i]);
    }
    return threads;
}

void hiera_run_threads_clear(HieraRunThreads *threads)
{
    g_clear_pointer(&threads->idle_ns, g_free);
}
