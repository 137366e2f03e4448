/* Performance assertions: rules that state expectations of a run, their counters, and their verdicts.
 * docs/assertions.md describes the rules.
 *
 * A host (hiera-transform for traces; the collector inside the program) reads the rules once. For each thread it
 * reports to a meter (meter.h) what begins, what ends and which calls are made. All decisions are made here, so that
 * every host gets the same answers. Times are in nanoseconds. */
#pragma once

#include "expressions/expression.h"

/* Metrics: values that a rule can count over the calls during its scope: X(identifier, name, class of calls, amount).
 * The classes are those of call_classes.h. */
#define HIERA_METRICS(X)                                                                                               \
    X(MPI_TIME, "MPITime", HIERA_CALLS_MPI, HIERA_AMOUNT_TIME)                                                         \
    X(POINT_TO_POINT_TIME, "MPIPointToPointTime", HIERA_CALLS_POINT_TO_POINT, HIERA_AMOUNT_TIME)                       \
    X(COLLECTIVE_TIME, "MPICollectiveTime", HIERA_CALLS_COLLECTIVE, HIERA_AMOUNT_TIME)                                 \
    X(WAIT_TIME, "MPIWaitTime", HIERA_CALLS_WAIT, HIERA_AMOUNT_TIME)                                                   \
    X(ONE_SIDED_TIME, "MPIOneSidedTime", HIERA_CALLS_ONE_SIDED, HIERA_AMOUNT_TIME)                                     \
    X(IO_TIME, "MPIIOTime", HIERA_CALLS_IO, HIERA_AMOUNT_TIME)                                                         \
    X(CALLS, "calls", HIERA_CALLS_MPI, HIERA_AMOUNT_CALLS)                                                             \
    X(MESSAGES, "messages", HIERA_CALLS_MPI, HIERA_AMOUNT_MESSAGES)                                                    \
    X(BYTES_SENT, "bytesSent", HIERA_CALLS_MPI, HIERA_AMOUNT_SENT)                                                     \
    X(BYTES_RECEIVED, "bytesReceived", HIERA_CALLS_MPI, HIERA_AMOUNT_RECEIVED)                                         \
    X(TRANSFERS, "transfers", HIERA_CALLS_MPI, HIERA_AMOUNT_TRANSFERS)                                                 \
    X(TRANSFER_BYTES, "transferBytes", HIERA_CALLS_MPI, HIERA_AMOUNT_TRANSFERRED)                                      \
    X(ITERATIONS, "iterations", HIERA_CALLS_ANY, HIERA_AMOUNT_CALLS)
typedef enum HieraMetric {
#define X(identifier, name, classes, amount) HIERA_METRIC_##identifier,
    HIERA_METRICS(X)
#undef X
        HIERA_N_METRICS
} HieraMetric;

/* The quantity that a metric adds up. */
enum {
    HIERA_AMOUNT_TIME,
    HIERA_AMOUNT_CALLS,
    HIERA_AMOUNT_MESSAGES,
    HIERA_AMOUNT_SENT,
    HIERA_AMOUNT_RECEIVED,
    HIERA_AMOUNT_TRANSFERS,
    HIERA_AMOUNT_TRANSFERRED,
    HIERA_N_AMOUNTS
};

/* Quantities that the collector measures in a thread during an execution, and passes on as variables: X(identifier,
 * name). Only assertions in the source can use them. INSTRUCTIONS and the following ones are events that the processor
 * counts. */
#define HIERA_MEASURED(X)                                                                                              \
    X(USER_TIME, "UserTime")                                                                                           \
    X(CPU_TIME, "CPUTime")                                                                                             \
    X(PAGE_FAULTS, "PageFaults")                                                                                       \
    X(CONTEXT_SWITCHES, "ContextSwitches")                                                                             \
    X(INSTRUCTIONS, "Instructions")                                                                                    \
    X(CYCLES, "Cycles")                                                                                                \
    X(CACHE_REFERENCES, "CacheReferences")                                                                             \
    X(CACHE_MISSES, "CacheMisses")                                                                                     \
    X(BRANCHES, "Branches")                                                                                            \
    X(BRANCH_MISSES, "BranchMisses")
typedef enum HieraMeasured {
#define X(identifier, name) HIERA_MEASURED_##identifier,
    HIERA_MEASURED(X)
#undef X
        HIERA_N_MEASURED
} HieraMeasured;

