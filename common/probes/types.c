/* Infers the types of the names of a script.
 *
 * Types are not declared: the type of a name follows from the values it is set to, which may contain other names. So
 * all values are compiled again and again, until nothing new is found; each round finds the type of at least one name.
 */
#include "script.h"
#include <stdio.h>
#include <stdlib.h>

void hiera_types_describe_first(const HieraProbeScript *script, const HieraScriptName *name, char *to, size_t room)
{
    int length = name->first.length < 60 ? (int)name->first.length : 60;
    unsigned line = hiera_script_line(script, name->first.at);
    if (line > 0)
        snprintf(to, room, "in line %u, %.*s", line, length, script->plain + name->first.at);
    else
        snprintf(to, room, "before, %.*s", length, script->plain + name->first.at);
}

/* The common type of values of both types; MISSING if there is none. */
static HieraValueType join(HieraValueType a, HieraValueType b)
{
    bool numbers =
        (a == HIERA_VALUE_INTEGER && b == HIERA_VALUE_NUMBER) || (a == HIERA_VALUE_NUMBER && b == HIERA_VALUE_INTEGER);
    if (a == HIERA_VALUE_MISSING || a == b)
        return b;
    return numbers ? HIERA_VALUE_NUMBER : HIERA_VALUE_MISSING;
}

/* The type of the value that an action sets. MISSING: not known yet, or an error. */
static HieraValueType value_type(HieraScriptReader *reader, unsigned clause, const HieraAction *action)
{
    unsigned waits_for;
    bool counts = action->kind == HIERA_ACTION_AGGREGATE && action->function == HIERA_AGGREGATE_COUNT;
    if (counts || action->value_spans[0].length == 0) /* count() and ++ have no value */
        return HIERA_VALUE_INTEGER;
    HieraExpression *value = hiera_script_bind(reader, clause, action->value_spans[0], HIERA_VALUE_ANY, &waits_for);
    HieraValueType type = value ? hiera_expression_type(value) : HIERA_VALUE_MISSING;
    hiera_expression_free(value);
    return type == HIERA_VALUE_ANY ? HIERA_VALUE_MISSING : type;
}

static bool is_quantity(HieraValueType type)
{
    return type == HIERA_VALUE_INTEGER || type == HIERA_VALUE_NUMBER || type == HIERA_VALUE_DURATION;
}

/* Infer the type of a name from an action that sets the name. @return  whether the type is new */
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
    if (both == HIERA_VALUE_MISSING || name->fixed) {
        hiera_types_describe_first(reader->script, name, before, sizeof before);
        hiera_reader_fail(reader, action->all, "'%s' is set to %s here and to %s %s", name->name,
                          hiera_value_type_name(type), hiera_value_type_name(name->type), before);
        return false;
    }
    __atomic_store_n(&name->type, both, __ATOMIC_RELAXED); /* other threads may read the type for printing */
    return true;
}

bool hiera_types_learn(HieraScriptReader *reader, unsigned clause)
{
    const HieraClause *of = &reader->script->clauses[clause];
    bool any = false;
    for (unsigned i = 0; i < of->n_actions && !reader->failed; i++) {
        const HieraAction *action = &of->actions[i];
        if (action->kind == HIERA_ACTION_SET || action->kind == HIERA_ACTION_AGGREGATE)
            any = learn(reader, clause, action) || any;
    }
    return any;
}

/* Whether the type of a name can still be found. Each action that sets it waits for something: if that is a probe of
 * the program, or a name whose type can be found, so can this one. */
static bool may_be_found(HieraScriptReader *reader, unsigned clause, const HieraAction *action, const bool *hopeful)
{
    unsigned waits_for = HIERA_NO_TARGET;
    hiera_expression_free(hiera_script_bind(reader, clause, action->value_spans[0], HIERA_VALUE_ANY, &waits_for));
    return waits_for >= HIERA_OF_PROGRAM || hopeful[waits_for];
}

static bool hope(HieraScriptReader *reader, unsigned clause, bool *hopeful)
{
    const HieraClause *of = &reader->script->clauses[clause];
    bool any = false;
    for (unsigned i = 0; i < of->n_actions && !reader->failed; i++) {
        const HieraAction *action = &of->actions[i];
        bool sets = action->kind == HIERA_ACTION_SET || action->kind == HIERA_ACTION_AGGREGATE;
        if (!sets || hopeful[action->target] || !may_be_found(reader, clause, action, hopeful))
            continue;
        hopeful[action->target] = any = true;
    }
    return any;
}

void hiera_types_check(HieraScriptReader *reader)
{
    HieraProbeScript *script = reader->script;
    bool *hopeful = calloc(script->n_names + 1, sizeof *hopeful), any = true;
    if (!hopeful)
        hiera_reader_fail_memory(reader);
    for (unsigned i = 0; hopeful && i < script->n_names; i++)
        hopeful[i] = script->names[i].type != HIERA_VALUE_MISSING;
    while (hopeful && any && !reader->failed) {
        any = false;
        for (unsigned i = 0; i < script->n_clauses; i++)
            any = hope(reader, i, hopeful) || any;
    }
    for (unsigned i = 0; hopeful && i < script->n_names; i++)
        if (!hopeful[i])
            hiera_reader_fail(reader, script->names[i].first, "'%s' is set only from itself, so it has no type",
                              script->names[i].name);
    free(hopeful);
}

void hiera_types_fix(HieraProbeScript *script)
{
    for (unsigned i = 0; i < script->n_names; i++)
        script->names[i].fixed = script->names[i].type != HIERA_VALUE_MISSING;
}
