/* Messages: the n-th that one rank sent to another in a communicator with a tag is the n-th that the other received.
 *
 * MPI's messages do not overtake each other: among those that agree in communicator, sender, receiver and tag, they are
 * received in the order in which the receives were posted. Wildcards change nothing, once the source and tag that a
 * receive really got stand in their place. What agrees in these four is a channel: two lists, which are run through in
 * step. */
#include "match_halves.h"
#include "numbering.h"
#include "vocabulary.h"
#include <string.h>

/* What tells channels apart. Ranks are world ranks. The tag is first because some programs count it up. */
typedef struct {
    gint32 tag, from, to;
    guint32 context;
    guint32 partitioned; /* such a send and such a receive belong together, and to no other */
} Key;

enum { SENT, RECEIVED, N_SIDES };

typedef struct {
    guint32 number;
    guint32 first[N_SIDES], last[N_SIDES], n[N_SIDES]; /* places of halves, in the order of time; HIERA_NONE */
} Channel;

/* A channel as a call names it; most calls name one of the last few. */
typedef struct {
    guint32 comm;
    gint32 peer, tag;
    guint32 partitioned;
    guint32 channel; /* number, or HIERA_NONE */
} Name;
#define N_RECENT 64 /* a power of two */

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *halves[N_SIDES];        /* HieraHalf */
    Name recent[N_SIDES][N_RECENT]; /* of the processor whose calls are added */
    HieraNumbering *keys;           /* of channels */
    GArray *channels;               /* Channel, by number of their key */
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

static guint32 number_channel(Messages *messages, const Key *key)
{
    guint32 number = hiera_numbering_add(messages->keys, key);
    const Channel empty = {number, {HIERA_NONE, HIERA_NONE}, {HIERA_NONE, HIERA_NONE}, {0, 0}};
    if (number == messages->channels->len)
        g_array_append_val(messages->channels, empty);
    return number;
}

static HieraHalf *peek_half(const Messages *messages, guint side, guint32 place)
{
    return &g_array_index(messages->halves[side], HieraHalf, place);
}

static void append(Messages *messages, guint side, Channel *channel, HieraHalf half)
{
    guint32 place = messages->halves[side]->len;
    half.order = channel->n[side]++;
    half.next = HIERA_NONE;
    if (channel->last[side] == HIERA_NONE)
        channel->first[side] = place;
    else
        peek_half(messages, side, channel->last[side])->next = place;
    channel->last[side] = place;
    g_array_append_val(messages->halves[side], half);
}

/* The channel of a half; HIERA_NONE if it has none, for which its row gets a reason. */
static guint32 find_channel(Messages *messages, guint side, const HieraHalf *half, const Name *name)
{
    gint32 rank = HIERA_ABSENT, own = (gint32)messages->trace->processors[messages->processor].rank;
    HieraReason reason = find_peer(messages, name->comm, name->peer, &rank);
    if (reason == HIERA_REASON_MATCHED && name->tag < 0)
        reason = HIERA_REASON_UNKNOWN_PEER;
    if (reason == HIERA_REASON_UNKNOWN_PEER || name->comm == HIERA_NONE)
        reason = explain(messages, name->comm, reason);
    if (reason != HIERA_REASON_MATCHED) {
        hiera_match_set_reason(messages->match, half->row, reason);
        return HIERA_NONE;
    }
    const Key key = {.context = messages->match->context[name->comm],
                     .from = side == SENT ? own : rank,
                     .to = side == SENT ? rank : own,
                     .tag = name->tag,
                     .partitioned = name->partitioned};
    return number_channel(messages, &key);
}

/* Add a half to its channel, which it names by communicator, the other side's rank in it, and tag. */
static void add_half(Messages *messages, guint side, HieraHalf half, Name name)
{
    guint place = ((guint)name.peer ^ (guint)name.tag * 7 ^ name.comm * 5) % N_RECENT;
    Name *recent = &messages->recent[side][place];
    if (recent->channel == HIERA_NONE || recent->comm != name.comm || recent->peer != name.peer ||
        recent->tag != name.tag || recent->partitioned != name.partitioned) {
        name.channel = find_channel(messages, side, &half, &name);
        if (name.channel == HIERA_NONE)
            return;
        *recent = name;
    }
    half.comm = name.comm;
    append(messages, side, &g_array_index(messages->channels, Channel, recent->channel), half);
}

