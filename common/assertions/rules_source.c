/* Assertions in the source of a program: they are added one by one, when the program first executes them. */
#include "rules.h"
#include "text/nesting.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HieraRules *hiera_rules_new(const HieraRuleValues *values)
{
    HieraRules *rules = calloc(1, sizeof *rules);
    if (!rules)
        return NULL;
    rules->of_source.values = values;
    rules->host = &rules->of_source;
    hiera_rule_values_find_transfer(values, &rules->ns_per_byte, &rules->latency_ns);
    return rules;
}

/* Copy a text, with blanks in place of control characters. */
static const char *keep_line(HieraRules *rules, const char *text)
{
    const char *kept = hiera_rules_keep(rules, text, strlen(text));
    for (char *at = kept ? rules->texts[rules->n_texts - 1] : NULL; at && *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    }
    return kept;
}

/* Compile the rule that was added last. */
static bool compile(HieraRules *rules, const HieraSourceAssertion *assertion, char *report)
{
    HieraRule *rule = &rules->rules[rules->n_rules - 1];
    HieraExpressionError error = {0};
    *rule = (HieraRule){.line = assertion->line, .scope = HIERA_RULE_EXECUTION, .marked = true};
    rule->source = keep_line(rules, assertion->file);
    rule->text = rule->expectation = keep_line(rules, assertion->text);
    if (!rule->source || !rule->text)
        return false;
    size_t length = strlen(rule->text);
    if (hiera_rule_compile(rules, rule, NULL, rule->text, length, &error))
        return true;
    const HieraExpressionPlace place = {rule->source, rule->line, 1};
    if (!rules->out_of_memory)
        hiera_expression_report(&error, rule->text, length, &place, report, HIERA_RULES_REPORT);
    return false;
}

void hiera_rules_drop(HieraRules *rules)
{
    HieraRule *rule = &rules->rules[--rules->n_rules];
    hiera_expression_free(rule->expression);
    free(rule->counters);
    free(rule->variables);
}

bool hiera_rules_add(HieraRules *rules, const HieraSourceAssertion *assertion, unsigned *number, char *report)
{
    snprintf(report, HIERA_RULES_REPORT, "out of memory");
    HieraRule *grown = hiera_rules_grow(rules, rules->rules, rules->n_rules, sizeof *grown);
    if (!grown)
        return false;
    rules->rules = grown;
    *number = (unsigned)rules->n_rules++;
    if (compile(rules, assertion, report))
        return true;
    hiera_rules_drop(rules);
    return false;
}

/* --- arguments of assertions --- */

static bool is_name(const char *text, size_t length)
{
    bool good = length > 0 && !(text[0] >= '0' && text[0] <= '9');
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        good = good && (c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'));
    }
    return good;
}

/* Return the end of the string or character literal that begins at `at`. */
static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    for (; *at && *at != quote; at++)
        at += *at == '\\' && at[1];
    return at + (*at == quote);
}

/* Return the end of an argument: the next comma outside of brackets and quotes. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    while (*at && !(depth <= 0 && *at == ',')) {
        depth += hiera_nesting(*at, "()[]{}");
        at = *at == '"' || *at == '\'' ? skip_quoted(at) : at + 1;
    }
    return at;
}

enum { MOST_VALUES = HIERA_MOST_VARIABLES + 1 };

/* The arguments of an assertion as its source spells them, without blanks around. */
typedef struct Spelled {
    const char *begin[MOST_VALUES];
    size_t length[MOST_VALUES];
    bool is_name[MOST_VALUES];
} Spelled;

static Spelled split(const char *spelled, unsigned n)
{
    Spelled values = {.begin = {0}};
    const char *at = spelled;
    for (unsigned i = 0; at && i < n; i++) {
        const char *end = skip_value(at), *last = end;
        at += strspn(at, " \t\n");
        while (last > at && strchr(" \t\n", last[-1]))
            last--;
        values.begin[i] = at;
        values.length[i] = (size_t)(last - at);
        values.is_name[i] = is_name(at, values.length[i]);
        at = *end ? end + 1 : end;
    }
    return values;
}

bool hiera_rule_match_variables(const HieraRule *rule, const char *spelled, unsigned first, unsigned n,
                                unsigned which[HIERA_MOST_VARIABLES], char *report)
{
    n = n < MOST_VALUES ? n : MOST_VALUES;
    Spelled values = split(spelled, n);
    unsigned next = first;
    for (unsigned i = 0; i < rule->n_variables; i++) {
        const char *name = rule->variables[i];
        if (rule->measured >> i & 1) {
            which[i] = n;
            continue;
        }
        for (which[i] = first; which[i] < n; which[i]++) {
            if (values.is_name[which[i]] && strlen(name) == values.length[which[i]] &&
                memcmp(name, values.begin[which[i]], values.length[which[i]]) == 0)
                break;
        }
        while (which[i] == n && next < n && values.is_name[next])
            next++;
        if (which[i] == n)
            which[i] = next++;
        if (which[i] < n)
            continue;
        snprintf(report, HIERA_RULES_REPORT, "%s:%u: the program does not give a value of '$%.60s'\n%.1000s",
                 rule->source, rule->line, name, rule->text);
        return false;
    }
    return true;
}
