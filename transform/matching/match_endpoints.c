/* See match_endpoints.h. Sends and receives are collected by one thread each. */
#include "match_endpoints.h"
#include "base/threads.h"
#include "base/vocabulary.h"
#include "trace/before.h"
#include <string.h>

/* A channel as a call names it. Recently used ones are cached, because most calls name one of them. */
typedef struct {
    guint32 comm;
    gint32 peer, tag;
    guint32 partitioned;
    guint32 channel; /* number of the channel; HIERA_NONE: this entry of the cache is empty */
} Name;
#define N_RECENT 64 /* number of entries in the cache, a power of two */

typedef struct {
    HieraSide *side;
    const HieraTrace *trace;
    const HieraMatch *match;
    guint32 processor; /* the processor whose calls are being added */
    Name recent[N_RECENT];
} Gathering;

static void set_reason(const Gathering *gathering, guint32 row, HieraReason reason)
{
    const HieraSideReason added = {row, reason};
    g_array_append_val(gathering->side->reasons, added);
}

/* Find the world rank of a call's peer. @return MATCHED, or the reason why the peer has no rank */
static HieraReason find_peer(const Gathering *gathering, guint32 comm, gint32 peer, gint32 *rank)
{
    const HieraCommunicator *communicator = hiera_match_communicator(gathering->trace, comm);
    if (peer == HIERA_PROC_NULL)
        return HIERA_REASON_PROC_NULL;
    if (!communicator)
        return HIERA_REASON_UNDECLARED;
    if (peer < 0)
        return HIERA_REASON_UNKNOWN_PEER;
    *rank = hiera_match_translate(communicator, peer);
    if (*rank == HIERA_STRANGER)
        return HIERA_REASON_ELSEWHERE;
    if (gathering->match->context[comm] == HIERA_NONE)
        return HIERA_REASON_UNDECLARED;
    return *rank == HIERA_ABSENT ? HIERA_REASON_BAD_RANK : HIERA_REASON_MATCHED;
}

/* Return why peer or communicator are not known. The call that would report them (a completion, a matched probe) may
 * be missing because the trace is cut short, has only sums there, or because of a filter; if not, return `reason`. */
static HieraReason explain(const Gathering *gathering, guint32 comm, HieraReason reason)
{
    const HieraProcessor *own = &gathering->trace->processors[gathering->processor];
    if (own->cut)
        return own->alive ? HIERA_REASON_RUNS : HIERA_REASON_CUT;
    if (*own->seam)
        return HIERA_REASON_LIMIT;
    return hiera_match_lacks(gathering->trace, gathering->match, gathering->processor, comm, HIERA_LACKS_RECEIVES)
               ? HIERA_REASON_FILTERED
               : reason;
}

static guint32 number_channel(const Gathering *gathering, const HieraChannelKey *key)
{
    guint32 number = hiera_key_index_add(gathering->side->keys, key);
    const HieraEndpointList empty = {0};
    if (number == gathering->side->lists->len)
        g_array_append_val(gathering->side->lists, empty);
    return number;
}

/* Return the number of an endpoint's channel; HIERA_NONE: it has none, and the row's reason (why no partner) is set. */
static guint32 find_channel(const Gathering *gathering, const HieraEndpoint *endpoint, const Name *name)
{
    gint32 rank = HIERA_ABSENT, own = (gint32)gathering->trace->processors[gathering->processor].rank;
    HieraReason reason = find_peer(gathering, name->comm, name->peer, &rank);
    if (reason == HIERA_REASON_MATCHED && name->tag < 0)
        reason = HIERA_REASON_UNKNOWN_PEER;
    if (reason == HIERA_REASON_UNKNOWN_PEER || name->comm == HIERA_NONE)
        reason = explain(gathering, name->comm, reason);
    if (reason != HIERA_REASON_MATCHED) {
        set_reason(gathering, endpoint->row, reason);
        return HIERA_NONE;
    }
    gboolean sent = !gathering->side->received;
    const HieraChannelKey key = {.context = gathering->match->context[name->comm],
                                 .from = sent ? own : rank,
                                 .to = sent ? rank : own,
                                 .tag = name->tag,
                                 .partitioned = name->partitioned};
    return number_channel(gathering, &key);
}

