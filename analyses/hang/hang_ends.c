/* Finds the sends and receives without a partner, and the requests that no call has completed. */
#include "hang_parts.h"
#include <string.h>

/* Whether a call starts several requests, each of which may have a message. */
static gboolean is_shared(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    return hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_START &&
           hiera_trace_peek_requests(trace, row, &requests) > 1;
}

static void mark_partner(const HieraHang *hang, guint32 row, guint8 side, guint message)
{
    hang->partnered[row] |= side;
    if (!is_shared(hang->trace, row))
        return;
    GArray *messages = g_hash_table_lookup(hang->shared, GUINT_TO_POINTER(row));
    if (!messages) {
        messages = g_array_new(FALSE, FALSE, sizeof(guint));
        g_hash_table_insert(hang->shared, GUINT_TO_POINTER(row), messages);
    }
    g_array_append_val(messages, message);
}

static void mark_partners(const HieraHang *hang)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(hang->match, &n);
    for (guint i = 0; i < n; i++) {
        mark_partner(hang, messages[i].from, HIERA_HANG_SENT, i);
        mark_partner(hang, messages[i].to, HIERA_HANG_RECEIVED, i);
    }
}

/* True if a message of a call that starts several requests belongs to the one `made_by`: the other side has the same
 * communicator, rank and tag, as far as these are known. */
static gboolean is_message_of(const HieraHang *hang, const HieraMessage *message, guint32 made_by, guint8 side)
{
    const HieraTrace *trace = hang->trace;
    guint32 other = side == HIERA_HANG_SENT ? message->to : message->from;
    HieraKind kind = hiera_trace_peek_site(trace, other)->kind;
    gint32 rank = (gint32)trace->processors[hiera_trace_find_processor(trace, other)].rank;
    gint32 peer = side == HIERA_HANG_SENT ? hiera_hang_peer(hang, made_by, trace->peer[made_by])
                                          : hiera_hang_source(hang, made_by);
    gboolean plain = kind == HIERA_KIND_SEND || (kind == HIERA_KIND_RECEIVE && trace->tag[other] != HIERA_ANY);
    return hiera_match_context(hang->match, message->comm) == hiera_match_context(hang->match, trace->comm[made_by]) &&
           (peer == HIERA_ANY || peer == rank) &&
           (!plain || trace->tag[made_by] == HIERA_ANY || trace->tag[made_by] == trace->tag[other]);
}

gboolean hiera_hang_is_partnered(const HieraHang *hang, guint32 made_by, guint32 act, guint8 side)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(hang->match, &n);
    const GArray *shared = g_hash_table_lookup(hang->shared, GUINT_TO_POINTER(act));
    for (guint i = 0; shared && i < shared->len; i++) {
        const HieraMessage *message = &messages[g_array_index(shared, guint, i)];
        if ((side == HIERA_HANG_SENT ? message->from : message->to) == act &&
            is_message_of(hang, message, made_by, side))
            return TRUE;
    }
    return !shared && (hang->partnered[act] & side);
}

HieraKind hiera_hang_kind(const HieraTrace *trace, guint32 made_by)
{
    const HieraSite *site = hiera_trace_peek_site(trace, made_by);
    return site->starts == HIERA_KIND_LOCAL ? site->kind : site->starts;
}

gint32 hiera_hang_peer(const HieraHang *hang, guint32 row, gint32 peer)
{
    return peer < 0 ? peer : hiera_match_world_rank(hang->match, hang->trace->comm[row], peer);
}

gint32 hiera_hang_source(const HieraHang *hang, guint32 row)
{
    return hiera_hang_peer(hang, row, hang->trace->source[row]);
}

gint32 hiera_hang_receive_tag(const HieraHang *hang, guint32 row)
{
    gboolean both = hiera_trace_peek_site(hang->trace, row)->kind == HIERA_KIND_SEND_RECEIVE;
    return both ? hiera_trace_peek_sparse(hang->trace, row)->rtag : hang->trace->tag[row];
}

gboolean hiera_hang_fits(const HieraHang *hang, const HieraHangEnd *send, const HieraHangEnd *receive)
{
    const HieraTrace *trace = hang->trace;
    return hiera_match_context(hang->match, trace->comm[send->made_by]) ==
               hiera_match_context(hang->match, trace->comm[receive->made_by]) &&
           send->peer == (gint32)trace->processors[receive->processor].rank &&
           (receive->peer == HIERA_ANY || receive->peer == (gint32)trace->processors[send->processor].rank) &&
           (receive->tag == HIERA_ANY || receive->tag == send->tag);
}

/* Whether an operation needs no partner, or had no effect, by its HieraReason. */
static gboolean is_excused(const HieraHang *hang, guint32 row)
{
    HieraReason reason = hiera_match_reason(hang->match, row);
    return reason == HIERA_REASON_PROC_NULL || reason == HIERA_REASON_CANCELLED || reason == HIERA_REASON_ELSEWHERE ||
           reason == HIERA_REASON_FAILED;
}

