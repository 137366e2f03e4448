/* The words that rules may use in their expectations, and the functions that return their values. */
#include "call_classes.h"
#include "rules.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- functions that return values --- */

static double number_of(const HieraValue *value)
{
    return value->number;
}

static HieraValue call_mathematical(unsigned id, const HieraValue *arguments, void *context)
{
    (void)context;
    double (*const functions[])(double) = {exp, log, sqrt, fabs};
    return hiera_value_number(functions[id](number_of(arguments)));
}

static HieraValue call_pow(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return hiera_value_number(pow(number_of(&arguments[0]), number_of(&arguments[1])));
}

static HieraValue unknown(HieraRuleContext *context)
{
    context->is_unknown = true;
    return hiera_value_missing();
}

/* nMPIProcesses($comm): returns its argument, as the value of a communicator is its number of processes. */
static HieraValue call_processes(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return arguments[0];
}

static HieraValue get_counter(HieraRuleContext *context, uint32_t index)
{
    const HieraEvaluation *evaluation = context->evaluation;
    if (evaluation->nothing_known || (evaluation->unknown && evaluation->unknown[index]))
        return unknown(context);
    return hiera_value_integer(evaluation->values[index]);
}

/* The value of a metric, over all calls or only those that the rule counts. */
static HieraValue get_metric(unsigned id, void *context)
{
    return get_counter(context, ((HieraRuleContext *)context)->rule->of_metric[id]);
}

static HieraValue get_wall(unsigned id, void *data)
{
    (void)id;
    HieraRuleContext *context = data;
    const HieraEvaluation *evaluation = context->evaluation;
    return evaluation->nothing_known || evaluation->wall_unknown ? unknown(context)
                                                                 : hiera_value_integer(evaluation->wall_ns);
}

static HieraValue get_application(unsigned id, void *data)
{
    HieraRuleContext *context = data;
    HieraValue wall = get_wall(0, context), mpi = get_metric(id, context);
    return context->is_unknown ? hiera_value_missing() : hiera_value_integer(wall.integer - mpi.integer);
}

/* The time that all point-to-point messages would take one after the other. */
static HieraValue get_transfer(unsigned id, void *data)
{
    (void)id;
    HieraRuleContext *context = data;
    HieraValue n = get_metric(HIERA_METRIC_TRANSFERS, context),
               bytes = get_metric(HIERA_METRIC_TRANSFER_BYTES, context);
    const HieraRules *rules = context->rules;
    return context->is_unknown
               ? hiera_value_missing()
               : hiera_value_number((double)n.integer * rules->latency_ns + (double)bytes.integer * rules->ns_per_byte);
}

static HieraValue get_processes(unsigned id, void *data)
{
    (void)id;
    HieraRuleContext *context = data;
    int64_t n = context->evaluation->processes;
    return n > 0 ? hiera_value_integer(n) : unknown(context);
}

static HieraValue get_constant(unsigned id, void *context)
{
    (void)context;
    return hiera_value_integer(id);
}

static HieraValue get_reduction(HieraRuleContext *context, uint32_t index)
{
    const HieraReduced *reduced = context->evaluation->reduced;
    return !reduced || reduced[index].unknown ? unknown(context) : hiera_value_number(reduced[index].value);
}

static HieraValue get_outside(HieraRuleContext *context, uint32_t index)
{
    const HieraOutside *outside = &context->rules->outside[index];
    if (!outside->known || (outside->measure && context->evaluation->nothing_known))
        return unknown(context);
    if (outside->type == HIERA_VALUE_NUMBER)
        return hiera_value_number(outside->value);
    bool fits = fabs(outside->value) < 0x1p63;
    return hiera_value_integer(fits ? (int64_t)outside->value : outside->value < 0 ? INT64_MIN : INT64_MAX);
}

static HieraValue get_variable(HieraRuleContext *context, uint32_t index)
{
    const double *variables = context->evaluation->variables;
    bool measured = context->rule->measured >> index & 1;
    return !variables || (measured && isnan(variables[index])) ? unknown(context)
                                                               : hiera_value_number(variables[index]);
}

