/* Deadlocks that only buffering prevents. All ranks run once more, as far as they come where each call waits for all
 * that it may wait for (lockstep.h). Ranks that then wait for each other in a circle, each in a call that could get or
 * do nothing else, would hang on an MPI that does not buffer. */
#include "lockstep.h"

/* What a finding says of a row, known to the process whose rank made the call. */
typedef struct {
    guint32 row, processor, site, line;
} Call;

static gint compare_calls(gconstpointer a, gconstpointer b)
{
    const Call *left = a, *right = b;
    return (left->row > right->row) - (left->row < right->row);
}

/* The rows of the circles' calls, as each process knows its own. */
static GArray *find_calls(const HieraCheck *check, const GArray *hops)
{
    GArray *calls = g_array_new(FALSE, TRUE, sizeof(Call));
    const HieraTrace *trace = check->trace;
    g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < hops->len; i++) {
        g_hash_table_add(wanted, GUINT_TO_POINTER(g_array_index(hops, HieraHop, i).row));
        g_hash_table_add(wanted, GUINT_TO_POINTER(g_array_index(hops, HieraHop, i).awaited));
    }
    for (guint32 row = 0; g_hash_table_size(wanted) > 0 && row < trace->n_operations; row++) {
        if (!hiera_check_is_own(check, row))
            continue;
        Call call = {hiera_scope_row_of_all(check->scope, trace, row), hiera_trace_find_processor(trace, row),
                     trace->site[row], hiera_check_line(check, row)};
        if (g_hash_table_contains(wanted, GUINT_TO_POINTER(call.row)))
            g_array_append_val(calls, call);
    }
    hiera_scope_gather_array(check->scope, trace, calls);
    g_array_sort(calls, compare_calls);
    return calls;
}

static const Call *call_of(const GArray *calls, guint32 row)
{
    const Call key = {.row = row};
    guint at = 0;
    return g_array_binary_search((GArray *)calls, &key, compare_calls, &at) ? &g_array_index(calls, Call, at) : NULL;
}

/* Say of a rank in a circle for whom it waits: " rank 0 waits in send (a.c:3) until rank 1 is in receive (a.c:5)". */
static void describe_hop(const HieraCheck *check, const Call *call, const Call *awaited, GString *text)
{
    const HieraCatalog *catalog = check->trace->catalog;
    g_autofree char *mine = hiera_check_describe_site(hiera_catalog_peek_site(catalog, call->site));
    g_autofree char *theirs = hiera_check_describe_site(hiera_catalog_peek_site(catalog, awaited->site));
    g_string_append_printf(text, "%s rank %u waits in %s until ", text->len ? "," : "",
                           check->trace->processors[call->processor].rank, mine);
    if (call->processor == awaited->processor)
        g_string_append_printf(text, "it is in %s", theirs);
    else
        g_string_append_printf(text, "rank %u is in %s", check->trace->processors[awaited->processor].rank, theirs);
}

/* Report the circle of n ranks: one finding for all circles through the same call sites. */
static void report(const HieraCheck *check, const GArray *calls, const HieraHop *hops, guint n)
{
    enum { SHOWN = 4 };
    g_autoptr(GString) text = g_string_new(NULL), subject = g_string_new(NULL);
    guint flags = 0;
    gboolean rooted = FALSE;
    for (guint i = 0; i < n; i++) {
        const Call *call = call_of(calls, hops[i].row), *awaited = call_of(calls, hops[i].awaited);
        if (!call || !awaited)
            return;
        HieraKind kind = hiera_catalog_peek_site(check->trace->catalog, awaited->site)->kind;
        flags |= hops[i].flags;
        rooted = rooted || (hops[i].flags & HIERA_AWAIT_GROUP && kind != HIERA_KIND_ALL_TO_ALL);
        g_string_append_printf(subject, "%u %u ", call->site, awaited->site);
        if (i < SHOWN)
            describe_hop(check, call, awaited, text);
    }
    if (n > SHOWN)
        g_string_append_printf(text, ", and so on, %u ranks in all", n);
    const Call *first = call_of(calls, hops[0].row);
    hiera_check_stand(check, 0, first->row);
    const Call *second = call_of(calls, hops[n > 1 ? 1 : 0].row);
    const HieraSite *one = hiera_catalog_peek_site(check->trace->catalog, first->site),
                    *other = hiera_catalog_peek_site(check->trace->catalog, second->site);
    const HieraFindingAt at = {check->trace->processors[first->processor].path,
                               first->line,
                               {{one->file, one->line}, {other->file, other->line}}};
    hiera_findings_add_at(check->findings, HIERA_FINDING_UNBUFFERED, &at, subject->str, "would deadlock%s%s%s:%s",
                          flags & HIERA_AWAIT_SEND ? " without buffering" : "",
                          flags & HIERA_AWAIT_SEND && rooted ? "," : "",
                          rooted ? " if collective calls waited for all members" : "", text->str);
}

/* Whether all calls of all ranks are in the trace, and which wait is whose. If not, a wait may be over by one that is
 * not, or by that of another thread, which MPI has given the same handle. */
static gboolean is_whole(const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    gboolean whole = g_hash_table_size(check->match->lacking) == 0 && trace->n_processors > 0;
    for (guint32 i = 0; i < trace->n_processors && whole; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        whole = !processor->calls_in_threads && !processor->cut && !*processor->seam && !processor->before &&
                !hiera_processor_is_past(processor) && processor->size <= trace->n_processors && processor->rank == i;
    }
    return whole;
}

void hiera_check_unbuffered(const HieraCheck *check)
{
    if (!hiera_scope_agree(check->scope, is_whole(check)))
        return;
    HieraLockstep lockstep;
    hiera_lockstep_find(check, &lockstep);
    hiera_scope_gather_array(check->scope, check->trace, lockstep.awaits);
    hiera_scope_gather_array(check->scope, check->trace, lockstep.lanes);
    hiera_scope_gather_array(check->scope, check->trace, lockstep.wild);
    g_autoptr(GArray) hops = g_array_new(FALSE, TRUE, sizeof(HieraHop));
    if (hiera_scope_leads(check->scope))
        hiera_lockstep_run(&lockstep, hiera_scope_count_operations(check->scope, check->trace), hops);
    hiera_lockstep_clear(&lockstep);
    hiera_scope_tell_array(check->scope, check->trace, hops);
    g_autoptr(GArray) calls = find_calls(check, hops);
    for (guint i = 0, first = 0; i < hops->len && hiera_scope_leads(check->scope); i++) {
        if (!g_array_index(hops, HieraHop, i).last)
            continue;
        report(check, calls, &g_array_index(hops, HieraHop, first), i + 1 - first);
        first = i + 1;
    }
}
