/* Calls that a filter or a pause left out, or that were lost: finds the communicators and kinds of calls that a rank
 * did not record in full. */
#include "base/vocabulary.h"
#include "match_common.h"
#include "text/hash.h"
#include <string.h>

/* Return, as bits of HieraLacks, what is missing if operations of a kind are not recorded. */
static guint lacks_of_kind(HieraKind kind)
{
    switch (kind) {
    case HIERA_KIND_SEND:
        return HIERA_LACKS_SENDS;
    case HIERA_KIND_RECEIVE:
    case HIERA_KIND_PROBE:
        return HIERA_LACKS_RECEIVES;
    case HIERA_KIND_SEND_RECEIVE:
        return HIERA_LACKS_SENDS | HIERA_LACKS_RECEIVES;
    case HIERA_KIND_START:
        return HIERA_LACKS_SENDS | HIERA_LACKS_RECEIVES | HIERA_LACKS_COLLECTIVES;
    case HIERA_KIND_COMPLETE: /* RECEIVES, too: without the status, the source of a receive with MPI_ANY_SOURCE is
                                 unknown */
        return HIERA_LACKS_RECEIVES | HIERA_LACKS_COMPLETIONS;
    case HIERA_KIND_GROUP:
        return HIERA_LACKS_COLLECTIVES;
    case HIERA_KIND_EXPOSE:
    case HIERA_KIND_EXPOSE_END:
    case HIERA_KIND_ACCESS:
    case HIERA_KIND_ACCESS_END:
    case HIERA_KIND_RMA:
        return HIERA_LACKS_EPOCHS;
    default:
        return hiera_kind_collective(kind) ? HIERA_LACKS_COLLECTIVES : 0;
    }
}

/* Return, as bits of HieraLacks, what is missing if a filter leaves out the calls of a site. */
static guint lacks_of_site(const HieraSite *site)
{
    if (!site->mpi)
        return 0;
    if (strcmp(site->operation, HIERA_OPERATION_CANCEL) == 0)
        return HIERA_LACKS_COMPLETIONS;
    return lacks_of_kind(site->kind) | lacks_of_kind(site->starts);
}

/* Return the context of a communicator; HIERA_NONE: it is `open`, that is, its ranks use different ids for it. */
static guint32 context_of(const HieraTrace *trace, guint32 comm)
{
    if (comm == HIERA_NONE)
        return HIERA_NONE;
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, comm);
    return communicator->open ? HIERA_NONE : communicator->context;
}

GHashTable *hiera_match_find_unrecorded(const HieraTrace *trace)
{
    GHashTable *lacking = g_hash_table_new(hiera_hash_pair, NULL);
    for (guint i = 0; trace->filtered && i < trace->filtered->len; i++) {
        const HieraFilteredOf *of = &g_array_index(trace->filtered, HieraFilteredOf, i);
        gpointer key = hiera_pair(of->processor, context_of(trace, of->sum.comm));
        guint lacks = GPOINTER_TO_UINT(g_hash_table_lookup(lacking, key));
        if (of->sum.count > 0)
            g_hash_table_insert(lacking, key, GUINT_TO_POINTER(lacks | lacks_of_site(of->sum.site)));
    }
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (trace->processors[i].paused_calls > 0 ||
            trace->processors[i].lost_calls > 0) /* lost calls may be of any kind, on any communicator */
            g_hash_table_insert(lacking, hiera_pair(i, HIERA_NONE),
                                GUINT_TO_POINTER(HIERA_LACKS_SENDS | HIERA_LACKS_RECEIVES | HIERA_LACKS_COLLECTIVES |
                                                 HIERA_LACKS_COMPLETIONS | HIERA_LACKS_EPOCHS));
    }
    return lacking;
}

gboolean hiera_match_lacks(const HieraTrace *trace, const HieraMatch *match, guint32 processor, guint32 comm,
                           guint lacks)
{
    if (g_hash_table_size(match->lacking) == 0)
        return FALSE;
    gpointer here = hiera_pair(processor, context_of(trace, comm)), anywhere = hiera_pair(processor, HIERA_NONE);
    return (GPOINTER_TO_UINT(g_hash_table_lookup(match->lacking, here)) & lacks) ||
           (GPOINTER_TO_UINT(g_hash_table_lookup(match->lacking, anywhere)) & lacks);
}
