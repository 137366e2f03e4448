/* Rules in memory: access and freeing. */
#include "rules.h"
#include "call_classes.h"
#include "text/growing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *hiera_rules_grow(HieraRules *rules, void *items, size_t n, size_t size)
{
    void *grown = hiera_grow(items, n, size);
    if (!grown)
        rules->out_of_memory = true;
    return grown;
}

const char *hiera_rules_keep(HieraRules *rules, const char *text, size_t length)
{
    char **texts = hiera_rules_grow(rules, rules->texts, rules->n_texts, sizeof *texts);
    if (!texts)
        return NULL;
    rules->texts = texts;
    char *copy = texts[rules->n_texts] = strndup(text, length);
    if (!copy) {
        rules->out_of_memory = true;
        return NULL;
    }
    rules->n_texts++;
    return copy;
}

void hiera_rules_free(HieraRules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->n_rules; i++) {
        hiera_expression_free(rules->rules[i].expression);
        free(rules->rules[i].counters);
        free(rules->rules[i].variables);
    }
    for (size_t i = 0; i < rules->n_reductions; i++)
        hiera_expression_free(rules->reductions[i].expression);
    for (size_t i = 0; i < rules->n_outside; i++)
        hiera_expression_free(rules->outside[i].expression);
    for (size_t i = 0; i < rules->n_texts; i++)
        free(rules->texts[i]);
    free(rules->rules);
    free(rules->counters);
    free(rules->terms);
    free(rules->reductions);
    free(rules->outside);
    free(rules->limits);
    free(rules->texts);
    free(rules);
}

const HieraRule *hiera_rules_peek(const HieraRules *rules, unsigned *n_rules)
{
    *n_rules = (unsigned)rules->n_rules;
    return rules->rules;
}

const HieraCounter *hiera_rules_peek_counters(const HieraRules *rules, unsigned *n_counters)
{
    *n_counters = (unsigned)rules->n_counters;
    return rules->counters;
}

/* --- values from outside the run --- */

const HieraOutside *hiera_rules_peek_outside(const HieraRules *rules, unsigned *n_outside)
{
    *n_outside = (unsigned)rules->n_outside;
    return rules->outside;
}

void hiera_rules_answer(HieraRules *rules, unsigned number, double value)
{
    rules->outside[number].known = true;
    rules->outside[number].value = value;
}

bool hiera_rules_ask_baseline(const HieraRules *rules, unsigned number, const HieraEvaluation *evaluation,
                              double *value)
{
    const HieraOutside *outside = &rules->outside[number];
    HieraRuleContext context = {.rules = rules, .rule = &rules->rules[outside->rule], .evaluation = evaluation};
    HieraValue number_of = hiera_expression_evaluate(outside->expression, &context);
    *value = number_of.number;
    return !context.is_unknown && number_of.type == HIERA_VALUE_NUMBER;
}

void hiera_rules_watch(HieraRules *rules, const HieraRuleWatch *watch)
{
    rules->watch = watch ? *watch : (HieraRuleWatch){NULL, NULL, NULL};
}

void hiera_rules_begin(const HieraRules *rules)
{
    if (rules->watch.begin)
        rules->watch.begin(rules->watch.user);
}

const char *const *hiera_rules_peek_limits(const HieraRules *rules, unsigned *n_limits)
{
    *n_limits = (unsigned)rules->n_limits;
    return rules->limits;
}

bool hiera_rule_report_limit(const HieraRules *rules, const HieraRule *rule, char *report)
{
    if (rule->n_limits > 0)
        snprintf(report, HIERA_RULES_REPORT, "%s:%u: ${%.200s} has no value, so it is nan", rule->source, rule->line,
                 rules->limits[rule->limit]);
    return rule->n_limits > 0;
}

/* --- names of operations --- */

/* Whether `name`, which is "operation" or "class::operation", means this operation. */
static bool is_named(const char *name, const char *method_class, const char *operation)
{
    if (strcmp(name, operation) == 0)
        return true;
    size_t length = strlen(method_class);
    return length > 0 && strncmp(name, method_class, length) == 0 && strncmp(name + length, "::", 2) == 0 &&
           strcmp(name + length + 2, operation) == 0;
}

bool hiera_rule_is_about(const HieraRule *rule, bool is_mpi, const char *method_class, const char *operation)
{
    return rule->scope == HIERA_RULE_EXECUTION && !rule->marked && !(is_mpi && rule->regions) &&
           is_named(rule->operation, method_class, operation);
}

bool hiera_rule_is_inside(const HieraRule *rule, const char *method_class, const char *operation)
{
    return rule->inside && is_named(rule->inside, method_class, operation);
}

/* --- calls and amounts that a counter counts --- */

static const struct {
    unsigned classes, amount;
} metrics[] = {
#define X(identifier, name, classes, amount) {classes, amount},
    HIERA_METRICS(X)
#undef X
};

bool hiera_counter_counts(const HieraCounter *counter, bool is_mpi, const char *method_class, const char *operation)
{
    unsigned classes = is_mpi ? hiera_call_classes(operation) : HIERA_CALLS_ANY;
    /* A counter with a function's name counts that function, whatever its class. */
    bool is_counted = counter->operation ? is_named(counter->operation, method_class, operation)
                                         : (classes & metrics[counter->metric].classes) != 0;
    return is_counted && (is_mpi || metrics[counter->metric].classes == HIERA_CALLS_ANY);
}

unsigned hiera_metric_amount(HieraMetric metric)
{
    return metrics[metric].amount;
}
