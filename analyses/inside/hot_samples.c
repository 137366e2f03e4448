/* Samples of several processes; see hot_loops.h. */
#include "hot_loops.h"

/* Samples of this process, and of all. */
typedef struct {
    const HieraTrace *trace;
    GArray *all; /* HieraSampled */
} Samples;

static void tell_samples(HieraPacker *to, gpointer user)
{
    const GArray *own = ((Samples *)user)->trace->sampled;
    hiera_pack_number(to, own->len);
    for (guint i = 0; i < own->len; i++) {
        hiera_pack_number(to, g_array_index(own, HieraSampled, i).processor);
        hiera_pack_sampled(to, &g_array_index(own, HieraSampled, i));
    }
}

static void hear_samples(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        guint32 processor = (guint32)hiera_unpack_number(from);
        HieraSampled sampled = hiera_unpack_sampled(from);
        sampled.processor = processor;
        g_array_append_val(((Samples *)user)->all, sampled);
    }
}

static gint compare_processors(gconstpointer a, gconstpointer b)
{
    const HieraSampled *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

HieraHotLoops *hiera_hot_loops_gather(const HieraTrace *trace, const HieraScope *scope)
{
    g_autoptr(GArray) heard = g_array_new(FALSE, FALSE, sizeof(HieraSampled));
    Samples samples = {trace, heard};
    if (!hiera_hot_loops_suit(scope))
        return NULL;
    hiera_scope_gather(scope, trace, tell_samples, hear_samples, &samples);
    g_array_sort(heard, compare_processors); /* stable */
    const GArray *all = scope->own ? heard : trace->sampled;
    HieraHotLoops *loops = all->len > 0 ? hiera_hot_loops_new() : NULL;
    for (guint i = 0; i < all->len; i++)
        hiera_hot_loops_add(loops, &g_array_index(all, HieraSampled, i));
    return loops;
}
