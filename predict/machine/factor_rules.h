/* Options of the form RULE=FACTOR, which may be repeated: expressions about operations, as in hiera-transform --where.
 */
#pragma once

#include "loop_names.h"
#include "where/where.h"

enum { FACTOR_RULES_MOST = 8 };

typedef struct {
    char *text;
    Where *where;
    LoopName *loop;    /* loop whose time is changed, where `where` holds; NULL: all computation where `where` holds */
    gboolean narrowed; /* whether the rule has an expression besides its loop */
    gdouble factor;
    gboolean held; /* whether the rule held for an operation of a trace; set by the caller */
} FactorRule;

typedef struct {
    const char *option;  /* name of the option, for error messages: "--speed" */
    const char *example; /* meaning of factor 2, for error messages: "twice as fast" */
    gboolean loops;      /* whether a rule may name a loop instead of an expression */
    FactorRule rules[FACTOR_RULES_MOST];
    guint n;
} FactorRules;

/* Add a rule, RULE=FACTOR. @param error  has a caret under the mistake in the expression */
gboolean factor_rules_add(FactorRules *rules, const char *text, GError **error);
void factor_rules_clear(FactorRules *rules);
/* Whether all rules can be decided from an operation and its callers alone, without the rest of the trace. */
gboolean factor_rules_are_local(const FactorRules *rules);
/* Return the product of the factors of some rules. @param bits  bit i: rule i holds */
gdouble factor_rules_product(const FactorRules *rules, guint bits);
/* Return the text of a rule that held for no operation so far; NULL: there is none. Owned by the rules. */
const char *factor_rules_find_useless(const FactorRules *rules);
