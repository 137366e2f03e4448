/* hiera_hot_loops_gather() of hot_loops.h: the samples of a trace, of all processes. */
#include "hot_loops.h"
#include "sampled_list.h"

HieraHotLoops *hiera_hot_loops_gather(const HieraTrace *trace, const HieraScope *scope)
{
    if (!hiera_hot_loops_suit(scope))
        return NULL;
    g_autoptr(GArray) all = hiera_sampled_gather(trace, scope);
    HieraHotLoops *loops = all->len > 0 ? hiera_hot_loops_new() : NULL;
    for (guint i = 0; i < all->len; i++)
        hiera_hot_loops_add(loops, &g_array_index(all, HieraSampled, i));
    return loops;
}