static HieraValue get_term(unsigned id, void *data)
{
    HieraRuleContext *context = data;
    const HieraTerm *term = &context->rules->terms[id];
    switch (term->kind) {
    case HIERA_TERM_COUNTER:
        return get_counter(context, term->index);
    case HIERA_TERM_REDUCTION:
        return get_reduction(context, term->index);
    case HIERA_TERM_OUTSIDE:
        return get_outside(context, term->index);
    case HIERA_TERM_VARIABLE:
        return get_variable(context, term->index);
    case HIERA_TERM_WORLD:
    case HIERA_TERM_SELF:
        if (context->evaluation->outside_mpi)
            return hiera_value_number((double)NAN);
        return term->kind == HIERA_TERM_SELF ? hiera_value_number(1) : get_processes(0, context);
    case HIERA_TERM_LIMIT:
        return hiera_value_number(context->limit ? *context->limit : NAN);
    default:
        return hiera_value_number(term->number);
    }
}

/* --- tables of names and functions --- */

#define TYPE_OF(amount) ((amount) == HIERA_AMOUNT_TIME ? HIERA_VALUE_DURATION : HIERA_VALUE_INTEGER)
#define NEED(metric)    HIERA_RULE_NEED(metric)
#define NEED_WALL       NEED(HIERA_N_METRICS)
#define X(identifier, name, classes, amount)                                                                           \
    {name, TYPE_OF(amount), HIERA_METRIC_##identifier, NEED(HIERA_METRIC_##identifier), get_metric},
/* Measured quantities are bound by rule_words.c; here they are only listed as suggestions for a misspelt name. */
#define MEASURED(identifier, name) {name, HIERA_VALUE_NUMBER, 0, 0, NULL},
static const HieraExpressionName names[] = {
    HIERA_METRICS(X) HIERA_MEASURED(MEASURED){"WallTime", HIERA_VALUE_DURATION, 0, NEED_WALL, get_wall},
    {"ApplicationTime", HIERA_VALUE_DURATION, HIERA_METRIC_MPI_TIME, NEED(HIERA_METRIC_MPI_TIME) | NEED_WALL,
     get_application},
    {"MPITransferTime", HIERA_VALUE_NUMBER, 0, NEED(HIERA_METRIC_TRANSFERS) | NEED(HIERA_METRIC_TRANSFER_BYTES),
     get_transfer},
    {"processes", HIERA_VALUE_INTEGER, 0, 0, get_processes},
    {"seconds", HIERA_VALUE_DURATION, 1000000000, 0, get_constant},
    {"milliseconds", HIERA_VALUE_DURATION, 1000000, 0, get_constant},
    {"microseconds", HIERA_VALUE_DURATION, 1000, 0, get_constant},
};
#undef X

/* Reductions over ranks: `max(WallTime)`. */
#define OVER_RANKS(name, reducer)                                                                                      \
    {                                                                                                                  \
        name, HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_EXPRESSION}, HIERA_RULE_REDUCTION + HIERA_REDUCER_##reducer, 0, NULL \
    }
/* A metric for an operation, on a communicator, with a peer: `calls("send", "MPI_COMM_WORLD", 0)`. */
#define X(identifier, name, classes, amount)                                                                           \
    {                                                                                                                  \
        name,                                                                                                          \
        TYPE_OF(amount),                                                                                               \
        3,                                                                                                             \
        {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT, HIERA_VALUE_INTEGER},                                                     \
        HIERA_METRIC_##identifier,                                                                                     \
        0,                                                                                                             \
        NULL},
static const HieraExpressionFunction functions[] = {
    HIERA_METRICS(X){"exp", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, call_mathematical},
    {"log", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 1, 0, call_mathematical},
    {"sqrt", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 2, 0, call_mathematical},
    {"abs", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 3, 0, call_mathematical},
    {"pow", HIERA_VALUE_NUMBER, 2, {HIERA_VALUE_NUMBER, HIERA_VALUE_NUMBER}, 0, 0, call_pow},
    {"nMPIProcesses", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, call_processes},
    OVER_RANKS("sum", SUM),
    OVER_RANKS("mean", MEAN),
    OVER_RANKS("min", MIN),
    OVER_RANKS("max", MAX),
    {"baseline", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_EXPRESSION}, HIERA_RULE_BASELINE, 0, NULL},
    {"value",
     HIERA_VALUE_NUMBER,
     1 + HIERA_OUTSIDE_ROWS,
     {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT, HIERA_VALUE_TEXT, HIERA_VALUE_TEXT},
     HIERA_RULE_MEASURE,
     0,
     NULL},
};
#undef X

const HieraExpressionHost hiera_rule_host = {.names = names,
                                             .n_names = sizeof names / sizeof *names,
                                             .functions = functions,
                                             .n_functions = sizeof functions / sizeof *functions,
                                             .plain = true,
                                             .guards_floats = true,
                                             .get_bound = get_term};
