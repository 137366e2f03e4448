/* The internals of rules. */
#pragma once

#include "assertions.h"

unsigned hiera_metric_amount(HieraMetric metric);

/* Kinds of terms. A term is the meaning of a word that only rules have; the expression stores its index. */
typedef enum HieraTermKind {
    HIERA_TERM_CONSTANT,
    HIERA_TERM_COUNTER,
    HIERA_TERM_REDUCTION,
    HIERA_TERM_OUTSIDE,
    HIERA_TERM_LIMIT,    /* `${NAME}` without a value */
    HIERA_TERM_VARIABLE, /* `$NAME`, or a measured quantity */
    HIERA_TERM_WORLD,    /* `$MPI_COMM_WORLD`: its number of processes */
    HIERA_TERM_SELF      /* `$MPI_COMM_SELF`: 1 process */
} HieraTermKind;
typedef struct HieraTerm {
    HieraTermKind kind;
    uint32_t index; /* by kind: index into counters, reductions, variables of the rule; HieraRules.outside, .limits */
    double number;  /* value of a CONSTANT */
} HieraTerm;

/* Functions that reduce the values of all ranks to one number, as in `max(WallTime)`. */
typedef enum HieraReducer { HIERA_REDUCER_SUM, HIERA_REDUCER_MEAN, HIERA_REDUCER_MIN, HIERA_REDUCER_MAX } HieraReducer;
typedef struct HieraReduction {
    HieraReducer reducer;
    HieraExpression *expression; /* argument of the reduction; its values for all ranks are reduced */
} HieraReduction;
enum { HIERA_MOST_REDUCTIONS = 16 }; /* most reductions of a rule */

/* Ids of the functions baseline() and value(), and of reductions; smaller ids are HieraMetric. */
enum { HIERA_RULE_BASELINE = 100, HIERA_RULE_MEASURE, HIERA_RULE_REDUCTION /* add the HieraReducer */ };
/* Flag of a metric in the set `needs` of an expression that uses it; `metric` is HIERA_N_METRICS for WallTime. */
#define HIERA_RULE_NEED(metric) (1u << (metric))
/* Tables of the names and functions of expectations; whoever compiles an expectation sets `bind`. (rule_terms.c) */
extern const HieraExpressionHost hiera_rule_host;

struct HieraRules {
    HieraRule *rules;
    HieraCounter *counters;
    HieraTerm *terms;
    HieraReduction *reductions; /* reductions over ranks; those of one rule are consecutive */
    char **texts;               /* all strings that rules and counters point to, freed with the rules */
    HieraOutside *outside;
    const char **limits; /* names of `${NAME}` without a value */
    size_t n_rules, n_counters, n_terms, n_reductions, n_texts, n_outside, n_limits;
    bool out_of_memory;
    const HieraRuleHost *host; /* values and callbacks for compiling; valid only while rules are compiled */
    HieraRuleHost of_source;   /* host for the assertions that hiera_rules_add() compiles */
    HieraRuleWatch watch;
    double ns_per_byte, latency_ns; /* parameters of MPITransferTime */
};

/* Enlarge an array of n items by one. Returns the array; NULL, with out_of_memory set, if memory is short. */
void *hiera_rules_grow(HieraRules *rules, void *items, size_t n, size_t size);
/* Copy a text; the copy is freed with the rules. */
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

/* Compute the transfer time of a byte and of a message from the PA_TRANSFER_… values. (rule_values.c) */
void hiera_rule_values_find_transfer(const HieraRuleValues *values, double *ns_per_byte, double *latency_ns);

/* The measured quantity with this name; HIERA_N_MEASURED if there is none. (rule_measured.c) */
HieraMeasured hiera_measured_find(const char *name, size_t length);
/* The name under which rules and traces have a measured quantity as a variable, "(UserTime)"; no `$NAME` is equal. */
const char *hiera_measured_variable(HieraMeasured measured);

/* Context of the functions in rule_terms.c while an expression is evaluated. */
typedef struct HieraRuleContext {
    const HieraRules *rules;
    const HieraRule *rule;
    const HieraEvaluation *evaluation;
    bool is_unknown;     /* becomes true when the expression uses an unknown value */
    const double *limit; /* value of each `${NAME}` that has no value; NULL: NaN */
} HieraRuleContext;
