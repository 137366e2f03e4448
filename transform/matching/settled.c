#include "settled.h"
#include "match.h"
#include "trace/before.h"
#include <string.h>

/* Marks of an operation. KEPT: it is sent to process 0. SETTLED: its partners need not be sent there. */
enum { KEPT = 1, SETTLED = 2 };

struct HieraSettled {
    const HieraMatch *match;
    const HieraTrace *trace;
    guint8 *marks;     /* by row: marks of the operation */
    guint8 *complete;  /* by row: 1 if a call that has ended completed the request that the row started */
    GHashTable *named; /* set of one processor's request numbers that calls which have not ended name */
};

static const HieraSite *site_of(const HieraSettled *settled, guint32 row)
{
    return hiera_trace_peek_site(settled->trace, row);
}

static void mark(const HieraSettled *settled, guint32 row, guint8 what)
{
    settled->marks[row] |= what;
}

/* --- settled operations: they and all their partners have ended --- */

static void find_complete(const HieraSettled *settled)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(settled->match, HIERA_PAIRS_REQUEST, &n);
    for (guint i = 0; i < n; i++)
        settled->complete[pairs[i].start] |= !hiera_trace_is_open(settled->trace, pairs[i].completion);
}

static gboolean has_ended(const HieraSettled *settled, guint32 row)
{
    const HieraRequest *requests;
    guint n = hiera_trace_peek_requests(settled->trace, row, &requests);
    gboolean begins = n > 0;
    for (guint i = 0; i < n; i++) /* a negative number is no request, but a message that a matched probe took */
        begins = begins && requests[i].number > 0;
    return !hiera_trace_is_open(settled->trace, row) && !hiera_trace_is_failed(settled->trace, row) &&
           (n == 0 || (begins && settled->complete[row]));
}

/* Whether the row's rank has several threads: then no process is sure to know all calls that compete for a message. */
static gboolean is_threaded(const HieraSettled *settled, guint32 row)
{
    return settled->trace->processors[hiera_trace_find_processor(settled->trace, row)].threaded;
}

static gboolean has_arrived(const HieraSettled *settled, const HieraMessage *message)
{
    return message->doubt == HIERA_DOUBT_NONE && !is_threaded(settled, message->from) &&
           !is_threaded(settled, message->to) && site_of(settled, message->from)->kind == HIERA_KIND_SEND &&
           site_of(settled, message->to)->kind == HIERA_KIND_RECEIVE && has_ended(settled, message->from) &&
           has_ended(settled, message->to);
}

static void settle_messages(const HieraSettled *settled)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(settled->match, &n);
    for (guint i = 0; i < n; i++) {
        if (!has_arrived(settled, &messages[i]))
            continue;
        mark(settled, messages[i].from, SETTLED);
        mark(settled, messages[i].to, SETTLED);
    }
}

/* Whether a call was made before the trace begins. Such calls have fixed numbers, so later calls must keep theirs. */
static gboolean is_carried(const HieraSettled *settled, guint32 row)
{
    return settled->match->before && hiera_before_is_carried(settled->trace, row, NULL);
}

/* Whether a row is a collective that makes no object: later calls on an object need the call that made it. */
static gboolean is_plain_collective(const HieraSettled *settled, guint32 row)
{
    const HieraSite *site = site_of(settled, row);
    gboolean of_window = g_str_has_prefix(site->operation, "win_") && strcmp(site->operation, "win_fence") != 0;
    return hiera_kind_collective(site->kind) && !of_window && !is_carried(settled, row) &&
           hiera_trace_peek_sparse(settled->trace, row)->other == HIERA_NONE;
}

static void settle_collectives(const HieraSettled *settled)
{
    guint n, n_members;
    const HieraCollective *collectives = hiera_match_peek_collectives(settled->match, &n);
    for (guint i = 0; i < n; i++) {
        const guint32 *members = hiera_match_peek_members(settled->match, i, &n_members);
        gboolean all = collectives[i].whole;
        for (guint k = 0; all && k < n_members; k++)
            all = is_plain_collective(settled, members[k]) && has_ended(settled, members[k]);
        for (guint k = 0; all && k < n_members; k++)
            mark(settled, members[k], SETTLED);
    }
}

/* --- kept operations: those that are sent to process 0 --- */

