/* Compiles the expressions of all clauses, once the types of all names are known. */
#include "aggregate.h"

/* The type demanded of a value for a name of this type; ANY while the type of the name is not known. */
static HieraValueType demanded(HieraValueType type)
{
    return type == HIERA_VALUE_MISSING ? HIERA_VALUE_ANY : type;
}

static HieraExpression *compile(HieraScriptReader *reader, unsigned clause, HieraSpan span, HieraValueType wanted)
{
    return hiera_script_bind(reader, clause, span, wanted, reader->waits_for);
}

/* Evaluate a bound of lquantize(), an expression without names. */
static double read_bound(HieraScriptReader *reader, const HieraScriptName *name, HieraSpan span)
{
    static const HieraExpressionHost nothing = {0};
    HieraExpressionError error;
    HieraExpression *bound =
        hiera_expression_compile(reader->script->plain + span.at, span.length, &nothing, demanded(name->type), &error);
    if (!bound) {
        hiera_reader_take_error(reader, &error, span.at);
        return 0;
    }
    HieraValue value = hiera_expression_evaluate(bound, NULL);
    hiera_expression_free(bound);
    if (value.type == HIERA_VALUE_MISSING || value.type == HIERA_VALUE_TEXT || value.type == HIERA_VALUE_TRUTH)
        hiera_reader_fail(reader, span, "a bound of lquantize() has to be a number");
    return value.type == HIERA_VALUE_NUMBER ? value.number : (double)value.integer;
}

static void check_bounds(HieraScriptReader *reader, const HieraAction *action, const double bounds[3])
{
    if (bounds[2] <= 0)
        hiera_reader_fail(reader, action->value_spans[3], "the step has to be more than 0");
    else if (bounds[1] <= bounds[0])
        hiera_reader_fail(reader, action->value_spans[2], "the upper bound has to be above the lower one");
    else if (!hiera_aggregate_has_bins(bounds[0], bounds[1], bounds[2]))
        hiera_reader_fail(reader, action->all, "lquantize() may have at most %d bins", HIERA_AGGREGATE_MOST_STEPS);
}

static void read_bounds(HieraScriptReader *reader, const HieraAction *action)
{
    HieraScriptName *name = &reader->script->names[action->target];
    double bounds[3] = {0};
    for (unsigned i = 0; i < 3 && !reader->failed; i++)
        bounds[i] = read_bound(reader, name, action->value_spans[i + 1]);
    if (reader->failed)
        return;
    check_bounds(reader, action, bounds);
    bool again = name->step > 0;
    if (reader->failed)
        return;
    if (again && (name->lower != bounds[0] || name->upper != bounds[1] || name->step != bounds[2]))
        hiera_reader_fail(reader, action->all, "'%s' has other bounds in %.*s", name->name, (int)name->first.length,
                          reader->script->plain + name->first.at);
    if (again)
        return;
    name->lower = bounds[0];
    name->upper = bounds[1];
    name->step = bounds[2];
}

static void compile_set(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    HieraValueType type = demanded(reader->script->names[action->target].type);
    if (action->operator_)
        hiera_script_check_change(reader, clause, action, reader->waits_for);
    if (!reader->failed && action->value_spans[0].length > 0) /* the action has a value, unlike ++ and -- */
        action->values[0] = compile(reader, clause, action->value_spans[0], action->operator_ ? HIERA_VALUE_ANY : type);
}

static void compile_aggregation(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    HieraValueType type = demanded(reader->script->names[action->target].type);
    if (action->function != HIERA_AGGREGATE_COUNT)
        action->values[0] = compile(reader, clause, action->value_spans[0], type);
    if (action->function == HIERA_AGGREGATE_LQUANTIZE && !reader->failed)
        read_bounds(reader, action);
}

static void compile_global_print(HieraScriptReader *reader, HieraAction *action)
{
    const HieraSpan *ranks = action->value_spans;
    if (action->n_values > 1 && !action->ranks) {
        const HieraSpan *last = &ranks[action->n_values - 1];
        action->ranks =
            hiera_description_ranks(reader, (HieraSpan){ranks[1].at, last->at + last->length - ranks[1].at});
    }
}

