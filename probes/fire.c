/* Clauses look at events. See probes.h. */
#include "aggregate.h"
#include "firing.h"
#include "format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values --- */

static bool set_slot(HieraProbeState *state, HieraSlot *slot, HieraValue value)
{
    if (value.type != HIERA_VALUE_TEXT) {
        slot->value = value;
        return true;
    }
    if (value.length > slot->room || !slot->text) {
        size_t room = value.length < 16 ? 16 : value.length;
        char *text = hiera_budget_take(&state->budget, room - slot->room) ? malloc(room) : NULL;
        if (!text)
            return false;
        memcpy(text, value.text, value.length); /* which may be the old text */
        free(slot->text);
        slot->text = text;
        slot->room = room;
    } else {
        memmove(slot->text, value.text, value.length);
    }
    slot->value = hiera_value_text(slot->text, value.length);
    return true;
}

HieraValue hiera_firing_get(unsigned id, void *context)
{
    HieraFiring *firing = context;
    if (id < HIERA_N_PROBE_VARIABLES)
        return firing->event->get((HieraProbeVariableId)id, firing->event->data);
    HieraValue value = firing->state->kept[id - HIERA_N_PROBE_VARIABLES].slot.value;
    if (value.type == HIERA_VALUE_MISSING)
        firing->unset = id - HIERA_N_PROBE_VARIABLES;
    return value;
}

/* A key that is not there has the value 0, or an empty text. */
static HieraValue nothing_of(HieraValueType type)
{
    switch (type) {
    case HIERA_VALUE_NUMBER:
        return hiera_value_number(0);
    case HIERA_VALUE_DURATION:
        return hiera_value_duration(0);
    case HIERA_VALUE_TEXT:
        return hiera_value_text("", 0);
    case HIERA_VALUE_TRUTH:
        return hiera_value_truth(false);
    default:
        return hiera_value_integer(0);
    }
}

HieraValue hiera_firing_get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *context)
{
    HieraProbeState *state = ((HieraFiring *)context)->state;
    unsigned name = id - HIERA_N_PROBE_VARIABLES;
    HieraKeyed *keyed = &state->kept[name].keyed;
    uint32_t row = hiera_keyed_find(keyed, keys, n, false);
    return row == HIERA_KEYED_NONE ? nothing_of(state->script->names[name].type)
                                   : ((const HieraSlot *)hiera_keyed_cell(keyed, row))->value;
}

char *hiera_firing_room(size_t length, void *context)
{
    HieraProbeState *state = ((HieraFiring *)context)->state;
    if (length > HIERA_FIRING_TEXT - state->n_text) {
        state->lost++;
        return NULL;
    }
    state->n_text += length;
    return state->text + state->n_text - length;
}

/* --- a clause that cannot go on --- */

static void stop(HieraFiring *firing, const HieraAction *action)
{
    HieraProbeState *state = firing->state;
    const HieraScriptName *name = &state->script->names[firing->unset];
    char report[HIERA_PROBE_REPORT];
    HieraExpressionError error = {.at = action->all.at, .length = action->all.length};
    snprintf(error.message, sizeof error.message,
             "on rank %lld '%s' has no value yet; from now on this clause does nothing there",
             (long long)state->host.rank, name->name);
    hiera_script_report(state->script, &error, report);
    state->host.complain(state->host.user, report);
    state->stopped[firing->clause] = true;
}

/* --- actions --- */

/* @return false if a key is missing */
static bool evaluate_keys(HieraFiring *firing, const HieraAction *action, HieraValue *keys)
{
    for (unsigned i = 0; i < action->n_keys; i++) {
        keys[i] = hiera_expression_evaluate(action->keys[i], firing);
        if (keys[i].type == HIERA_VALUE_MISSING)
            return false;
    }
    return true;
}

