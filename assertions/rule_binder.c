/* Compiles the expectation of a rule: what its own words stand for, and which counters it takes. */
#include "rules.h"
#include <stdio.h>
#include <string.h>

typedef struct {
    HieraRules *rules;
    HieraRule *rule;
    const char *text; /* the expression */
    unsigned needs; /* what arguments of baseline() ask for by names alone */
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
    reductions[rules->n_reductions++] =
        (HieraReduction){(HieraReducer)(asked->function->id - HIERA_RULE_REDUCTION), asked->deferred};
    HieraTerm term = {.kind = HIERA_TERM_REDUCTION, .index = rule->n_reductions++};
    if (asked->inside && asked->inside->id != HIERA_RULE_BASELINE)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s() over ranks cannot stand inside another one", asked->name);
    else if (rule->n_reductions > HIERA_MOST_REDUCTIONS)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "a rule may ask for at most %d values over ranks",
                 HIERA_MOST_REDUCTIONS);
    return !message[0] && add_term(binder, term, id);
}

/* --- what the run itself does not tell --- */

/* @return  false if there is no memory; the expression is freed then */
static bool add_outside(Binder *binder, HieraOutside outside, unsigned *id)
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
    return add_term(binder, (HieraTerm){.kind = HIERA_TERM_OUTSIDE, .index = (uint32_t)rules->n_outside++}, id);
}

/* `baseline(WallTime)`. The rules own its argument in any case. */
static bool bind_baseline(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    if (asked->inside)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "baseline() cannot stand inside %s()", asked->inside->name);
    binder->needs |= hiera_expression_needs(asked->deferred);
    return add_outside(binder, (HieraOutside){.type = HIERA_VALUE_NUMBER, .expression = asked->deferred}, id) &&
           !message[0];
}

/* `efficiency.load_balance`: `name` is its part before the last point, and what follows. */
static bool bind_measure(Binder *binder, const char *name, size_t length, const HieraExpressionAsked *asked,
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

/* --- words --- */

static bool is(const HieraExpressionAsked *asked, const char *name)
{
    return strlen(name) == asked->length && memcmp(asked->name, name, asked->length) == 0;
}

/* Index of a name without value among those of all rules, which is added if it is new. */
static bool find_limit(Binder *binder, const char *name, size_t length, uint32_t *index)
{
    HieraRules *rules = binder->rules;
    for (*index = 0; *index < rules->n_limits; ++*index) {
        if (strlen(rules->limits[*index]) == length && memcmp(rules->limits[*index], name, length) == 0)
            return true;
    }
    const char **limits = hiera_rules_grow(rules, rules->limits, rules->n_limits, sizeof *limits);
    const char *kept = limits ? hiera_rules_keep(rules, name, length) : NULL;
    if (limits)
        rules->limits = limits;
    if (!kept)
        return false;
    limits[rules->n_limits++] = kept;
    return true;
}

/* `${limit}` */
static bool bind_value(Binder *binder, const HieraExpressionAsked *asked, unsigned *id)
{
    HieraTerm term = {.kind = HIERA_TERM_CONSTANT};
    HieraRule *rule = binder->rule;
    const char *name = asked->name + 2;
    size_t length = asked->length - 3;
    if (hiera_rule_values_find(binder->rules->host->values, name, length, &term.number))
        return add_term(binder, term, id);
    term.kind = HIERA_TERM_LIMIT;
    if (!find_limit(binder, name, length, &term.index))
        return false;
    bool again = rule->n_limits > 0 && rule->limit == term.index;
    rule->n_limits += !again;
    rule->limit = term.index;
    return add_term(binder, term, id);
}

static const char *skip_blanks_back(const Binder *binder, const char *at)
{
    while (at > binder->text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at;
}

/* Is the word the argument of nMPIProcesses()? */
static bool is_comm(const Binder *binder, const HieraExpressionAsked *asked)
{
    static const char name[] = "nMPIProcesses";
    const char *at = skip_blanks_back(binder, asked->name);
    if (at == binder->text || at[-1] != '(')
        return false;
    at = skip_blanks_back(binder, at - 1);
    return at - binder->text >= (ptrdiff_t)sizeof name - 1 && memcmp(at - sizeof name + 1, name, sizeof name - 1) == 0;
}

/* A communicator of MPI's own. */
static bool bind_predefined(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraTerm term = {.kind = is(asked, "$MPI_COMM_SELF") ? HIERA_TERM_SELF : HIERA_TERM_WORLD};
    if (is_comm(binder, asked))
        return add_term(binder, term, id);
    snprintf(message, HIERA_EXPRESSION_MESSAGE, "a communicator is no number; nMPIProcesses(%.*s) is one",
             (int)asked->length, asked->name);
    return false;
}

#define TOO_MANY "an assertion may ask for at most %d variables"

/* Index of a variable of the rule, which is added if it is new. */
static bool find_variable(Binder *binder, const char *name, size_t length, uint32_t *index)
{
    HieraRule *rule = binder->rule;
    for (*index = 0; *index < rule->n_variables; ++*index) {
        if (strlen(rule->variables[*index]) == length && memcmp(rule->variables[*index], name, length) == 0)
            return true;
    }
    const char **variables =
        hiera_rules_grow(binder->rules, rule->variables, rule->n_variables, sizeof *rule->variables);
    const char *kept = variables ? hiera_rules_keep(binder->rules, name, length) : NULL;
    if (variables)
        rule->variables = variables;
    if (!kept)
        return false;
    rule->variables[rule->n_variables++] = kept;
    return true;
}

/* `$n` of an assertion in the source. */
static bool bind_variable(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraTerm term = {.kind = HIERA_TERM_VARIABLE};
    HieraRule *rule = binder->rule;
    unsigned n_before = rule->n_variables;
    bool comm = is_comm(binder, asked);
    int shown = asked->length < 60 ? (int)asked->length : 60;
    if (!find_variable(binder, asked->name + 1, asked->length - 1, &term.index))
        return false;
    uint32_t bit = UINT32_C(1) << (term.index & 31);
    if (rule->n_variables > HIERA_MOST_VARIABLES)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, TOO_MANY, HIERA_MOST_VARIABLES);
    else if (term.index < n_before && comm != ((rule->comms & bit) != 0))
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%.*s' is either a communicator or a number", shown, asked->name);
    if (comm)
        rule->comms |= bit;
    return !message[0] && add_term(binder, term, id);
}

/* What the program's host measures. A variable `$UserTime` is none. */
static bool bind_measured(Binder *binder, HieraMeasured measured, unsigned *id, char *message)
{
    HieraTerm term = {.kind = HIERA_TERM_VARIABLE};
    const char *name = hiera_measured_variable(measured);
    if (!binder->rule->marked) {
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "only an assertion in the source can ask for %s",
                 hiera_measured_name(measured));
        return false;
    }
    if (!find_variable(binder, name, strlen(name), &term.index))
        return false;
    if (term.index >= HIERA_MOST_VARIABLES) {
        snprintf(message, HIERA_EXPRESSION_MESSAGE, TOO_MANY, HIERA_MOST_VARIABLES);
        return false;
    }
    binder->rule->measured |= UINT32_C(1) << term.index;
    return add_term(binder, term, id);
}

