/* What all ranks together have aggregated: see HieraProbeTotals in probes.h. */
#include "aggregate.h"
#include "firing.h"
#include "expressions/floats.h"
#include "saved.h"
#include <stdio.h>
#include <string.h>

/* Of a global_print(). */
typedef struct Gathered {
    const HieraAction *action;
    HieraScriptName name; /* as in the script; its type may be known by saved bytes alone */
    HieraKeyed keyed;
    bool asked; /* a rank has reached it */
} Gathered;

struct HieraProbeTotals {
    const HieraProbeScript *script;
    Gathered *gathered; /* script->n_globals */
    HieraProbeHost host;
    HieraStore store;
};

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
        totals->gathered[i] = (Gathered){.action = script->globals[i], .name = *name};
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

/* Does it gather what this rank has? */
static bool takes(const Gathered *gathered, int64_t rank)
{
    return !gathered->action->ranks || hiera_expression_holds(gathered->action->ranks, &rank);
}

static __attribute__((noinline)) bool add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    const HieraProbeRank *of = state->rank;
    bool good = true;
    for (unsigned i = 0; i < totals->script->n_globals; i++) {
        Gathered *gathered = &totals->gathered[i];
        gathered->name.type = totals->script->names[gathered->action->target].type;
        gathered->asked = gathered->asked || __atomic_load_n(&of->asked_totals[i], __ATOMIC_RELAXED);
        if (takes(gathered, of->host.rank))
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

/* --- what was saved --- */

/* Of an aggregation that is read: its rank and name. */
typedef struct {
    HieraProbeTotals *totals;
    int64_t rank;
    unsigned name;
} Loading;

static bool take_global(void *user, unsigned number, const char *name, bool adds)
{
    HieraProbeTotals *totals = ((Loading *)user)->totals;
    if (number >= totals->script->n_globals || strcmp(totals->gathered[number].name.name, name) != 0)
        return false;
    totals->gathered[number].asked = totals->gathered[number].asked || adds;
    return true;
}

static bool is_same(const HieraScriptName *name, const HieraScriptName *head)
{
    return name->function == head->function && name->n_keys == head->n_keys && name->lower == head->lower &&
           name->upper == head->upper && name->step == head->step;
}

/* A type that this process does not know yet is that of the saved bytes. */
static bool adopt_type(Gathered *gathered, HieraValueType type, bool adds)
{
    HieraValueType known = gathered->name.type;
    if (known == HIERA_VALUE_MISSING && adds)
        gathered->name.type = type;
    return known == type || known == HIERA_VALUE_MISSING || type == HIERA_VALUE_MISSING;
}

static bool take_head(void *user, int64_t rank, const HieraScriptName *head, bool adds)
{
    Loading *loading = user;
    const HieraProbeScript *script = loading->totals->script;
    unsigned name = hiera_names_index(script, head->name, strlen(head->name), HIERA_NO_CLAUSE);
    bool good = name != HIERA_NO_TARGET && is_same(&script->names[name], head);
    for (unsigned i = 0; good && i < script->n_globals; i++) {
        Gathered *gathered = &loading->totals->gathered[i];
        good = gathered->action->target != name || adopt_type(gathered, head->type, adds);
    }
    loading->rank = rank;
    loading->name = name;
    return good;
}

static bool take_row(void *user, const HieraValue *keys, const void *cell)
{
    const Loading *loading = user;
    for (unsigned i = 0; i < loading->totals->script->n_globals; i++) {
        Gathered *gathered = &loading->totals->gathered[i];
        if (gathered->action->target != loading->name || !takes(gathered, loading->rank))
            continue;
        void *sum = hiera_keyed_find(&gathered->keyed, keys, gathered->name.n_keys, true);
        if (!sum)
            return false;
        hiera_aggregate_merge(&gathered->name, sum, cell);
    }
    return true;
}

bool hiera_probe_totals_load(HieraProbeTotals *totals, const char *bytes, size_t length)
{
    Loading loading = {.totals = totals};
    const HieraSavedSink sink = {&totals->store, &loading, take_global, take_head, take_row};
    return hiera_saved_read(&sink, bytes, length);
}

/* --- printing --- */

static __attribute__((noinline)) void print(const HieraProbeTotals *totals, const HieraProbeHost *host)
{
    for (unsigned i = 0; i < totals->script->n_globals; i++) {
        const Gathered *gathered = &totals->gathered[i];
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
