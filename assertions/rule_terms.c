/* The words that rules may use in their expectations, and their values. */
#include "call_classes.h"
#include "rules.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values --- */

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

/* nMPIProcesses($comm) */
static HieraValue call_processes(unsigned id, const HieraValue *arguments, void *data)
{
    (void)id;
    HieraRuleContext *context = data;
    if (arguments[0].number != 0) /* not MPI_COMM_WORLD */
        return hiera_value_integer(1);
    int64_t n = context->evaluation->processes;
    return n > 0 ? hiera_value_integer(n) : unknown(context);
}

static HieraValue get_counter(HieraRuleContext *context, uint32_t index)
{
    const HieraEvaluation *evaluation = context->evaluation;
    if (evaluation->nothing_known || (evaluation->unknown && evaluation->unknown[index]))
        return unknown(context);
    return hiera_value_integer(evaluation->values[index]);
}

/* Of all calls, or of those that the rule counts. */
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

/* What all point-to-point messages would take one after the other. */
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

static HieraValue get_processes(unsigned id, void *context)
{
    (void)id;
    return call_processes(0, (HieraValue[]){hiera_value_number(0)}, context);
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

static HieraValue get_term(unsigned id, void *data)
{
    HieraRuleContext *context = data;
    const HieraTerm *term = &context->rules->terms[id];
    if (term->kind == HIERA_TERM_COUNTER)
        return get_counter(context, term->index);
    return term->kind == HIERA_TERM_CONSTANT ? hiera_value_number(term->number) : get_reduction(context, term->index);
}

/* --- names --- */

#define TYPE_OF(amount) ((amount) == HIERA_AMOUNT_TIME ? HIERA_VALUE_DURATION : HIERA_VALUE_INTEGER)
#define NEED(metric)    (1u << (metric))
#define NEED_WALL       NEED(HIERA_N_METRICS)
#define X(identifier, name, classes, amount)                                                                           \
    {name, TYPE_OF(amount), HIERA_METRIC_##identifier, NEED(HIERA_METRIC_##identifier), get_metric},
static const HieraExpressionName names[] = {
    HIERA_METRICS(X){"WallTime", HIERA_VALUE_DURATION, 0, NEED_WALL, get_wall},
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

/* Over ranks: `max(WallTime)`. */
#define OVER_RANKS(name, reducer)                                                                                      \
    {                                                                                                                  \
        name, HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_EXPRESSION}, HIERA_REDUCER_##reducer, 0, NULL                        \
    }
/* A metric of an operation, on a communicator, with a peer: `calls("send", "MPI_COMM_WORLD", 0)`. */
#define X(identifier, name, classes, amount)                                                                           \
    {name, TYPE_OF(amount), 3, {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT, HIERA_VALUE_INTEGER}, 0, 0, NULL},
static const HieraExpressionFunction functions[] = {
    HIERA_METRICS(X){"exp", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, call_mathematical},
    {"log", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 1, 0, call_mathematical},
    {"sqrt", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 2, 0, call_mathematical},
    {"abs", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 3, 0, call_mathematical},
    {"pow", HIERA_VALUE_NUMBER, 2, {HIERA_VALUE_NUMBER, HIERA_VALUE_NUMBER}, 0, 0, call_pow},
    {"nMPIProcesses", HIERA_VALUE_INTEGER, 1, {HIERA_VALUE_NUMBER}, 0, 0, call_processes},
    OVER_RANKS("sum", SUM),
    OVER_RANKS("mean", MEAN),
    OVER_RANKS("min", MIN),
    OVER_RANKS("max", MAX),
};
#undef X

/* --- what is bound while a rule is compiled --- */

typedef struct {
    HieraRules *rules;
    HieraRule *rule;
} Binder;

static bool add_term(Binder *binder, HieraTerm term, unsigned *id)
{
    HieraRules *rules = binder->rules;
    HieraTerm *terms = hiera_rules_grow(rules, rules->terms, rules->n_terms, sizeof *terms);
    if (!terms)
        return false;
    rules->terms = terms;
    terms[rules->n_terms] = term;
    *id = (unsigned)rules->n_terms++;
    return true;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Index of a counter of all rules, which is added if there is none like it. */
static bool find_counter(HieraRules *rules, HieraCounter counter, uint32_t *index)
{
    for (size_t i = 0; i < rules->n_counters; i++) {
        const HieraCounter *other = &rules->counters[i];
        if (other->metric == counter.metric && same(other->operation, counter.operation) &&
            same(other->comm, counter.comm) && other->has_peer == counter.has_peer && other->peer == counter.peer) {
            *index = (uint32_t)i;
            return true;
        }
    }
    HieraCounter *counters = hiera_rules_grow(rules, rules->counters, rules->n_counters, sizeof counter);
    if (!counters)
        return false;
    rules->counters = counters;
    *index = (uint32_t)rules->n_counters++;
    counters[*index] = counter;
    return true;
}

/* Index of a counter among those of the rule. */
static bool add_counter(HieraRules *rules, HieraRule *rule, HieraCounter counter, uint32_t *index)
{
    uint32_t of_all;
    if (!find_counter(rules, counter, &of_all))
        return false;
    for (*index = 0; *index < rule->n_counters; ++*index) {
        if (rule->counters[*index] == of_all)
            return true;
    }
    uint32_t *counters = hiera_rules_grow(rules, rule->counters, rule->n_counters, sizeof *counters);
    if (!counters)
        return false;
    rule->counters = counters;
    counters[rule->n_counters++] = of_all;
    return true;
}

static const char *keep(HieraRules *rules, const HieraValue *text)
{
    return text->length > 0 ? hiera_rules_keep(rules, text->text, text->length) : NULL;
}

static bool bind_call(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraTerm term = {.kind = HIERA_TERM_COUNTER};
    HieraCounter counter = {.metric = (HieraMetric)(asked->function - functions)};
    if (counter.metric == HIERA_METRIC_ITERATIONS ? asked->n_arguments != 1 : asked->n_arguments == 0) {
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s() needs the name of an operation, as in %s(\"%s\")",
                 asked->name, asked->name, counter.metric == HIERA_METRIC_ITERATIONS ? "step" : "send");
        return false;
    }
    counter.operation = keep(binder->rules, &asked->arguments[0]);
    if (asked->n_arguments > 1)
        counter.comm = keep(binder->rules, &asked->arguments[1]);
    if (asked->n_arguments > 2) {
        counter.has_peer = true;
        counter.peer = asked->arguments[2].integer;
    }
    binder->rule->own = binder->rule->own || asked->depth == 0;
    return add_counter(binder->rules, binder->rule, counter, &term.index) && add_term(binder, term, id);
}

/* `max(WallTime)`. The rules own its argument in any case. */
static bool bind_reduction(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraRules *rules = binder->rules;
    HieraRule *rule = binder->rule;
    HieraReduction *reductions = hiera_rules_grow(rules, rules->reductions, rules->n_reductions, sizeof *reductions);
    if (!reductions) {
        hiera_expression_free(asked->deferred);
        return false;
    }
    rules->reductions = reductions;
    reductions[rules->n_reductions++] = (HieraReduction){(HieraReducer)asked->function->id, asked->deferred};
    HieraTerm term = {.kind = HIERA_TERM_REDUCTION, .index = rule->n_reductions++};
    if (asked->depth > 0)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s() over ranks cannot stand inside another one", asked->name);
    else if (rule->n_reductions > HIERA_MOST_REDUCTIONS)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "a rule may ask for at most %d values over ranks",
                 HIERA_MOST_REDUCTIONS);
    return !message[0] && add_term(binder, term, id);
}

static bool is(const HieraExpressionAsked *asked, const char *name)
{
    return strlen(name) == asked->length && memcmp(asked->name, name, asked->length) == 0;
}

/* `${limit}` */
static bool bind_value(Binder *binder, const HieraExpressionAsked *asked, unsigned *id)
{
    HieraTerm term = {.kind = HIERA_TERM_CONSTANT, .number = NAN};
    hiera_rule_values_find(binder->rules->values, asked->name + 2, asked->length - 3, &term.number);
    return add_term(binder, term, id);
}

static bool bind(void *data, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    Binder *binder = data;
    *type = asked->function && !asked->deferred ? asked->function->result : HIERA_VALUE_NUMBER;
    if (asked->function)
        return asked->deferred ? bind_reduction(binder, asked, id, message) : bind_call(binder, asked, id, message);
    if (asked->name[0] != '$')
        return false;
    if (asked->name[1] == '{')
        return bind_value(binder, asked, id);
    if (is(asked, "$MPI_COMM_WORLD") || is(asked, "$MPI_COMM_SELF"))
        return add_term(binder, (HieraTerm){.kind = HIERA_TERM_CONSTANT, .number = is(asked, "$MPI_COMM_SELF")}, id);
    int shown = asked->length < 60 ? (int)asked->length : 60;
    snprintf(message, HIERA_EXPRESSION_MESSAGE,
             "'%.*s' is a variable of the program, which a file of rules cannot see; ${%.*s} is a value of its own",
             shown, asked->name, shown - 1, asked->name + 1);
    return false;
}

/* What the rule asks for by names alone, of a rank and over ranks. */
static unsigned needs_of(const HieraRules *rules, const HieraRule *rule)
{
    unsigned needs = hiera_expression_needs(rule->expression);
    for (unsigned i = 0; i < rule->n_reductions; i++)
        needs |= hiera_expression_needs(rules->reductions[rule->first_reduction + i].expression);
    return needs;
}

/* Count the metrics that the expression asks for by their names alone. */
static bool count_metrics(HieraRules *rules, HieraRule *rule, const char *counted, unsigned needs)
{
    for (unsigned i = 0; i < HIERA_N_METRICS; i++) {
        HieraCounter counter = {.metric = (HieraMetric)i, .operation = counted};
        if (i == HIERA_METRIC_ITERATIONS)
            counter.operation = rule->operation;
        if ((needs & NEED(i)) && !add_counter(rules, rule, counter, &rule->of_metric[i]))
            return false;
    }
    return true;
}

bool hiera_rule_compile(HieraRules *rules, HieraRule *rule, const char *counted, const char *text, size_t length,
                        HieraExpressionError *error)
{
    Binder binder = {rules, rule};
    const HieraExpressionHost host = {.names = names,
                                      .n_names = sizeof names / sizeof *names,
                                      .functions = functions,
                                      .n_functions = sizeof functions / sizeof *functions,
                                      .plain = true,
                                      .guards_floats = true,
                                      .bind = bind,
                                      .binder = &binder,
                                      .get_bound = get_term};
    rule->first_reduction = (unsigned)rules->n_reductions;
    rule->expression = hiera_expression_compile(text, length, &host, HIERA_VALUE_TRUTH, error);
    if (!rule->expression)
        return false;
    rule->own = rule->scope != HIERA_RULE_JOB && (rule->own || hiera_expression_needs(rule->expression) != 0);
    unsigned needs = needs_of(rules, rule);
    if ((needs & NEED(HIERA_METRIC_ITERATIONS)) && !rule->operation) {
        *error = (HieraExpressionError){.length = length};
        snprintf(error->message, sizeof error->message,
                 "iterations needs a name here, as in iterations(\"step\"): the rule is about no operation");
        return false;
    }
    return count_metrics(rules, rule, counted, needs);
}
