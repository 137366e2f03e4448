/* A class is the set of rules that hold, as bits, and the part in the bits above; its speed is their product. */
#include "speeds.h"
#include "where/where.h"
#include <math.h>
#include <string.h>

enum { MOST_RULES = 8 };

typedef struct {
    char *text;
    Where *where;
    gdouble factor;
    gboolean held; /* somewhere */
} Rule;

struct Speeds {
    Rule rules[MOST_RULES];
    guint n_rules;
    guint8 *classes; /* by operation, then by processor; NULL: no rules */
    guint32 n_operations;
    gdouble *speed;          /* by class */
    const SpeedParts *parts; /* NULL: none */
};

Speeds *speeds_new(void)
{
    return g_new0(Speeds, 1);
}

void speeds_free(Speeds *speeds)
{
    for (guint i = 0; speeds && i < speeds->n_rules; i++) {
        g_free(speeds->rules[i].text);
        where_free(speeds->rules[i].where);
    }
    if (speeds) {
        g_free(speeds->classes);
        g_free(speeds->speed);
    }
    g_free(speeds);
}

#define WRONG(error, ...) (g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, __VA_ARGS__), FALSE)

gboolean speeds_add(Speeds *speeds, const char *text, GError **error)
{
    const char *equals = strrchr(text, '=');
    char *end = NULL;
    gdouble factor = equals ? g_ascii_strtod(equals + 1, &end) : 0;
    if (!equals || end == equals + 1 || *end || !(factor > 0) || !isfinite(factor))
        return WRONG(error,
                     "--speed '%s' has no factor; write RULE=FACTOR, for example 'inside(\"app\",\"force\")=2' for "
                     "twice as fast",
                     text);
    if (speeds->n_rules == MOST_RULES)
        return WRONG(error, "--speed is given more than %d times", MOST_RULES);
    g_autofree char *rule = g_strndup(text, (gsize)(equals - text));
    Where *where = where_compile("--speed", rule, error);
    if (!where)
        return FALSE;
    speeds->rules[speeds->n_rules++] = (Rule){g_strdup(text), where, factor, FALSE};
    return TRUE;
}

void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match)
{
    gsize n = (gsize)trace->n_operations + trace->n_processors;
    speeds->n_operations = trace->n_operations;
    speeds->speed = g_new(gdouble, 1u << MOST_RULES);
    for (guint i = 0; i < 1u << speeds->n_rules; i++) {
        speeds->speed[i] = 1;
        for (guint rule = 0; rule < speeds->n_rules; rule++)
            speeds->speed[i] *= i >> rule & 1 ? speeds->rules[rule].factor : 1;
    }
    if (speeds->n_rules == 0)
        return;
    speeds->classes = g_new0(guint8, n + 1);
    for (guint rule = 0; rule < speeds->n_rules; rule++) {
        g_autofree guint8 *chosen = where_choose_computing(speeds->rules[rule].where, trace, match);
        for (gsize i = 0; i < n; i++) {
            speeds->classes[i] |= (guint8)(chosen[i] << rule);
            speeds->rules[rule].held |= chosen[i];
        }
    }
}

/* --- parts --- */

guint8 *speed_parts_find(const SpeedParts *parts, const HieraSpan *span)
{
    if (span->next != HIERA_NONE)
        return &parts->before[span->next];
    return &parts->inside[span->row == HIERA_NONE ? (gsize)parts->n_operations + span->processor : span->row];
}

void speeds_set_parts(Speeds *speeds, const SpeedParts *parts)
{
    guint n_classes = 1u << speeds->n_rules, n_parts = parts ? parts->n : 1;
    speeds->parts = parts;
    speeds->speed = g_renew(gdouble, speeds->speed, MAX(n_parts, 1) << MOST_RULES);
    for (guint part = 1; part < n_parts; part++)
        memcpy(speeds->speed + part * n_classes, speeds->speed, n_classes * sizeof *speeds->speed);
}

void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor)
{
    guint n_classes = 1u << speeds->n_rules;
    for (guint i = 0; i < n_classes; i++) {
        speeds->speed[part * n_classes + i] = factor;
        for (guint rule = 0; rule < speeds->n_rules; rule++)
            speeds->speed[part * n_classes + i] *= i >> rule & 1 ? speeds->rules[rule].factor : 1;
    }
}

guint32 speeds_class(const Speeds *speeds, const HieraSpan *span)
{
    guint32 part = speeds->parts ? *speed_parts_find(speeds->parts, span) : 0, rules = 0;
    if (speeds->classes)
        rules = speeds->classes[span->row == HIERA_NONE ? (gsize)speeds->n_operations + span->processor : span->row];
    return part << speeds->n_rules | rules;
}

const gdouble *speeds_peek(const Speeds *speeds, guint32 *n)
{
    *n = (speeds->parts ? speeds->parts->n : 1) << speeds->n_rules;
    return speeds->speed;
}

const char *speeds_find_useless(const Speeds *speeds)
{
    for (guint i = 0; i < speeds->n_rules; i++) {
        if (!speeds->rules[i].held)
            return speeds->rules[i].text;
    }
    return NULL;
}
