#include "object_names.h"

struct HieraObjectNames {
    const HieraMatch *match;
    GHashTable *first; /* hiera_match_context() of the communicator, window or file → index whose name is used */
};

static void name(const HieraObjectNames *names, guint32 comm)
{
    gpointer context = GUINT_TO_POINTER(hiera_match_context(names->match, comm));
    if (context != GUINT_TO_POINTER(HIERA_NONE) && !g_hash_table_contains(names->first, context))
        g_hash_table_insert(names->first, context, GUINT_TO_POINTER(comm));
}

static guint32 made_by(const HieraTrace *trace, guint32 row)
{
    gboolean all = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_ALL_TO_ALL;
    return all ? hiera_trace_peek_sparse(trace, row)->other : HIERA_NONE;
}

/* Objects that no call has made, such as MPI_COMM_WORLD, have the same name everywhere, and so have both sides of an
 * intercommunicator. An index whose equals on other ranks are unknown keeps its own name. */
HieraObjectNames *hiera_object_names_new(const HieraMatch *match)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraObjectNames *names = g_new0(HieraObjectNames, 1);
    *names = (HieraObjectNames){match, g_hash_table_new(NULL, NULL)};
    for (guint32 row = 0; row < trace->n_operations; row++) {
        guint32 made = made_by(trace, row);
        if (made != HIERA_NONE)
            name(names, made);
    }
    for (guint32 comm = 0; comm < hiera_match_count_communicators(match); comm++)
        name(names, comm);
    return names;
}

void hiera_object_names_free(HieraObjectNames *names)
{
    g_hash_table_unref(names->first);
    g_free(names);
}

guint32 hiera_object_names_find(const HieraObjectNames *names, guint32 comm)
{
    gpointer first;
    guint32 context = hiera_match_context(names->match, comm);
    if (context != HIERA_NONE && g_hash_table_lookup_extended(names->first, GUINT_TO_POINTER(context), NULL, &first))
        return GPOINTER_TO_UINT(first);
    return comm;
}

guint32 hiera_object_names_of_row(const HieraObjectNames *names, guint32 row)
{
    const HieraTrace *trace = hiera_match_peek_trace(names->match);
    guint32 made = made_by(trace, row);
    return hiera_object_names_find(names, made != HIERA_NONE ? made : trace->comm[row]);
}

const char *hiera_object_names_peek(const HieraObjectNames *names, guint32 comm)
{
    return hiera_match_comm_id(names->match, comm);
}
