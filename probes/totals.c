/* What all ranks together have aggregated: see HieraProbeTotals in probes.h. */
#include "aggregate.h"
#include "firing.h"
#include <stdio.h>
#include <stdlib.h>

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
    size_t budget;
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
    hiera_keyed_init(&gathered->keyed, hiera_aggregate_size(&totals->script->names[action->target]), &totals->budget);
}

HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script)
{
    HieraProbeTotals *totals = calloc(1, sizeof *totals);
    if (!totals)
        return NULL;
    totals->script = script;
    totals->budget = SIZE_MAX;
    totals->gathered = calloc(count_actions(script) + 1, sizeof *totals->gathered);
    if (!totals->gathered) {
        free(totals);
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
    for (unsigned i = 0; i < totals->n; i++)
        hiera_keyed_clear(&totals->gathered[i].keyed);
    free(totals->gathered);
    free(totals);
}

static void gather(const HieraProbeTotals *totals, Gathered *gathered, const HieraProbeState *state)
{
    const HieraScriptName *name = &totals->script->names[gathered->action->target];
    const HieraKeyed *from = &state->kept[gathered->action->target].keyed;
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    for (uint32_t i = 0; i < from->n; i++) {
        hiera_keyed_read(from, i, keys, name->n_keys);
        uint32_t row = hiera_keyed_find(&gathered->keyed, keys, name->n_keys, true);
        if (row != HIERA_KEYED_NONE)
            hiera_aggregate_merge(name, hiera_keyed_cell(&gathered->keyed, row), hiera_keyed_cell(from, i));
    }
}

void hiera_probe_totals_add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    for (unsigned i = 0; i < totals->n; i++) {
        Gathered *gathered = &totals->gathered[i];
        int64_t rank = state->host.rank;
        gathered->asked = gathered->asked || state->asked_totals[gathered->action->target];
        if (!gathered->action->ranks || hiera_expression_holds(gathered->action->ranks, &rank))
            gather(totals, gathered, state);
    }
}

void hiera_probe_totals_print(const HieraProbeTotals *totals, const HieraProbeHost *host)
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
