/* See object_names.h. */
#include "object_names.h"

struct HieraObjectNames {
    const HieraMatch *match;
    GHashTable *first; /* context → index of its first name */
};

/* An index of which it is not known which others are the same has itself as its only name. */
HieraObjectNames *hiera_object_names_new(const HieraMatch *match)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraObjectNames *names = g_new0(HieraObjectNames, 1);
    *names = (HieraObjectNames){match, g_hash_table_new(NULL, NULL)};
    guint32 last = HIERA_NONE;
    for (guint32 row = 0; row < trace->n_operations; row++) {
        guint32 comm = trace->comm[row], context = comm == last ? HIERA_NONE : hiera_match_context(match, comm);
        last = comm;
        gpointer key = GUINT_TO_POINTER(context);
        if (context != HIERA_NONE && !g_hash_table_contains(names->first, key))
            g_hash_table_insert(names->first, key, GUINT_TO_POINTER(comm));
    }
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
    guint32 made = hiera_trace_peek_sparse(trace, row)->other;
    gboolean makes = made != HIERA_NONE && hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_ALL_TO_ALL;
    return hiera_object_names_find(names, makes ? made : trace->comm[row]);
}

const char *hiera_object_names_peek(const HieraObjectNames *names, guint32 comm)
{
    return hiera_match_comm_id(names->match, comm);
}
