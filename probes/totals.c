/* What all ranks together have aggregated: see HieraProbeTotals in probes.h. */
#include "aggregate.h"
#include "expressions/floats.h"
#include "firing.h"
#include <stdio.h>

/* Of a global_print(). */
typedef struct {
    const HieraAction *action;
    HieraKeyed keyed;
    bool asked; /* a rank has reached it */
} Gathered;

struct HieraProbeTotals {
    const HieraProbeScript *script;
    Gathered *gathered;
    unsigned n;
    HieraProbeHost host;
    HieraStore store;
};

static unsigned count_actions(const HieraProbeScript *script)
{
    unsigned n = 0;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions; k++)
            n += script->clauses[i].actions[k].kind == HIERA_ACTION_GLOBAL_PRINT;
    }
    return n;
}

static void add_action(HieraProbeTotals *totals, const HieraAction *action)
{
    Gathered *gathered = &totals->gathered[totals->n++];
    gathered->action = action;
    hiera_keyed_init(&gathered->keyed, hiera_aggregate_size(&totals->script->names[action->target]), &totals->store);
}

HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script, const HieraProbeHost *host)
{
    HieraProbeTotals *totals = hiera_host_take(host, sizeof *totals);
    if (!totals)
        return NULL;
    totals->script = script;
    totals->host = *host;
    hiera_store_init(&totals->store, &totals->host, NULL);
    totals->gathered = hiera_store_take(&totals->store, (count_actions(script) + 1) * sizeof *totals->gathered);
    if (!totals->gathered) {
        hiera_probe_totals_free(totals);
        return NULL;
    }
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions; k++) {
            if (script->clauses[i].actions[k].kind == HIERA_ACTION_GLOBAL_PRINT)
                add_action(totals, &script->clauses[i].actions[k]);
        }
    }
    return totals;
}

void hiera_probe_totals_free(HieraProbeTotals *totals)
{
    if (!totals)
        return;
    const HieraProbeHost host = totals->host;
    hiera_store_clear(&totals->store);
    hiera_host_release(&host, totals, sizeof *totals);
}

static __attribute__((noinline)) void add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    for (unsigned i = 0; i < totals->n; i++) {
        Gathered *gathered = &totals->gathered[i];
        const HieraProbeRank *of = state->rank;
        int64_t rank = of->host.rank;
        unsigned name = gathered->action->target;
        gathered->asked = gathered->asked || __atomic_load_n(&of->asked_totals[name], __ATOMIC_RELAXED);
        if (!gathered->action->ranks || hiera_expression_holds(gathered->action->ranks, &rank))
            hiera_state_gather(state, name, &gathered->keyed);
    }
}

void hiera_probe_totals_add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    HieraFloats floats;
    if (!totals->host.guards_floats) {
        add(totals, state);
        return;
    }
    hiera_floats_enter(&floats, false);
    add(totals, state);
    hiera_floats_leave(&floats, false);
}

static __attribute__((noinline)) void print(const HieraProbeTotals *totals, const HieraProbeHost *host)
{
    for (unsigned i = 0; i < totals->n; i++) {
        const Gathered *gathered = &totals->gathered[i];
        const HieraScriptName *name = &totals->script->names[gathered->action->target];
        const HieraSpan *spans = gathered->action->value_spans;
        unsigned n = gathered->action->n_values;
        int length = n > 1 ? (int)(spans[n - 1].at + spans[n - 1].length - spans[1].at) : 0;
        char head[256];
        snprintf(head, sizeof head, "%s: %s%s%.*s", name->name, hiera_aggregators[name->function],
                 length ? " of ranks " : "", length, length ? totals->script->plain + spans[1].at : "");
        if (gathered->asked)
            hiera_print_totals(name, &gathered->keyed, head, host);
    }
}

void hiera_probe_totals_print(const HieraProbeTotals *totals, const HieraProbeHost *host)
{
    HieraFloats floats;
    if (!host->guards_floats) {
        print(totals, host);
        return;
    }
    hiera_floats_enter(&floats, false);
    print(totals, host);
    hiera_floats_leave(&floats, false);
}
