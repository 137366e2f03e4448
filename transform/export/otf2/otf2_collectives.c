/* See otf2_collectives.h. The `i` of non-blocking calls, `_init` and `_c` are removed before names are compared. */
#include "otf2_collectives.h"
#include "base/vocabulary.h"
#include <string.h>

static const struct {
    const char *operation;
    OTF2_CollectiveOp word;
} words[] = {{"barrier", OTF2_COLLECTIVE_OP_BARRIER},
             {"broadcast", OTF2_COLLECTIVE_OP_BCAST},
             {"bcast", OTF2_COLLECTIVE_OP_BCAST},
             {"gather", OTF2_COLLECTIVE_OP_GATHER},
             {"gatherv", OTF2_COLLECTIVE_OP_GATHERV},
             {"scatter", OTF2_COLLECTIVE_OP_SCATTER},
             {"scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
             {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
             {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
             {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
             {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
             {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
             {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
             {"reduce", OTF2_COLLECTIVE_OP_REDUCE},
             {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
             {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
             {"scan", OTF2_COLLECTIVE_OP_SCAN},
             {"exscan", OTF2_COLLECTIVE_OP_EXSCAN},
             {"comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
             {"comm_disconnect", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
             {"win_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
             {"win_fence", OTF2_COLLECTIVE_OP_BARRIER}};

static gboolean find_word(const char *operation, OTF2_CollectiveOp *word)
{
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(operation, words[i].operation) == 0) {
            *word = words[i].word;
            return TRUE;
        }
    }
    return FALSE;
}

gboolean hiera_otf2_is_collective(const HieraTrace *trace, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    HieraKind kind = site->starts != HIERA_KIND_LOCAL ? site->starts : site->kind;
    return hiera_kind_collective(kind) && kind != HIERA_KIND_NEIGHBOR && kind != HIERA_KIND_IO_ALL &&
           trace->comm[row] != HIERA_NONE;
}

OTF2_CollectiveOp hiera_otf2_collective(const HieraTrace *trace, guint32 row)
{
    static const char *const suffixes[] = {"_c", "_init"};
    OTF2_CollectiveOp word;
    g_autofree char *name = g_strdup(hiera_trace_peek_site(trace, row)->operation);
    for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        if (g_str_has_suffix(name, suffixes[i]))
            name[strlen(name) - strlen(suffixes[i])] = '\0';
    }
    if (find_word(name, &word) || (*name == 'i' && find_word(name + 1, &word)))
        return word;
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE; /* all collectives that are not in `words` make communicators or windows */
}

guint32 hiera_otf2_root(const HieraTrace *trace, guint32 row)
{
    gint32 root = trace->peer[row];
    if (root >= 0)
        return (guint32)root;
    if (root == HIERA_ROOT)
        return OTF2_COLLECTIVE_ROOT_SELF;
    if (root == HIERA_PROC_NULL)
        return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    return OTF2_COLLECTIVE_ROOT_NONE;
}
