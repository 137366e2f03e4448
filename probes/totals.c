/* What all ranks together have aggregated: see HieraProbeTotals in probes.h. */
#include "totals.h"
#include "expressions/floats.h"
#include <stdio.h>

HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script, const HieraProbeHost *host)
{
    HieraProbeTotals *totals = hiera_host_take(host, sizeof *totals);
    if (!totals)
        return NULL;
    totals->script = script;
    totals->host = *host;
    hiera_store_init(&totals->store, &totals->host, NULL);
    totals->gathered = hiera_store_take(&totals->store, (script->n_globals + 1) * sizeof *totals->gathered);
    if (!totals->gathered) {
        hiera_probe_totals_free(totals);
        return NULL;
    }
    for (unsigned i = 0; i < script->n_globals; i++) {
        const HieraScriptName *name = &script->names[script->globals[i]->target];
        totals->gathered[i] = (HieraGathered){.action = script->globals[i], .name = *name};
        hiera_keyed_init(&totals->gathered[i].keyed, hiera_aggregate_size(name), &totals->store);
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

bool hiera_gathered_takes(const HieraGathered *gathered, int64_t rank)
{
    return !gathered->action->ranks || hiera_expression_holds(gathered->action->ranks, &rank);
}

static __attribute__((noinline)) bool add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    const HieraProbeRank *of = state->rank;
    bool good = true;
    for (unsigned i = 0; i < totals->script->n_globals; i++) {
        HieraGathered *gathered = &totals->gathered[i];
        gathered->name.type = totals->script->names[gathered->action->target].type;
        gathered->asked = gathered->asked || __atomic_load_n(&of->asked_totals[i], __ATOMIC_RELAXED);
        if (hiera_gathered_takes(gathered, of->host.rank))
            good = hiera_state_gather(state, gathered->action->target, &gathered->keyed) && good;
    }
    return good;
}

bool hiera_probe_totals_add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    HieraFloats floats;
    if (!totals->host.guards_floats)
        return add(totals, state);
    hiera_floats_enter(&floats, false);
    bool good = add(totals, state);
    hiera_floats_leave(&floats, false);
    return good;
}

static __attribute__((noinline)) void print(const HieraProbeTotals *totals, const HieraProbeHost *host)
{
    for (unsigned i = 0; i < totals->script->n_globals; i++) {
        const HieraGathered *gathered = &totals->gathered[i];
        const HieraSpan *spans = gathered->action->value_spans;
        unsigned n = gathered->action->n_values;
        int length = n > 1 ? (int)(spans[n - 1].at + spans[n - 1].length - spans[1].at) : 0;
        char head[256];
        snprintf(head, sizeof head, "%s: %s%s%.*s", gathered->name.name, hiera_aggregators[gathered->name.function],
                 length ? " of ranks " : "", length, length ? totals->script->plain + spans[1].at : "");
        if (gathered->asked)
            hiera_print_totals(&gathered->name, &gathered->keyed, head, host);
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
