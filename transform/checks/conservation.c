/* Makes the table of messages, bytes and collectives of each communicator. */
#include "flows.h"

static const HieraColumn columns[] = {
    {"communicator", HIERA_CELL_TEXT, HIERA_ROLE_KEY},   {"sent", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"received", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},    {"excused", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"bytes out", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},   {"bytes in", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"collectives", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

static void add_messages(const HieraMatch *match, HieraCommTraffic *flows)
{
    for (guint32 comm = 0; comm < match->n_traffic; comm++) {
        const HieraTraffic *traffic = &match->traffic[comm];
        flows[comm].sent += (gint64)traffic->messages;
        flows[comm].received += (gint64)traffic->messages;
        flows[comm].bytes_sent = hiera_plus(flows[comm].bytes_sent, traffic->sent);
        flows[comm].bytes_received = hiera_plus(flows[comm].bytes_received, traffic->received);
    }
}

static gboolean is_own(const HieraMatch *match, const HieraScope *scope, guint32 row)
{
    return !scope->share.own || hiera_scope_is_own(scope, hiera_trace_find_processor(match->trace, row));
}

static void add_unmatched(const HieraMatch *match, const HieraScope *scope, HieraCommTraffic *flows)
{
    for (guint i = 0; i < match->unmatched->len; i++) {
        const HieraUnmatched *message = &g_array_index(match->unmatched, HieraUnmatched, i);
        HieraCommTraffic *flow = &flows[message->comm];
        if (!is_own(match, scope, message->row))
            continue;
        flow->sent += message->sent;
        flow->received += !message->sent;
        gint64 *bytes = message->sent ? &flow->bytes_sent : &flow->bytes_received;
        *bytes = hiera_plus(*bytes, MAX(message->bytes, 0));
        flow->excused += hiera_reason_severity((HieraReason)match->reason[message->row]) != HIERA_SEVERITY_ERROR;
    }
}

/* Add, to each communicator, the number of its collectives in which all members took part. */
static void add_collectives(const HieraMatch *match, const HieraScope *scope, HieraCommTraffic *flows)
{
    for (guint i = 0; i < match->collectives->len; i++) {
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, i);
        guint32 member = g_array_index(match->members, guint32, collective->first);
        if (is_own(match, scope, member))
            flows[collective->comm].collectives += match->reason[member] == HIERA_REASON_MATCHED;
    }
}

/* Whether a communicator gets a row: not without communication. Windows, files and communicators with other jobs need
 * messages, since all with collectives would fill the table. */
static gboolean is_worth_a_row(const HieraCommunicator *communicator, const HieraCommTraffic *flow)
{
    return flow->sent > 0 || flow->received > 0 || (flow->collectives > 0 && !communicator->open);
}

/* --- traffic of several processes is added up --- */

static void pack_flows(HieraPacker *to, gpointer flows)
{
    hiera_pack_array(to, flows);
}

static void unpack_flows(HieraUnpacker *from, gpointer flows)
{
    g_autoptr(GArray) theirs = g_array_new(FALSE, FALSE, sizeof(HieraCommTraffic));
    hiera_unpack_array(from, theirs);
    for (guint i = 0; i < theirs->len; i++) {
        const HieraCommTraffic *flow = &g_array_index(theirs, HieraCommTraffic, i);
        HieraCommTraffic *all = &g_array_index((GArray *)flows, HieraCommTraffic, i);
        all->sent += flow->sent;
        all->received += flow->received;
        all->excused += flow->excused;
        all->bytes_sent = hiera_plus(all->bytes_sent, flow->bytes_sent);
        all->bytes_received = hiera_plus(all->bytes_received, flow->bytes_received);
        all->collectives += flow->collectives;
    }
}

void hiera_comm_traffic_add(GArray *flows, const HieraMatch *match, const HieraScope *scope)
{
    guint32 n = hiera_catalog_count_communicators(match->trace->catalog);
    if (flows->len < n)
        g_array_set_size(flows, n);
    HieraCommTraffic *first = (HieraCommTraffic *)(void *)flows->data;
    add_messages(match, first);
    add_unmatched(match, scope, first);
    add_collectives(match, scope, first);
}

HieraTable *hiera_comm_traffic_make_table(const GArray *flows, const HieraCatalog *catalog)
{
    HieraTable *table = hiera_table_new("messages", columns, G_N_ELEMENTS(columns));
    for (guint32 i = 0; i < flows->len; i++) {
        const HieraCommunicator *communicator = hiera_catalog_peek_communicator(catalog, i);
        const HieraCommTraffic *flow = &g_array_index(flows, HieraCommTraffic, i);
        const HieraCell cells[] = {
            {.text = communicator->id},    {.number = flow->sent},       {.number = flow->received},
            {.number = flow->excused},     {.number = flow->bytes_sent}, {.number = flow->bytes_received},
            {.number = flow->collectives},
        };
        G_STATIC_ASSERT(G_N_ELEMENTS(cells) == G_N_ELEMENTS(columns));
        if (is_worth_a_row(communicator, flow))
            hiera_table_add(table, cells);
    }
    hiera_table_settle(table);
    return table;
}

HieraTable *hiera_check_table_conservation(const HieraMatch *match, const HieraScope *scope)
{
    g_autoptr(GArray) flows = g_array_new(FALSE, TRUE, sizeof(HieraCommTraffic));
    hiera_comm_traffic_add(flows, match, scope);
    hiera_scope_gather_others(scope, match->trace, pack_flows, unpack_flows, flows);
    return hiera_comm_traffic_make_table(flows, match->trace->catalog);
}

HieraTable *hiera_match_make_conservation(const HieraMatch *match)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    return hiera_check_table_conservation(match, &all);
}
