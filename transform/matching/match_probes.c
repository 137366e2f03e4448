/* See match_probes.h. A message that MPI_Probe has found stays in the queue: it is the first message on its channel not
 * taken by a receive that began before the end of the probe. A matched probe takes its message at its start. */
#include "match_probes.h"

/* A message that was received, by the channel and the time at which a probe could last find it. */
typedef struct {
    HieraChannelKey channel;
    gint64 taken_ns; /* start of the receive, or of the matched probe that took the message before it */
    guint32 message;
} Found;

struct HieraProbes {
    const HieraTrace *trace;
    GArray *rows;       /* guint32: rows of probes that found a message */
    GHashTable *by_row; /* row of a matched probe → index of its message + 1 */
    GArray *found;      /* Found, of all messages that were received */
};

static gboolean is_matched_probe(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    return hiera_trace_peek_requests(trace, row, &request) > 0 && request[0].number < 0;
}

/* Whether a row is a probe that found a message, and the trace has the message's source and tag. */
static gboolean has_found(const HieraTrace *trace, guint32 row)
{
    const HieraPending *pending;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    return site->mpi && site->kind == HIERA_KIND_PROBE && trace->source[row] >= 0 && trace->tag[row] >= 0 &&
           trace->comm[row] != HIERA_NONE && hiera_trace_peek_pending(trace, row, &pending) == 0 &&
           !hiera_trace_is_failed(trace, row) && !hiera_trace_is_open(trace, row);
}

HieraProbes *hiera_probes_new(const HieraTrace *trace)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 row = 0; row < trace->n_operations; row++)
        if (has_found(trace, row))
            g_array_append_val(rows, row);
    if (rows->len == 0)
        return NULL;
    HieraProbes *probes = g_new(HieraProbes, 1);
    *probes = (HieraProbes){trace, g_steal_pointer(&rows), g_hash_table_new(NULL, NULL),
                            g_array_new(FALSE, FALSE, sizeof(Found))};
    return probes;
}

void hiera_probes_add(HieraProbes *probes, const HieraChannelKey *channel, guint32 posted, guint32 message)
{
    Found found = {*channel, probes->trace->start_ns[posted], message};
    if (is_matched_probe(probes->trace, posted))
        g_hash_table_insert(probes->by_row, GUINT_TO_POINTER(posted), GUINT_TO_POINTER(message + 1));
    if (!channel->partitioned)
        g_array_append_val(probes->found, found);
}

static gint compare_channels(const HieraChannelKey *a, const HieraChannelKey *b)
{
#define ORDER_BY(field)                                                                                                \
    if (a->field != b->field)                                                                                          \
        return a->field < b->field ? -1 : 1;
    ORDER_BY(context)
    ORDER_BY(from)
    ORDER_BY(to)
    ORDER_BY(tag)
    return 0;
}

static gint compare_found(gconstpointer left, gconstpointer right)
{
    const Found *a = left, *b = right;
    gint order = compare_channels(&a->channel, &b->channel);
    if (order != 0)
        return order;
    ORDER_BY(taken_ns)
    ORDER_BY(message)
    return 0;
}

/* Return the index + 1 of the first message that a row's MPI_Probe can have found; 0: there is none. */
static guint find_message(const HieraProbes *probes, const HieraMatch *match, guint32 row)
{
    const HieraTrace *trace = probes->trace;
    const HieraCommunicator *communicator = hiera_match_communicator(trace, trace->comm[row]);
    Found wanted = {
        .channel = {.tag = trace->tag[row],
                    .from = communicator ? hiera_match_translate(communicator, trace->source[row]) : HIERA_ABSENT,
                    .to = (gint32)trace->processors[hiera_trace_find_processor(trace, row)].rank,
                    .context = match->context[trace->comm[row]]},
        .taken_ns = trace->finish_ns[row]};
    guint low = 0, high = probes->found->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (compare_found(&g_array_index(probes->found, Found, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == probes->found->len)
        return 0;
    const Found *found = &g_array_index(probes->found, Found, low);
    return compare_channels(&found->channel, &wanted.channel) == 0 ? found->message + 1 : 0;
}

void hiera_probes_find(HieraProbes *probes, HieraMatch *match)
{
    g_array_sort(probes->found, compare_found);
    for (guint i = 0; i < probes->rows->len; i++) {
        guint32 row = g_array_index(probes->rows, guint32, i);
        guint message = is_matched_probe(probes->trace, row)
                            ? GPOINTER_TO_UINT(g_hash_table_lookup(probes->by_row, GUINT_TO_POINTER(row)))
                            : find_message(probes, match, row);
        HieraProbe probe = {row, message - 1};
        if (message > 0)
            g_array_append_val(match->probes, probe);
    }
}

void hiera_probes_free(HieraProbes *probes)
{
    if (!probes)
        return;
    g_array_unref(probes->rows);
    g_array_unref(probes->found);
    g_hash_table_unref(probes->by_row);
    g_free(probes);
}
