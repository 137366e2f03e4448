#include "sizes.h"
#include "factor_rules.h"
#include <math.h>

/* Greatest size of a message after scaling, in bytes. */
#define LONGEST 1e15

struct Sizes {
    FactorRules own;
    FactorRules *rules; /* rules in use: `own`, or those of the list from which this one was forked */
    guint8 *held;       /* by row: which rules hold for the call, as bits; NULL: not decided, or no rules */
};

Sizes *sizes_new(void)
{
    Sizes *sizes = g_new0(Sizes, 1);
    sizes->rules = &sizes->own;
    sizes->own = (FactorRules){.option = "--message-size", .example = "messages of twice the size"};
    return sizes;
}

Sizes *sizes_fork(Sizes *of)
{
    Sizes *sizes = sizes_new();
    sizes->rules = of->rules;
    return sizes;
}

gboolean sizes_are_local(const Sizes *sizes)
{
    return factor_rules_are_local(sizes->rules);
}

void sizes_free(Sizes *sizes)
{
    if (!sizes)
        return;
    factor_rules_clear(&sizes->own);
    g_free(sizes->held);
    g_free(sizes);
}

gboolean sizes_add(Sizes *sizes, const char *text, GError **error)
{
    return factor_rules_add(sizes->rules, text, error);
}

void sizes_decide(Sizes *sizes, const HieraTrace *trace, const HieraMatch *match, const guint8 *is_call)
{
    if (sizes->rules->n == 0)
        return;
    g_free(sizes->held);
    sizes->held = g_new0(guint8, (gsize)trace->n_operations + 1);
    for (guint i = 0; i < sizes->rules->n; i++) {
        FactorRule *rule = &sizes->rules->rules[i];
        g_autofree guint8 *chosen = where_choose(rule->where, trace, match, NULL);
        for (guint32 row = 0; row < trace->n_operations; row++) {
            gboolean holds = is_call[row] && chosen[row];
            sizes->held[row] |= (guint8)(holds << i);
            rule->held |= holds;
        }
    }
}

gint64 sizes_of(const Sizes *sizes, gint64 bytes, const guint32 *rows, guint n)
{
    guint held = 0;
    for (guint i = 0; sizes && sizes->held && i < n; i++)
        held |= sizes->held[rows[i]];
    return held == 0 ? bytes
                     : (gint64)llround(CLAMP((gdouble)bytes * factor_rules_product(sizes->rules, held), 0, LONGEST));
}

gboolean sizes_are_given(const Sizes *sizes)
{
    return sizes->rules->n > 0;
}

const char *sizes_find_useless(const Sizes *sizes)
{
    return factor_rules_find_useless(sizes->rules);
}
