/* See transfers.h. Sends and receives come from the matched messages; those without a partner from their calls. */
#include "transfers.h"
#include "base/key_index.h"

/* --- sends and receives of matched messages --- */

static void add(GArray *transfers, guint32 row, guint32 message, guint32 posted)
{
    const HieraTransfer transfer = {row, message, posted};
    g_array_append_val(transfers, transfer);
}

static void add_messages(HieraTransfers *transfers, const HieraMatch *match)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    for (guint i = 0; i < n; i++) {
        guint32 end = messages[i].ended_by == HIERA_NONE ? messages[i].to : messages[i].ended_by;
        add(transfers->sent, messages[i].from, i, messages[i].from);
        add(transfers->received, end, i, messages[i].to);
    }
}

/* Number the messages of a channel. They are consecutive, but those of a partitioned request have a channel of their
 * own. */
static void number_messages(HieraTransfers *transfers, const HieraMatch *match)
{
    typedef struct {
        guint32 context, from, to;
        gint32 tag;
    } Channel;
    guint n;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    HieraKeyIndex *channels = hiera_key_index_new(sizeof(Channel) / sizeof(guint32));
    g_autoptr(GArray) counts = g_array_new(FALSE, TRUE, sizeof(guint32));
    transfers->number = g_new(guint32, n + 1);
    for (guint i = 0; i < n; i++) {
        const Channel channel = {hiera_match_context(match, messages[i].comm),
                                 hiera_trace_find_processor(trace, messages[i].from),
                                 hiera_trace_find_processor(trace, messages[i].to), hiera_match_message_tag(match, i)};
        guint32 of = hiera_key_index_add(channels, &channel);
        if (of >= counts->len)
            g_array_set_size(counts, of + 1);
        transfers->number[i] = ++g_array_index(counts, guint32, of);
    }
    hiera_key_index_free(channels);
}

/* --- sends and receives without a partner --- */

static gboolean has_no_partner(HieraReason reason)
{
    switch (reason) {
    case HIERA_REASON_NOT_COMMUNICATING:
    case HIERA_REASON_MATCHED:
    case HIERA_REASON_PROC_NULL:
    case HIERA_REASON_CANCELLED:
    case HIERA_REASON_FAILED:
        return FALSE;
    default:
        return TRUE;
    }
}

/* Return the row that completed a receive; HIERA_NONE: no row did. @param completed  starting → completing row */
static guint32 find_end(const HieraTrace *trace, guint32 row, GHashTable *completed)
{
    const HieraRequest *requests;
    gpointer end;
    if (g_hash_table_lookup_extended(completed, GUINT_TO_POINTER(row), NULL, &end))
        return GPOINTER_TO_UINT(end);
    gboolean ended = !hiera_trace_is_open(trace, row) && hiera_trace_peek_requests(trace, row, &requests) == 0;
    return ended ? row : HIERA_NONE;
}

static GHashTable *collect_ends(const HieraMatch *match)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    GHashTable *ends = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n; i++)
        g_hash_table_insert(ends, GUINT_TO_POINTER(pairs[i].start), GUINT_TO_POINTER(pairs[i].completion));
    return ends;
}

static gboolean has_transfer(const GArray *transfers, guint32 row)
{
    guint i = hiera_transfers_find(transfers, row);
    return i < transfers->len && g_array_index(transfers, HieraTransfer, i).row == row;
}

typedef struct {
    const HieraMatch *match;
    const HieraTransfers *known; /* sends and receives of matched messages */
    GArray *sent, *received;     /* HieraTransfer of sends and receives without a partner */
    GHashTable *ends;            /* starting row of a request → completing row; NULL: not collected yet */
} Lonely;

/* Add a call's send and its receive, as far as they have no partner. */
static void add_lonely(Lonely *lonely, guint32 row)
{
    const HieraTrace *trace = hiera_match_peek_trace(lonely->match);
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    gboolean both = kind == HIERA_KIND_SEND_RECEIVE;
    if ((kind == HIERA_KIND_SEND || both) && trace->peer[row] != HIERA_PROC_NULL &&
        !has_transfer(lonely->known->sent, row))
        add(lonely->sent, row, HIERA_NONE, row);
    if (!(kind == HIERA_KIND_RECEIVE || both) || trace->source[row] == HIERA_PROC_NULL ||
        (both && has_transfer(lonely->known->received, row)))
        return;
    if (!lonely->ends)
        lonely->ends = collect_ends(lonely->match);
    guint32 end = find_end(trace, row, lonely->ends);
    if (end != HIERA_NONE)
        add(lonely->received, end, HIERA_NONE, row);
}

static void move(GArray *to, GArray *from)
{
    g_array_append_vals(to, from->data, from->len);
    g_array_unref(from);
}

static void add_all_lonely(HieraTransfers *transfers, const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Lonely lonely = {match, transfers, g_array_new(FALSE, FALSE, sizeof(HieraTransfer)),
                     g_array_new(FALSE, FALSE, sizeof(HieraTransfer)), NULL};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        guint32 end = hiera_scope_is_own(scope, i) ? (guint32)(of->first + of->n_operations) : 0;
        for (guint32 row = (guint32)of->first; row < end; row++) {
            if (has_no_partner(hiera_match_reason(match, row)))
                add_lonely(&lonely, row);
        }
    }
    g_clear_pointer(&lonely.ends, g_hash_table_unref);
    move(transfers->sent, lonely.sent);
    move(transfers->received, lonely.received);
}

/* --- all sends and receives --- */

static gint compare(gconstpointer a, gconstpointer b)
{
    const HieraTransfer *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->message > y->message) - (x->message < y->message);
}

void hiera_transfers_init(HieraTransfers *transfers, const HieraMatch *match, const HieraScope *scope)
{
    *transfers = (HieraTransfers){g_array_new(FALSE, FALSE, sizeof(HieraTransfer)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraTransfer)), NULL};
    number_messages(transfers, match);
    add_messages(transfers, match);
    g_array_sort(transfers->sent, compare);
    g_array_sort(transfers->received, compare);
    add_all_lonely(transfers, match, scope);
    g_array_sort(transfers->sent, compare);
    g_array_sort(transfers->received, compare);
}

void hiera_transfers_clear(HieraTransfers *transfers)
{
    g_clear_pointer(&transfers->sent, g_array_unref);
    g_clear_pointer(&transfers->received, g_array_unref);
    g_clear_pointer(&transfers->number, g_free);
}

guint hiera_transfers_find(const GArray *transfers, guint32 row)
{
    guint low = 0, high = transfers->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(transfers, HieraTransfer, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