static void add_end(const HieraHang *hang, guint32 processor, guint32 made_by, guint32 act, gboolean sent)
{
    guint8 side = sent ? HIERA_HANG_SENT : HIERA_HANG_RECEIVED;
    if (hiera_hang_is_partnered(hang, made_by, act, side) || is_excused(hang, act))
        return;
    HieraHangEnd end = {made_by,
                        act,
                        processor,
                        sent ? hiera_hang_peer(hang, made_by, hang->trace->peer[made_by])
                             : hiera_hang_source(hang, made_by),
                        sent ? hang->trace->tag[made_by] : hiera_hang_receive_tag(hang, made_by),
                        sent};
    if (end.peer >= 0 || end.peer == HIERA_ANY)
        g_array_append_val(hang->ends, end);
}

/* Add sends and receives of a call without partner to `ends`. @param act  the call, or the start of its request */
static void add_ends(const HieraHang *hang, guint32 processor, guint32 made_by, guint32 act)
{
    HieraKind kind = act == made_by ? hiera_trace_peek_site(hang->trace, made_by)->kind
                                    : hiera_trace_peek_site(hang->trace, made_by)->starts;
    if (kind == HIERA_KIND_SEND || kind == HIERA_KIND_SEND_RECEIVE)
        add_end(hang, processor, made_by, act, TRUE);
    if (kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_SEND_RECEIVE)
        add_end(hang, processor, made_by, act, FALSE);
}

static void make_request(GHashTable *requests, gint64 number, guint32 row)
{
    HieraHangRequest *request = g_new(HieraHangRequest, 1);
    gint64 *key = g_memdup2(&number, sizeof number);
    *request = (HieraHangRequest){row, HIERA_NONE, FALSE};
    g_hash_table_replace(requests, key, request);
}

static void start_request(const HieraHang *hang, guint32 processor, guint32 row, gint64 number)
{
    HieraHangRequest *request = g_hash_table_lookup(hang->requests[processor], &number);
    if (!request)
        return;
    request->start = row;
    request->started = TRUE;
    add_ends(hang, processor, request->made_by, row);
}

/* Whether the operation of a request has been started and not completed. */
static gboolean is_active(const HieraHang *hang, const HieraHangRequest *request)
{
    return request->start != HIERA_NONE ||
           hiera_trace_peek_site(hang->trace, request->made_by)->starts == HIERA_KIND_LOCAL;
}

static void free_request(const HieraHang *hang, guint32 processor, guint32 row, gint64 number)
{
    const HieraHangRequest *request = g_hash_table_lookup(hang->requests[processor], &number);
    if (request && is_active(hang, request))
        g_array_append_val(hang->freed, row);
    g_hash_table_remove(hang->requests[processor], &number);
}

/* Mark a request as completed. A persistent request is kept, but not active any more. */
static void complete_request(const HieraHang *hang, guint32 processor, gint64 number)
{
    HieraHangRequest *request = g_hash_table_lookup(hang->requests[processor], &number);
    if (request && hiera_trace_peek_site(hang->trace, request->made_by)->starts != HIERA_KIND_LOCAL)
        request->start = HIERA_NONE;
    else
        g_hash_table_remove(hang->requests[processor], &number);
}

static void see_requests(const HieraHang *hang, guint32 processor, guint32 row)
{
    const HieraRequest *request;
    const HieraSite *site = hiera_trace_peek_site(hang->trace, row);
    for (guint i = 0, n = hiera_trace_peek_requests(hang->trace, row, &request); i < n; i++) {
        if (request[i].number <= 0)
            continue;
        if (site->kind == HIERA_KIND_START)
            start_request(hang, processor, row, request[i].number);
        else if (site->kind == HIERA_KIND_COMPLETE)
            complete_request(hang, processor, request[i].number);
        else if (strcmp(site->operation, "request_free") == 0)
            free_request(hang, processor, row, request[i].number);
        else if (!g_hash_table_contains(hang->requests[processor], &request[i].number))
            make_request(hang->requests[processor], request[i].number, row);
    }
}

void hiera_hang_find_ends(HieraHang *hang)
{
    const HieraTrace *trace = hang->trace;
    hang->partnered = g_new0(guint8, (gsize)trace->n_operations + 1);
    hang->requests = g_new(GHashTable *, (gsize)trace->n_processors + 1);
    mark_partners(hang);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        hang->requests[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
        for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
            add_ends(hang, i, (guint32)row, (guint32)row);
            hiera_hang_see_lock(hang, i, (guint32)row);
            if (!hiera_trace_is_open(trace, (guint32)row) ||
                hiera_trace_peek_site(trace, (guint32)row)->kind != HIERA_KIND_COMPLETE)
                see_requests(hang, i, (guint32)row);
        }
    }
}
