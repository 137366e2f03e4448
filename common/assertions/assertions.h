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

/* Kinds of amounts: what a metric adds up over calls, such as their durations or their bytes. */
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

/* A counter: a metric, restricted to some of its calls. Rules that need equal counters share one. */
typedef struct HieraCounter {
    HieraMetric metric;
    const char *operation; /* counts only calls of this name ("Class::method" for a method); NULL: all calls of the
                              metric's class */
    const char *comm;      /* id in the trace of the communicator whose calls are counted; NULL: all calls */
    bool has_peer;         /* whether the counter is restricted to calls with `peer`, a rank in the communicator */
    int64_t peer;
} HieraCounter;

/* The subject of a rule: what its expectation is evaluated for. */
typedef enum HieraRuleScope {
    HIERA_RULE_EXECUTION, /* each execution of an operation */
    HIERA_RULE_RANK,      /* the whole run of a rank */
    HIERA_RULE_JOB        /* the whole run of the job, with counters summed over all ranks */
} HieraRuleScope;

typedef struct HieraRule {
    const char *source; /* name of the file that contains the rule, at line `line` */
    unsigned line;
    const char *text;        /* the rule as written, on one line */
    const char *expectation; /* the part of `text` behind the colon */
    HieraRuleScope scope;
    const char *operation; /* scope EXECUTION: name of the rule's operation; "Class::method" for a method */
    const char *inside;    /* scope EXECUTION: operation that must be around an execution; NULL: none */
    bool regions; /* scope EXECUTION: whether the rule is about regions, so that MPI calls of this name are left out */
    bool marked;  /* scope EXECUTION: whether the program's source asserts the rule, and marks its executions */
    const char **variables; /* names of the rule's n_variables variables, in the order of first use */
    unsigned n_variables;
    uint32_t comms; /* bit set of indices of variables that are communicators: their values are numbers of processes */
    uint32_t measured; /* bit set of indices of measured variables (hiera_rule_measured()). Value NaN: not known */
    bool some;         /* `on some rank`: the rule holds for the job if it holds on at least one rank */
    bool each; /* `on each execution`: compares the first executions of all ranks, then the second ones, and so on */
    bool own;  /* whether the expression uses values of a single rank, so that the rule is evaluated for each rank */
    unsigned first_reduction, n_reductions; /* first index and number of the rule's reductions over ranks */
    bool asks_outside;        /* whether the rule needs values from outside the run: a baseline() or a measure */
    unsigned limit, n_limits; /* index in HieraRules.limits of the last `${NAME}` without value; number of these */
    HieraExpression *expression;
    uint32_t *counters; /* indices in hiera_rules_peek_counters() of the n_counters counters of the rule, each once */
    unsigned n_counters;
    uint32_t of_metric[HIERA_N_METRICS]; /* by metric used without arguments, like `MPITime`: index into `counters` */
} HieraRule;

typedef struct HieraRules HieraRules;

/* Values of the names `${NAME}` in rules, read from a file. */
typedef struct HieraRuleValues HieraRuleValues;

enum { HIERA_RULES_REPORT = 2048 }; /* size in bytes of a buffer for an error message about rules */

/* Read a file of values: a line is `NAME = NUMBER`; `#` begins a comment. MPITransferTime is computed from
 * PA_TRANSFER_RATE (Mbit/s, > 0) and PA_TRANSFER_LATENCY (µs); PA_REPORT_FILE may be any text.
 *
 * @param source  its name, for reports
 * @param report  HIERA_RULES_REPORT bytes: receives the error
 * @return  NULL if the text is wrong or memory is short. Free with hiera_rule_values_free(). */
HieraRuleValues *hiera_rule_values_parse(const char *source, const char *text, size_t length, char *report);
/* Free the values; `values` may be NULL. */
void hiera_rule_values_free(HieraRuleValues *values);

enum { HIERA_OUTSIDE_ROWS = 3 };
/* A number from outside the run that a rule uses; unknown until hiera_rules_answer() sets its value. */
typedef struct HieraOutside {
    unsigned rule;                        /* index of the rule that uses the number */
    const char *measure, *column;         /* a measure and its column; NULL: the number is a baseline() */
    const char *rows[HIERA_OUTSIDE_ROWS]; /* n_rows conditions "COLUMN=TEXT" that choose rows of the measure */
    unsigned n_rows;
    HieraValueType type;         /* type of `value`: NUMBER or DURATION */
    HieraExpression *expression; /* argument of the baseline(); NULL: the number is of a measure */
    bool known;
    double value;
} HieraOutside;

