/* The internals of rules. */
#pragma once

#include "assertions.h"

unsigned hiera_metric_amount(HieraMetric metric);

/* The meaning of a word that a rule has bound. The index of the term is the number that the expression stores. */
typedef enum HieraTermKind {
    HIERA_TERM_CONSTANT,
    HIERA_TERM_COUNTER,
    HIERA_TERM_REDUCTION,
    HIERA_TERM_OUTSIDE,
    HIERA_TERM_LIMIT,    /* `${NAME}` without a value */
    HIERA_TERM_VARIABLE, /* `$NAME` */
    HIERA_TERM_WORLD,    /* `$MPI_COMM_WORLD`: its number of processes */
    HIERA_TERM_SELF      /* `$MPI_COMM_SELF` */
} HieraTermKind;
typedef struct HieraTerm {
    HieraTermKind kind;
    uint32_t index; /* into the rule's counters, reductions or variables; into `outside` or `limits` of all rules */
    double number;  /* value of a constant */
} HieraTerm;

/* A reduction over ranks: `max(WallTime)`. */
typedef enum HieraReducer { HIERA_REDUCER_SUM, HIERA_REDUCER_MEAN, HIERA_REDUCER_MIN, HIERA_REDUCER_MAX } HieraReducer;
typedef struct HieraReduction {
    HieraReducer reducer;
    HieraExpression *expression; /* expression that is evaluated for each rank, and then reduced */
} HieraReduction;
enum { HIERA_MOST_REDUCTIONS = 16 }; /* most reductions of a rule */

/* Ids of functions that are bound; smaller ids are HieraMetric. */
enum { HIERA_RULE_BASELINE = 100, HIERA_RULE_MEASURE, HIERA_RULE_REDUCTION /* + HieraReducer */ };
/* Flags of the names that an expression uses: one for each metric, then one for WallTime. */
#define HIERA_RULE_NEED(metric) (1u << (metric))
/* The names and functions of expectations, without `bind`. (rule_terms.c) */
extern const HieraExpressionHost hiera_rule_host;

struct HieraRules {
    HieraRule *rules;
    HieraCounter *counters;
    HieraTerm *terms;
    HieraReduction *reductions; /* those of a rule are consecutive */
    char **texts;               /* all texts of rules and counters, owned */
    HieraOutside *outside;
    const char **limits; /* names of `${NAME}` without a value */
    size_t n_rules, n_counters, n_terms, n_reductions, n_texts, n_outside, n_limits;
    bool out_of_memory;
    const HieraRuleHost *host; /* set only while rules are compiled */
    HieraRuleHost of_source;   /* host for hiera_rules_add() */
    HieraRuleWatch watch;
    double ns_per_byte, latency_ns; /* parameters of MPITransferTime */
};

/* Make room for one more item in an array of n; NULL, with `out_of_memory` set, if there is no memory. */
void *hiera_rules_grow(HieraRules *rules, void *items, size_t n, size_t size);
/* Copy a text; it is freed with the rules. */
const char *hiera_rules_keep(HieraRules *rules, const char *text, size_t length);

/* Compile the expression of a rule whose scope is set.
 *
 * @param counted  the operation whose calls the rule counts; NULL: all
 * @return  false with an error; without a message if memory is short */
bool hiera_rule_compile(HieraRules *rules, HieraRule *rule, const char *counted, const char *text, size_t length,
                        HieraExpressionError *error);

/* Find the value of `${NAME}`; false if there is none. PA_TRANSFER_RATE and PA_TRANSFER_LATENCY always have one.
 * (rule_values.c) */
bool hiera_rule_values_find(const HieraRuleValues *values, const char *name, size_t length, double *number);

/* Compute the transfer time of a byte and of a message from the values. (rule_values.c) */
void hiera_rule_values_find_transfer(const HieraRuleValues *values, double *ns_per_byte, double *latency_ns);

/* The measured quantity with this name; HIERA_N_MEASURED if there is none. (rule_measured.c) */
HieraMeasured hiera_measured_find(const char *name, size_t length);
/* The name of a measured quantity's variable in rules and traces, "(UserTime)": no `$NAME` can have it. */
const char *hiera_measured_variable(HieraMeasured measured);

/* The context of the evaluation of an expression. */
typedef struct HieraRuleContext {
    const HieraRules *rules;
    const HieraRule *rule;
    const HieraEvaluation *evaluation;
    bool is_unknown;     /* an unknown value was used */
    const double *limit; /* value of a `${NAME}` that has none; NULL: NaN */
} HieraRuleContext;
