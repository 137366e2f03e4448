/* See export_numbers.h. */
#include "export_numbers.h"

typedef struct {
    guint32 n_processors;
    const guint32 *here;
    guint32 *all;
} Counts;

static void tell_here(HieraPacker *to, gpointer user)
{
    const Counts *counts = user;
    hiera_pack_bytes(to, counts->here, counts->n_processors * sizeof *counts->here);
}

static void add_here(HieraUnpacker *from, gpointer user)
{
    const Counts *counts = user;
    g_autofree guint32 *theirs = g_new(guint32, counts->n_processors);
    hiera_unpack_bytes(from, theirs, counts->n_processors * sizeof *theirs);
    for (guint32 i = 0; i < counts->n_processors; i++)
        counts->all[i] += theirs[i];
}

static void tell_all(HieraPacker *to, gpointer user)
{
    const Counts *counts = user;
    hiera_pack_bytes(to, counts->all, counts->n_processors * sizeof *counts->all);
}

static void hear_all(HieraUnpacker *from, gpointer user)
{
    const Counts *counts = user;
    hiera_unpack_bytes(from, counts->all, counts->n_processors * sizeof *counts->all);
}

guint32 *hiera_export_number(const HieraScope *scope, const HieraTrace *trace, const guint32 *here)
{
    g_autofree guint32 *all = g_new0(guint32, trace->n_processors);
    guint32 *first = g_new0(guint32, trace->n_processors), next = 0;
    Counts counts = {trace->n_processors, here, all};
    hiera_scope_gather(scope, trace, tell_here, add_here, &counts);
    hiera_scope_tell(scope, trace, tell_all, hear_all, &counts);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        first[i] = next;
        next += scope->own ? all[i] : here[i];
    }
    return first;
}
