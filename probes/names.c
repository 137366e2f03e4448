/* The variables and aggregations of a script.
 *
 * Nobody declares types: that of a name follows from what it is set to, which may contain other names. So all values are
 * compiled again and again, until nothing new is known; each round finds the type of at least one name. */
#include "expressions/nearest.h"
#include "firing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    HieraProbeScript *script;
    unsigned clause;
    bool waits; /* for the type of a name */
} Binder;

/* --- what expressions ask for --- */

static void blame_variable(const Binder *binder, const HieraExpressionAsked *asked, char *message)
{
    int shown = asked->length < 60 ? (int)asked->length : 60;
    HieraProbeKind kind = binder->script->clauses[binder->clause].kind;
    HieraNearest nearest = hiera_nearest_begin(asked->name + 1, asked->length - 1);
    for (unsigned i = 0; *asked->name == '&' && i < HIERA_N_PROBE_VARIABLES; i++) {
        const HieraProbeVariableRow *row = &hiera_probe_variables[i];
        if (row->kinds & 1u << kind)
            hiera_nearest_offer(&nearest, row->name);
        if (strlen(row->name) == asked->length - 1 && memcmp(row->name, asked->name + 1, asked->length - 1) == 0)
            snprintf(message, HIERA_EXPRESSION_MESSAGE, "events of %s have no '%.*s'", hiera_probe_kind_word(kind), shown,
                     asked->name);
    }
    for (unsigned i = 0; i < binder->script->n_names; i++) {
        const HieraScriptName *name = &binder->script->names[i];
        if (*name->name == *asked->name && (name->clause == HIERA_NO_CLAUSE || name->clause == binder->clause))
            hiera_nearest_offer(&nearest, name->name + 1);
    }
    if (!message[0] && nearest.best)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is never set; did you mean '%c%s'?", shown, asked->name,
                 *asked->name, nearest.best);
    else if (!message[0])
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is never set", shown, asked->name);
}

/* A name without a sign. */
static void blame_plain(const HieraExpressionAsked *asked, char *message)
{
    for (unsigned i = 0; i < HIERA_N_PROBE_VARIABLES; i++) {
        const char *name = hiera_probe_variables[i].name;
        if (strlen(name) == asked->length && memcmp(name, asked->name, asked->length) == 0)
            snprintf(message, HIERA_EXPRESSION_MESSAGE, "unknown name '%s'; did you mean '&%s'?", name, name);
    }
}

static bool bind_event(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                       char *message)
{
    HieraProbeKind kind = binder->script->clauses[binder->clause].kind;
    HieraProbeVariableId found = hiera_probe_variable_find(asked->name + 1, asked->length - 1, kind);
    if (*asked->name != '&' || found == HIERA_N_PROBE_VARIABLES)
        return false;
    if (asked->n_keys > 0)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is no dictionary", (int)asked->length, asked->name);
    *id = found;
    *type = hiera_probe_variables[found].type;
    binder->script->asks[found] = true;
    return !message[0];
}

static bool bind_name(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                      char *message)
{
    unsigned index = hiera_names_index(binder->script, asked->name, asked->length, binder->clause);
    if (index == HIERA_NO_TARGET) {
        blame_variable(binder, asked, message);
        return false;
    }
    const HieraScriptName *name = &binder->script->names[index];
    if (asked->n_keys != name->n_keys)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, name->n_keys ? "'%s' is a dictionary with %u key%s" : "'%s' is no dictionary",
                 name->name, name->n_keys, name->n_keys == 1 ? "" : "s");
    else if (name->type == HIERA_VALUE_MISSING) {
        binder->waits = true;
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%s' is set only from itself, so it has no type", name->name);
    }
    *id = hiera_script_id_of_name(index);
    *type = name->type;
    return !message[0];
}

static bool bind(void *data, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    Binder *binder = data;
    char sign = *asked->name;
    if (sign == '#')
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "a trace has no variables that all ranks share");
    else if (sign == '@')
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "an aggregation has no value; print(@name) shows it");
    else if (sign != '&' && sign != ':')
        blame_plain(asked, message);
    else
        return bind_event(binder, asked, id, type, message) ||
               (!message[0] && bind_name(binder, asked, id, type, message));
    return false;
}

/* --- expressions --- */

static HieraExpression *compile(HieraScriptReader *reader, Binder *binder, const char *text, size_t length,
                                HieraValueType wanted, HieraExpressionError *error)
{
    const HieraExpressionHost host = {.functions = hiera_script_functions,
                                      .n_functions = hiera_script_n_functions,
                                      .signs = "&:#@",
                                      .bind = bind,
                                      .binder = binder,
                                      .get_bound = hiera_firing_get,
                                      .get_keyed = hiera_firing_get_keyed,
                                      .text_room = hiera_firing_room};
    binder->script = reader->script;
    return hiera_expression_compile(text, length, &host, wanted, error);
}