static gboolean is_partitioned(const HieraTrace *trace, guint32 row)
{
    const char *operation = hiera_trace_peek_site(trace, row)->operation;
    return strcmp(operation, HIERA_OPERATION_PSEND_INIT) == 0 || strcmp(operation, HIERA_OPERATION_PRECV_INIT) == 0;
}

static void add_send(Messages *messages, guint32 row, guint32 made_by, const HieraFacts *facts)
{
    const HieraTrace *trace = messages->trace;
    HieraHalf half = {.row = row, .posted = row, .bytes = trace->bytes[made_by], .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[made_by],
                    .peer = trace->peer[made_by],
                    .tag = trace->tag[made_by],
                    .partitioned = made_by != row && is_partitioned(trace, made_by)};
    add_half(messages, SENT, half, channel);
}

/* The row in which a receive was complete: if another call had to complete it, that one, or none. */
static guint32 find_end(const HieraTrace *trace, guint32 row, const HieraFacts *facts)
{
    return facts->completion == HIERA_NONE && !begins_request(trace, row) ? row : facts->completion;
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
    const HieraRequest told = hiera_match_told(trace, facts);
    if (facts->cancelled && told.source < 0) {
        hiera_match_set_reason(messages->match, row, HIERA_REASON_CANCELLED);
        return;
    }
    gint32 own_tag = both && trace->rtag[made_by] != HIERA_ABSENT ? trace->rtag[made_by] : trace->tag[made_by];
    gint64 own_bytes = both ? trace->rbytes[made_by] : trace->bytes[made_by];
    HieraHalf half = {.row = row,
                      .posted = row,
                      .bytes = told.bytes >= 0 ? told.bytes : own_bytes,
                      .ended_by = find_end(trace, row, facts),
                      .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[made_by],
                    .peer = settle(trace->source[made_by], told.source),
                    .tag = settle(own_tag, told.tag),
                    .partitioned = made_by != row && is_partitioned(trace, made_by)};
    add_half(messages, RECEIVED, half, channel);
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
    guint32 received = hiera_match_peek_facts(trace, all_facts, probe)->probed;
    guint32 row = received == HIERA_NONE ? probe : received;
    const HieraFacts *facts = hiera_match_peek_facts(trace, all_facts, row);
    const HieraRequest told = hiera_match_told(trace, facts);
    HieraHalf half = {.row = row,
                      .posted = probe,
                      .bytes = told.bytes >= 0 ? told.bytes : trace->bytes[row],
                      .ended_by = find_end(trace, row, facts),
                      .cancelled = facts->cancelled};
    Name channel = {.comm = trace->comm[probe], .peer = trace->source[probe], .tag = trace->tag[probe]};
    add_half(messages, RECEIVED, half, channel);
}

/* A row, unless it made a persistent request: then its starts are the messages. */
static void add_row(Messages *messages, guint32 row, const HieraFacts *all_facts)
{
    const HieraFacts *facts = hiera_match_peek_facts(messages->trace, all_facts, row);
    HieraKind kind = facts->persistent ? HIERA_KIND_LOCAL : hiera_trace_peek_site(messages->trace, row)->kind;
    switch (kind) {
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
        const HieraProcessor *of = &trace->processors[messages->processor];
        g_autofree guint32 *order = hiera_match_order(trace, messages->processor, FALSE);
        memset(messages->recent, 0xff, sizeof messages->recent); /* HIERA_NONE */
        for (guint64 i = 0; i < of->n_operations; i++) {
            guint32 row = hiera_match_row(order, of, i);
            add_row(messages, row, facts);
            for (; next < starts->len && g_array_index(starts, HieraStart, next).row == row; next++)
                add_start(messages, &g_array_index(starts, HieraStart, next));
        }
    }
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
                            .ended_by = received->ended_by};
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

static void leave(const Messages *messages, const HieraHalf *half, gboolean sent, gint32 peer)
{
    HieraReason reason = find_reason(messages, half, peer, sent ? HIERA_LACKS_RECEIVES : HIERA_LACKS_SENDS);
    hiera_match_set_reason(messages->match, half->row, reason);
    HieraLeft left = {half->row, half->comm, sent, half->bytes};
    g_array_append_val(messages->match->left, left);
}

