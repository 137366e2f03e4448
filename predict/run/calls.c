#include "calls.h"
#include <string.h>

void calls_init(Calls *calls, const RecordedRun *run, GroupNumbers *numbers)
{
    *calls = (Calls){.run = run};
    calls->groups = groups_new(run, numbers);
    exchanges_init(&calls->exchanges, run, calls->groups);
    epochs_init(&calls->epochs, run->match);
    modes_init(&calls->modes, run);
    calls->rematch = run->rematch ? rematch_new(run) : NULL;
    calls->choices = run->rematch ? choices_new(&calls->exchanges) : NULL;
}

void calls_clear(Calls *calls)
{
    exchanges_clear(&calls->exchanges);
    epochs_clear(&calls->epochs);
    modes_clear(&calls->modes);
    groups_free(calls->groups);
    rematch_free(calls->rematch);
    choices_free(calls->choices);
}

static HieraKind kind_of(const Calls *calls, guint32 row)
{
    return hiera_trace_peek_site(calls->run->trace, row)->kind;
}

gboolean calls_is_in_vain(const Calls *calls, guint32 row)
{
    const HieraPending *first;
    return hiera_trace_peek_pending(calls->run->trace, row, &first) > 0 && !exchanges_find(&calls->exchanges, row);
}

gboolean calls_is_test(const Calls *calls, guint32 row)
{
    HieraKind kind = kind_of(calls, row);
    return kind == HIERA_KIND_COMPLETE || kind == HIERA_KIND_PROBE || calls_is_in_vain(calls, row);
}

static HieraSimOperation *append(CallRoom *room, HieraSimKind kind, guint32 row)
{
    const HieraSimOperation operation = {.kind = kind, .token = (guint64)row + 1};
    g_array_append_val(room->queue, operation);
    return &g_array_index(room->queue, HieraSimOperation, room->queue->len - 1);
}

/* --- operations for messages and requests --- */

/* Let a send or receive be matched by communicator, source and tag, instead of with its recorded partner. */
static void match_anew(const RematchedMessage *as, gboolean receives, HieraSimOperation *operation)
{
    operation->key = 0;
    operation->group = as->group;
    operation->tag = receives && as->any_tag ? HIERA_SIM_ANY : as->tag;
    operation->peer = receives && as->any_source ? HIERA_SIM_ANY : operation->peer;
}

/* @param alone  the call has only this message and completes no request, so that the operation can block */
static void append_message(const Calls *calls, const Exchange *exchange, gboolean alone, CallRoom *room)
{
    gboolean sends = exchange->kind == EXCHANGE_SENDS;
    guint64 request = exchange->request;
    if (request == 0 && !alone) {
        request = sends ? exchange_send_request(exchange->message) : exchange_receive_request(exchange->message);
        g_array_append_val(room->numbers, request);
    }
    HieraSimOperation *operation = append(room, sends ? HIERA_SIM_SEND : HIERA_SIM_RECEIVE, exchange->row);
    operation->key = (guint64)exchange->message + 1;
    operation->request = request;
    operation->peer =
        (gint32)hiera_trace_find_processor(calls->run->trace, exchanges_partner(&calls->exchanges, exchange));
    operation->mode = modes_find(&calls->modes, exchange->row);
    operation->bytes = exchanges_bytes(&calls->exchanges, exchange);
    RematchedMessage as;
    if (calls->rematch && rematch_find(calls->rematch, exchange->message, &as))
        match_anew(&as, !sends, operation);
}

static guint count_messages(const Calls *calls, const Exchange *first, gboolean *completes)
{
    const Exchange *behind = calls->exchanges.all + calls->exchanges.n;
    guint n = 0;
    for (const Exchange *at = first; at && at < behind && at->row == first->row; at++) {
        n += at->kind != EXCHANGE_COMPLETES;
        *completes |= at->kind == EXCHANGE_COMPLETES;
    }
    return n;
}

