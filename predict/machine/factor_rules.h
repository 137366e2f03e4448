/* Options of the form RULE=FACTOR, which may be given several times: expressions about operations, as in
 * hiera-transform --where. */
#ifndef HIERA_PREDICT_FACTOR_RULES_H
#define HIERA_PREDICT_FACTOR_RULES_H

#include "loop_names.h"
#include "where/where.h"

enum { FACTOR_RULES_MOST = 8 };

typedef struct {
    char *text;
    Where *where;
    LoopName *loop;    /* what of it is changed, where `where` holds; NULL: all */
    gboolean narrowed; /* there is an expression behind the loop */
    gdouble factor;
    gboolean held; /* somewhere; set by who asks the rule */
} FactorRule;

typedef struct {
    const char *option;  /* for errors: "--speed" */
    const char *example; /* of a factor: "for twice as fast" */
    gboolean loops;      /* a rule may name a loop */
    FactorRule rules[FACTOR_RULES_MOST];
    guint n;
} FactorRules;

/* Add a rule. @param error  has a caret under what is wrong in the expression */
gboolean factor_rules_add(FactorRules *rules, const char *text, GError **error);
void factor_rules_clear(FactorRules *rules);
/* Whether all rules ask about an operation and its callers alone. */
gboolean factor_rules_are_local(const FactorRules *rules);
/* Return the product of the factors of the rules whose bits are set. */
gdouble factor_rules_product(const FactorRules *rules, guint bits);
/* Return the text of a rule that held nowhere, or NULL. Owned by the rules. */
const char *factor_rules_find_useless(const FactorRules *rules);

#endif
