/* The variables and aggregations of a script, and where each is first set. */
#include "script.h"
#include "text/nearest.h"
#include <stdio.h>
#include <string.h>

/* --- collecting the names of a script --- */

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

static void check_again(HieraScriptReader *reader, const HieraAction *action)
{
    const HieraScriptName *name = &reader->script->names[action->target];
    char before[128];
    hiera_types_describe_first(reader->script, name, before, sizeof before);
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
    if (action->sign == '&' &&
        hiera_probe_variable_find(name + 1, action->name.length - 1, kind) != HIERA_N_PROBE_VARIABLES) {
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

/* Find the aggregation of print(@name), which may be set further below. */
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

/* --- going through all actions of a script --- */

static void each_action(HieraScriptReader *reader,
                        void (*step)(HieraScriptReader *reader, unsigned clause, HieraAction *action))
{
    HieraProbeScript *script = reader->script;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions && !reader->failed; k++)
            step(reader, i, &script->clauses[i].actions[k]);
    }
}

static void step_register(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    if (action->kind == HIERA_ACTION_SET || action->kind == HIERA_ACTION_AGGREGATE)
        register_set(reader, clause, action);
}

static void step_find_printed(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    (void)clause;
    if (action->kind == HIERA_ACTION_PRINT_TOTALS || action->kind == HIERA_ACTION_GLOBAL_PRINT)
        find_printed(reader, action);
}

void hiera_names_find(HieraScriptReader *reader)
{
    each_action(reader, step_register);
    each_action(reader, step_find_printed);
}