/* A quantity that is counted. Two rules that count the same quantity share a counter. */
typedef struct HieraCounter {
    HieraMetric metric;
    const char *operation; /* counts only calls of this name ("Class::method" for a method); NULL: all calls of the
                              metric's class */
    const char *comm;      /* counts only calls on this communicator, given by its id in the trace; NULL: on any */
    bool has_peer;         /* counts only calls with `peer`, a rank in that communicator */
    int64_t peer;
} HieraCounter;

/* The subject of a rule. */
typedef enum HieraRuleScope {
    HIERA_RULE_EXECUTION, /* each execution of an operation */
    HIERA_RULE_RANK,      /* the whole run of a rank */
    HIERA_RULE_JOB        /* the whole run, with sums over all ranks */
} HieraRuleScope;

typedef struct HieraRule {
    const char *source; /* name of the file that contains the rule, at line `line` */
    unsigned line;
    const char *text;        /* the rule as written, on one line */
    const char *expectation; /* the part of `text` behind the colon */
    HieraRuleScope scope;
    const char *operation;  /* EXECUTION: name of the operation; "Class::method" for a method */
    const char *inside;     /* EXECUTION: only inside an operation of this name; NULL: anywhere */
    bool regions;           /* EXECUTION: only operations that are no MPI calls */
    bool marked;            /* EXECUTION: an assertion in the source of the program, which marks its executions */
    const char **variables; /* names of the n_variables variables `$NAME`, in the order in which they first appear */
    unsigned n_variables;
    uint32_t comms;    /* bit set of variables that are communicators: their values are numbers of processes */
    uint32_t measured; /* bit set of measured variables: hiera_rule_measured(). A value of NaN: not known */
    bool some;         /* the rule holds if it holds on one rank */
    bool each;         /* compares the first executions of all ranks, then the second ones, and so on */
    bool own;          /* uses values of a single rank, so it is evaluated for each rank */
    unsigned first_reduction, n_reductions; /* its reductions over ranks; n_reductions 0: none */
    bool asks_outside;                      /* it needs values from outside its own run */
    unsigned limit, n_limits; /* number of `${NAME}` without a value in it, and the index of the last one */
    HieraExpression *expression;
    uint32_t *counters; /* indices of the n_counters counters that the expression uses, each once */
    unsigned n_counters;
    uint32_t of_metric[HIERA_N_METRICS]; /* for a metric that is used by its name alone: index into `counters` */
} HieraRule;

typedef struct HieraRules HieraRules;

/* The values of `${NAME}`. */
typedef struct HieraRuleValues HieraRuleValues;

enum { HIERA_RULES_REPORT = 2048 }; /* size of a buffer for any report, in bytes */

/* Read a file of values: a line is `NAME = NUMBER`; `#` begins a comment. MPITransferTime is computed from
 * PA_TRANSFER_RATE (Mbit/s, > 0) and PA_TRANSFER_LATENCY (µs); PA_REPORT_FILE may be any text.
 *
 * @param source  its name, for reports
 * @param report  HIERA_RULES_REPORT bytes: receives the error
 * @return  NULL if the text is wrong or memory is short. Free with hiera_rule_values_free(). */
HieraRuleValues *hiera_rule_values_parse(const char *source, const char *text, size_t length, char *report);
/* `values` may be NULL. */
void hiera_rule_values_free(HieraRuleValues *values);

enum { HIERA_OUTSIDE_ROWS = 3 };
/* A number from outside of the run that a rule uses: unknown until hiera_rules_answer() sets it. */
typedef struct HieraOutside {
    unsigned rule;                        /* number of the rule */
    const char *measure, *column;         /* parts of `efficiency.load_balance`; NULL: it is a baseline() */
    const char *rows[HIERA_OUTSIDE_ROWS]; /* n_rows texts "COLUMN=TEXT" that choose rows */
    unsigned n_rows;
    HieraValueType type;         /* type of `value`: NUMBER or DURATION */
    HieraExpression *expression; /* argument of a baseline() */
    bool known;
    double value;
} HieraOutside;

/* Callbacks and values for the compilation of rules. */
typedef struct HieraRuleHost {
    const HieraRuleValues *values; /* values of `${NAME}`; NULL: none. Not needed after the compilation */
    /* Whether a measure has this value; if not, `message` receives the error. May set its type. NULL: any value may
     * exist. */
    bool (*knows)(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE]);
    void *user;
} HieraRuleHost;

/* Compile rules.
 *
 * @param source  name of the file, for reports; copied
 * @param text    `length` bytes; not needed after the call
 * @param values  values of `${NAME}`; NULL: none. Not needed after the call
 * @param report  HIERA_RULES_REPORT bytes: receives the error, with file, line and a caret
 * @return  NULL if the text is wrong, has no rule, or memory is short. Free with hiera_rules_free(). */
