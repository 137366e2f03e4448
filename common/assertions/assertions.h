/* Performance assertions: rules that say what is expected of a run, what they count, and whether they held.
 * docs/assertions.md describes the rules.
 *
 * A host (hiera-transform over traces; the collector inside the program) reads the rules once and tells a meter
 * (meter.h) for each thread what begins, what ends and which calls it made. All decisions are made here, so that the
 * answers are the same wherever they are found. Times are in nanoseconds. */
#ifndef HIERA_ASSERTIONS_H
#define HIERA_ASSERTIONS_H

#include "expressions/expression.h"

/* What a rule can count of the calls that are made while its scope lasts: X(identifier, name, class of calls, what).
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

/* What a metric adds up. */
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

/* What the program's host measures of a thread while an execution lasts, and tells as a variable: X(identifier, name).
 * Only assertions in the source can ask for it. What follows INSTRUCTIONS are events that the processor counts. */
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

/* Something that is counted. Two rules that count the same share one. */
typedef struct HieraCounter {
    HieraMetric metric;
    const char
        *operation;   /* only its calls, by name; of a method "Class::method". NULL: all calls of the metric's class */
    const char *comm; /* only on this communicator, by its id in the trace; NULL: on any */
    bool has_peer;    /* only with `peer`, a rank in that communicator */
    int64_t peer;
} HieraCounter;

/* What a rule is about. */
typedef enum HieraRuleScope {
    HIERA_RULE_EXECUTION, /* each execution of an operation */
    HIERA_RULE_RANK,      /* the whole run of a rank */
    HIERA_RULE_JOB        /* the whole run, sums over all ranks */
} HieraRuleScope;

typedef struct HieraRule {
    const char *source; /* name of the file; `line` of it */
    unsigned line;
    const char *text;        /* the rule as it was written, in one line */
    const char *expectation; /* its part behind the colon */
    HieraRuleScope scope;
    const char *operation;  /* EXECUTION: of what; of a method "Class::method" */
    const char *inside;     /* EXECUTION: only inside an operation of this name; NULL: anywhere */
    bool regions;           /* EXECUTION: only operations that are no MPI calls */
    bool marked;            /* EXECUTION: it stands in the source of the program, which marks its executions */
    const char **variables; /* names of its n_variables `$NAME`, in the order in which they first appear */
    unsigned n_variables;
    uint32_t comms;    /* those that are communicators, as bits: their values are numbers of processes */
    uint32_t measured; /* those that the host measures, as bits: hiera_rule_measured(). NaN: it is not known */
    bool some;         /* it is enough if it holds on one rank */
    bool each;         /* it compares the first executions of all ranks, then the second ones, and so on */
    bool own;          /* it asks for something of a rank, so it is evaluated for each */
    unsigned first_reduction, n_reductions; /* what it asks for over ranks; 0: nothing */
    bool asks_outside;                      /* for something that its own run does not tell */
    unsigned limit, n_limits;               /* how many `${NAME}` without a value it asks for, and the last one */
    HieraExpression *expression;
    uint32_t *counters; /* indices of n_counters counters that the expression asks for, each once */
    unsigned n_counters;
    uint32_t of_metric[HIERA_N_METRICS]; /* of a metric that it asks for by its name alone: index into `counters` */
} HieraRule;

typedef struct HieraRules HieraRules;

/* Values of `${NAME}`. */
typedef struct HieraRuleValues HieraRuleValues;

enum { HIERA_RULES_REPORT = 2048 }; /* bytes that hold any report */

/* Read a file of values: a line is `NAME = NUMBER`; `#` begins a comment. PA_TRANSFER_RATE (Mbit/s, > 0) and
 * PA_TRANSFER_LATENCY (µs) are what MPITransferTime is made of; PA_REPORT_FILE may be any text.
 *
 * @param source  its name, for reports
 * @param report  HIERA_RULES_REPORT bytes: what is wrong
 * @return  NULL if the text is wrong or memory is short. Free with hiera_rule_values_free(). */
HieraRuleValues *hiera_rule_values_parse(const char *source, const char *text, size_t length, char *report);
/* `values` may be NULL. */
void hiera_rule_values_free(HieraRuleValues *values);

enum { HIERA_OUTSIDE_ROWS = 3 };
/* A number that a rule asks for and that its own run does not tell: it is unknown until somebody answers. */
typedef struct HieraOutside {
    unsigned rule;                        /* number of the rule */
    const char *measure, *column;         /* `efficiency.load_balance`; NULL: it is baseline() */
    const char *rows[HIERA_OUTSIDE_ROWS]; /* n_rows texts "COLUMN=TEXT" that choose rows */
    unsigned n_rows;
    HieraValueType type;         /* NUMBER, or DURATION */
    HieraExpression *expression; /* of baseline(): its argument */
    bool known;
    double value;
} HieraOutside;

