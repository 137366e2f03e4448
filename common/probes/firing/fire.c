/* Evaluates clauses for events. See probes.h. */
#include "expressions/floats.h"
#include "firing.h"
#include "probes/aggregate.h"
#include "probes/format.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- values of names, and memory for texts --- */

HieraValue hiera_firing_get(unsigned id, void *context)
{
    HieraFiring *firing = context;
    if (id < HIERA_N_PROBE_VARIABLES)
        return firing->event->get((HieraProbeVariableId)id, firing->event->data);
    if (id >= HIERA_SCRIPT_USER_IDS)
        return firing->event->get_user ? firing->event->get_user(id - HIERA_SCRIPT_USER_IDS, firing->event->data)
                                       : hiera_value_missing();
    return hiera_variable_get(firing, id - HIERA_N_PROBE_VARIABLES);
}

HieraValue hiera_firing_get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *context)
{
    return hiera_variable_get_keyed(context, id - HIERA_N_PROBE_VARIABLES, keys, n);
}

char *hiera_firing_room(size_t length, void *context)
{
    HieraProbeState *state = ((HieraFiring *)context)->state;
    if (length > HIERA_FIRING_ROOM - state->n_text) {
        hiera_firing_lose(context);
        return NULL;
    }
    state->n_text += length;
    return state->text + state->n_text - length;
}

void hiera_firing_lose(HieraFiring *firing)
{
    uint64_t *lost = &firing->state->lost;
    __atomic_store_n(lost, *lost + 1, __ATOMIC_RELAXED);
}

/* --- clauses that are stopped --- */

void hiera_firing_stop(HieraFiring *firing, HieraSpan where, const char *format, ...)
{
    HieraProbeRank *rank = firing->state->rank;
    char report[HIERA_PROBE_REPORT];
    HieraExpressionError error = {.at = where.at, .length = where.length};
    va_list arguments;
    if (__atomic_exchange_n(&rank->stopped[firing->clause], true, __ATOMIC_RELAXED))
        return; /* another thread has stopped the clause and reported it */
    int n = snprintf(error.message, sizeof error.message, "on rank %lld ", (long long)rank->host.rank);
    va_start(arguments, format);
    vsnprintf(error.message + n, sizeof error.message - (size_t)n, format, arguments);
    va_end(arguments);
    hiera_script_report(rank->script, &error, report);
    rank->host.complain(rank->host.user, report);
}

static void stop_for_unset(HieraFiring *firing, unsigned name, HieraSpan where)
{
    hiera_firing_stop(firing, where, "'%s' has no value yet; from now on this clause does nothing there",
                      firing->state->rank->script->names[name].name);
}

static void stop_for_silent(HieraFiring *firing, HieraSpan where)
{
    hiera_firing_stop(firing, where, "%s '%s', so it is incomplete; from now on this clause does nothing there",
                      firing->gone ? "there is no connection any more to the rank that has"
                                   : "nobody answered in time for",
                      firing->state->rank->script->names[firing->silent].name);
}

static bool is_stopped(const HieraProbeRank *rank, unsigned clause)
{
    return __atomic_load_n(&rank->stopped[clause], __ATOMIC_RELAXED);
}

/* Whether a clause is compiled. If not, it waits for a probe of the program; an END clause reports that. */
static bool is_ready(HieraFiring *firing, const HieraClause *clause)
{
    bool ready = __atomic_load_n(&clause->ready, __ATOMIC_ACQUIRE);
    if (!ready && clause->kind == HIERA_PROBE_END && clause->waits_for < HIERA_OF_PROGRAM)
        stop_for_unset(firing, clause->waits_for, clause->description);
    return ready;
}

/* --- actions of a clause --- */

/* Evaluate the keys of an action. @return  false if a key is missing */
static bool evaluate_keys(HieraFiring *firing, const HieraAction *action, HieraValue *keys)
{
    for (unsigned i = 0; i < action->n_keys; i++) {
        keys[i] = hiera_expression_evaluate(action->keys[i], firing);
        if (keys[i].type == HIERA_VALUE_MISSING)
            return false;
    }
    return true;
}

static void aggregate(HieraFiring *firing, const HieraAction *action, const HieraValue *keys, HieraValue value)
{
    HieraProbeState *state = firing->state;
    void *cell = hiera_keyed_find(&state->kept[action->target].keyed, keys, action->n_keys, true);
    if (cell)
        hiera_aggregate_add(&state->rank->script->names[action->target], cell, value);
    else
        hiera_firing_lose(firing);
}

/* A line that is assembled from texts, and written as a whole. */
typedef struct {
    char *text; /* HIERA_FIRING_TEXT bytes, and one for the newline */
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
    const HieraProbeHost *host = &firing->state->rank->host;
    Line line = {.text = firing->state->line};
    for (unsigned i = 0; i < action->n_values; i++) {
        HieraValue value = hiera_expression_evaluate(action->values[i], firing);
        bool unknown = firing->unset != HIERA_NO_TARGET || firing->silent != HIERA_NO_TARGET;
        if (value.type == HIERA_VALUE_MISSING && unknown)
            return;
        firing->unset = HIERA_NO_TARGET;
        append(&line, " ", i > 0);
        append_value(&line, &value);
    }
    line.text[line.n++] = '\n';
    host->write(host->user, line.text, line.n);
}