static void append_wait(CallRoom *room, guint32 row, HieraSimUntil until)
{
    HieraSimOperation *operation = append(room, HIERA_SIM_WAIT, row);
    operation->requests = (const guint64 *)(const void *)room->numbers->data;
    operation->n_requests = room->numbers->len;
    operation->until = until;
}

gboolean calls_choose(const Calls *calls, guint32 row)
{
    return calls->choices && choices_has(calls->choices, row);
}

/* Append a wait for one or some of several requests (MPI_Waitany, …). If none of them is open, the wait takes no time.
 */
static void append_choice(const Calls *calls, guint32 row, CallRoom *room)
{
    g_array_set_size(room->numbers, 0);
    HieraSimUntil until = choices_begin(calls->choices, row, room->numbers);
    append_wait(room, row, until);
}

void calls_note_match(Calls *calls, guint32 send_row, guint32 receive_row)
{
    const Exchange *behind = calls->exchanges.all + calls->exchanges.n;
    gboolean anew = FALSE;
    RematchedMessage as;
    for (const Exchange *at = exchanges_find(&calls->exchanges, receive_row);
         at && at < behind && at->row == receive_row; at++) {
        if (at->kind != EXCHANGE_RECEIVES)
            continue;
        if (exchanges_partner(&calls->exchanges, at) == send_row)
            return;
        anew |= rematch_find(calls->rematch, at->message, &as) && (as.any_source || as.any_tag);
    }
    calls->n_others += anew;
}

static void append_exchanges(const Calls *calls, guint32 row, CallRoom *room)
{
    const Exchange *first = exchanges_find(&calls->exchanges, row);
    const Exchange *behind = calls->exchanges.all + calls->exchanges.n;
    gboolean completes = FALSE, alone = count_messages(calls, first, &completes) == 1 && !completes;
    g_array_set_size(room->numbers, 0);
    for (const Exchange *at = first; at && at < behind && at->row == row; at++) {
        if (at->kind == EXCHANGE_COMPLETES)
            g_array_append_val(room->numbers, at->request);
        else
            append_message(calls, at, alone, room);
    }
    if (room->numbers->len > 0)
        append_wait(room, row, HIERA_SIM_ALL);
}

/* --- operations for collective calls --- */

static void append_collective(const Calls *calls, guint32 row, CallRoom *room)
{
    guint32 index = hiera_match_collective(calls->run->match, row);
    const CollectiveCall *call = index == HIERA_NONE ? NULL : groups_peek_call(calls->groups, index);
    if (!call || !call->known)
        return;
    HieraSimOperation *operation = append(room, call->fence ? HIERA_SIM_FENCE : HIERA_SIM_COLLECTIVE, row);
    operation->collective = call->collective;
    operation->group = call->group;
    operation->peer = (gint32)call->root;
    operation->bytes = call->bytes;
    if (!call->fence && exchange_is_started(calls->run->trace, row))
        operation->request = exchange_collective_request(row);
}

/* --- operations for calls on windows --- */

typedef struct {
    const char *name;
    HieraSimKind kind;
    gboolean of_all;
} WindowCall;

static const WindowCall window_calls[] = {
    {"win_lock", HIERA_SIM_LOCK, FALSE},         {"win_lock_all", HIERA_SIM_LOCK, TRUE},
    {"win_unlock", HIERA_SIM_UNLOCK, FALSE},     {"win_unlock_all", HIERA_SIM_UNLOCK, TRUE},
    {"win_flush", HIERA_SIM_FLUSH, FALSE},       {"win_flush_all", HIERA_SIM_FLUSH, TRUE},
    {"win_flush_local", HIERA_SIM_FLUSH, FALSE}, {"win_flush_local_all", HIERA_SIM_FLUSH, TRUE},
};

static const WindowCall *find_window_call(const char *operation)
{
    for (guint i = 0; i < G_N_ELEMENTS(window_calls); i++) {
        if (strcmp(window_calls[i].name, operation) == 0)
            return &window_calls[i];
    }
    return NULL;
}