HieraExpression *hiera_names_compile(HieraScriptReader *reader, unsigned clause, HieraSpan span, HieraValueType wanted,
                                     bool *waits)
{
    Binder binder = {.clause = clause};
    HieraExpressionError error;
    if (span.length == 0) {
        hiera_reader_fail(reader, span, "a value is missing here");
        return NULL;
    }
    HieraExpression *expression = compile(reader, &binder, reader->script->plain + span.at, span.length, wanted, &error);
    if (waits)
        *waits = binder.waits;
    if (!expression && !(waits && binder.waits))
        hiera_reader_take_error(reader, &error, span.at);
    return expression;
}

/* The error of `set + (value)` is one of `set` or of `value`. */
static void take_error_of_change(HieraScriptReader *reader, const HieraAction *action, const HieraExpressionError *error,
                                 size_t before)
{
    HieraSpan value = action->value_spans[0];
    HieraExpressionError found = *error;
    bool of_value = error->at >= before && error->at - before <= value.length;
    found.at = of_value ? error->at - before : 0;
    if (!of_value || found.at + found.length > value.length)
        found.length = of_value ? value.length - found.at : action->all.length;
    hiera_reader_take_error(reader, &found, of_value ? value.at : action->all.at);
}

void hiera_names_check_change(HieraScriptReader *reader, unsigned clause, const HieraAction *action)
{
    const char *plain = reader->script->plain;
    HieraSpan value = action->value_spans[0];
    Binder binder = {.clause = clause};
    HieraExpressionError error;
    size_t before = action->set.length + 4, length = before + value.length + 2; /* for " + (" and "1)" */
    char *text = malloc(length);
    if (!text) {
        hiera_reader_fail_memory(reader);
        return;
    }
    memcpy(text, plain + action->set.at, action->set.length);
    memcpy(text + action->set.length, (const char[]){' ', action->operator_, ' ', '('}, 4);
    memcpy(text + before, value.length ? plain + value.at : "1", value.length ? value.length : 1);
    length = before + (value.length ? value.length : 1);
    text[length++] = ')';
    HieraExpression *expression =
        compile(reader, &binder, text, length, reader->script->names[action->target].type, &error);
    free(text);
    if (!expression)
        take_error_of_change(reader, action, &error, before);
    hiera_expression_free(expression);
}

/* --- which names there are --- */

unsigned hiera_names_index(const HieraProbeScript *script, const char *name, size_t length, unsigned clause)
{
    for (unsigned i = 0; i < script->n_names; i++) {
        const HieraScriptName *known = &script->names[i];
        bool here = known->clause == HIERA_NO_CLAUSE || known->clause == clause;
        if (here && strlen(known->name) == length && memcmp(known->name, name, length) == 0)
            return i;
    }
    return HIERA_NO_TARGET;
}

static void add_name(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    HieraProbeScript *script = reader->script;
    HieraScriptName *names = hiera_reader_grow(reader, script->names, script->n_names, sizeof *names);
    if (!names)
        return;
    script->names = names;
    char *name = hiera_reader_copy(reader, action->name);
    if (!name)
        return;
    names[script->n_names] = (HieraScriptName){.name = name,
                                               .first = action->all,
                                               .clause = action->sign == '&' ? clause : HIERA_NO_CLAUSE,
                                               .n_keys = action->n_keys,
                                               .function = action->function,
                                               .next_own = HIERA_NO_TARGET};
    action->target = script->n_names++;
    if (action->sign == '&') {
        names[action->target].next_own = script->clauses[clause].first_own;
        script->clauses[clause].first_own = action->target;
    }
}

/* "in line 3", or what stands there if the script has no lines. */
static void describe_first(const HieraProbeScript *script, const HieraScriptName *name, char *to, size_t room)
{
    int length = name->first.length < 60 ? (int)name->first.length : 60;
    unsigned line = hiera_script_line(script, name->first.at);
    if (line > 0)
        snprintf(to, room, "in line %u, %.*s", line, length, script->plain + name->first.at);
    else
        snprintf(to, room, "before, %.*s", length, script->plain + name->first.at);
}

static void check_again(HieraScriptReader *reader, const HieraAction *action)
{
    const HieraScriptName *name = &reader->script->names[action->target];
    char before[128];
    describe_first(reader->script, name, before, sizeof before);
    if (name->n_keys != action->n_keys)
        hiera_reader_fail(reader, action->all, "'%s' has another number of keys %s", name->name, before);
    else if (action->kind == HIERA_ACTION_AGGREGATE && name->function != action->function)
        hiera_reader_fail(reader, action->all, "'%s' has another function %s", name->name, before);
}

static void register_set(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    const HieraProbeScript *script = reader->script;
    const char *name = script->plain + action->name.at;
    HieraProbeKind kind = script->clauses[clause].kind;
    if (action->sign == '&' && hiera_probe_variable_find(name + 1, action->name.length - 1, kind) != HIERA_N_PROBE_VARIABLES) {
        hiera_reader_fail(reader, action->name, "'%.*s' is what the event says; it cannot be set",
                          (int)action->name.length, name);
        return;
    }
    if (action->sign == '&' && action->n_keys > 0) {
        hiera_reader_fail(reader, action->name, "a variable of one event has no keys; a dictionary begins with :");
        return;
    }
    action->target = hiera_names_index(script, name, action->name.length, clause);
    if (action->target == HIERA_NO_TARGET)
        add_name(reader, clause, action);
    else
        check_again(reader, action);
}

