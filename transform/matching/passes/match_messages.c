/* Messages: the n-th message sent on a channel is the n-th message received on it.
 *
 * MPI's messages do not overtake each other: messages with the same communicator, sender, receiver and tag are
 * received in the order in which they were sent. These four make a channel. Receives with wildcards obey the same
 * rule, once the wildcards are replaced by the source and tag that were received. So each channel has a list of sends
 * and a list of receives, and the n-th elements of both are paired. */
#include "matching/match_before.h"
#include "matching/match_endpoints.h"
#include "matching/match_failed.h"
#include "matching/match_probes.h"

enum { SENT, RECEIVED, N_SIDES };

typedef struct {
    HieraChannelKey key;
    HieraEndpointList lists[N_SIDES];
} Channel;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    HieraSide sides[N_SIDES];
    GArray *channels;    /* Channel, sorted by key */
    HieraProbes *probes; /* probes that found a message; NULL: there are none */
    HieraMessage *next;  /* first free element of match->messages */
} Messages;

/* Return the size in bytes that a receive received; 0 if it failed without a known size; -1: not known. */
static gint64 size_received(const HieraTrace *trace, const HieraEndpoint *received)
{
    return received->bytes < 0 && hiera_trace_is_failed(trace, received->row) ? 0 : received->bytes;
}

/* Add a message to the totals of its communicator. If threads make the pairing ambiguous, only the sums of sizes are
 * compared; if calls were not recorded, no sizes are. */
static void count(HieraTraffic *traffic, const HieraMessage *message, gint64 sent, gint64 received)
{
    traffic->messages++;
    traffic->doubts[message->doubt]++;
    traffic->sent = hiera_plus(traffic->sent, MAX(sent < 0 ? received : sent, 0));
    traffic->received = hiera_plus(traffic->received, MAX(received < 0 ? sent : received, 0));
    if (message->doubt == HIERA_DOUBT_COUNTED || sent < 0 || received < 0)
        return;
    traffic->compared[SENT] = hiera_plus(traffic->compared[SENT], sent);
    traffic->compared[RECEIVED] = hiera_plus(traffic->compared[RECEIVED], received);
    if (message->doubt == HIERA_DOUBT_NONE && sent != received)
        traffic->first_row = traffic->differ++ == 0 ? message->to : MIN(traffic->first_row, message->to);
}

static guint32 index_of_next(const Messages *messages)
{
    return (guint32)(messages->next - (const HieraMessage *)(void *)messages->match->messages->data);
}

/* Store tag and size of a message, unless the sender's row already has the same ones in its columns. */
static void keep_arguments(const Messages *messages, guint32 sender, gint32 tag, gint64 bytes)
{
    HieraMatch *match = messages->match;
    HieraMessageArguments arguments = {index_of_next(messages), tag, bytes};
    if (tag != messages->trace->tag[sender] || bytes != messages->trace->bytes[sender])
        g_array_append_val(match->arguments, arguments);
}

static void pair(Messages *messages, const HieraChannelKey *channel, const HieraEndpoint *sent,
                 const HieraEndpoint *received, gboolean counted)
{
    HieraMatch *match = messages->match;
    gboolean concurrent = sent->concurrent || received->concurrent;
    gint64 size = size_received(messages->trace, received);
    keep_arguments(messages, sent->row, channel->tag, sent->bytes >= 0 ? sent->bytes : size);
    if (messages->probes)
        hiera_probes_add(messages->probes, channel, received->posted, index_of_next(messages));
    HieraMessage *message = messages->next++;
    *message = (HieraMessage){.from = sent->row,
                              .to = received->row,
                              .comm = sent->comm,
                              .doubt = counted      ? HIERA_DOUBT_COUNTED
                                       : concurrent ? HIERA_DOUBT_THREADS
                                                    : HIERA_DOUBT_NONE,
                              .ended_by = received->ended_by};
    if (!match->own || match->own[hiera_trace_find_processor(messages->trace, message->to)])
        count(&match->traffic[message->comm], message, sent->bytes, size);
    hiera_match_set_reason(match, sent->row, HIERA_REASON_MATCHED);
    hiera_match_set_reason(match, received->row, HIERA_REASON_MATCHED);
}

