#include "counter_list.h"
#include <string.h>

typedef struct {
    const HieraProcessor *processor;
    const HieraTraceCounter *counter;
} Listed;

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Listed *listed = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_RANK:
        return hiera_value_integer(listed->processor->rank);
    case HIERA_PROBE_VARIABLE_HOST:
        return hiera_value_text(listed->processor->host, strlen(listed->processor->host));
    case HIERA_PROBE_VARIABLE_TIME:
        return hiera_value_duration(listed->processor->finalize_ns);
    default:
        return hiera_probe_part_of_counter(variable, listed->counter->name);
    }
}

static void tell(const HieraProbedTrace *probed, const Listed *listed, HieraProbeState *state)
{
    const HieraProbeEvent event = {.kind = HIERA_EVENT_COUNTER_LISTED, .get = get, .data = listed};
    for (guint i = 0; i < hiera_probe_script_count(probed->script); i++) {
        if (hiera_probe_clause_takes(probed->script, i, event.kind, listed->processor->rank) &&
            hiera_probe_clause_fits(probed->script, i, listed->counter->name))
            hiera_probe_fire(state, i, &event);
    }
}

static gboolean is_asked(const HieraProbeScript *script)
{
    gboolean asked = FALSE;
    for (guint i = 0; i < hiera_probe_script_count(script); i++)
        asked = asked || hiera_probe_clause_has_event(script, i, HIERA_EVENT_COUNTER_LISTED);
    return asked;
}

/* Report the counters in the order in which operations first have values of them. */
void hiera_counter_list_tell(const HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state)
{
    if (!is_asked(probed->script))
        return;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint64 i = 0; i < processor->n_operations; i++) {
        const HieraCounted *counted;
        guint n = hiera_trace_peek_counted(probed->trace, (guint32)(processor->first + i), &counted);
        for (guint k = 0; k < n; k++) {
            const Listed listed = {processor, counted[k].counter};
            if (g_hash_table_add(seen, (gpointer)listed.counter))
                tell(probed, &listed, state);
        }
    }
}
