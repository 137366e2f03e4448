/* Aggregations over all ranks: see HieraProbeTotals in probes.h. At the end these are the data of all global_print();
 * before the end, the data of one of them. */
#include "expressions/floats.h"
#include "firing.h"
#include "probes/aggregate.h"
#include "saved.h"
#include <stdio.h>
#include <string.h>

/* Data of one global_print(). */
typedef struct Gathered {
    const HieraAction *action;
    HieraScriptName name; /* copy of the script's name; saved bytes may add its type */
    HieraKeyed keyed;
    bool asked; /* whether some rank has reached this global_print() */
} Gathered;

struct HieraProbeTotals {
    const HieraProbeScript *script;
    Gathered *gathered;
    unsigned n;
    bool now; /* true for a global_print() before the end */
    HieraProbeHost host;
    HieraProbeStore store;
};

static HieraProbeTotals *make(const HieraProbeScript *script, const HieraProbeHost *host,
                              const HieraAction *const *actions, unsigned n)
{
    HieraProbeTotals *totals = hiera_host_take(host, sizeof *totals);
    if (!totals)
        return NULL;
    *totals = (HieraProbeTotals){.script = script, .n = n, .host = *host};
    hiera_probe_store_init(&totals->store, &totals->host, NULL);
    totals->gathered = hiera_probe_store_take(&totals->store, (n + 1) * sizeof *totals->gathered);
    if (!totals->gathered) {
        hiera_probe_totals_free(totals);
        return NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        const HieraScriptName *name = &script->names[actions[i]->target];
        totals->gathered[i] = (Gathered){.action = actions[i], .name = *name};
        hiera_keyed_init(&totals->gathered[i].keyed, hiera_aggregate_size(name), &totals->store);
    }
    return totals;
}

HieraProbeTotals *hiera_probe_totals_new(const HieraProbeScript *script, const HieraProbeHost *host)
{
    return make(script, host, script->globals, script->n_globals);
}

void hiera_probe_totals_free(HieraProbeTotals *totals)
{
    if (!totals)
        return;
    const HieraProbeHost host = totals->host;
    hiera_probe_store_clear(&totals->store);
    hiera_host_release(&host, totals, sizeof *totals);
}

/* Whether a global_print() includes the data of this rank. */
static bool takes(const Gathered *gathered, int64_t rank)
{
    return !gathered->action->ranks || hiera_expression_holds(gathered->action->ranks, &rank);
}

static __attribute__((noinline)) bool add(HieraProbeTotals *totals, const HieraProbeState *state)
{
    const HieraProbeRank *of = state->rank;
    bool good = true;
    for (unsigned i = 0; i < totals->n; i++) {
        Gathered *gathered = &totals->gathered[i];
        HieraValueType type = totals->script->names[gathered->action->target].type;
        gathered->name.type = type == HIERA_VALUE_MISSING ? gathered->name.type : type;
        gathered->asked = gathered->asked || totals->now || __atomic_load_n(&of->asked_totals[i], __ATOMIC_RELAXED);
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

/* --- reading saved bytes of a rank --- */

/* The rank and name of the aggregation that is being read. */
typedef struct {
    HieraProbeTotals *totals;
    int64_t rank;
    unsigned name;
} Loading;

static bool take_global(void *user, unsigned number, const char *name, bool adds)
{
    HieraProbeTotals *totals = ((Loading *)user)->totals;
    const HieraProbeScript *script = totals->script;
    if (number >= script->n_globals || strcmp(script->names[script->globals[number]->target].name, name) != 0)
        return false;
    if (adds && !totals->now)
        totals->gathered[number].asked = true;
    return true;
}

static bool is_same(const HieraScriptName *name, const HieraScriptName *head)
{
    return name->function == head->function && name->n_keys == head->n_keys && name->lower == head->lower &&
           name->upper == head->upper && name->step == head->step;
}

/* Take the type from saved bytes if this process does not know it yet. Returns whether both types agree. */
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
    for (unsigned i = 0; good && i < loading->totals->n; i++) {
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
    for (unsigned i = 0; i < loading->totals->n; i++) {
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

/* --- printing the aggregations of all ranks --- */

static __attribute__((noinline)) void print(const HieraProbeTotals *totals, const HieraProbeHost *host)
{
    for (unsigned i = 0; i < totals->n; i++) {
        const Gathered *gathered = &totals->gathered[i];
        const HieraSpan *spans = gathered->action->value_spans;
        unsigned n = gathered->action->n_values;
        int length = n > 1 ? (int)(spans[n - 1].at + spans[n - 1].length - spans[1].at) : 0;
        char head[256];
        snprintf(head, sizeof head, "%s: %s%s%.*s%s", gathered->name.name, hiera_aggregators[gathered->name.function],
                 length ? " of ranks " : "", length, length ? totals->script->plain + spans[1].at : "",
                 totals->now ? ", so far" : "");
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

/* --- global_print() before the end --- */

/* The saved bytes of a state, collected in one piece. */
typedef struct {
    HieraProbeStore store;
    char *bytes;
    size_t n, room;
    bool failed;
} Saved;

static void take_saved(void *user, const char *bytes, size_t length)
{
    Saved *saved = user;
    if (saved->n + length > saved->room && !saved->failed) {
        size_t room = hiera_probe_store_round(2 * (saved->n + length));
        char *grown = hiera_probe_store_take(&saved->store, room);
        saved->failed = grown == NULL;
        if (grown && saved->n > 0)
            memcpy(grown, saved->bytes, saved->n);
        if (grown)
            hiera_probe_store_return(&saved->store, saved->bytes, saved->room);
        saved->bytes = grown ? grown : saved->bytes;
        saved->room = grown ? room : saved->room;
    }
    if (saved->failed)
        return;
    memcpy(saved->bytes + saved->n, bytes, length);
    saved->n += length;
}

bool hiera_probe_state_publish(const HieraProbeState *state)
{
    const HieraProbeHost *host = &state->rank->host;
    if (!host->publish)
        return false;
    Saved saved = {.n = 0};
    hiera_probe_store_init(&saved.store, host, NULL);
    bool good = hiera_probe_state_save(state, take_saved, &saved) && !saved.failed &&
                host->publish(host->user, saved.bytes, saved.n);
    hiera_probe_store_clear(&saved.store);
    return good;
}

bool hiera_totals_print_now(const HieraProbeState *state, const HieraAction *action)
{
    const HieraProbeHost *host = &state->rank->host;
    HieraProbeTotals *totals = host->publish && host->gather ? make(state->rank->script, host, &action, 1) : NULL;
    if (!totals)
        return false;
    totals->now = true;
    bool good = hiera_probe_state_publish(state);
    good = add(totals, state) && good;
    good = host->gather(host->user, totals) && good;
    print(totals, host);
    hiera_probe_totals_free(totals);
    return good;
}
