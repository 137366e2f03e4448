/* Binds names in the expressions of a script: variables of events and of the program, and variables that the script
 * sets. */
#include "firing.h"
#include "text/nearest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    HieraProbeScript *script;
    unsigned clause;
    const char *probe;  /* declared probe for which the clause is compiled; NULL: none */
    bool may_wait;      /* true if unknown types are no error yet */
    unsigned waits_for; /* a name whose type is not known yet; HIERA_NO_TARGET: none */
} Binder;

/* --- names in expressions --- */

/* The declared probe of the program for which the clause is compiled; NULL: none. */
static const HieraUserProbe *user_of(const Binder *binder)
{
    return binder->probe ? hiera_script_find_user(binder->script, binder->probe) : NULL;
}

static bool is_name(const HieraExpressionAsked *asked, const char *name)
{
    return strlen(name) == asked->length - 1 && memcmp(name, asked->name + 1, asked->length - 1) == 0;
}

static void offer_variables(const Binder *binder, const HieraExpressionAsked *asked, HieraNearest *nearest)
{
    HieraProbeKind kind = binder->script->clauses[binder->clause].kind;
    const HieraUserProbe *user = user_of(binder);
    for (unsigned i = 0; *asked->name == '&' && i < HIERA_N_PROBE_VARIABLES; i++) {
        if (hiera_probe_variables[i].kinds & 1u << kind)
            hiera_nearest_offer(nearest, hiera_probe_variables[i].name);
    }
    for (unsigned i = 0; *asked->name == '&' && user && i < user->n; i++)
        hiera_nearest_offer(nearest, user->names[i]);
    for (unsigned i = 0; i < binder->script->n_names; i++) {
        const HieraScriptName *name = &binder->script->names[i];
        if (*name->name == *asked->name && (name->clause == HIERA_NO_CLAUSE || name->clause == binder->clause))
            hiera_nearest_offer(nearest, name->name + 1);
    }
}

/* Whether the word names a variable that some kind of event has. */
static bool is_elsewhere(const HieraExpressionAsked *asked)
{
    bool is = false;
    for (unsigned i = 0; *asked->name == '&' && i < HIERA_N_PROBE_VARIABLES; i++)
        is = is || is_name(asked, hiera_probe_variables[i].name);
    return is;
}

static void blame_variable(const Binder *binder, const HieraExpressionAsked *asked, char *message)
{
    int shown = asked->length < 60 ? (int)asked->length : 60;
    const HieraUserProbe *user = user_of(binder);
    HieraProbeKind kind = binder->script->clauses[binder->clause].kind;
    HieraNearest nearest = hiera_nearest_begin(asked->name + 1, asked->length - 1);
    offer_variables(binder, asked, &nearest);
    if (user && *asked->name == '&')
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "the probe '%.60s' of the program has no '%.*s'%s%s%s", user->name,
                 shown, asked->name, nearest.best ? "; did you mean '&" : "", nearest.best ? nearest.best : "",
                 nearest.best ? "'?" : "");
    else if (kind != HIERA_PROBE_USER && is_elsewhere(asked))
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "events of %s have no '%.*s'", hiera_probe_kinds[kind].word, shown,
                 asked->name);
    else if (*asked->name == '&' && hiera_probe_is_argument(asked->name + 1, asked->length - 1))
        snprintf(message, HIERA_EXPRESSION_MESSAGE,
                 "'%.*s' is recorded, but no event says it: hiera-transform --where can ask for it", shown,
                 asked->name);
    else if (nearest.best)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is never set; did you mean '%c%s'?", shown, asked->name,
                 *asked->name, nearest.best);
    else
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is never set", shown, asked->name);
}

/* Write the message for a name without a sign: suggest `&name` if events have such a variable. */
static void blame_plain(const HieraExpressionAsked *asked, char *message)
{
    for (unsigned i = 0; i < HIERA_N_PROBE_VARIABLES; i++) {
        const char *name = hiera_probe_variables[i].name;
        if (strlen(name) == asked->length && memcmp(name, asked->name, asked->length) == 0)
            snprintf(message, HIERA_EXPRESSION_MESSAGE, "unknown name '%s'; did you mean '&%s'?", name, name);
    }
}

static bool refuse_keys(const HieraExpressionAsked *asked, char *message)
{
    if (asked->n_keys > 0)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is no dictionary", (int)asked->length, asked->name);
    return asked->n_keys > 0;
}

/* Record that the expression uses a name whose type is not known yet. */
static void wait(Binder *binder, unsigned name, HieraValueType *type)
{
    binder->waits_for = name;
    *type = HIERA_VALUE_ANY;
}

/* Bind a variable that a probe of the program declares, in preference to the variables that all probes have. */
static bool bind_user(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                      char *message)
{
    const HieraUserProbe *user = user_of(binder);
    bool of_program = binder->script->clauses[binder->clause].kind == HIERA_PROBE_USER && *asked->name == '&';
    if (!of_program || hiera_names_index(binder->script, asked->name, asked->length, binder->clause) != HIERA_NO_TARGET)
        return false;
    if (!user && !refuse_keys(asked, message))
        wait(binder, HIERA_OF_PROGRAM, type);
    for (unsigned i = 0; user && i < user->n; i++) {
        if (!is_name(asked, user->names[i]))
            continue;
        *id = HIERA_SCRIPT_USER_IDS + i;
        *type = user->types[i];
        return !refuse_keys(asked, message);
    }
    return !user && !message[0];
}

