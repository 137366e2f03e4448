/* Messages: the n-th that one rank sent to another in a communicator with a tag is the n-th that the other received.
 *
 * MPI's messages do not overtake each other: among those that agree in communicator, sender, receiver and tag, they are
 * received in the order in which the receives were posted. Wildcards change nothing, once the source and tag that a
 * receive really got stand in their place. So both sides are sorted by these four and by time, and run in step. */
#include "match_halves.h"
#include "vocabulary.h"
#include <string.h>

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *sent, *received; /* HieraHalf */
    guint32 processor;
} Messages;

/* Does a call only begin what another one completes? */
static gboolean begins_request(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    for (guint i = 0, n = hiera_trace_peek_requests(trace, row, &request); i < n; i++) {
        if (request[i].number > 0)
            return TRUE;
    }
    return FALSE;
}

/* The other side's world rank; a reason if there is none. */
static HieraReason find_peer(const Messages *messages, guint32 comm, gint32 peer, gint32 *rank)
{
    const HieraCommunicator *communicator = hiera_match_communicator(messages->trace, comm);
    if (peer == HIERA_PROC_NULL)
        return HIERA_REASON_PROC_NULL;
    if (!communicator)
        return HIERA_REASON_UNDECLARED;
    if (peer < 0)
        return HIERA_REASON_UNKNOWN_PEER;
    *rank = hiera_match_translate(communicator, peer);
    if (*rank == HIERA_STRANGER)
        return HIERA_REASON_ELSEWHERE;
    if (messages->match->context[comm] == HIERA_NONE)
        return HIERA_REASON_UNDECLARED;
    return *rank == HIERA_ABSENT ? HIERA_REASON_BAD_RANK : HIERA_REASON_MATCHED;
}

/* Peer or communicator would stand in another call of the rank: a completion, a matched probe. */
static HieraReason explain(const Messages *messages, guint32 comm, HieraReason reason)
{
    if (messages->trace->processors[messages->processor].cut)
        return HIERA_REASON_CUT;
    return hiera_match_lacks(messages->trace, messages->match, messages->processor, comm, HIERA_LACKS_RECEIVES)
               ? HIERA_REASON_FILTERED
               : reason;
}

/* Add a half, known but for its ranks: `peer` is the other side's in the communicator. */
static void add_half(Messages *messages, GArray *halves, HieraHalf half, gint32 peer)
{
    gboolean sends = halves == messages->sent;
    gint32 rank = HIERA_ABSENT, own = (gint32)messages->trace->processors[messages->processor].rank;
    HieraReason reason = find_peer(messages, half.comm, peer, &rank);
    if (reason == HIERA_REASON_MATCHED && half.tag < 0)
        reason = HIERA_REASON_UNKNOWN_PEER;
    if (reason == HIERA_REASON_UNKNOWN_PEER || half.comm == HIERA_NONE)
        reason = explain(messages, half.comm, reason);
    if (reason != HIERA_REASON_MATCHED) {
        hiera_match_set_reason(messages->match, half.row, reason);
        return;
    }
    half.context = messages->match->context[half.comm];
    half.from = sends ? own : rank;
    half.to = sends ? rank : own;
    half.order = halves->len;
    g_array_append_val(halves, half);
}

static gboolean is_partitioned(const HieraTrace *trace, guint32 row)
{
    const char *operation = hiera_trace_peek_site(trace, row)->operation;
    return strcmp(operation, HIERA_OPERATION_PSEND_INIT) == 0 || strcmp(operation, HIERA_OPERATION_PRECV_INIT) == 0;
}

static void add_send(Messages *messages, guint32 row, guint32 made_by, const HieraFacts *facts)
{
    const HieraTrace *trace = messages->trace;
    HieraHalf half = {.row = row,
                      .posted = row,
                      .comm = trace->comm[made_by],
                      .tag = trace->tag[made_by],
                      .bytes = trace->bytes[made_by],
                      .partitioned = made_by != row && is_partitioned(trace, made_by),
                      .cancelled = facts->cancelled};
    add_half(messages, messages->sent, half, trace->peer[made_by]);
}

/* When a receive was complete: if another call had to complete it, then, or never. */
static gint64 end_of(const HieraTrace *trace, guint32 row, const HieraFacts *facts)
{
    if (facts->completion != HIERA_NONE)
        return trace->finish_ns[facts->completion];
    return begins_request(trace, row) ? G_MAXINT64 : trace->finish_ns[row];
}

/* What the call asked for, unless that was a wildcard: a completion of MPICH 4.0 may tell nonsense there. */
static gint32 settle(gint32 asked, gint32 got)
{
    return asked >= 0 || asked == HIERA_PROC_NULL || got == HIERA_ABSENT ? asked : got;
}

/* What a receive really got: from its completion if it has one, else as it stands in the call. A send-receive has the
 * tag of its second half apart, and the bytes received apart. */