static void set(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value)
{
    HieraProbeState *state = firing->state;
    HieraKept *kept = &state->kept[action->target];
    HieraSlot *slot = &kept->slot;
    if (action->n_keys > 0) {
        uint32_t row = hiera_keyed_find(&kept->keyed, keys, action->n_keys, true);
        slot = row == HIERA_KEYED_NONE ? NULL : hiera_keyed_cell(&kept->keyed, row);
    }
    if (!slot || !set_slot(state, slot, value))
        state->lost++;
}

static void aggregate(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value)
{
    HieraProbeState *state = firing->state;
    HieraKeyed *keyed = &state->kept[action->target].keyed;
    uint32_t row = hiera_keyed_find(keyed, keys, action->n_keys, true);
    if (row == HIERA_KEYED_NONE)
        state->lost++;
    else
        hiera_aggregate_add(&state->script->names[action->target], hiera_keyed_cell(keyed, row), value);
}

/* Texts of a line, that is written as a whole. */
typedef struct {
    char text[HIERA_FIRING_TEXT + 1];
    size_t n;
} Line;

static void append(Line *line, const char *text, size_t length)
{
    size_t room = HIERA_FIRING_TEXT - line->n;
    length = length < room ? length : room;
    memcpy(line->text + line->n, text, length);
    line->n += length;
}

static void append_value(Line *line, const HieraValue *value)
{
    char text[HIERA_FORMAT_BYTES];
    if (value->type == HIERA_VALUE_TEXT)
        append(line, value->text, value->length);
    else
        append(line, text, hiera_format_value(value, text));
}

static void print(HieraFiring *firing, const HieraAction *action)
{
    Line line = {.n = 0};
    for (unsigned i = 0; i < action->n_values; i++) {
        HieraValue value = hiera_expression_evaluate(action->values[i], firing);
        if (value.type == HIERA_VALUE_MISSING && firing->unset != HIERA_NO_TARGET)
            return;
        firing->unset = HIERA_NO_TARGET;
        append(&line, " ", i > 0);
        append_value(&line, &value);
    }
    line.text[line.n++] = '\n';
    firing->state->host.write(firing->state->host.user, line.text, line.n);
}

static void print_totals(HieraFiring *firing, const HieraAction *action)
{
    const HieraProbeState *state = firing->state;
    const HieraScriptName *name = &state->script->names[action->target];
    char head[256];
    snprintf(head, sizeof head, "%s: %s on rank %lld", name->name, hiera_aggregators[name->function],
             (long long)state->host.rank);
    hiera_print_totals(name, &state->kept[action->target].keyed, head, &state->host);
}

/* An action that sets something; if a key or the value is missing, it does nothing. */
static void change(HieraFiring *firing, const HieraAction *action)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS], value = hiera_value_integer(1); /* of count() */
    if (!evaluate_keys(firing, action, keys))
        return;
    if (action->values[0])
        value = hiera_expression_evaluate(action->values[0], firing);
    if (value.type == HIERA_VALUE_MISSING)
        return;
    firing->unset = HIERA_NO_TARGET; /* it had no influence, as in has(:x) */
    if (action->kind == HIERA_ACTION_SET)
        set(firing, action, keys, value);
    else
        aggregate(firing, action, keys, value);
}

static void run(HieraFiring *firing, const HieraAction *action)
{
    firing->state->n_text = 0;
    firing->unset = HIERA_NO_TARGET;
    switch (action->kind) {
    case HIERA_ACTION_SET:
    case HIERA_ACTION_AGGREGATE:
        change(firing, action);
        break;
    case HIERA_ACTION_PRINT:
        print(firing, action);
        break;
    case HIERA_ACTION_PRINT_TOTALS:
        print_totals(firing, action);
        break;
    case HIERA_ACTION_GLOBAL_PRINT:
        firing->state->asked_totals[action->target] = true;
        break;
    }
    if (firing->unset != HIERA_NO_TARGET)
        stop(firing, action);
}

/* Variables of the clause begin without a value. */
static void forget(HieraProbeState *state, unsigned clause)
{
    for (unsigned i = 0; i < state->script->n_names; i++) {
        if (state->script->names[i].clause != clause)
            continue;
        state->kept[i].slot.value = hiera_value_missing();
    }
}

