/* Compiles the expectation of a rule: gives meaning to the words that only rules have, and collects the counters. */
#include "rule_binder.h"
#include <stdio.h>
#include <string.h>

bool hiera_binder_add_term(HieraBinder *binder, HieraTerm term, unsigned *id)
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

/* Find the index of a counter in the set of all rules; a new counter is added. */
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

/* Find the index of a counter among those of the rule; a new counter is added. */
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

static bool bind_call(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraTerm term = {.kind = HIERA_TERM_COUNTER};
    HieraCounter counter = {.metric = (HieraMetric)asked->function->id};
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
    binder->rule->own = binder->rule->own || !asked->inside || asked->inside->id == HIERA_RULE_BASELINE;
    return add_counter(binder->rules, binder->rule, counter, &term.index) && hiera_binder_add_term(binder, term, id);
}

/* Bind a reduction such as `max(WallTime)`. Its compiled argument belongs to the rules, also after an error. */
static bool bind_reduction(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraRules *rules = binder->rules;
    HieraRule *rule = binder->rule;
    HieraReduction *reductions = hiera_rules_grow(rules, rules->reductions, rules->n_reductions, sizeof *reductions);
    if (!reductions) {
        hiera_expression_free(asked->deferred);
        return false;
    }
    rules->reductions = reductions;
    reductions[rules->n_reductions++] =
        (HieraReduction){(HieraReducer)(asked->function->id - HIERA_RULE_REDUCTION), asked->deferred};
    HieraTerm term = {.kind = HIERA_TERM_REDUCTION, .index = rule->n_reductions++};
    if (asked->inside && asked->inside->id != HIERA_RULE_BASELINE)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s() over ranks cannot stand inside another one", asked->name);
    else if (rule->n_reductions > HIERA_MOST_REDUCTIONS)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "a rule may ask for at most %d values over ranks",
                 HIERA_MOST_REDUCTIONS);
    return !message[0] && hiera_binder_add_term(binder, term, id);
}

/* --- words of expectations --- */

/* Refuse a word that only a file of rules may use, because an assertion in the source knows only its own process. */
static bool refuse_in_source(const HieraExpressionAsked *asked, char *message)
{
    hiera_expression_free(asked->deferred);
    snprintf(message, HIERA_EXPRESSION_MESSAGE,
             "an assertion in the source is about its own process, as it runs; '%.*s' belongs into a file of rules",
             asked->length < 60 ? (int)asked->length : 60, asked->name);
    return false;
}

/* Bind a function call in an expectation. */
static bool bind_function(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                          char *message)
{
    *type = asked->function->result;
    if (binder->rule->marked && (asked->deferred || asked->function->id >= HIERA_RULE_BASELINE))
        return refuse_in_source(asked, message);
    switch (asked->function->id) {
    case HIERA_RULE_BASELINE:
        return hiera_bind_baseline(binder, asked, id, message);
    case HIERA_RULE_MEASURE:
        if (asked->n_arguments > 0)
            return hiera_bind_measure(binder, asked->arguments[0].text, asked->arguments[0].length, asked, id, type,
                                      message);
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "value() needs MEASURE.COLUMN, as in value(\"waits.time\")");
        return false;
    default:
        return asked->deferred ? bind_reduction(binder, asked, id, message) : bind_call(binder, asked, id, message);
    }
}

static bool bind(void *data, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    HieraBinder *binder = data;
    if (asked->function)
        return bind_function(binder, asked, id, type, message);
    HieraMeasured measured = hiera_measured_find(asked->name, asked->length);
    if (measured < HIERA_N_MEASURED) {
        *type = HIERA_VALUE_NUMBER;
        return hiera_bind_measured(binder, measured, id, message);
    }
    if (asked->name[0] != '$' && binder->rule->marked && memchr(asked->name, '.', asked->length))
        return refuse_in_source(asked, message);
    if (asked->name[0] != '$')
        return hiera_bind_measure(binder, asked->name, asked->length, asked, id, type, message);
    *type = HIERA_VALUE_NUMBER;
    if (asked->name[1] == '{')
        return hiera_bind_value(binder, asked, id);
    if (hiera_binder_is(asked, "$MPI_COMM_WORLD") || hiera_binder_is(asked, "$MPI_COMM_SELF"))
        return hiera_bind_predefined(binder, asked, id, message);
    if (binder->rule->marked)
        return hiera_bind_variable(binder, asked, id, message);
    int shown = asked->length < 60 ? (int)asked->length : 60;
    snprintf(message, HIERA_EXPRESSION_MESSAGE,
             "'%.*s' is a variable of the program, which a file of rules cannot see; ${%.*s} is a value of its own",
             shown, asked->name, shown - 1, asked->name + 1);
    return false;
}

/* --- compiling a rule --- */

/* HIERA_RULE_NEED flags of the metrics without arguments (`MPITime`) in the rule, also in its reductions over ranks. */
static unsigned needs_of(const HieraRules *rules, const HieraRule *rule)
{
    unsigned needs = hiera_expression_needs(rule->expression);
    for (unsigned i = 0; i < rule->n_reductions; i++)
        needs |= hiera_expression_needs(rules->reductions[rule->first_reduction + i].expression);
    return needs;
}

/* Add counters for the metrics that the expression uses without arguments (`MPITime`). */
static bool count_metrics(HieraRules *rules, HieraRule *rule, const char *counted, unsigned needs)
{
    for (unsigned i = 0; i < HIERA_N_METRICS; i++) {
        HieraCounter counter = {.metric = (HieraMetric)i, .operation = counted};
        if (i == HIERA_METRIC_ITERATIONS)
            counter.operation = rule->operation;
        if ((needs & HIERA_RULE_NEED(i)) && !add_counter(rules, rule, counter, &rule->of_metric[i]))
            return false;
    }
    return true;
}

bool hiera_rule_compile(HieraRules *rules, HieraRule *rule, const char *counted, const char *text, size_t length,
                        HieraExpressionError *error)
{
    HieraBinder binder = {rules, rule, text, 0};
    HieraExpressionHost host = hiera_rule_host;
    host.bind = bind;
    host.binder = &binder;
    rule->first_reduction = (unsigned)rules->n_reductions;
    rule->expression = hiera_expression_compile(text, length, &host, HIERA_VALUE_TRUTH, error);
    if (!rule->expression)
        return false;
    rule->own = rule->scope != HIERA_RULE_JOB &&
                (rule->own || binder.needs != 0 || hiera_expression_needs(rule->expression) != 0);
    unsigned needs = needs_of(rules, rule) | binder.needs;
    if ((needs & HIERA_RULE_NEED(HIERA_METRIC_ITERATIONS)) && !rule->operation) {
        *error = (HieraExpressionError){.length = length};
        snprintf(error->message, sizeof error->message,
                 "iterations needs a name here, as in iterations(\"step\"): the rule is about no operation");
        return false;
    }
    return count_metrics(rules, rule, counted, needs);
}