/* What rules are compiled for. */
typedef struct HieraRuleHost {
    const HieraRuleValues *values; /* of `${NAME}`; NULL: there are none. Not needed any more afterwards */
    /* Whether there is such a value of a measure; else `message` says what is wrong. May set its type. NULL: all might
     * exist. */
    bool (*knows)(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE]);
    void *user;
} HieraRuleHost;

/* Compile rules.
 *
 * @param source  name of the file, for reports; copied
 * @param text    `length` bytes; not needed any more afterwards
 * @param values  of `${NAME}`; NULL: there are none. Not needed any more afterwards
 * @param report  HIERA_RULES_REPORT bytes: what is wrong, with file, line and a caret
 * @return  NULL if the text is wrong, has no rule, or memory is short. Free with hiera_rules_free(). */
HieraRules *hiera_rules_parse(const char *source, const char *text, size_t length, const HieraRuleValues *values,
                              char *report);
/* The same for a host. */
HieraRules *hiera_rules_parse_for(const char *source, const char *text, size_t length, const HieraRuleHost *host,
                                  char *report);
/* `rules` may be NULL. */
void hiera_rules_free(HieraRules *rules);

/* The rules, n_rules of them, in the order of the file; owned by `rules`. */
const HieraRule *hiera_rules_peek(const HieraRules *rules, unsigned *n_rules);
/* What they count, n_counters of them. */
const HieraCounter *hiera_rules_peek_counters(const HieraRules *rules, unsigned *n_counters);

/* --- assertions in the source of a program --- */

enum { HIERA_MOST_VARIABLES = 16 }; /* `$NAME` of a rule */

/* An assertion, and where it stands. */
typedef struct HieraSourceAssertion {
    const char *file;
    unsigned line;
    const char *text; /* the expression */
} HieraSourceAssertion;

/* No rules; hiera_rules_add() adds some. `values` has to outlive them. NULL if there is no memory. */
HieraRules *hiera_rules_new(const HieraRuleValues *values);
/* Add an assertion of the source, as a rule about executions that hiera_meter_site_of_rule() marks. Meters of the rules
 * have to be told by hiera_meter_fit().
 *
 * @param number  becomes that of the rule, from 0
 * @param report  HIERA_RULES_REPORT bytes: what is wrong
 * @return  false if the text is wrong or memory is short: then the rules are as before */
bool hiera_rules_add(HieraRules *rules, const HieraSourceAssertion *assertion, unsigned *number, char *report);
/* Take back the last one, before any meter was told. */
void hiera_rules_drop(HieraRules *rules);
/* Find out which of the values that a program gives is which variable: one that is spelled as a name is the variable of
 * that name; others are the remaining variables, in their order.
 *
 * @param spelled  the values as the program spells them, with commas between them; NULL: none is a name
 * @param first    the first value that is a variable, 0 or 1
 * @param n        number of values, with those before it
 * @param which    by variable: becomes the number of the value; of one that is measured not less than n
 * @param report   as above: a variable that has no value
 * @return  false if there is one */
bool hiera_rule_match_variables(const HieraRule *rule, const char *spelled, unsigned first, unsigned n,
                                unsigned which[HIERA_MOST_VARIABLES], char *report);

/* What a variable of a rule is that is measured; HIERA_N_MEASURED: it is a `$NAME`. (rule_measured.c) */
HieraMeasured hiera_rule_measured(const HieraRule *rule, unsigned variable);
/* Its name, "UserTime". */
const char *hiera_measured_name(HieraMeasured measured);

/* What they ask for that their own run does not tell, n_outside of them; owned by `rules`. */
const HieraOutside *hiera_rules_peek_outside(const HieraRules *rules, unsigned *n_outside);
/* Answer one of them. */
void hiera_rules_answer(HieraRules *rules, unsigned number, double value);
/* Names of `${NAME}` that have no value, n_limits of them; owned by `rules`. */
const char *const *hiera_rules_peek_limits(const HieraRules *rules, unsigned *n_limits);
/* Whether a rule asks for such a name: then `report` (HIERA_RULES_REPORT bytes) says so. */
bool hiera_rule_report_limit(const HieraRules *rules, const HieraRule *rule, char *report);

/* Whether a counter counts operations of this name, whatever their communicator and peer.
 *
 * @param is_mpi   it is an operation of the MPI level
 * @param method   its class, "" if it has none */
bool hiera_counter_counts(const HieraCounter *counter, bool is_mpi, const char *method_class, const char *operation);
/* Whether a rule is about executions of operations of this name. */
bool hiera_rule_is_about(const HieraRule *rule, bool is_mpi, const char *method_class, const char *operation);