/* What only a file of rules may ask for: an assertion in the source is about its own process. */
static bool refuse_in_source(const HieraExpressionAsked *asked, char *message)
{
    hiera_expression_free(asked->deferred);
    snprintf(message, HIERA_EXPRESSION_MESSAGE,
             "an assertion in the source is about its own process, as it runs; '%.*s' belongs into a file of rules",
             asked->length < 60 ? (int)asked->length : 60, asked->name);
    return false;
}

/* A call of a function that is bound. */
static bool bind_function(Binder *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                          char *message)
{
    *type = asked->function->result;
    if (binder->rule->marked && (asked->deferred || asked->function->id >= HIERA_RULE_BASELINE))
        return refuse_in_source(asked, message);
    switch (asked->function->id) {
    case HIERA_RULE_BASELINE:
        return bind_baseline(binder, asked, id, message);
    case HIERA_RULE_MEASURE:
        if (asked->n_arguments > 0)
            return bind_measure(binder, asked->arguments[0].text, asked->arguments[0].length, asked, id, type, message);
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "value() needs MEASURE.COLUMN, as in value(\"waits.time\")");
        return false;
    default:
        return asked->deferred ? bind_reduction(binder, asked, id, message) : bind_call(binder, asked, id, message);
    }
}

static bool bind(void *data, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    Binder *binder = data;
    if (asked->function)
        return bind_function(binder, asked, id, type, message);
    HieraMeasured measured = hiera_measured_find(asked->name, asked->length);
    if (measured < HIERA_N_MEASURED) {
        *type = HIERA_VALUE_NUMBER;
        return bind_measured(binder, measured, id, message);
    }
    if (asked->name[0] != '$' && binder->rule->marked && memchr(asked->name, '.', asked->length))
        return refuse_in_source(asked, message);
    if (asked->name[0] != '$')
        return bind_measure(binder, asked->name, asked->length, asked, id, type, message);
    *type = HIERA_VALUE_NUMBER;
    if (asked->name[1] == '{')
        return bind_value(binder, asked, id);
    if (is(asked, "$MPI_COMM_WORLD") || is(asked, "$MPI_COMM_SELF"))
        return bind_predefined(binder, asked, id, message);
    if (binder->rule->marked)
        return bind_variable(binder, asked, id, message);
    int shown = asked->length < 60 ? (int)asked->length : 60;
    snprintf(message, HIERA_EXPRESSION_MESSAGE,
             "'%.*s' is a variable of the program, which a file of rules cannot see; ${%.*s} is a value of its own",
             shown, asked->name, shown - 1, asked->name + 1);
    return false;
}

/* --- a rule --- */

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
        if ((needs & HIERA_RULE_NEED(i)) && !add_counter(rules, rule, counter, &rule->of_metric[i]))
            return false;
    }
    return true;
}

bool hiera_rule_compile(HieraRules *rules, HieraRule *rule, const char *counted, const char *text, size_t length,
                        HieraExpressionError *error)
{
    Binder binder = {rules, rule, text, 0};
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