static void add_receive(Messages *messages, guint32 row, guint32 made_by, const HieraFacts *facts, gboolean both)
{
    const HieraTrace *trace = messages->trace;
    if (facts->cancelled && facts->source < 0) {
        hiera_match_set_reason(messages->match, row, HIERA_REASON_CANCELLED);
        return;
    }
    gint32 own_tag = both && trace->rtag[made_by] != HIERA_ABSENT ? trace->rtag[made_by] : trace->tag[made_by];
    gint64 own_bytes = both ? trace->rbytes[made_by] : trace->bytes[made_by];
    HieraHalf half = {.row = row,
                      .posted = row,
                      .comm = trace->comm[made_by],
                      .tag = settle(own_tag, facts->tag),
                      .bytes = facts->bytes >= 0 ? facts->bytes : own_bytes,
                      .partitioned = made_by != row && is_partitioned(trace, made_by),
                      .end_ns = end_of(trace, row, facts),
                      .cancelled = facts->cancelled};
    add_half(messages, messages->received, half, settle(trace->source[made_by], facts->source));
}

static gboolean takes_message(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    return hiera_trace_peek_requests(trace, row, &request) > 0 && request[0].number < 0;
}

/* The receive of a message that a matched probe took: by the communicator and the envelope that the probe saw, and at
 * its place in the order, since the probe is what removed the message from the queue. If no receive of it was recorded,
 * the probe is all that is known of it. */
static void add_probed(Messages *messages, guint32 probe, const HieraFacts *all_facts)
{
    const HieraTrace *trace = messages->trace;
    guint32 row = all_facts[probe].probed == HIERA_NONE ? probe : all_facts[probe].probed;
    const HieraFacts *facts = &all_facts[row];
    HieraHalf half = {.row = row,
                      .posted = probe,
                      .comm = trace->comm[probe],
                      .tag = trace->tag[probe],
                      .bytes = facts->bytes >= 0 ? facts->bytes : trace->bytes[row],
                      .end_ns = end_of(trace, row, facts),
                      .cancelled = facts->cancelled};
    add_half(messages, messages->received, half, trace->source[probe]);
}

static void add_row(Messages *messages, guint32 row, const HieraFacts *all_facts)
{
    const HieraFacts *facts = &all_facts[row];
    switch (hiera_trace_peek_site(messages->trace, row)->kind) {
    case HIERA_KIND_SEND:
        add_send(messages, row, row, facts);
        break;
    case HIERA_KIND_RECEIVE:
        if (facts->probed == HIERA_NONE)
            add_receive(messages, row, row, facts, FALSE);
        break;
    case HIERA_KIND_PROBE:
        if (takes_message(messages->trace, row))
            add_probed(messages, row, all_facts);
        break;
    case HIERA_KIND_SEND_RECEIVE:
        add_send(messages, row, row, facts);
        add_receive(messages, row, row, facts, TRUE);
        break;
    default:
        break;
    }
}

/* A message for each start of a persistent or partitioned request. */
static void add_start(Messages *messages, const HieraStart *start)
{
    HieraKind does = hiera_trace_peek_site(messages->trace, start->made_by)->starts;
    if (does == HIERA_KIND_RECEIVE)
        add_receive(messages, start->row, start->made_by, &start->facts, FALSE);
    else if (does == HIERA_KIND_SEND)
        add_send(messages, start->row, start->made_by, &start->facts);
}

/* Add both sides of all messages, each processor's in the order of time; starts lie in that order already. */
static void add_all(Messages *messages, const HieraFacts *facts, const GArray *starts)
{
    const HieraTrace *trace = messages->trace;
    guint next = 0;
    for (messages->processor = 0; messages->processor < trace->n_processors; messages->processor++) {
        g_autofree guint32 *rows = hiera_match_order(trace, messages->processor, FALSE);
        for (guint32 i = 0; i < trace->processors[messages->processor].n_operations; i++) {
            if (!facts[rows[i]].persistent)
                add_row(messages, rows[i], facts);
            for (; next < starts->len && g_array_index(starts, HieraStart, next).row == rows[i]; next++)
                add_start(messages, &g_array_index(starts, HieraStart, next));
        }
    }
}

static int compare_keys(const HieraHalf *left, const HieraHalf *right)
{
#define ORDER_BY(field)                                                                                                \
    if (left->field != right->field)                                                                                   \
        return left->field < right->field ? -1 : 1;
    ORDER_BY(context)
    ORDER_BY(from)
    ORDER_BY(to)
    ORDER_BY(tag)
    ORDER_BY(partitioned)
    return 0;
}

static int compare_halves(const void *a, const void *b)
{
    const HieraHalf *left = a, *right = b;
    int order = compare_keys(left, right);
    if (order)
        return order;
    ORDER_BY(order)
    return 0;
}

/* A receive that failed tells no size: it got nothing that counts. */
static gint64 size_received(const HieraTrace *trace, const HieraHalf *received)
{
    return received->bytes < 0 && hiera_trace_is_failed(trace, received->row) ? 0 : received->bytes;
}