/* Return the reason why an endpoint has no partner. A rank that did not record its completions may have cancelled
 * it. */
static HieraReason find_reason(const Messages *messages, const HieraEndpoint *endpoint, gint32 peer, guint lacks)
{
    guint32 own = hiera_trace_find_processor(messages->trace, endpoint->row);
    if (endpoint->cancelled)
        return HIERA_REASON_CANCELLED;
    HieraReason reason = hiera_match_blame(messages->trace, messages->match, own, peer, endpoint->comm, lacks);
    if (reason == HIERA_REASON_NO_PARTNER && hiera_match_begins_request(messages->trace, endpoint->row) &&
        hiera_match_lacks(messages->trace, messages->match, own, endpoint->comm, HIERA_LACKS_COMPLETIONS))
        return HIERA_REASON_FILTERED;
    return reason;
}

static void add_unmatched(const Messages *messages, const HieraEndpoint *endpoint, gboolean sent, gint32 peer)
{
    HieraReason reason = find_reason(messages, endpoint, peer, sent ? HIERA_LACKS_RECEIVES : HIERA_LACKS_SENDS);
    hiera_match_set_reason(messages->match, endpoint->row, reason);
    HieraUnmatched unmatched = {endpoint->row, endpoint->comm, sent, endpoint->bytes};
    g_array_append_val(messages->match->unmatched, unmatched);
}

static void settle_threads(const Messages *messages, const Channel *channel)
{
    HieraEndpoint *endpoints[N_SIDES];
    for (guint side = 0; side < N_SIDES; side++)
        endpoints[side] = hiera_endpoints_copy(messages->sides[side].endpoints, &channel->lists[side]);
    hiera_match_threads(messages->trace, endpoints[SENT], channel->lists[SENT].n, endpoints[RECEIVED],
                        channel->lists[RECEIVED].n);
    for (guint side = 0; side < N_SIDES; side++) {
        hiera_endpoints_replace(messages->sides[side].endpoints, &channel->lists[side], endpoints[side]);
        g_free(endpoints[side]);
    }
}

/* Reorder a channel that has sends and receives, if threads communicated on it.
 * @return  true if one of its two ranks did not record all of its calls, so that counting is unreliable */
static gboolean settle_channel(const Messages *messages, const Channel *channel)
{
    const HieraTrace *trace = messages->trace;
    HieraEndpoint sent, received;
    hiera_endpoints_get(messages->sides[SENT].endpoints, channel->lists[SENT].first, &sent);
    hiera_endpoints_get(messages->sides[RECEIVED].endpoints, channel->lists[RECEIVED].first, &received);
    guint32 sender = hiera_trace_find_processor(trace, sent.row);
    guint32 receiver = hiera_trace_find_processor(trace, received.row);
    if (trace->processors[sender].threaded || trace->processors[receiver].threaded)
        settle_threads(messages, channel);
    return hiera_match_lacks(trace, messages->match, sender, sent.comm, HIERA_LACKS_SENDS) ||
           hiera_match_lacks(trace, messages->match, receiver, received.comm, HIERA_LACKS_RECEIVES);
}

/* Remove the first n endpoints of one side that failed or were cancelled; they become unmatched.
 * @param why  FAILED or CANCELLED */
static void drop(const Messages *messages, Channel *channel, guint side, HieraReason why, guint32 n)
{
    g_autofree HieraEndpoint *dropped =
        hiera_failed_drop(messages->trace, messages->sides[side].endpoints, &channel->lists[side], why, n);
    for (guint32 i = 0; i < n; i++) {
        HieraUnmatched unmatched = {dropped[i].row, dropped[i].comm, side == SENT, dropped[i].bytes};
        hiera_match_set_reason(messages->match, dropped[i].row, why);
        g_array_append_val(messages->match->unmatched, unmatched);
    }
}

static guint32 count_doubtful(const Messages *messages, const Channel *channel, guint side, HieraReason why,
                              guint32 *unfinished)
{
    return hiera_failed_count(messages->trace, messages->sides[side].endpoints, &channel->lists[side], why, unfinished);
}