/* Whether it is about executions inside operations of this name alone. */
bool hiera_rule_is_inside(const HieraRule *rule, const char *method_class, const char *operation);

/* A sum, mean, least or largest value over ranks. */
typedef struct HieraReduced {
    double value;
    bool unknown;
    size_t of; /* least, largest: index of the one that has it */
} HieraReduced;

/* One evaluation of a rule. */
typedef struct HieraEvaluation {
    int64_t wall_ns;       /* how long its scope lasted */
    const int64_t *values; /* of the rule's counters, in their order */
    const bool *unknown;   /* likewise: nobody knows the value; NULL: all are known */
    bool wall_unknown;
    bool nothing_known;          /* neither the time nor the values are known */
    int64_t processes;           /* ranks of the job; 0: unknown */
    bool outside_mpi;            /* its scope ended before MPI_Init or after MPI_Finalize: there are no communicators */
    const HieraReduced *reduced; /* by reduction of the rule; NULL: nobody knows them */
    const double *variables;     /* of the rule; NULL: nobody knows them */
} HieraEvaluation;

typedef enum HieraVerdict { HIERA_VERDICT_OK, HIERA_VERDICT_FAILED, HIERA_VERDICT_UNKNOWN } HieraVerdict;

/* The two sides of the comparison that decided. */
typedef struct HieraSides {
    const char *operator_; /* as it is spelled, "<"; NULL: the rule has none, or its sides are no numbers */
    double left, right;
    bool times; /* they are nanoseconds */
    double
        deviation; /* by which part of the right side the left one is off: 0.5 is half of it; infinite if that is 0 */
} HieraSides;

/* Who sees all evaluations of rules before they are made. */
typedef struct HieraRuleWatch {
    /* Evaluations begin, of which all come now: those before do not count. NULL: nobody asks. */
    void (*begin)(void *user);
    /* In the thread that makes it. */
    void (*see)(void *user, const HieraRule *rule, const HieraEvaluation *evaluation);
    void *user;
} HieraRuleWatch;

/* Let somebody see them. @param watch  copied; NULL: nobody */
void hiera_rules_watch(HieraRules *rules, const HieraRuleWatch *watch);
/* A host begins to evaluate them; it may have to do so again, from the first one. */
void hiera_rules_begin(const HieraRules *rules);
/* The argument of the baseline() with this number in hiera_rules_peek_outside(). @return  false if it is not known */
bool hiera_rules_ask_baseline(const HieraRules *rules, unsigned number, const HieraEvaluation *evaluation,
                              double *value);

/* What the only `${NAME}` without a value has to be in a rule, so that an evaluation holds. */
typedef struct HieraTurn {
    double at;
    bool strict; /* not `at` itself */
    enum { HIERA_TURN_AT_LEAST, HIERA_TURN_AT_MOST, HIERA_TURN_EXACTLY } side;
} HieraTurn;
/* @return  false if it is not known, or the rule is not a comparison whose sides change with it by a straight line */
bool hiera_rule_find_turn(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                          HieraTurn *turn);

/* Evaluate a rule. Allocates nothing. @param sides  becomes those of the comparison that was decided last */
HieraVerdict hiera_rule_evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                                 HieraSides *sides);

/* One evaluation that did not hold. */
typedef struct HieraInstance {
    uint64_t number; /* of the execution on its rank, from 1 */
    uint64_t row;    /* the host's own: which operation it was */
    int64_t rank, start_ns;
    int64_t wall_ns; /* how long it lasted; 0: unknown */
    HieraSides sides;
} HieraInstance;

/* All evaluations of a rule. Zero-initialised: none. */
typedef struct HieraVerdicts {
    uint64_t n[3];              /* by verdict */
    int64_t lasted_ns;          /* together; of several ranks, on the one where that is longest */
    HieraInstance first, worst; /* that failed; of equal ones the first */
    HieraInstance last;         /* that failed; not merged */
} HieraVerdicts;

static inline uint64_t hiera_verdicts_count(const HieraVerdicts *verdicts)
{
    return verdicts->n[HIERA_VERDICT_OK] + verdicts->n[HIERA_VERDICT_FAILED] + verdicts->n[HIERA_VERDICT_UNKNOWN];
}

/* Add an evaluation. The number of the instance is set here. */
void hiera_verdicts_add(HieraVerdicts *verdicts, HieraVerdict verdict, HieraInstance instance);
/* Add those of another rank. The first failure is the earlier one. */
void hiera_verdicts_merge(HieraVerdicts *verdicts, const HieraVerdicts *other);

#endif