/* Append an operation on the window of the call's target rank, or of all ranks. */
static void append_window(const Calls *calls, guint32 row, HieraSimKind kind, gboolean of_all, CallRoom *room)
{
    const HieraTrace *trace = calls->run->trace;
    guint32 target = hiera_trace_find_rank(trace, hiera_match_peer(calls->run->match, row));
    if (trace->comm[row] == HIERA_NONE || (!of_all && target == HIERA_NONE))
        return;
    guint32 window = groups_find_window(calls->groups, trace->comm[row]);
    HieraSimOperation *operation = append(room, kind, row);
    operation->group = window;
    operation->peer = of_all ? HIERA_SIM_ANY : (gint32)target;
    operation->shared = hiera_lock_is_shared(trace->tag[row]);
    gint64 bytes = MAX(MAX(trace->bytes[row], hiera_trace_peek_sparse(trace, row)->rbytes), 0);
    operation->bytes = sizes_of(calls->run->sizes, bytes, &row, 1);
}

static void append_epoch(const Calls *calls, guint32 row, HieraSimKind kind, CallRoom *room)
{
    if (calls->run->trace->comm[row] == HIERA_NONE)
        return;
    guint32 window = groups_find_window(calls->groups, calls->run->trace->comm[row]);
    epochs_find_peers(&calls->epochs, row, room->peers);
    HieraSimOperation *operation = append(room, kind, row);
    operation->group = window;
    operation->peers = (const guint32 *)(const void *)room->peers->data;
    operation->n_peers = room->peers->len;
}

static void append_one_sided(const Calls *calls, guint32 row, CallRoom *room)
{
    const WindowCall *call = find_window_call(hiera_trace_peek_site(calls->run->trace, row)->operation);
    switch (kind_of(calls, row)) {
    case HIERA_KIND_PUT:
        append_window(calls, row, HIERA_SIM_PUT, FALSE, room);
        break;
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
        append_window(calls, row, HIERA_SIM_GET, FALSE, room);
        break;
    case HIERA_KIND_EXPOSE:
        append_epoch(calls, row, HIERA_SIM_POST, room);
        break;
    case HIERA_KIND_EXPOSE_END:
        append_epoch(calls, row, HIERA_SIM_EXPOSED, room);
        break;
    case HIERA_KIND_ACCESS:
        append_epoch(calls, row, HIERA_SIM_START, room);
        break;
    case HIERA_KIND_ACCESS_END:
        append_epoch(calls, row, HIERA_SIM_COMPLETE, room);
        break;
    case HIERA_KIND_RMA:
        if (call)
            append_window(calls, row, call->kind, call->of_all, room);
        break;
    default:
        break;
    }
}

/* --- operations for calls of any kind --- */

/* Whether a call should have partners, but the trace does not tell which. */
static gboolean lacks_partners(const Calls *calls, guint32 row)
{
    HieraReason reason = hiera_match_reason(calls->run->match, row);
    guint32 collective = hiera_match_collective(calls->run->match, row);
    return (reason != HIERA_REASON_NOT_COMMUNICATING && reason != HIERA_REASON_MATCHED &&
            reason != HIERA_REASON_PROC_NULL) ||
           collective != HIERA_NONE;
}

void calls_append(Calls *calls, guint32 row, gint64 recorded_ns, CallRoom *room)
{
    guint n = room->queue->len;
    if (calls_choose(calls, row))
        append_choice(calls, row, room);
    else
        append_exchanges(calls, row, room);
    append_collective(calls, row, room);
    append_one_sided(calls, row, room);
    if (room->queue->len > n || kind_of(calls, row) == HIERA_KIND_PROBE)
        return;
    calls->n_kept += lacks_partners(calls, row);
    append(room, HIERA_SIM_DELAY, row)->duration_ps = recorded_ns * HIERA_PS_PER_NS;
}