/* Of the failed sends and receives of a channel, keep as many as still have partners; see match_failed.c. */
static void settle_failures(const Messages *messages, Channel *channel)
{
    guint32 n_failed[N_SIDES], unfinished[N_SIDES];
    for (guint side = 0; side < N_SIDES; side++)
        n_failed[side] = count_doubtful(messages, channel, side, HIERA_REASON_FAILED, &unfinished[side]);
    guint32 got = channel->lists[RECEIVED].n - n_failed[RECEIVED] - unfinished[RECEIVED];
    guint32 sent = channel->lists[SENT].n - n_failed[SENT];
    guint32 wanted = MIN(n_failed[SENT], got > sent ? got - sent : 0);
    if (n_failed[SENT] > wanted)
        drop(messages, channel, SENT, HIERA_REASON_FAILED, n_failed[SENT] - wanted);
    sent += wanted;
    wanted = MIN(n_failed[RECEIVED], sent > got ? sent - got : 0);
    if (n_failed[RECEIVED] > wanted)
        drop(messages, channel, RECEIVED, HIERA_REASON_FAILED, n_failed[RECEIVED] - wanted);
}

/* Remove cancelled sends for which there is no receive. If they stayed, all later sends would get the wrong
 * partner. */
static void settle_cancelled(const Messages *messages, Channel *channel)
{
    guint32 unfinished;
    count_doubtful(messages, channel, RECEIVED, HIERA_REASON_CANCELLED, &unfinished);
    guint32 got = channel->lists[RECEIVED].n - unfinished;
    guint32 n = count_doubtful(messages, channel, SENT, HIERA_REASON_CANCELLED, &unfinished);
    guint32 sent = channel->lists[SENT].n - n;
    guint32 wanted = MIN(n, got > sent ? got - sent : 0);
    if (n > wanted)
        drop(messages, channel, SENT, HIERA_REASON_CANCELLED, n - wanted);
}

static void settle_doubts(const Messages *messages, GArray *channels)
{
    for (guint i = 0; i < channels->len; i++) {
        Channel *channel = &g_array_index(channels, Channel, i);
        if (messages->trace->failed->len > 0)
            settle_failures(messages, channel);
        if (messages->sides[SENT].cancelled)
            settle_cancelled(messages, channel);
    }
}

/* Remove the first n sends (or receives) of a channel: their partners precede the begin of the other rank's trace. */
static void drop_first(const Messages *messages, Channel *channel, guint side, gint64 n)
{
    HieraEndpointList *list = &channel->lists[side];
    for (; n > 0 && list->n > 0; n--, list->n--) {
        HieraEndpoint endpoint;
        list->first = hiera_endpoints_get(messages->sides[side].endpoints, list->first, &endpoint);
        HieraUnmatched unmatched = {endpoint.row, endpoint.comm, side == SENT, endpoint.bytes};
        hiera_match_set_reason(messages->match, endpoint.row, HIERA_REASON_BEFORE);
        g_array_append_val(messages->match->unmatched, unmatched);
    }
}

/* Remove sends and receives of a channel whose partners lie before the begin of the other rank's trace. */
static void settle_begin(const Messages *messages, Channel *channel)
{
    gint64 went[N_SIDES];
    gboolean known = TRUE;
    for (guint side = 0; side < N_SIDES; side++) {
        went[side] = hiera_match_before_messages(messages->match->before, &channel->key, side == RECEIVED);
        known = known && went[side] != HIERA_BEFORE_UNKNOWN;
        went[side] += channel->lists[side].carried;
    }
    gint64 from = MAX(went[SENT], went[RECEIVED]);
    for (guint side = 0; side < N_SIDES; side++)
        drop_first(messages, channel, side, known ? from - went[side] : G_MAXINT64);
}

static void settle_begins(const Messages *messages, GArray *channels)
{
    hiera_match_before_number(messages->match->before, messages->match);
    for (guint i = 0; messages->match->before && i < channels->len; i++)
        settle_begin(messages, &g_array_index(channels, Channel, i));
}

