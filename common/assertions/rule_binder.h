/* Binds words of an expectation, those whose meaning depends on the rule, to terms (HieraTerm). */
#pragma once

#include "rules.h"

typedef struct HieraBinder {
    HieraRules *rules;
    HieraRule *rule;
    const char *text; /* text of the expression */
    unsigned needs;   /* HIERA_RULE_NEED flags of the metrics without arguments (`MPITime`) inside baseline() */
} HieraBinder;

/* Add the meaning of a word to the terms; `id` becomes the number that the expression stores. @return  false if
 * memory is short */
bool hiera_binder_add_term(HieraBinder *binder, HieraTerm term, unsigned *id);

/* Whether the word is `name`. (rule_words.c) */
bool hiera_binder_is(const HieraExpressionAsked *asked, const char *name);

/* Bind a word: `${limit}`; MPI_COMM_WORLD or MPI_COMM_SELF; `$n`; `UserTime`. (rule_words.c)
 *
 * @return  false with a message; without a message if there is no memory */
bool hiera_bind_value(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id);
bool hiera_bind_predefined(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_variable(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_measured(HieraBinder *binder, HieraMeasured measured, unsigned *id, char *message);

/* Bind `baseline(WallTime)`; bind `efficiency.load_balance`, passed as name and length. (rule_outside.c) */
bool hiera_bind_baseline(HieraBinder *binder, const HieraExpressionAsked *asked, unsigned *id, char *message);
bool hiera_bind_measure(HieraBinder *binder, const char *name, size_t length, const HieraExpressionAsked *asked,
                        unsigned *id, HieraValueType *type, char *message);