/* print(@name): the aggregation may be made further below. */
static void find_printed(HieraScriptReader *reader, HieraAction *action)
{
    const HieraProbeScript *script = reader->script;
    const char *name = script->plain + action->name.at;
    action->target = hiera_names_index(script, name, action->name.length, HIERA_NO_CLAUSE);
    if (action->target != HIERA_NO_TARGET)
        return;
    HieraNearest nearest = hiera_nearest_begin(name, action->name.length);
    for (unsigned i = 0; i < script->n_names; i++) {
        if (*script->names[i].name == '@')
            hiera_nearest_offer(&nearest, script->names[i].name);
    }
    int shown = action->name.length < 60 ? (int)action->name.length : 60;
    if (nearest.best)
        hiera_reader_fail(reader, action->name, "nothing is aggregated into '%.*s'; did you mean '%s'?", shown, name,
                          nearest.best);
    else
        hiera_reader_fail(reader, action->name, "nothing is aggregated into '%.*s'", shown, name);
}

/* --- their types --- */

/* The type that holds values of both; MISSING if there is none. */
static HieraValueType join(HieraValueType a, HieraValueType b)
{
    bool numbers = (a == HIERA_VALUE_INTEGER && b == HIERA_VALUE_NUMBER) ||
                   (a == HIERA_VALUE_NUMBER && b == HIERA_VALUE_INTEGER);
    if (a == HIERA_VALUE_MISSING || a == b)
        return b;
    return numbers ? HIERA_VALUE_NUMBER : HIERA_VALUE_MISSING;
}

/* The type of what an action sets. MISSING: it is not known yet, or there is an error. */
static HieraValueType value_type(HieraScriptReader *reader, unsigned clause, const HieraAction *action)
{
    bool waits, counts = action->kind == HIERA_ACTION_AGGREGATE && action->function == HIERA_AGGREGATE_COUNT;
    if (counts || action->value_spans[0].length == 0) /* or ++ */
        return HIERA_VALUE_INTEGER;
    HieraExpression *value = hiera_names_compile(reader, clause, action->value_spans[0], HIERA_VALUE_ANY, &waits);
    HieraValueType type = value ? hiera_expression_type(value) : HIERA_VALUE_MISSING;
    hiera_expression_free(value);
    return type;
}

static bool is_quantity(HieraValueType type)
{
    return type == HIERA_VALUE_INTEGER || type == HIERA_VALUE_NUMBER || type == HIERA_VALUE_DURATION;
}

/* @return whether something new is known */
static bool learn(HieraScriptReader *reader, unsigned clause, const HieraAction *action)
{
    HieraScriptName *name = &reader->script->names[action->target];
    HieraValueType type = value_type(reader, clause, action), both = join(name->type, type);
    char before[128];
    if (type == HIERA_VALUE_MISSING || both == name->type)
        return false;
    if (action->kind == HIERA_ACTION_AGGREGATE && !is_quantity(type)) {
        hiera_reader_fail(reader, action->value_spans[0], "this is %s; %s() takes a number or a duration",
                          hiera_value_type_name(type), hiera_aggregators[action->function]);
        return false;
    }
    if (both == HIERA_VALUE_MISSING) {
        describe_first(reader->script, name, before, sizeof before);
        hiera_reader_fail(reader, action->all, "'%s' is set to %s here and to %s %s", name->name,
                          hiera_value_type_name(type), hiera_value_type_name(name->type), before);
        return false;
    }
    name->type = both;
    return true;
}

typedef bool (*Step)(HieraScriptReader *reader, unsigned clause, HieraAction *action);

/* @return whether a step returned true */
static bool each_action(HieraScriptReader *reader, Step step)
{
    bool any = false;
    HieraProbeScript *script = reader->script;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions && !reader->failed; k++)
            any = step(reader, i, &script->clauses[i].actions[k]) || any;
    }
    return any;
}

static bool step_register(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    if (action->kind == HIERA_ACTION_SET || action->kind == HIERA_ACTION_AGGREGATE)
        register_set(reader, clause, action);
    return false;
}

static bool step_find_printed(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    (void)clause;
    if (action->kind == HIERA_ACTION_PRINT_TOTALS || action->kind == HIERA_ACTION_GLOBAL_PRINT)
        find_printed(reader, action);
    return false;
}

static bool step_learn(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    return (action->kind == HIERA_ACTION_SET || action->kind == HIERA_ACTION_AGGREGATE) &&
           learn(reader, clause, action);
}

void hiera_names_find(HieraScriptReader *reader)
{
    each_action(reader, step_register);
    each_action(reader, step_find_printed);
    while (!reader->failed && each_action(reader, step_learn)) {
    }
}
