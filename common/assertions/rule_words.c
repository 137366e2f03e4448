/* Binds words with a dollar sign, and measured quantities, to terms (HieraTerm). See rule_binder.h. */
#include "rule_binder.h"
#include <stdio.h>
#include <string.h>

bool hiera_binder_is(const HieraExpressionAsked *asked, const char *name)
{
    return strlen(name) == asked->length && memcmp(asked->name, name, asked->length) == 0;
}

/* Find the index in rules->limits of the name of a `${NAME}` without a value; a new name is added. */
static bool find_limit(HieraBinder *binder, const char *name, size_t length, uint32_t *index)
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

/* Bind `${limit}`: to a constant if it has a value, else to a HIERA_TERM_LIMIT. */
bool hiera_bind_value(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id)
{
    HieraTerm term = {.kind = HIERA_TERM_CONSTANT};
    HieraRule *rule = binder->rule;
    const char *name = asked->name + 2;
    size_t length = asked->length - 3;
    if (hiera_rule_values_find(binder->rules->host->values, name, length, &term.number))
        return hiera_binder_add_term(binder, term, id);
    term.kind = HIERA_TERM_LIMIT;
    if (!find_limit(binder, name, length, &term.index))
        return false;
    bool again = rule->n_limits > 0 && rule->limit == term.index;
    rule->n_limits += !again;
    rule->limit = term.index;
    return hiera_binder_add_term(binder, term, id);
}

static const char *skip_blanks_back(const HieraBinder *binder, const char *at)
{
    while (at > binder->text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at;
}

/* Whether the word is the argument of nMPIProcesses(). */
static bool is_comm(const HieraBinder *binder, const HieraExpressionAsked *asked)
{
    static const char name[] = "nMPIProcesses";
    const char *at = skip_blanks_back(binder, asked->name);
    if (at == binder->text || at[-1] != '(')
        return false;
    at = skip_blanks_back(binder, at - 1);
    return at - binder->text >= (ptrdiff_t)sizeof name - 1 && memcmp(at - sizeof name + 1, name, sizeof name - 1) == 0;
}

/* Bind `$MPI_COMM_WORLD` or `$MPI_COMM_SELF`, which may only be the argument of nMPIProcesses(). */
bool hiera_bind_predefined(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
{
    HieraTerm term = {.kind = hiera_binder_is(asked, "$MPI_COMM_SELF") ? HIERA_TERM_SELF : HIERA_TERM_WORLD};
    if (is_comm(binder, asked))
        return hiera_binder_add_term(binder, term, id);
    snprintf(message, HIERA_EXPRESSION_MESSAGE, "a communicator is no number; nMPIProcesses(%.*s) is one",
             (int)asked->length, asked->name);
    return false;
}

#define TOO_MANY "an assertion may ask for at most %d variables"

/* Find the index of a variable of the rule; a new variable is added. */
static bool find_variable(HieraBinder *binder, const char *name, size_t length, uint32_t *index)
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

/* Bind `$n`, a variable of the program in an assertion in its source. */
bool hiera_bind_variable(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message)
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
    return !message[0] && hiera_binder_add_term(binder, term, id);
}

/* Bind a measured quantity such as `UserTime`. (`$UserTime` is another variable, one of the program.) */
bool hiera_bind_measured(HieraBinder *binder, HieraMeasured measured, unsigned *id, char *message)
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
    return hiera_binder_add_term(binder, term, id);
}