/* Pair the n-th send of a channel with its n-th receive; what is left over is unmatched. */
static void run_in_step(Messages *messages, const Channel *channel)
{
    guint32 n_sent = channel->lists[SENT].n, n_received = channel->lists[RECEIVED].n;
    guint32 from = channel->lists[SENT].first, to = channel->lists[RECEIVED].first;
    gboolean counted = n_sent > 0 && n_received > 0 && settle_channel(messages, channel);
    for (guint32 i = 0; i < MAX(n_sent, n_received); i++) {
        HieraEndpoint sent, received;
        if (i < n_sent)
            from = hiera_endpoints_get(messages->sides[SENT].endpoints, from, &sent);
        if (i < n_received)
            to = hiera_endpoints_get(messages->sides[RECEIVED].endpoints, to, &received);
        if (i < n_sent && i < n_received)
            pair(messages, &channel->key, &sent, &received, counted);
        else if (i < n_sent)
            add_unmatched(messages, &sent, TRUE, channel->key.to);
        else
            add_unmatched(messages, &received, FALSE, channel->key.from);
    }
}

static gint compare_channels(gconstpointer a, gconstpointer b)
{
    const HieraChannelKey *left = &((const Channel *)a)->key, *right = &((const Channel *)b)->key;
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

/* Put the lists of all sends (or all receives) into channels, which have the numbers of the sends' keys. */
static void join_side(Messages *messages, guint side)
{
    const HieraSide *from = &messages->sides[side];
    for (guint32 i = 0; i < from->lists->len; i++) {
        const HieraChannelKey *key = hiera_key_index_peek(from->keys, i);
        const Channel empty = {.key = *key};
        guint32 number = side == SENT ? i : hiera_key_index_add(messages->sides[SENT].keys, key);
        if (number == messages->channels->len)
            g_array_append_val(messages->channels, empty);
        g_array_index(messages->channels, Channel, number).lists[side] =
            g_array_index(from->lists, HieraEndpointList, i);
    }
}

static void apply_reasons(const Messages *messages, const GArray *reasons)
{
    for (guint i = 0; i < reasons->len; i++) {
        const HieraSideReason *reason = &g_array_index(reasons, HieraSideReason, i);
        hiera_match_set_reason(messages->match, reason->row, reason->reason);
    }
}

static void join_sides(Messages *messages)
{
    for (guint side = 0; side < N_SIDES; side++) {
        join_side(messages, side);
        apply_reasons(messages, messages->sides[side].reasons);
    }
    for (guint side = 0; side < N_SIDES; side++)
        hiera_side_clear_keys(&messages->sides[side]);
}

/* Return the number of messages: for each channel the length of its shorter list. */
static guint count_messages(const GArray *channels)
{
    guint n = 0;
    for (guint i = 0; i < channels->len; i++) {
        const Channel *channel = &g_array_index(channels, Channel, i);
        n += MIN(channel->lists[SENT].n, channel->lists[RECEIVED].n);
    }
    return n;
}

void hiera_match_messages(const HieraTrace *trace, HieraMatch *match, const HieraFacts *facts, const GArray *starts)
{
    g_autoptr(GArray) channels = g_array_new(FALSE, FALSE, sizeof(Channel));
    g_autoptr(HieraProbes) probes = hiera_probes_new(trace);
    Messages messages = {.trace = trace, .match = match, .channels = channels, .probes = probes};
    hiera_sides_gather(&messages.sides[SENT], &messages.sides[RECEIVED], trace, match, facts, starts);
    join_sides(&messages);
    g_array_sort(channels, compare_channels);
    settle_begins(&messages, channels);
    settle_doubts(&messages, channels);
    g_array_set_size(match->messages, count_messages(channels));
    messages.next = (HieraMessage *)match->messages->data;
    for (guint i = 0; i < channels->len; i++)
        run_in_step(&messages, &g_array_index(channels, Channel, i));
    if (probes)
        hiera_probes_find(probes, match);
    for (guint side = 0; side < N_SIDES; side++)
        hiera_side_clear(&messages.sides[side]);
}
