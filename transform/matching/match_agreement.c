/* Checks that the members' calls of one collective agree, and finds the kind and the root of the collective. */
#include "base/vocabulary.h"
#include "match_calls.h"
#include <string.h>

static gboolean is_rooted(HieraKind kind)
{
    return kind == HIERA_KIND_ONE_TO_ALL || kind == HIERA_KIND_ALL_TO_ONE;
}

/* Whether two operations may be calls of the same collective: equal names, except that bcast matches bcast_c. */
static gboolean same_operation(const char *left, const char *right)
{
    if (left == right)
        return TRUE;
    gsize left_length = strlen(left), right_length = strlen(right);
    left_length -= g_str_has_suffix(left, "_c") ? 2 : 0;
    right_length -= g_str_has_suffix(right, "_c") ? 2 : 0;
    return left_length == right_length && memcmp(left, right, left_length) == 0;
}

HieraKind hiera_match_call_kind(const HieraTrace *trace, const HieraMemberCall *call)
{
    const HieraSite *site = hiera_trace_peek_site(trace, call->made_by);
    return call->row == call->made_by ? site->kind : site->starts;
}

/* Whether a call is made on an intercommunicator. */
static gboolean is_inter(const HieraTrace *trace, const HieraMemberCall *call)
{
    return hiera_catalog_peek_communicator(trace->catalog, call->comm)->remote != NULL;
}

/* True if two members may have the same operator of a reduction. On an intercommunicator some members give none,
 * because it has no meaning for them. */
static gboolean same_operator(const HieraTrace *trace, guint32 left, guint32 right)
{
    gint32 a = hiera_trace_peek_sparse(trace, left)->rtag, b = hiera_trace_peek_sparse(trace, right)->rtag;
    return a == b || a == HIERA_ABSENT || b == HIERA_ABSENT;
}

/* True if the calls of two members agree in operation, root and operator. On an intercommunicator roots are not
 * compared, because the two groups name the root differently. */
static gboolean two_agree(const HieraTrace *trace, const HieraMemberCall *left, const HieraMemberCall *right)
{
    const HieraSite *a = hiera_trace_peek_site(trace, left->made_by), *b = hiera_trace_peek_site(trace, right->made_by);
    HieraKind kind = hiera_match_call_kind(trace, left);
    gboolean rooted = is_rooted(kind) && !is_inter(trace, left);
    return same_operation(a->operation, b->operation) &&
           (!rooted || trace->peer[left->made_by] == trace->peer[right->made_by]) &&
           (!hiera_kind_collective(kind) || same_operator(trace, left->made_by, right->made_by));
}

/* Return the index of the first call that names a reduction operator; 0 if none does. */
static guint32 find_with_operator(const HieraTrace *trace, const HieraMemberCall *calls, guint32 n)
{
    guint32 first = 0;
    while (first < n && hiera_trace_peek_sparse(trace, calls[first].made_by)->rtag == HIERA_ABSENT)
        first++;
    return first < n ? first : 0;
}

gboolean hiera_match_calls_agree(const HieraTrace *trace, HieraMatch *match, const HieraMemberCall *calls, guint32 n)
{
    guint32 different = 0, reference = find_with_operator(trace, calls, n);
    while (different < n && two_agree(trace, &calls[reference], &calls[different]))
        different++;
    for (guint32 i = 0; different < n && i < n; i++) {
        guint32 other = two_agree(trace, &calls[reference], &calls[i]) ? different : reference;
        g_hash_table_insert(match->differs, GUINT_TO_POINTER(calls[i].row), GUINT_TO_POINTER(calls[other].row + 1));
    }
    return different >= n;
}

/* The root is the member that passes MPI_ROOT (intercommunicator), or whose rank all pass (intracommunicator). */
guint32 hiera_match_find_root(const HieraTrace *trace, const HieraMemberCall *calls, guint32 n)
{
    if (!is_rooted(hiera_match_call_kind(trace, &calls[0])))
        return HIERA_NONE;
    gboolean inter = is_inter(trace, &calls[0]);
    for (guint32 i = 0; i < n; i++) {
        gint32 root = trace->peer[calls[i].made_by];
        if (inter ? root == HIERA_ROOT : root == calls[i].rank)
            return calls[i].row;
    }
    return HIERA_NONE;
}