static void pair(const Messages *messages, const HieraHalf *sent, const HieraHalf *received, gboolean counted)
{
    HieraMatch *match = messages->match;
    gboolean concurrent = sent->concurrent || received->concurrent;
    HieraMessage message = {.from = sent->row,
                            .to = received->row,
                            .comm = sent->comm,
                            .doubt = counted      ? HIERA_DOUBT_COUNTED
                                     : concurrent ? HIERA_DOUBT_THREADS
                                                  : HIERA_DOUBT_NONE,
                            .sent_bytes = sent->bytes,
                            .received_bytes = size_received(messages->trace, received),
                            .end_ns = received->end_ns};
    g_array_append_val(match->messages, message);
    hiera_match_set_reason(match, sent->row, HIERA_REASON_MATCHED);
    hiera_match_set_reason(match, received->row, HIERA_REASON_MATCHED);
}

/* A rank that did not record what became of its calls may have cancelled this one. */
static HieraReason find_reason(const Messages *messages, const HieraHalf *half, gint32 peer, guint lacks)
{
    guint32 own = hiera_trace_find_processor(messages->trace, half->row);
    if (half->cancelled)
        return HIERA_REASON_CANCELLED;
    HieraReason reason = hiera_match_blame(messages->trace, messages->match, own, peer, half->comm, lacks);
    if (reason == HIERA_REASON_NO_PARTNER && begins_request(messages->trace, half->row) &&
        hiera_match_lacks(messages->trace, messages->match, own, half->comm, HIERA_LACKS_COMPLETIONS))
        return HIERA_REASON_FILTERED;
    return reason;
}

static void leave_sent(const Messages *messages, const HieraHalf *half)
{
    HieraReason reason = find_reason(messages, half, half->to, HIERA_LACKS_RECEIVES);
    hiera_match_set_reason(messages->match, half->row, reason);
    HieraLeft left = {half->row, half->comm, TRUE, half->bytes};
    g_array_append_val(messages->match->left, left);
}

static void leave_received(const Messages *messages, const HieraHalf *half)
{
    HieraReason reason = find_reason(messages, half, half->from, HIERA_LACKS_SENDS);
    hiera_match_set_reason(messages->match, half->row, reason);
    HieraLeft left = {half->row, half->comm, FALSE, half->bytes};
    g_array_append_val(messages->match->left, left);
}

static guint count_alike(const HieraHalf *halves, const HieraHalf *last)
{
    guint n = 1;
    while (halves + n < last && compare_keys(halves, halves + n) == 0)
        n++;
    return n;
}

/* Those that agree in everything but their order. */
static void pair_alike(Messages *messages, HieraHalf *sent, guint n_sent, HieraHalf *received, guint n_received)
{
    const HieraTrace *trace = messages->trace;
    guint32 sender = hiera_trace_find_rank(trace, sent->from), receiver = hiera_trace_find_rank(trace, sent->to);
    if (trace->processors[sender].threaded || trace->processors[receiver].threaded)
        hiera_match_threads(trace, sent, n_sent, received, n_received);
    gboolean counted = hiera_match_lacks(trace, messages->match, sender, sent->comm, HIERA_LACKS_SENDS) ||
                       hiera_match_lacks(trace, messages->match, receiver, received->comm, HIERA_LACKS_RECEIVES);
    guint n = MIN(n_sent, n_received);
    for (guint i = 0; i < n; i++)
        pair(messages, &sent[i], &received[i], counted);
    for (guint i = n; i < n_sent; i++)
        leave_sent(messages, &sent[i]);
    for (guint i = n; i < n_received; i++)
        leave_received(messages, &received[i]);
}

static void run_in_step(Messages *messages)
{
    HieraHalf *sent = (HieraHalf *)(void *)messages->sent->data, *last_sent = sent + messages->sent->len;
    HieraHalf *received = (HieraHalf *)(void *)messages->received->data;
    HieraHalf *last_received = received + messages->received->len;
    while (sent < last_sent || received < last_received) {
        int order = sent == last_sent ? 1 : received == last_received ? -1 : compare_keys(sent, received);
        if (order == 0) {
            guint n_sent = count_alike(sent, last_sent), n_received = count_alike(received, last_received);
            pair_alike(messages, sent, n_sent, received, n_received);
            sent += n_sent;
            received += n_received;
        } else if (order < 0) {
            leave_sent(messages, sent++);
        } else {
            leave_received(messages, received++);
        }
    }
}

void hiera_match_messages(const HieraTrace *trace, HieraMatch *match, const HieraFacts *facts, const GArray *starts)
{
    Messages messages = {.trace = trace, .match = match};
    messages.sent = g_array_sized_new(FALSE, FALSE, sizeof(HieraHalf), 1); /* memory even if there is none */
    messages.received = g_array_sized_new(FALSE, FALSE, sizeof(HieraHalf), 1);
    add_all(&messages, facts, starts);
    g_array_sort(messages.sent, compare_halves);
    g_array_sort(messages.received, compare_halves);
    run_in_step(&messages);
    g_array_unref(messages.sent);
    g_array_unref(messages.received);
}
