/* Two arrays, sorted by operation. */
#include "export_flows.h"

guint32 hiera_export_arrival(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

static gint compare_flows(gconstpointer a, gconstpointer b)
{
    const HieraFlow *x = a, *y = b;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : (x->message > y->message) - (x->message < y->message);
}

void hiera_flows_init(HieraFlows *flows, const HieraMatch *match)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    flows->leaving = g_array_sized_new(FALSE, FALSE, sizeof(HieraFlow), n);
    flows->arriving = g_array_sized_new(FALSE, FALSE, sizeof(HieraFlow), n);
    for (guint i = 0; i < n; i++) {
        const HieraFlow leaves = {messages[i].from, i}, arrives = {hiera_export_arrival(&messages[i]), i};
        g_array_append_val(flows->leaving, leaves);
        g_array_append_val(flows->arriving, arrives);
    }
    g_array_sort(flows->leaving, compare_flows);
    g_array_sort(flows->arriving, compare_flows);
}

void hiera_flows_clear(HieraFlows *flows)
{
    g_array_unref(flows->leaving);
    g_array_unref(flows->arriving);
}

guint hiera_flows_find(const GArray *flows, guint32 row)
{
    guint low = 0, high = flows->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(flows, HieraFlow, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
