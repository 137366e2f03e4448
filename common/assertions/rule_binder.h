/* Binds the words of an expectation that stand for something of its rule. */
#ifndef HIERA_RULE_BINDER_H
#define HIERA_RULE_BINDER_H

#include "rules.h"

typedef struct HieraBinder {
    HieraRules *rules;
    HieraRule *rule;
    const char *text; /* the expression */
    unsigned needs;   /* what arguments of baseline() ask for by names alone */
} HieraBinder;

/* Add what a word stands for; `id` becomes the number that the expression keeps. @return  false if there is no memory
 */
bool hiera_binder_add_term(HieraBinder *binder, HieraTerm term, unsigned *id);

/* Is it this word? (rule_words.c) */
bool hiera_binder_is(const HieraExpressionAsked *asked, const char *name);

/* Bind a word. @return  false with a message; without one if there is no memory.
 *
 * `${limit}`; MPI_COMM_WORLD or MPI_COMM_SELF; `$n`; `UserTime` (rule_words.c) */
bool hiera_bind_value(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id);
bool hiera_bind_predefined(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_variable(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_measured(HieraBinder *binder, HieraMeasured measured, unsigned *id, char *message);

/* `baseline(WallTime)`; `efficiency.load_balance`, by name and length (rule_outside.c) */
bool hiera_bind_baseline(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_measure(HieraBinder *binder, const char *name, size_t length, const HieraExpressionAsked *asked,
                        unsigned *id, HieraValueType *type, char *message);

#endif
