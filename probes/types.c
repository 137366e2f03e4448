/* The types of the names of a script.
 *
 * Nobody declares types: that of a name follows from what it is set to, which may contain other names. So all values are
 * compiled again and again, until nothing new is known; each round finds the type of at least one name. */
#include "script.h"
#include <stdio.h>

void hiera_types_describe_first(const HieraProbeScript *script, const HieraScriptName *name, char *to, size_t room)
{
    int length = name->first.length < 60 ? (int)name->first.length : 60;
    unsigned line = hiera_script_line(script, name->first.at);
    if (line > 0)
        snprintf(to, room, "in line %u, %.*s", line, length, script->plain + name->first.at);
    else
        snprintf(to, room, "before, %.*s", length, script->plain + name->first.at);
}

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
    unsigned waits_for;
    bool counts = action->kind == HIERA_ACTION_AGGREGATE && action->function == HIERA_AGGREGATE_COUNT;
    if (counts || action->value_spans[0].length == 0) /* or ++ */
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
    if (both == HIERA_VALUE_MISSING || name->fixed) {
        hiera_types_describe_first(reader->script, name, before, sizeof before);
        hiera_reader_fail(reader, action->all, "'%s' is set to %s here and to %s %s", name->name,
                          hiera_value_type_name(type), hiera_value_type_name(name->type), before);
        return false;
    }
    __atomic_store_n(&name->type, both, __ATOMIC_RELAXED); /* other threads may print it */
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

void hiera_types_fix(HieraProbeScript *script)
{
    for (unsigned i = 0; i < script->n_names; i++)
        script->names[i].fixed = script->names[i].type != HIERA_VALUE_MISSING;
}