/* What a host (the program that evaluates the rules) provides for compiling them. */
typedef struct HieraRuleHost {
    const HieraRuleValues *values; /* values of `${NAME}`; NULL: none. Not needed after the compilation */
    /* Whether a measure has the value that `outside` asks for; if not, `message` receives the error. May set
     * outside->type. NULL: any value may exist. */
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
/* Compile rules as hiera_rules_parse() does, with the values and callbacks of a host. */
HieraRules *hiera_rules_parse_for(const char *source, const char *text, size_t length, const HieraRuleHost *host,
                                  char *report);
/* Free the rules; `rules` may be NULL. */
void hiera_rules_free(HieraRules *rules);

/* Return the n_rules rules in the order of the file; they belong to `rules`. */
const HieraRule *hiera_rules_peek(const HieraRules *rules, unsigned *n_rules);
/* Return the n_counters counters that the rules use; they belong to `rules`. */
const HieraCounter *hiera_rules_peek_counters(const HieraRules *rules, unsigned *n_counters);

/* --- assertions in the source of a program --- */

enum { HIERA_MOST_VARIABLES = 16 }; /* most variables of a rule */

/* An assertion in the source of a program, with the file and line where it stands. */
typedef struct HieraSourceAssertion {
    const char *file;
    unsigned line;
    const char *text; /* text of the asserted expression */
} HieraSourceAssertion;

/* Make an empty set of rules for hiera_rules_add(). `values` must outlive the set. NULL if memory is short. */
HieraRules *hiera_rules_new(const HieraRuleValues *values);
/* Add an assertion of the source, as a rule about executions that hiera_meter_site_of_rule() marks. Afterwards call
 * hiera_meter_fit() for meters of the rules.
 *
 * @param number  becomes the number of the rule, from 0
 * @param report  HIERA_RULES_REPORT bytes: receives the error
 * @return  false if the text is wrong or memory is short: then the rules are unchanged */
bool hiera_rules_add(HieraRules *rules, const HieraSourceAssertion *assertion, unsigned *number, char *report);
/* Remove the rule that was added last. Only allowed until hiera_meter_fit() is called for a meter of the rules. */
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

/* Return which quantity a variable of the rule measures; HIERA_N_MEASURED: it is a `$NAME`. (rule_measured.c) */
HieraMeasured hiera_rule_measured(const HieraRule *rule, unsigned variable);
/* Return the name of a measured quantity, such as "UserTime". */
const char *hiera_measured_name(HieraMeasured measured);

/* Return the n_outside numbers that the rules need from outside the run; they belong to `rules`. */
const HieraOutside *hiera_rules_peek_outside(const HieraRules *rules, unsigned *n_outside);
/* Set the value of the number that has index `number` in hiera_rules_peek_outside(). */
void hiera_rules_answer(HieraRules *rules, unsigned number, double value);
/* Return the n_limits names that rules use as `${NAME}` and that have no value; they belong to `rules`. */
const char *const *hiera_rules_peek_limits(const HieraRules *rules, unsigned *n_limits);
/* Whether a rule uses a `${NAME}` without a value; if so, `report` (HIERA_RULES_REPORT bytes) receives a message. */
bool hiera_rule_report_limit(const HieraRules *rules, const HieraRule *rule, char *report);

/* Whether a counter counts operations of this name; communicator and peer are not checked.
 *
 * @param is_mpi   the operation is of the MPI level
 * @param method_class  class of the method, "" for none */
bool hiera_counter_counts(const HieraCounter *counter, bool is_mpi, const char *method_class, const char *operation);
/* Whether the rule is about executions of the operation with this class and name. */
bool hiera_rule_is_about(const HieraRule *rule, bool is_mpi, const char *method_class, const char *operation);

/* Whether the rule is restricted to executions inside an operation with this class and name. */
bool hiera_rule_is_inside(const HieraRule *rule, const char *method_class, const char *operation);

/* Result of a reduction over ranks: a sum, mean, minimum or maximum. */
typedef struct HieraReduced {
    double value;
    bool unknown;
    size_t of; /* of a minimum or maximum: index of the contributing rank that has this value */
} HieraReduced;

/* The input of one evaluation of a rule. */
typedef struct HieraEvaluation {
    int64_t wall_ns;       /* duration of the evaluated execution or run, in ns */
    const int64_t *values; /* values of the rule's counters, in the order of `counters` in HieraRule */
    const bool *unknown;   /* unknown[i]: values[i] is not known; NULL: all are known */
    bool wall_unknown;
    bool nothing_known; /* neither `wall_ns` nor `values` are known */
    int64_t processes;  /* number of ranks of the job; 0: unknown */
    bool outside_mpi;   /* whether the execution ended outside MPI_Init … MPI_Finalize: there are no communicators */
    const HieraReduced *reduced; /* results of the rule's reductions; NULL: unknown */
    const double *variables;     /* values of the rule's variables; NULL: unknown */
} HieraEvaluation;

typedef enum HieraVerdict { HIERA_VERDICT_OK, HIERA_VERDICT_FAILED, HIERA_VERDICT_UNKNOWN } HieraVerdict;

/* The two sides of the comparison that decided the verdict. */
typedef struct HieraSides {
    const char *operator_; /* operator of the comparison as written, such as "<"; NULL: no numbers were compared */
    double left, right;
    bool times;       /* whether `left` and `right` are times in ns */
    double deviation; /* by how much the comparison fails, as a fraction of the right side; infinite if that is 0 */
} HieraSides;

/* Callbacks of an observer, which gets the input of each evaluation before the rule is evaluated. */
typedef struct HieraRuleWatch {
    /* Called when all rules are evaluated from the beginning: earlier evaluations are void. May be NULL. */
    void (*begin)(void *user);
    /* Called before each evaluation, in the thread that evaluates the rule. */
    void (*see)(void *user, const HieraRule *rule, const HieraEvaluation *evaluation);
    void *user;
} HieraRuleWatch;

/* Set the callbacks that observe evaluations. @param watch  is copied; NULL: no callbacks */
void hiera_rules_watch(HieraRules *rules, const HieraRuleWatch *watch);
/* Call this before the first evaluation, and again whenever evaluation starts over with the first one. */
void hiera_rules_begin(const HieraRules *rules);
/* Compute the argument of the baseline() with this number in hiera_rules_peek_outside(). @return  false if it is not
 * known */
bool hiera_rules_ask_baseline(const HieraRules *rules, unsigned number, const HieraEvaluation *evaluation,
                              double *value);

/* Turning point: the value of the rule's only `${NAME}` without a value from which on the evaluation holds. */
typedef struct HieraTurn {
    double at;
    bool strict; /* whether the evaluation does not hold at exactly `at` */
    enum { HIERA_TURN_AT_LEAST, HIERA_TURN_AT_MOST, HIERA_TURN_EXACTLY } side;
} HieraTurn;
/* Find the turning point of an evaluation. @return  false if it is unknown, or the rule is not a comparison whose
 * sides depend linearly on the `${NAME}` */
bool hiera_rule_find_turn(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                          HieraTurn *turn);

/* Evaluate a rule without allocating memory. @param sides  receives the sides of the last comparison made */
HieraVerdict hiera_rule_evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                                 HieraSides *sides);