static void compile_action(HieraScriptReader *reader, unsigned clause, HieraAction *action)
{
    for (unsigned i = 0; i < action->n_keys && !reader->failed; i++)
        action->keys[i] = compile(reader, clause, action->key_spans[i], HIERA_VALUE_ANY);
    if (reader->failed)
        return;
    switch (action->kind) {
    case HIERA_ACTION_SET:
        compile_set(reader, clause, action);
        break;
    case HIERA_ACTION_AGGREGATE:
        compile_aggregation(reader, clause, action);
        break;
    case HIERA_ACTION_PRINT:
        for (unsigned i = 0; i < action->n_values && !reader->failed; i++)
            action->values[i] = compile(reader, clause, action->value_spans[i], HIERA_VALUE_ANY);
        break;
    case HIERA_ACTION_PRINT_TOTALS:
    case HIERA_ACTION_LOCK:
    case HIERA_ACTION_UNLOCK:
        break;
    case HIERA_ACTION_GLOBAL_PRINT:
    case HIERA_ACTION_PRINT_NOW:
        compile_global_print(reader, action);
        break;
    }
}

static void number_globals(HieraScriptReader *reader)
{
    HieraProbeScript *script = reader->script;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions; k++) {
            HieraAction *action = &script->clauses[i].actions[k];
            if (action->kind == HIERA_ACTION_GLOBAL_PRINT && script->clauses[i].kind != HIERA_PROBE_END)
                action->kind = HIERA_ACTION_PRINT_NOW;
            if (action->kind != HIERA_ACTION_GLOBAL_PRINT)
                continue;
            const HieraAction **globals =
                hiera_reader_grow(reader, script->globals, script->n_globals, sizeof *globals);
            if (!globals)
                return;
            script->globals = globals;
            action->global = script->n_globals;
            globals[script->n_globals++] = action;
        }
    }
}

/* Free the expressions of a clause that is wrong, or that must wait for types to become known. */
static void drop_expressions(HieraClause *clause)
{
    hiera_expression_free(clause->predicate);
    clause->predicate = NULL;
    for (unsigned i = 0; i < clause->n_actions; i++) {
        HieraAction *action = &clause->actions[i];
        for (unsigned k = 0; k < HIERA_EXPRESSION_KEYS; k++) {
            hiera_expression_free(action->keys[k]);
            action->keys[k] = NULL;
        }
        for (unsigned k = 0; k < HIERA_MOST_PRINTED; k++) {
            hiera_expression_free(action->values[k]);
            action->values[k] = NULL;
        }
    }
}

void hiera_script_compile_clause(HieraScriptReader *reader, unsigned number, HieraClause *clause)
{
    unsigned waits_for = HIERA_NO_TARGET;
    reader->waits_for = hiera_script_waits(reader->script) ? &waits_for : NULL;
    if (clause->predicate_span.length > 0)
        clause->predicate = compile(reader, number, clause->predicate_span, HIERA_VALUE_TRUTH);
    for (unsigned i = 0; i < clause->n_actions && !reader->failed; i++)
        compile_action(reader, number, &clause->actions[i]);
    clause->waits_for = waits_for;
    if (reader->failed || waits_for != HIERA_NO_TARGET)
        drop_expressions(clause);
    else
        __atomic_store_n(&clause->ready, true, __ATOMIC_RELEASE);
}

void hiera_script_compile(HieraScriptReader *reader)
{
    HieraProbeScript *script = reader->script;
    bool any = true;
    number_globals(reader);
    while (any) {
        any = false;
        for (unsigned i = 0; i < script->n_clauses && !reader->failed; i++)
            any = hiera_types_learn(reader, i) || any;
    }
    if (!reader->failed && hiera_script_waits(script))
        hiera_types_check(reader);
    for (unsigned i = 0; i < script->n_clauses && !reader->failed; i++)
        hiera_script_compile_clause(reader, i, &script->clauses[i]);
    hiera_types_fix(script);
}