/* Whether an operation needs no partner: computation, local calls, ended accesses to windows and files. */
static gboolean is_by_itself(const HieraSettled *settled, guint32 row)
{
    const HieraRequest *requests;
    const HieraSite *site = site_of(settled, row);
    gboolean access = site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_GET || site->kind == HIERA_KIND_UPDATE;
    gboolean alone = !site->mpi || site->kind == HIERA_KIND_LOCAL || site->kind == HIERA_KIND_IO || access;
    return alone && hiera_trace_peek_requests(settled->trace, row, &requests) == 0 &&
           !hiera_trace_is_open(settled->trace, row);
}

static gboolean lies_in_call(const HieraSettled *settled, guint32 row)
{
    guint32 parent = settled->trace->parent[row];
    return parent != HIERA_NONE && site_of(settled, parent)->mpi;
}

/* Return the row of the MPI call of a rank that ended last; HIERA_NONE: the rank has none. */
static guint32 find_last(const HieraSettled *settled, const HieraProcessor *of)
{
    guint32 last = HIERA_NONE;
    const gint64 *finish_ns = settled->trace->finish_ns;
    for (guint64 i = of->first; i < of->first + of->n_operations; i++) {
        guint32 row = (guint32)i;
        if (site_of(settled, row)->mpi && !lies_in_call(settled, row) &&
            (last == HIERA_NONE || finish_ns[row] >= finish_ns[last]))
            last = row;
    }
    return last;
}

static void note_named(const HieraSettled *settled, const HieraProcessor *of)
{
    const HieraRequest *requests;
    g_hash_table_remove_all(settled->named);
    for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
        guint n = hiera_trace_is_open(settled->trace, (guint32)row)
                      ? hiera_trace_peek_requests(settled->trace, (guint32)row, &requests)
                      : 0;
        for (guint i = 0; i < n; i++)
            g_hash_table_add(settled->named, GSIZE_TO_POINTER((gsize)requests[i].number));
    }
}

/* Whether a row completed a request that a call which has not ended names, too. */
static gboolean is_named(const HieraSettled *settled, guint32 row)
{
    const HieraRequest *requests;
    for (guint i = 0, n = hiera_trace_peek_requests(settled->trace, row, &requests); i < n; i++) {
        if (g_hash_table_contains(settled->named, GSIZE_TO_POINTER((gsize)requests[i].number)))
            return TRUE;
    }
    return FALSE;
}

static void keep_rows(const HieraSettled *settled, const HieraProcessor *of)
{
    guint32 last = find_last(settled, of);
    note_named(settled, of);
    for (guint64 i = of->first; i < of->first + of->n_operations; i++) {
        guint32 row = (guint32)i;
        gboolean completes =
            site_of(settled, row)->kind == HIERA_KIND_COMPLETE && !hiera_trace_is_open(settled->trace, row);
        gboolean goes =
            settled->marks[row] & SETTLED || is_by_itself(settled, row) || (completes && !is_named(settled, row));
        if (!goes || row == last)
            mark(settled, row, KEPT);
    }
}

/* Keep the calls that complete requests of kept operations, and all callers of kept operations. */
static void keep_around(const HieraSettled *settled)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(settled->match, HIERA_PAIRS_REQUEST, &n);
    for (guint i = 0; i < n; i++) {
        if (settled->marks[pairs[i].start] & KEPT)
            mark(settled, pairs[i].completion, KEPT);
    }
    for (guint32 row = settled->trace->n_operations; row-- > 0;) {
        if (settled->marks[row] & KEPT && settled->trace->parent[row] != HIERA_NONE)
            mark(settled, settled->trace->parent[row], KEPT);
    }
}

HieraSettled *hiera_settled_find(const HieraMatch *match, const HieraScope *scope)
{
    HieraSettled *settled = g_new(HieraSettled, 1);
    const HieraTrace *trace = match->trace;
    *settled = (HieraSettled){match, trace, g_new0(guint8, (gsize)trace->n_operations + 1),
                              g_new0(guint8, (gsize)trace->n_operations + 1), g_hash_table_new(NULL, NULL)};
    find_complete(settled);
    settle_messages(settled);
    settle_collectives(settled);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            keep_rows(settled, &trace->processors[i]);
    }
    keep_around(settled);
    return settled;
}

void hiera_settled_free(HieraSettled *settled)
{
    g_free(settled->marks);
    g_free(settled->complete);
    g_hash_table_unref(settled->named);
    g_free(settled);
}

gboolean hiera_settled_keeps(const HieraSettled *settled, guint32 row)
{
    return settled->marks[row] & KEPT;
}

gboolean hiera_settled_is_alone(const HieraSettled *settled, guint32 row)
{
    return settled->marks[row] & SETTLED;
}