/* An evaluation of a rule: on which execution, and what was compared. Stored if it did not hold. */
typedef struct HieraInstance {
    uint64_t number; /* number of the evaluation among those of the rule on the rank, from 1 */
    uint64_t row;    /* the host's own identifier of the evaluated operation, as passed to hiera_meter_open() */
    int64_t rank, thread, start_ns; /* `thread`: number of the thread in the rank; 0: the main thread, or unknown */
    int64_t wall_ns;                /* duration of the execution; 0: unknown */
    HieraSides sides;
} HieraInstance;

/* The verdicts of all evaluations of a rule, added up. All zero: no evaluation. */
typedef struct HieraVerdicts {
    uint64_t n[3];     /* by HieraVerdict: number of evaluations */
    int64_t lasted_ns; /* total duration of all executions; after merging ranks, that of the rank where it is longest */
    HieraInstance first, worst; /* the first failure and the worst one (of equal ones the first) */
    HieraInstance last;         /* the last failure; not merged over ranks */
} HieraVerdicts;

static inline uint64_t hiera_verdicts_count(const HieraVerdicts *verdicts)
{
    return verdicts->n[HIERA_VERDICT_OK] + verdicts->n[HIERA_VERDICT_FAILED] + verdicts->n[HIERA_VERDICT_UNKNOWN];
}

/* Add an evaluation to the verdicts. A failure is stored, with its `number` set here. */
void hiera_verdicts_add(HieraVerdicts *verdicts, HieraVerdict verdict, HieraInstance instance);
/* Add the verdicts of another rank or thread. `first` becomes the earlier of the two first failures. */
void hiera_verdicts_merge(HieraVerdicts *verdicts, const HieraVerdicts *other);
