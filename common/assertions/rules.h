/* The insides of rules. */
#ifndef HIERA_RULES_H
#define HIERA_RULES_H

#include "assertions.h"

unsigned hiera_metric_amount(HieraMetric metric);

/* What a word stands for that a rule has bound; its index is the number that the expression keeps. */
typedef enum HieraTermKind {
    HIERA_TERM_CONSTANT,
    HIERA_TERM_COUNTER,
    HIERA_TERM_REDUCTION,
    HIERA_TERM_OUTSIDE,
    HIERA_TERM_LIMIT,    /* `${NAME}` without a value */
    HIERA_TERM_VARIABLE, /* `$NAME` */
    HIERA_TERM_WORLD,    /* `$MPI_COMM_WORLD`: how many processes it has */
    HIERA_TERM_SELF      /* `$MPI_COMM_SELF` */
} HieraTermKind;
typedef struct HieraTerm {
    HieraTermKind kind;
    uint32_t index; /* into the rule's counters, reductions or variables; into `outside` or `limits` of all rules */
    double number;  /* of a constant */
} HieraTerm;

/* What is asked for over ranks: `max(WallTime)`. */
typedef enum HieraReducer { HIERA_REDUCER_SUM, HIERA_REDUCER_MEAN, HIERA_REDUCER_MIN, HIERA_REDUCER_MAX } HieraReducer;
typedef struct HieraReduction {
    HieraReducer reducer;
    HieraExpression *expression; /* of each rank */
} HieraReduction;
enum { HIERA_MOST_REDUCTIONS = 16 }; /* of a rule */

/* Ids of functions that are bound; those below are HieraMetric. */
enum { HIERA_RULE_BASELINE = 100, HIERA_RULE_MEASURE, HIERA_RULE_REDUCTION /* + HieraReducer */ };
/* Flags of what an expression asks for by names; behind those of metrics that of WallTime. */
#define HIERA_RULE_NEED(metric) (1u << (metric))
/* The words of expectations, without `bind`. (rule_terms.c) */
extern const HieraExpressionHost hiera_rule_host;

struct HieraRules {
    HieraRule *rules;
    HieraCounter *counters;
    HieraTerm *terms;
    HieraReduction *reductions; /* those of a rule stand together */
    char **texts;               /* all texts of rules and counters */
    HieraOutside *outside;
    const char **limits; /* names of `${NAME}` without values */
    size_t n_rules, n_counters, n_terms, n_reductions, n_texts, n_outside, n_limits;
    bool out_of_memory;
    const HieraRuleHost *host; /* while rules are compiled */
    HieraRuleHost of_source;   /* the host of hiera_rules_add() */
    HieraRuleWatch watch;
    double ns_per_byte, latency_ns; /* of MPITransferTime */
};

/* Make room for one more item in an array of n; NULL, and `out_of_memory`, if there is none. */
void *hiera_rules_grow(HieraRules *rules, void *items, size_t n, size_t size);
/* Copy a text; it is freed with the rules. */
const char *hiera_rules_keep(HieraRules *rules, const char *text, size_t length);

/* Compile the expression of a rule whose scope is set.
 *
 * @param counted  the operation whose calls it counts; NULL: all
 * @return  false with an error; without a message if memory is short */
bool hiera_rule_compile(HieraRules *rules, HieraRule *rule, const char *counted, const char *text, size_t length,
                        HieraExpressionError *error);

/* The value of `${NAME}`; false if there is none. PA_TRANSFER_RATE and PA_TRANSFER_LATENCY have one in any case.
 * (rule_values.c) */
bool hiera_rule_values_find(const HieraRuleValues *values, const char *name, size_t length, double *number);

/* What a byte and a message take, as the values say. (rule_values.c) */
void hiera_rule_values_find_transfer(const HieraRuleValues *values, double *ns_per_byte, double *latency_ns);

/* What is measured under this name; HIERA_N_MEASURED: nothing. (rule_measured.c) */
HieraMeasured hiera_measured_find(const char *name, size_t length);
/* The name of its variable in rules and in traces, "(UserTime)": no `$NAME` is called so. */
const char *hiera_measured_variable(HieraMeasured measured);

/* What an expression is evaluated with. */
typedef struct HieraRuleContext {
    const HieraRules *rules;
    const HieraRule *rule;
    const HieraEvaluation *evaluation;
    bool is_unknown;     /* something was asked that nobody knows */
    const double *limit; /* of `${NAME}` without a value; NULL: not a number */
} HieraRuleContext;

#endif