void hiera_probe_fire(HieraProbeState *state, unsigned number, const HieraProbeEvent *event)
{
    const HieraClause *clause = &state->script->clauses[number];
    HieraFiring firing = {state, event, number, HIERA_NO_TARGET};
    if (state->stopped[number])
        return;
    forget(state, number);
    state->n_text = 0;
    if (clause->predicate && !hiera_expression_holds(clause->predicate, &firing))
        return;
    for (unsigned i = 0; i < clause->n_actions && !state->stopped[number]; i++)
        run(&firing, &clause->actions[i]);
}

/* --- BEGIN and END --- */

typedef struct {
    const HieraProbeHost *host;
    int64_t time_ns;
} Moment;

static HieraValue get_of_moment(HieraProbeVariableId variable, const void *data)
{
    const Moment *moment = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_RANK:
        return hiera_value_integer(moment->host->rank);
    case HIERA_PROBE_VARIABLE_HOST:
        return hiera_value_text(moment->host->name, strlen(moment->host->name));
    case HIERA_PROBE_VARIABLE_TIME:
        return hiera_value_duration(moment->time_ns);
    default:
        return hiera_value_missing();
    }
}

static void run_moment(HieraProbeState *state, HieraProbeKind kind, int64_t time_ns)
{
    const Moment moment = {&state->host, time_ns};
    const HieraProbeEvent event = {.get = get_of_moment, .data = &moment};
    for (unsigned i = 0; i < state->script->n_clauses; i++) {
        const HieraClause *clause = &state->script->clauses[i];
        int64_t rank = state->host.rank;
        if (clause->kind == kind && (!clause->ranks || hiera_expression_holds(clause->ranks, &rank)))
            hiera_probe_fire(state, i, &event);
    }
}

void hiera_probe_run_begin(HieraProbeState *state, int64_t time_ns)
{
    run_moment(state, HIERA_PROBE_BEGIN, time_ns);
}

void hiera_probe_run_end(HieraProbeState *state, int64_t time_ns)
{
    run_moment(state, HIERA_PROBE_END, time_ns);
}

/* --- states --- */

HieraProbeState *hiera_probe_state_new(const HieraProbeScript *script, const HieraProbeHost *host)
{
    HieraProbeState *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->script = script;
    state->host = *host;
    state->budget = host->memory;
    state->kept = calloc(script->n_names + 1, sizeof *state->kept);
    state->stopped = calloc(script->n_clauses + 1, sizeof *state->stopped);
    state->asked_totals = calloc(script->n_names + 1, sizeof *state->asked_totals);
    if (!state->kept || !state->stopped || !state->asked_totals) {
        hiera_probe_state_free(state);
        return NULL;
    }
    for (unsigned i = 0; i < script->n_names; i++) {
        const HieraScriptName *name = &script->names[i];
        size_t size = *name->name == '@' ? hiera_aggregate_size(name) : sizeof(HieraSlot);
        hiera_keyed_init(&state->kept[i].keyed, size, &state->budget);
    }
    return state;
}

static void free_kept(const HieraScriptName *name, HieraKept *kept)
{
    for (uint32_t i = 0; *name->name != '@' && i < kept->keyed.n; i++)
        free(((HieraSlot *)hiera_keyed_cell(&kept->keyed, i))->text);
    hiera_keyed_clear(&kept->keyed);
    free(kept->slot.text);
}

void hiera_probe_state_free(HieraProbeState *state)
{
    if (!state)
        return;
    for (unsigned i = 0; state->kept && i < state->script->n_names; i++)
        free_kept(&state->script->names[i], &state->kept[i]);
    free(state->kept);
    free(state->stopped);
    free(state->asked_totals);
    free(state);
}

uint64_t hiera_probe_state_count_lost(const HieraProbeState *state)
{
    return state->lost;
}

unsigned hiera_probe_state_count_stopped(const HieraProbeState *state)
{
    unsigned n = 0;
    for (unsigned i = 0; i < state->script->n_clauses; i++)
        n += state->stopped[i];
    return n;
}
