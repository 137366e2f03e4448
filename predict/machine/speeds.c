/* A class is the set of rules that hold, as bits, and the part in the bits above; its speed is their product. */
#include "speeds.h"
#include "factor_rules.h"
#include <string.h>

struct Speeds {
    FactorRules rules;
    guint8 *classes; /* by operation, then by processor; NULL: no rules */
    guint32 n_operations;
    gdouble *speed;          /* by class */
    const SpeedParts *parts; /* NULL: none */
};

Speeds *speeds_new(void)
{
    Speeds *speeds = g_new0(Speeds, 1);
    speeds->rules = (FactorRules){.option = "--speed", .example = "twice as fast"};
    return speeds;
}

void speeds_free(Speeds *speeds)
{
    if (!speeds)
        return;
    factor_rules_clear(&speeds->rules);
    g_free(speeds->classes);
    g_free(speeds->speed);
    g_free(speeds);
}

gboolean speeds_add(Speeds *speeds, const char *text, GError **error)
{
    return factor_rules_add(&speeds->rules, text, error);
}

void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match)
{
    gsize n = (gsize)trace->n_operations + trace->n_processors;
    speeds->n_operations = trace->n_operations;
    speeds->speed = g_renew(gdouble, speeds->speed, 1u << FACTOR_RULES_MOST);
    g_clear_pointer(&speeds->classes, g_free);
    for (guint i = 0; i < 1u << speeds->rules.n; i++)
        speeds->speed[i] = factor_rules_product(&speeds->rules, i);
    if (speeds->rules.n == 0)
        return;
    speeds->classes = g_new0(guint8, n + 1);
    for (guint rule = 0; rule < speeds->rules.n; rule++) {
        g_autofree guint8 *chosen = where_choose_computing(speeds->rules.rules[rule].where, trace, match);
        for (gsize i = 0; i < n; i++) {
            speeds->classes[i] |= (guint8)(chosen[i] << rule);
            speeds->rules.rules[rule].held |= chosen[i];
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
    guint n_classes = 1u << speeds->rules.n, n_parts = parts ? parts->n : 1;
    speeds->parts = parts;
    speeds->speed = g_renew(gdouble, speeds->speed, MAX(n_parts, 1) << FACTOR_RULES_MOST);
    for (guint part = 1; part < n_parts; part++)
        memcpy(speeds->speed + part * n_classes, speeds->speed, n_classes * sizeof *speeds->speed);
}

void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor)
{
    guint n_classes = 1u << speeds->rules.n;
    for (guint i = 0; i < n_classes; i++)
        speeds->speed[part * n_classes + i] = factor * factor_rules_product(&speeds->rules, i);
}

guint32 speeds_class(const Speeds *speeds, const HieraSpan *span)
{
    guint32 part = speeds->parts ? *speed_parts_find(speeds->parts, span) : 0, rules = 0;
    if (speeds->classes)
        rules = speeds->classes[span->row == HIERA_NONE ? (gsize)speeds->n_operations + span->processor : span->row];
    return part << speeds->rules.n | rules;
}

const gdouble *speeds_peek(const Speeds *speeds, guint32 *n)
{
    *n = (speeds->parts ? speeds->parts->n : 1) << speeds->rules.n;
    return speeds->speed;
}

gdouble speeds_of(const Speeds *speeds, const HieraSpan *span)
{
    return speeds->speed[speeds_class(speeds, span)];
}

gboolean speeds_are_given(const Speeds *speeds)
{
    return speeds->rules.n > 0;
}

const char *speeds_find_useless(const Speeds *speeds)
{
    return factor_rules_find_useless(&speeds->rules);
}
