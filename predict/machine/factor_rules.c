#include "factor_rules.h"
#include <math.h>
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

gboolean factor_rules_add(FactorRules *rules, const char *text, GError **error)
{
    const char *equals = strrchr(text, '=');
    char *end = NULL;
    gdouble factor = equals ? g_ascii_strtod(equals + 1, &end) : 0;
    if (!equals || end == equals + 1 || *end || !(factor > 0) || !isfinite(factor))
        return WRONG(error,
                     "%s '%s' has no factor; write RULE=FACTOR, for example 'inside(\"app\",\"force\")=2' for %s",
                     rules->option, text, rules->example);
    if (rules->n == FACTOR_RULES_MOST)
        return WRONG(error, "%s is given more than %d times", rules->option, FACTOR_RULES_MOST);
    g_autofree char *rule = g_strndup(text, (gsize)(equals - text));
    LoopName *loop = NULL;
    const char *expression = rule;
    if (rules->loops && !loop_name_read(rule, &loop, &expression, error))
        return FALSE;
    Where *where = where_compile(rules->option, *expression ? expression : "true", error);
    if (!where) {
        loop_name_free(loop);
        return FALSE;
    }
    rules->rules[rules->n++] =
        (FactorRule){.text = g_strdup(text), .where = where, .loop = loop, .narrowed = *expression, .factor = factor};
    return TRUE;
}

void factor_rules_clear(FactorRules *rules)
{
    for (guint i = 0; i < rules->n; i++) {
        g_free(rules->rules[i].text);
        where_free(rules->rules[i].where);
        loop_name_free(rules->rules[i].loop);
    }
    rules->n = 0;
}

gdouble factor_rules_product(const FactorRules *rules, guint bits)
{
    gdouble product = 1;
    for (guint rule = 0; rule < rules->n; rule++)
        product *= bits >> rule & 1 ? rules->rules[rule].factor : 1;
    return product;
}

const char *factor_rules_find_useless(const FactorRules *rules)
{
    for (guint i = 0; i < rules->n; i++) {
        if (!rules->rules[i].held)
            return rules->rules[i].text;
    }
    return NULL;
}

gboolean factor_rules_are_local(const FactorRules *rules)
{
    gboolean local = TRUE;
    for (guint i = 0; i < rules->n; i++) {
        const FactorRule *rule = &rules->rules[i];
        local &= !rule->loop && !where_needs_match(rule->where) && !where_asks_files(rule->where) &&
                 !where_asks_counters(rule->where) && !where_asks_attributes(rule->where);
    }
    return local;
}