static void print_totals(HieraFiring *firing, const HieraAction *action)
{
    const HieraProbeRank *rank = firing->state->rank;
    const HieraScriptName *name = &rank->script->names[action->target];
    HieraProbeStore store;
    HieraKeyed keyed;
    char head[256];
    snprintf(head, sizeof head, "%s: %s on rank %lld", name->name, hiera_aggregators[name->function],
             (long long)rank->host.rank);
    hiera_probe_store_init(&store, &rank->host, NULL);
    hiera_keyed_init(&keyed, hiera_aggregate_size(name), &store);
    if (!hiera_state_gather(firing->state, action->target, &keyed))
        hiera_firing_lose(firing);
    hiera_print_totals(name, &keyed, head, &rank->host);
    hiera_probe_store_clear(&store);
}

/* Run an action that sets a variable or adds to an aggregation; does nothing if a key or the value is missing. */
static void change(HieraFiring *firing, const HieraAction *action)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS], value = hiera_value_integer(1); /* the value that count() and ++ add */
    if (!evaluate_keys(firing, action, keys))
        return;
    if (action->values[0])
        value = hiera_expression_evaluate(action->values[0], firing);
    if (value.type == HIERA_VALUE_MISSING)
        return;
    firing->unset = HIERA_NO_TARGET; /* that an unset variable was read did not matter, as in has(:x) */
    if (action->kind == HIERA_ACTION_SET)
        hiera_variable_set(firing, action, keys, value);
    else
        aggregate(firing, action, keys, value);
}

/* Run a lock action. If a key is missing, no lock is taken, so the following actions are skipped. */
static void change_lock(HieraFiring *firing, const HieraAction *action)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    bool good = evaluate_keys(firing, action, keys);
    if (!good)
        firing->left = true;
    else if (action->kind == HIERA_ACTION_LOCK)
        hiera_lock_take(firing, action, keys);
    else
        hiera_lock_release(firing, action, keys);
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
        __atomic_store_n(&firing->state->rank->asked_totals[action->global], true, __ATOMIC_RELAXED);
        break;
    case HIERA_ACTION_PRINT_NOW:
        if (!hiera_totals_print_now(firing->state, action))
            hiera_firing_lose(firing);
        break;
    case HIERA_ACTION_LOCK:
    case HIERA_ACTION_UNLOCK:
        change_lock(firing, action);
        break;
    }
    if (firing->silent != HIERA_NO_TARGET)
        stop_for_silent(firing, action->all);
    else if (firing->unset != HIERA_NO_TARGET)
        stop_for_unset(firing, firing->unset, action->all);
}

/* The clause itself or, if it is about several probes of the program, its variant for the probe of the event. */
static const HieraClause *find_variant(const HieraClause *clause, const HieraProbeEvent *event)
{
    const HieraClause *variant = __atomic_load_n(&clause->variants, __ATOMIC_ACQUIRE);
    while (variant && strcmp(variant->probe, event->probe) != 0)
        variant = variant->next;
    return variant ? variant : clause;
}

/* noinline, so that no floating-point operation is moved before hiera_floats_enter() sets the environment. */
static __attribute__((noinline)) void look(HieraProbeState *state, unsigned number, const HieraProbeEvent *event)
{
    const HieraProbeRank *rank = state->rank;
    const HieraClause *clause = find_variant(&rank->script->clauses[number], event);
    HieraFiring firing = {state, event, number, HIERA_NO_TARGET, HIERA_NO_TARGET, false, false};
    if (!is_ready(&firing, clause))
        return;
    for (unsigned i = clause->first_own; i != HIERA_NO_TARGET; i = rank->script->names[i].next_own)
        hiera_variable_forget(state, i);
    state->n_text = 0;
    bool holds = !clause->predicate || hiera_expression_holds(clause->predicate, &firing);
    if (firing.silent != HIERA_NO_TARGET)
        stop_for_silent(&firing, clause->predicate_span);
    for (unsigned i = 0; holds && i < clause->n_actions && !firing.left && !is_stopped(rank, number); i++)
        run(&firing, &clause->actions[i]);
    if (state->n_held > 0)
        hiera_lock_release_all(state);
}

void hiera_probe_fire(HieraProbeState *state, unsigned clause, const HieraProbeEvent *event)
{
    const HieraProbeRank *rank = state->rank;
    HieraFloats floats;
    if (is_stopped(rank, clause))
        return;
    if (!rank->host.guards_floats) {
        look(state, clause, event);
        return;
    }
    hiera_floats_enter(&floats, rank->script->has_remainder);
    look(state, clause, event);
    hiera_floats_leave(&floats, rank->script->has_remainder);
}

/* --- clauses of BEGIN and END --- */

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
    const HieraProbeRank *of = state->rank;
    const Moment moment = {&of->host, time_ns};
    const HieraProbeEvent event = {.get = get_of_moment, .data = &moment};
    for (unsigned i = 0; i < of->script->n_clauses; i++) {
        const HieraClause *clause = &of->script->clauses[i];
        int64_t rank = of->host.rank;
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