/* Skip a call that was made before the trace begins: it is no endpoint. But a receive has taken a message that is not
 * among those counted before, unless a probe has taken it. */
static void skip_carried(const Gathering *gathering, const HieraEndpoint *endpoint, const Name *name)
{
    HieraKind kind = hiera_trace_peek_site(gathering->trace, endpoint->posted)->kind;
    guint32 channel =
        gathering->side->received && kind != HIERA_KIND_PROBE ? find_channel(gathering, endpoint, name) : HIERA_NONE;
    if (channel != HIERA_NONE)
        g_array_index(gathering->side->lists, HieraEndpointList, channel).carried++;
    set_reason(gathering, endpoint->row, HIERA_REASON_BEFORE);
}

/* Add an endpoint to the list of its channel, which the call names by communicator, peer and tag. */
static void add_endpoint(Gathering *gathering, HieraEndpoint endpoint, Name name)
{
    if (gathering->trace->processors[gathering->processor].before &&
        hiera_before_is_carried(gathering->trace, endpoint.posted, NULL)) {
        skip_carried(gathering, &endpoint, &name);
        return;
    }
    if (hiera_match_is_behind_sums(gathering->trace, gathering->processor, endpoint.posted)) {
        set_reason(gathering, endpoint.row, HIERA_REASON_LIMIT);
        return;
    }
    guint place = ((guint)name.peer ^ (guint)name.tag * 7 ^ name.comm * 5) % N_RECENT;
    Name *recent = &gathering->recent[place];
    if (recent->channel == HIERA_NONE || recent->comm != name.comm || recent->peer != name.peer ||
        recent->tag != name.tag || recent->partitioned != name.partitioned) {
        name.channel = find_channel(gathering, &endpoint, &name);
        if (name.channel == HIERA_NONE)
            return;
        *recent = name;
    }
    endpoint.comm = name.comm;
    HieraEndpointList *list = &g_array_index(gathering->side->lists, HieraEndpointList, recent->channel);
    hiera_endpoints_append(gathering->side->endpoints, list, &endpoint);
}

static gboolean is_partitioned(const HieraTrace *trace, guint32 row)
{
    const char *operation = hiera_trace_peek_site(trace, row)->operation;
    return strcmp(operation, HIERA_OPERATION_PSEND_INIT) == 0 || strcmp(operation, HIERA_OPERATION_PRECV_INIT) == 0;
}

static void add_send(Gathering *gathering, guint32 row, guint32 made_by, const HieraFacts *facts)
{
    const HieraTrace *trace = gathering->trace;
    HieraEndpoint endpoint = {
        .row = row, .posted = row, .bytes = trace->bytes[made_by], .ended_by = row, .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[made_by],
                    .peer = trace->peer[made_by],
                    .tag = trace->tag[made_by],
                    .partitioned = made_by != row && is_partitioned(trace, made_by)};
    gathering->side->cancelled |= facts->cancelled;
    add_endpoint(gathering, endpoint, channel);
}

/* Return the row that completed a receive: the receive itself if it was blocking; HIERA_NONE: no call completed it. */
static guint32 find_end(const HieraTrace *trace, guint32 row, const HieraFacts *facts)
{
    guint32 end = facts->completion == HIERA_NONE && !hiera_match_begins_request(trace, row) ? row : facts->completion;
    return end != HIERA_NONE && hiera_trace_is_open(trace, end) ? HIERA_NONE : end;
}

/* Return the source or tag that the call named; if that was a wildcard, the one that the completion reported. The
 * call comes first because statuses of MPICH 4.0 can be wrong. */
static gint32 settle(gint32 asked, gint32 got)
{
    return asked >= 0 || asked == HIERA_PROC_NULL || got == HIERA_ABSENT ? asked : got;
}