HieraRules *hiera_rules_parse(const char *source, const char *text, size_t length, const HieraRuleValues *values,
                              char *report);
/* As hiera_rules_parse(), with the callbacks of a host. */
HieraRules *hiera_rules_parse_for(const char *source, const char *text, size_t length, const HieraRuleHost *host,
                                  char *report);
/* `rules` may be NULL. */
void hiera_rules_free(HieraRules *rules);

/* The n_rules rules in the order of the file; owned by `rules`. */
const HieraRule *hiera_rules_peek(const HieraRules *rules, unsigned *n_rules);
/* The n_counters counters of the rules; owned by `rules`. */
const HieraCounter *hiera_rules_peek_counters(const HieraRules *rules, unsigned *n_counters);

/* --- assertions in the source of a program --- */

enum { HIERA_MOST_VARIABLES = 16 }; /* most `$NAME` variables of a rule */

/* An assertion, and its place in the source. */
typedef struct HieraSourceAssertion {
    const char *file;
    unsigned line;
    const char *text; /* the expression */
} HieraSourceAssertion;

/* Make an empty set of rules for hiera_rules_add(). `values` must outlive it. NULL if there is no memory. */
HieraRules *hiera_rules_new(const HieraRuleValues *values);
/* Add an assertion of the source, as a rule about executions that hiera_meter_site_of_rule() marks. Afterwards call
 * hiera_meter_fit() for meters of the rules.
 *
 * @param number  becomes the number of the rule, from 0
 * @param report  HIERA_RULES_REPORT bytes: receives the error
 * @return  false if the text is wrong or memory is short: then the rules are unchanged */
bool hiera_rules_add(HieraRules *rules, const HieraSourceAssertion *assertion, unsigned *number, char *report);
/* Remove the rule that was added last, before hiera_meter_fit() is called for any meter. */
void hiera_rules_drop(HieraRules *rules);
/* Assign the arguments of an assertion to the variables of its rule: an argument that is a plain name is the variable
 * of that name; other arguments are the remaining variables, in their order.
 *
 * @param spelled  the arguments as written in the source, with commas between them; NULL: none is a plain name
 * @param first    index of the first argument that is a variable, 0 or 1
 * @param n        number of arguments, including those before `first`
 * @param which    for each variable: receives the index of its argument; at least n for a measured variable
 * @param report   as above: receives the error
 * @return  false if a variable has no argument */
bool hiera_rule_match_variables(const HieraRule *rule, const char *spelled, unsigned first, unsigned n,
                                unsigned which[HIERA_MOST_VARIABLES], char *report);

/* The measured quantity of a variable; HIERA_N_MEASURED if it is a `$NAME`. (rule_measured.c) */
HieraMeasured hiera_rule_measured(const HieraRule *rule, unsigned variable);
/* Name of a measured quantity, such as "UserTime". */
const char *hiera_measured_name(HieraMeasured measured);

/* The n_outside values that the rules need from outside their own run; owned by `rules`. */
const HieraOutside *hiera_rules_peek_outside(const HieraRules *rules, unsigned *n_outside);
/* Set the value with this number in hiera_rules_peek_outside(). */
void hiera_rules_answer(HieraRules *rules, unsigned number, double value);
/* The n_limits names of `${NAME}` that have no value; owned by `rules`. */
const char *const *hiera_rules_peek_limits(const HieraRules *rules, unsigned *n_limits);
/* Whether a rule uses a `${NAME}` without a value; if so, `report` (HIERA_RULES_REPORT bytes) receives a message. */
bool hiera_rule_report_limit(const HieraRules *rules, const HieraRule *rule, char *report);

/* Whether a counter counts operations of this name; communicator and peer are not checked.
 *
 * @param is_mpi   the operation is of the MPI level
 * @param method   class of the method, "" for none */
bool hiera_counter_counts(const HieraCounter *counter, bool is_mpi, const char *method_class, const char *operation);
/* Whether the subject of a rule is executions of operations of this name. */
bool hiera_rule_is_about(const HieraRule *rule, bool is_mpi, const char *method_class, const char *operation);

/* Whether a rule is restricted to executions inside operations of this name. */
bool hiera_rule_is_inside(const HieraRule *rule, const char *method_class, const char *operation);

/* A sum, mean, minimum or maximum over ranks. */
typedef struct HieraReduced {
    double value;
    bool unknown;
    size_t of; /* minimum, maximum: index of the rank that has it */
} HieraReduced;

