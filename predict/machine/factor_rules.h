/* Options of the form RULE=FACTOR, which may be repeated: expressions about operations, as in hiera-transform --where.
 */
#pragma once

#include "loop_names.h"
#include "where/where.h"

enum { FACTOR_RULES_MOST = 8 };

typedef struct {
    char *text;
    Where *where;
    LoopName *loop;    /* loop whose time is changed, where `where` holds; NULL: all time */
    gboolean narrowed; /* an expression follows the loop */
    gdouble factor;
    gboolean held; /* the rule held somewhere; set by the caller */
} FactorRule;

typedef struct {
    const char *option;  /* name of the option for errors: "--speed" */
    const char *example; /* explanation of a factor: "for twice as fast" */
    gboolean loops;      /* rules may name a loop */
    FactorRule rules[FACTOR_RULES_MOST];
    guint n;
} FactorRules;

/* Add a rule. @param error  has a caret under the error in the expression */
gboolean factor_rules_add(FactorRules *rules, const char *text, GError **error);
void factor_rules_clear(FactorRules *rules);
/* Whether all rules depend only on an operation and its callers. */
gboolean factor_rules_are_local(const FactorRules *rules);
/* Return the product of the factors of the rules whose bits are set. */
gdouble factor_rules_product(const FactorRules *rules, guint bits);
/* Return the text of a rule that held nowhere, or NULL. Owned by the rules. */
const char *factor_rules_find_useless(const FactorRules *rules);