/* Add a receive with the source, tag and size that its completion reported, or else those of the call itself.
 * @param both  the call is a send-receive, which has a tag and a size of its own for the receive */
static void add_receive(Gathering *gathering, guint32 row, guint32 made_by, const HieraFacts *facts, gboolean both)
{
    const HieraTrace *trace = gathering->trace;
    const HieraRequest status = hiera_match_status(trace, facts);
    if (facts->cancelled && status.source < 0) {
        set_reason(gathering, row, HIERA_REASON_CANCELLED);
        return;
    }
    gint32 own_tag = both && hiera_trace_peek_sparse(trace, made_by)->rtag != HIERA_ABSENT
                         ? hiera_trace_peek_sparse(trace, made_by)->rtag
                         : trace->tag[made_by];
    gint64 own_bytes = both ? hiera_trace_peek_sparse(trace, made_by)->rbytes : trace->bytes[made_by];
    HieraEndpoint endpoint = {.row = row,
                              .posted = row,
                              .bytes = status.bytes >= 0 ? status.bytes : own_bytes,
                              .ended_by = find_end(trace, row, facts),
                              .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[made_by],
                    .peer = settle(trace->source[made_by], status.source),
                    .tag = settle(own_tag, status.tag),
                    .partitioned = made_by != row && is_partitioned(trace, made_by)};
    add_endpoint(gathering, endpoint, channel);
}

static gboolean takes_message(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    return hiera_trace_peek_requests(trace, row, &request) > 0 && request[0].number < 0;
}

/* Add the receive of a message that a matched probe took. Communicator, source, tag and place in the order are those
 * of the probe, because the probe removed the message from the queue. If the receive was not recorded, the probe
 * counts as the receive. */
static void add_probed(Gathering *gathering, guint32 probe)
{
    const HieraTrace *trace = gathering->trace;
    guint32 received = hiera_match_peek_facts(trace, gathering->side->facts, probe)->probed;
    guint32 row = received == HIERA_NONE ? probe : received;
    const HieraFacts *facts = hiera_match_peek_facts(trace, gathering->side->facts, row);
    const HieraRequest status = hiera_match_status(trace, facts);
    HieraEndpoint endpoint = {.row = row,
                              .posted = probe,
                              .bytes = status.bytes >= 0 ? status.bytes : trace->bytes[row],
                              .ended_by = find_end(trace, row, facts),
                              .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[probe], .peer = trace->source[probe], .tag = trace->tag[probe]};
    add_endpoint(gathering, endpoint, channel);
}

static void add_sent(Gathering *gathering, guint32 row, HieraKind kind, const HieraFacts *facts)
{
    if (kind == HIERA_KIND_SEND || kind == HIERA_KIND_SEND_RECEIVE)
        add_send(gathering, row, row, facts);
}

static void add_received(Gathering *gathering, guint32 row, HieraKind kind, const HieraFacts *facts)
{
    if (kind == HIERA_KIND_SEND_RECEIVE || (kind == HIERA_KIND_RECEIVE && facts->probed == HIERA_NONE))
        add_receive(gathering, row, row, facts, kind == HIERA_KIND_SEND_RECEIVE);
    else if (kind == HIERA_KIND_PROBE && takes_message(gathering->trace, row))
        add_probed(gathering, row);
}

/* Add a row if it is an endpoint. A row that made a persistent request is not, but the starts of the request are. */
static void add_row(Gathering *gathering, guint32 row)
{
    const HieraTrace *trace = gathering->trace;
    const HieraFacts *facts = hiera_match_peek_facts(trace, gathering->side->facts, row);
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    if (facts->persistent)
        return;
    if (gathering->side->received)
        add_received(gathering, row, kind, facts);
    else
        add_sent(gathering, row, kind, facts);
}