/* The input of one evaluation of a rule. */
typedef struct HieraEvaluation {
    int64_t wall_ns;       /* duration of the rule's scope, in ns */
    const int64_t *values; /* values of the rule's counters, in their order */
    const bool *unknown;   /* unknown[i]: values[i] is not known; NULL: all are known */
    bool wall_unknown;
    bool nothing_known; /* neither the time nor the values are known */
    int64_t processes;  /* number of ranks of the job; 0: unknown */
    bool outside_mpi;   /* its scope ended before MPI_Init or after MPI_Finalize, where there are no communicators */
    const HieraReduced *reduced; /* results of the rule's reductions; NULL: unknown */
    const double *variables;     /* values of the rule's variables; NULL: unknown */
} HieraEvaluation;

typedef enum HieraVerdict { HIERA_VERDICT_OK, HIERA_VERDICT_FAILED, HIERA_VERDICT_UNKNOWN } HieraVerdict;

/* The two sides of the comparison that decided the verdict. */
typedef struct HieraSides {
    const char *operator_; /* the operator as written, "<"; NULL: the rule has no comparison of numbers */
    double left, right;
    bool times;       /* the sides are times in ns */
    double deviation; /* how far the left side is off, relative to the right side: 0.5 is half of it; infinite if that
                         is 0 */
} HieraSides;

/* Callbacks that see all evaluations of rules before they are made. */
typedef struct HieraRuleWatch {
    /* A complete series of evaluations begins; earlier evaluations are void. May be NULL. */
    void (*begin)(void *user);
    /* Called in the thread that makes the evaluation. */
    void (*see)(void *user, const HieraRule *rule, const HieraEvaluation *evaluation);
    void *user;
} HieraRuleWatch;

/* Set the callbacks. @param watch  copied; NULL: none */
void hiera_rules_watch(HieraRules *rules, const HieraRuleWatch *watch);
/* A host begins to evaluate the rules; it may have to begin again, with the first evaluation. */
void hiera_rules_begin(const HieraRules *rules);
/* Compute the argument of the baseline() with this number in hiera_rules_peek_outside(). @return  false if it is not
 * known */
bool hiera_rules_ask_baseline(const HieraRules *rules, unsigned number, const HieraEvaluation *evaluation,
                              double *value);

/* The value at which a `${NAME}`, the only one without a value in a rule, makes the evaluation hold. */
typedef struct HieraTurn {
    double at;
    bool strict; /* true if `at` itself is excluded */
    enum { HIERA_TURN_AT_LEAST, HIERA_TURN_AT_MOST, HIERA_TURN_EXACTLY } side;
} HieraTurn;
/* Find that value. @return  false if it is unknown, or the rule is not a comparison whose sides depend linearly on it
 */
bool hiera_rule_find_turn(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                          HieraTurn *turn);

/* Evaluate a rule. Allocates nothing. @param sides  receives the sides of the comparison that was decided last */
HieraVerdict hiera_rule_evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                                 HieraSides *sides);

/* An evaluation that did not hold. */
typedef struct HieraInstance {
    uint64_t number; /* number of the execution on its rank, from 1 */
    uint64_t row;    /* the host's own identifier of the operation */
    int64_t rank, start_ns;
    int64_t wall_ns; /* duration of the execution; 0: unknown */
    HieraSides sides;
} HieraInstance;

/* The verdicts of all evaluations of a rule, added up. All zero: no evaluation. */
typedef struct HieraVerdicts {
    uint64_t n[3];              /* number of evaluations with each verdict */
    int64_t lasted_ns;          /* duration of all executions; over ranks, on the rank where it is longest */
    HieraInstance first, worst; /* the first failure and the worst one (of equal ones the first) */
    HieraInstance last;         /* the last failure; not merged over ranks */
} HieraVerdicts;

static inline uint64_t hiera_verdicts_count(const HieraVerdicts *verdicts)
{
    return verdicts->n[HIERA_VERDICT_OK] + verdicts->n[HIERA_VERDICT_FAILED] + verdicts->n[HIERA_VERDICT_UNKNOWN];
}

/* Add an evaluation. The number of the instance is set here. */
void hiera_verdicts_add(HieraVerdicts *verdicts, HieraVerdict verdict, HieraInstance instance);
/* Add the verdicts of another rank. `first` becomes the earlier failure. */
void hiera_verdicts_merge(HieraVerdicts *verdicts, const HieraVerdicts *other);
