/* Values from outside the run that a rule uses: of an earlier run (`baseline()`) or a measure. See rule_binder.h. */
#include "rule_binder.h"
#include <stdio.h>
#include <string.h>

/* Add an outside value. @return  false if memory is short; then outside.expression is freed */
static bool add_outside(HieraBinder *binder, HieraOutside outside, unsigned *id)
{
    HieraRules *rules = binder->rules;
    HieraOutside *all = hiera_rules_grow(rules, rules->outside, rules->n_outside, sizeof *all);
    if (!all) {
        hiera_expression_free(outside.expression);
        return false;
    }
    rules->outside = all;
    binder->rule->asks_outside = true;
    outside.rule = (unsigned)(binder->rule - rules->rules);
    all[rules->n_outside] = outside;
    return hiera_binder_add_term(binder, (HieraTerm){.kind = HIERA_TERM_OUTSIDE, .index = (uint32_t)rules->n_outside++},
                                 id);
}

/* Bind `baseline(WallTime)`. Its compiled argument belongs to the rules, also after an error. */
bool hiera_bind_baseline(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    if (asked->inside)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "baseline() cannot stand inside %s()", asked->inside->name);
    binder->needs |= hiera_expression_needs(asked->deferred);
    return add_outside(binder, (HieraOutside){.type = HIERA_VALUE_NUMBER, .expression = asked->deferred}, id) &&
           !message[0];
}

/* Bind `efficiency.load_balance`: the measure is the text before the last dot, the column the text after it. */
bool hiera_bind_measure(HieraBinder *binder, const char *name, size_t length, const HieraExpressionAsked *asked,
                        unsigned *id, HieraValueType *type, char *message)
{
    HieraRules *rules = binder->rules;
    const char *point = memrchr(name, '.', length);
    size_t before = point ? (size_t)(point - name) : 0;
    HieraOutside outside = {.type = HIERA_VALUE_NUMBER};
    if (before == 0 || before + 1 == length) {
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s",
                 asked->function ? "the first text has to be MEASURE.COLUMN" : "");
        return false;
    }
    outside.measure = hiera_rules_keep(rules, name, before);
    outside.column = hiera_rules_keep(rules, point + 1, length - before - 1);
    for (unsigned i = 1; i < asked->n_arguments; i++)
        outside.rows[outside.n_rows++] = hiera_rules_keep(rules, asked->arguments[i].text, asked->arguments[i].length);
    if (rules->out_of_memory)
        return false;
    if (binder->rule->scope != HIERA_RULE_JOB)
        snprintf(message, HIERA_EXPRESSION_MESSAGE,
                 "values of measures are about the whole run: only a rule about the job can ask for them");
    else if (asked->inside && asked->inside->id == HIERA_RULE_BASELINE)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "baseline() cannot ask for values of measures");
    else if (rules->host->knows && !rules->host->knows(rules->host->user, &outside, message) && !message[0])
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "there is no such value of a measure");
    *type = outside.type;
    return !message[0] && add_outside(binder, outside, id);
}