/* Whether the variable is known only at the end of an event, while the clause takes only begins. */
static bool is_too_early(const Binder *binder, HieraProbeVariableId variable)
{
    static const unsigned begins =
        1u << HIERA_EVENT_CALL_BEGIN | 1u << HIERA_EVENT_REGION_START | 1u << HIERA_EVENT_REGION_SUSPEND;
    bool is_of_end = variable == HIERA_PROBE_VARIABLE_FINISH || variable == HIERA_PROBE_VARIABLE_DURATION;
    return is_of_end && !(binder->script->clauses[binder->clause].events & ~begins);
}

static bool bind_event(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                       char *message)
{
    HieraProbeKind kind = binder->script->clauses[binder->clause].kind;
    HieraProbeVariableId found = hiera_probe_variable_find(asked->name + 1, asked->length - 1, kind);
    if (*asked->name != '&' || found == HIERA_N_PROBE_VARIABLES || refuse_keys(asked, message))
        return false;
    if (is_too_early(binder, found)) {
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is known only at the end", (int)asked->length, asked->name);
        return false;
    }
    *id = found;
    *type = hiera_probe_variables[found].type;
    binder->script->asks[found] = true;
    return true;
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
    *id = hiera_script_id_of_name(index);
    *type = name->type;
    if (asked->n_keys != name->n_keys)
        snprintf(message, HIERA_EXPRESSION_MESSAGE,
                 name->n_keys ? "'%s' is a dictionary with %u key%s" : "'%s' is no dictionary", name->name,
                 name->n_keys, name->n_keys == 1 ? "" : "s");
    else if (name->type == HIERA_VALUE_MISSING && binder->may_wait)
        wait(binder, index, type);
    else if (name->type == HIERA_VALUE_MISSING)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%s' is set only from itself, so it has no type", name->name);
    return !message[0];
}

static bool bind(void *data, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    Binder *binder = data;
    char sign = *asked->name;
    if (sign == '@')
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "an aggregation has no value; print(@name) shows it");
    else if (sign != '&' && sign != ':' && sign != '#')
        blame_plain(asked, message);
    else
        return bind_user(binder, asked, id, type, message) ||
               (!message[0] && bind_event(binder, asked, id, type, message)) ||
               (!message[0] && bind_name(binder, asked, id, type, message));
    return false;
}

/* --- compiling expressions --- */

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
    HieraExpression *expression = hiera_expression_compile(text, length, &host, wanted, error);
    if (expression && hiera_expression_needs(expression) & HIERA_SCRIPT_NEEDS_STACK)
        reader->script->asks[HIERA_PROBE_VARIABLE_STACK] = true;
    return expression;
}

HieraExpression *hiera_script_bind(HieraScriptReader *reader, unsigned clause, HieraSpan span, HieraValueType wanted,
                                   unsigned *waits_for)
{
    Binder binder = {.clause = clause, .probe = reader->probe, .may_wait = waits_for, .waits_for = HIERA_NO_TARGET};
    HieraExpressionError error;
    if (span.length == 0) {
        hiera_reader_fail(reader, span, "a value is missing here");
        return NULL;
    }
    HieraExpression *expression =
        compile(reader, &binder, reader->script->plain + span.at, span.length, wanted, &error);
    if (waits_for && binder.waits_for != HIERA_NO_TARGET)
        *waits_for = binder.waits_for;
    if (!expression)
        hiera_reader_take_error(reader, &error, span.at);
    return expression;
}

/* Report an error in the text `set + (value)` at the offset of its part `set` or `value` in the script. */
static void take_error_of_change(HieraScriptReader *reader, const HieraAction *action,
                                 const HieraExpressionError *error, size_t before)
{
    HieraSpan value = action->value_spans[0];
    HieraExpressionError found = *error;
    bool of_value = error->at >= before && error->at - before <= value.length;
    found.at = of_value ? error->at - before : 0;
    if (!of_value || found.at + found.length > value.length)
        found.length = of_value ? value.length - found.at : action->all.length;
    hiera_reader_take_error(reader, &found, of_value ? value.at : action->all.at);
}

void hiera_script_check_change(HieraScriptReader *reader, unsigned clause, const HieraAction *action,
                               unsigned *waits_for)
{
    const char *plain = reader->script->plain;
    HieraSpan value = action->value_spans[0];
    Binder binder = {.clause = clause, .probe = reader->probe, .may_wait = waits_for, .waits_for = HIERA_NO_TARGET};
    HieraExpressionError error;
    size_t before = action->set.length + 4, length = before + value.length + 2; /* lengths of " + (" and of "1)" */
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
    HieraValueType type = reader->script->names[action->target].type;
    HieraExpression *expression =
        compile(reader, &binder, text, length, type == HIERA_VALUE_MISSING ? HIERA_VALUE_ANY : type, &error);
    free(text);
    if (waits_for && binder.waits_for != HIERA_NO_TARGET)
        *waits_for = binder.waits_for;
    if (!expression)
        take_error_of_change(reader, action, &error, before);
    hiera_expression_free(expression);
}