/* Add one start of a persistent or partitioned request as an endpoint. */
static void add_start(Gathering *gathering, const HieraStart *start)
{
    HieraKind does = hiera_trace_peek_site(gathering->trace, start->made_by)->starts;
    if (does == HIERA_KIND_RECEIVE && gathering->side->received)
        add_receive(gathering, start->row, start->made_by, &start->facts, FALSE);
    else if (does == HIERA_KIND_SEND && !gathering->side->received)
        add_send(gathering, start->row, start->made_by, &start->facts);
}

/* Collect the endpoints of a side, processor after processor, in the order of time. `starts` is in that order
 * already. */
static void gather(HieraSide *side)
{
    const HieraTrace *trace = side->trace;
    Gathering gathering = {.side = side, .trace = trace, .match = side->match};
    guint next = 0;
    for (; gathering.processor < trace->n_processors; gathering.processor++) {
        const HieraProcessor *of = &trace->processors[gathering.processor];
        g_autofree guint32 *order = hiera_match_order(trace, gathering.processor, FALSE);
        memset(gathering.recent, 0xff, sizeof gathering.recent); /* all bits set is HIERA_NONE: the cache is empty */
        for (guint64 i = 0; i < of->n_operations; i++) {
            guint32 row = hiera_match_row(order, of, i);
            add_row(&gathering, row);
            for (; next < side->starts->len && g_array_index(side->starts, HieraStart, next).row == row; next++)
                add_start(&gathering, &g_array_index(side->starts, HieraStart, next));
        }
    }
}

static gpointer run(gpointer side)
{
    gather(side);
    return NULL;
}

/* Whether operations of a kind may be endpoints: sends or, if `received`, receives. */
static gboolean may_be(HieraKind kind, gboolean received)
{
    return kind == HIERA_KIND_SEND_RECEIVE ||
           (received ? kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_PROBE : kind == HIERA_KIND_SEND);
}

/* Return the greatest possible number of sends or, if `received`, of receives. */
static guint32 count_endpoints(const HieraTrace *trace, gboolean received, const GArray *starts)
{
    guint32 n = starts->len, n_sites = hiera_catalog_count_sites(trace->catalog);
    g_autofree guint8 *counts = g_new(guint8, (gsize)n_sites + 1);
    for (guint32 i = 0; i < n_sites; i++)
        counts[i] = may_be(trace->sites[i]->kind, received);
    for (guint32 row = 0; row < trace->n_operations; row++)
        n += counts[trace->site[row]];
    return n;
}

static void init(HieraSide *side, gboolean received, const HieraTrace *trace, const HieraMatch *match,
                 const HieraFacts *facts, const GArray *starts)
{
    *side = (HieraSide){.trace = trace,
                        .match = match,
                        .facts = facts,
                        .starts = starts,
                        .received = received,
                        .endpoints = hiera_endpoints_new(count_endpoints(trace, received, starts)),
                        .keys = hiera_key_index_new(sizeof(HieraChannelKey) / sizeof(guint32)),
                        .lists = g_array_new(FALSE, FALSE, sizeof(HieraEndpointList)),
                        .reasons = g_array_new(FALSE, FALSE, sizeof(HieraSideReason))};
}

void hiera_sides_gather(HieraSide *sent, HieraSide *received, const HieraTrace *trace, const HieraMatch *match,
                        const HieraFacts *facts, const GArray *starts)
{
    init(sent, FALSE, trace, match, facts, starts);
    init(received, TRUE, trace, match, facts, starts);
    GThread *thread = hiera_threads_try("sent", run, sent);
    gather(received);
    if (thread)
        g_thread_join(thread);
    else
        gather(sent);
}

void hiera_side_clear_keys(HieraSide *side)
{
    g_clear_pointer(&side->keys, hiera_key_index_free);
    g_clear_pointer(&side->lists, g_array_unref);
    g_clear_pointer(&side->reasons, g_array_unref);
}

void hiera_side_clear(HieraSide *side)
{
    hiera_side_clear_keys(side);
    g_clear_pointer(&side->endpoints, hiera_endpoints_free);
}