/* The halves of one side of a channel, behind one another. */
static HieraHalf *copy_side(const Messages *messages, const Channel *channel, guint side)
{
    HieraHalf *halves = g_new(HieraHalf, channel->n[side]), *to = halves;
    for (guint32 i = channel->first[side]; i != HIERA_NONE; i = to++->next)
        *to = *peek_half(messages, side, i);
    return halves;
}

/* Put them back, in the order in which they stand now. */
static void replace_side(const Messages *messages, const Channel *channel, guint side, const HieraHalf *halves)
{
    for (guint32 i = channel->first[side], next; i != HIERA_NONE; i = next) {
        HieraHalf *half = peek_half(messages, side, i);
        next = half->next;
        *half = *halves++;
        half->next = next;
    }
}

static void settle_threads(const Messages *messages, const Channel *channel)
{
    g_autofree HieraHalf *sent = copy_side(messages, channel, SENT), *received = copy_side(messages, channel, RECEIVED);
    hiera_match_threads(messages->trace, sent, channel->n[SENT], received, channel->n[RECEIVED]);
    replace_side(messages, channel, SENT, sent);
    replace_side(messages, channel, RECEIVED, received);
}

/* Both sides of a channel that has both; @return whether one of its ranks did not record all of its calls */
static gboolean settle_channel(const Messages *messages, const Channel *channel)
{
    const HieraTrace *trace = messages->trace;
    const HieraHalf *sent = peek_half(messages, SENT, channel->first[SENT]);
    const HieraHalf *received = peek_half(messages, RECEIVED, channel->first[RECEIVED]);
    guint32 sender = hiera_trace_find_processor(trace, sent->row);
    guint32 receiver = hiera_trace_find_processor(trace, received->row);
    if (trace->processors[sender].threaded || trace->processors[receiver].threaded)
        settle_threads(messages, channel);
    return hiera_match_lacks(trace, messages->match, sender, sent->comm, HIERA_LACKS_SENDS) ||
           hiera_match_lacks(trace, messages->match, receiver, received->comm, HIERA_LACKS_RECEIVES);
}

/* The n-th belongs to the n-th. */
static void run_in_step(const Messages *messages, const Channel *channel, const Key *key)
{
    guint32 sent = channel->first[SENT], received = channel->first[RECEIVED];
    gboolean counted = sent != HIERA_NONE && received != HIERA_NONE && settle_channel(messages, channel);
    while (sent != HIERA_NONE || received != HIERA_NONE) {
        const HieraHalf *from = sent == HIERA_NONE ? NULL : peek_half(messages, SENT, sent);
        const HieraHalf *to = received == HIERA_NONE ? NULL : peek_half(messages, RECEIVED, received);
        if (from && to)
            pair(messages, from, to, counted);
        else if (from)
            leave(messages, from, TRUE, key->to);
        else
            leave(messages, to, FALSE, key->from);
        sent = from ? from->next : HIERA_NONE;
        received = to ? to->next : HIERA_NONE;
    }
}

static const Key *key_of(const HieraNumbering *keys, const Channel *channel)
{
    return hiera_numbering_peek(keys, channel->number);
}

static gint compare_channels(gconstpointer a, gconstpointer b, gpointer keys)
{
    const Key *left = key_of(keys, a), *right = key_of(keys, b);
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

void hiera_match_messages(const HieraTrace *trace, HieraMatch *match, const HieraFacts *facts, const GArray *starts)
{
    g_autoptr(HieraNumbering) keys = hiera_numbering_new(sizeof(Key) / sizeof(guint32));
    g_autoptr(GArray) channels = g_array_new(FALSE, FALSE, sizeof(Channel));
    g_autoptr(GArray) sent = g_array_new(FALSE, FALSE, sizeof(HieraHalf));
    g_autoptr(GArray) received = g_array_new(FALSE, FALSE, sizeof(HieraHalf));
    Messages messages = {
        .trace = trace, .match = match, .halves = {sent, received}, .keys = keys, .channels = channels};
    add_all(&messages, facts, starts);
    g_array_sort_with_data(channels, compare_channels, keys);
    for (guint i = 0; i < channels->len; i++) {
        const Channel *channel = &g_array_index(channels, Channel, i);
        run_in_step(&messages, channel, key_of(keys, channel));
    }
}
