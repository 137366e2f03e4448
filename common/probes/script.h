/* A script that was read: clauses, variables and aggregations. */
#ifndef HIERA_PROBES_SCRIPT_H
#define HIERA_PROBES_SCRIPT_H

#include "spin_lock.h"
#include "words.h"

/* A part of the text. */
typedef struct HieraSpan {
    size_t at, length;
} HieraSpan;

enum { HIERA_MOST_PRINTED = 16, HIERA_NO_TARGET = UINT32_MAX, HIERA_OF_PROGRAM = UINT32_MAX - 1 };

typedef enum HieraAggregator {
    HIERA_AGGREGATE_COUNT,
    HIERA_AGGREGATE_SUM,
    HIERA_AGGREGATE_AVG,
    HIERA_AGGREGATE_MIN,
    HIERA_AGGREGATE_MAX,
    HIERA_AGGREGATE_QUANTIZE,
    HIERA_AGGREGATE_LQUANTIZE,
    HIERA_N_AGGREGATORS
} HieraAggregator;
extern const char *const hiera_aggregators[HIERA_N_AGGREGATORS];

/* A variable of a script, or an aggregation (`@name`): what stands before its first `=`. */
typedef struct HieraScriptName {
    char *name;          /* with its sign */
    HieraSpan first;     /* the action that sets it first */
    unsigned clause;     /* of `&name`: its clause; of others HIERA_NO_CLAUSE */
    unsigned n_keys;     /* 0: it is no dictionary */
    HieraValueType type; /* of its values, or of what it aggregates; MISSING: not known yet */
    HieraAggregator function;
    double lower, upper, step; /* of lquantize */
    bool fixed;                /* its type stays: something that uses it is compiled */
    unsigned next_own;         /* the next variable `&name` of the same clause; HIERA_NO_TARGET: none */
} HieraScriptName;
enum { HIERA_NO_CLAUSE = UINT32_MAX };

typedef enum HieraActionKind {
    HIERA_ACTION_SET,          /* names[target][keys] = values[0], or += values[0] and the like */
    HIERA_ACTION_AGGREGATE,    /* names[target][keys] = function(values[0]) */
    HIERA_ACTION_PRINT,        /* values */
    HIERA_ACTION_PRINT_TOTALS, /* names[target], of this rank */
    HIERA_ACTION_GLOBAL_PRINT, /* names[target], of the ranks for which `ranks` holds */
    HIERA_ACTION_PRINT_NOW,    /* the same before the end */
    HIERA_ACTION_LOCK,         /* that of the keys */
    HIERA_ACTION_UNLOCK,
} HieraActionKind;

typedef struct HieraAction {
    HieraActionKind kind;
    HieraSpan all;
    char operator_;      /* of `+=` the plus; of `=` 0 */
    char sign;           /* the first character of `name`, which the action sets; 0: it sets nothing */
    HieraSpan name, set, /* what is set, without and with its keys */
        key_spans[HIERA_EXPRESSION_KEYS], value_spans[HIERA_MOST_PRINTED];
    HieraAggregator function;
    bool of_job; /* of a lock: it is one between ranks */
    unsigned target;
    unsigned n_keys, n_values;
    HieraExpression *keys[HIERA_EXPRESSION_KEYS], *values[HIERA_MOST_PRINTED];
    HieraExpression *ranks; /* NULL: all */
    unsigned global;        /* of global_print(): its number */
} HieraAction;

typedef struct HieraClause {
    HieraProbeKind kind;
    unsigned events;    /* bits 1 << HieraProbeEventKind */
    bool lists_events;  /* the description does */
    char *pattern;      /* NULL: every name fits */
    const char *probe;  /* of USER: the one that it is about; NULL: all that fit, each has a variant of the clause */
    int64_t period_ns;  /* 0: none is given */
    bool ready;         /* it is compiled */
    bool off;           /* it is wrong, which was found when a probe of the program was declared */
    unsigned waits_for; /* a name whose type is not known, if it is not ready; HIERA_NO_TARGET: none */
    HieraExpression *ranks, *predicate; /* NULL: all; always */
    HieraSpan description, predicate_span;
    HieraAction *actions;
    unsigned n_actions;
    unsigned first_own;                  /* variable `&name` of the clause; HIERA_NO_TARGET: none */
    struct HieraClause *variants, *next; /* each compiled for one probe; added while other threads look */
} HieraClause;

/* A probe of the program that was declared. */
typedef struct HieraUserProbe {
    char *name;
    unsigned n;
    char **names;
    HieraValueType *types;
} HieraUserProbe;

struct HieraProbeScript {
    char *source;
    bool lines;
    char *text;  /* as it was given, for messages */
    char *plain; /* the same with blanks in place of comments */
    size_t length;
    HieraClause *clauses;
    unsigned n_clauses;
    HieraScriptName *names;
    unsigned n_names;
    HieraUserProbe *users;
    unsigned n_users;
    HieraSpinLock lock; /* of declaring */
    bool asks[HIERA_N_PROBE_VARIABLES];
    const HieraAction **globals; /* the actions global_print() at the end, in their order */
    unsigned n_globals;
    bool has_remainder; /* there may be a `%`: see expressions/floats.h */
};

/* Ids of variables in compiled expressions: first those of events, then the names of the script; far behind them what
 * the program says. */
enum { HIERA_SCRIPT_USER_IDS = 1 << 30 };
static inline unsigned hiera_script_id_of_name(unsigned name)
{
    return HIERA_N_PROBE_VARIABLES + name;
}

/* Write a message about a part of the script. */
void hiera_script_report(const HieraProbeScript *script, const HieraExpressionError *error,
                         char report[HIERA_PROBE_REPORT]);

/* The line of a place, from 1; of a script without lines 0. */
unsigned hiera_script_line(const HieraProbeScript *script, size_t at);

/* What reads a script. The first error counts; `at` of the error is that in the text. */
typedef struct HieraScriptReader {
    HieraProbeScript *script;
    HieraExpressionError error;
    bool failed;
    unsigned *waits_for; /* of hiera_script_bind() */
    const char *probe;   /* the declared one that a clause is compiled for; NULL: none */
} HieraScriptReader;

void hiera_reader_fail(HieraScriptReader *reader, HieraSpan where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hiera_reader_fail_memory(HieraScriptReader *reader);
/* The same for the error of an expression that begins at `at` in the text. */
void hiera_reader_take_error(HieraScriptReader *reader, const HieraExpressionError *error, size_t at);

/* Grow an array of n items by one of zeros. @return the array; NULL, with an error, if memory is short */
void *hiera_reader_grow(HieraScriptReader *reader, void *items, size_t n, size_t size);
/* Copy a part of the text. @return NULL, with an error, if memory is short */
char *hiera_reader_copy(HieraScriptReader *reader, HieraSpan span);

/* --- places in the text (scan.c); all return an offset --- */
size_t hiera_scan_blanks(const HieraProbeScript *script, size_t at);
size_t hiera_scan_word(const HieraProbeScript *script, size_t at); /* behind letters, digits and `_` */
/* Behind the text in quotes that begins at `at`; the end of the script if it has no end. */
size_t hiera_scan_text(const HieraProbeScript *script, size_t at);
/* The next one of these characters that stands in no quotes; `end` if there is none. Of `,`, `)` and `]` one that
 * stands in no further parentheses or brackets. */
size_t hiera_scan_to(const HieraProbeScript *script, size_t at, size_t end, const char *characters);
/* Without blanks at both ends. */
HieraSpan hiera_scan_trim(const HieraProbeScript *script, size_t begin, size_t end);
/* Split what stands between two places at commas. @return how many parts; more than `room` of them: room + 1 */
unsigned hiera_scan_split(const HieraProbeScript *script, size_t begin, size_t end, HieraSpan *parts, unsigned room);
static inline char hiera_scan_char(const HieraProbeScript *script, size_t at)
{
    return at < script->length ? script->plain[at] : '\0';
}

/* Read a list of ranks. @return an expression whose context is a rank; NULL if the list is wrong (description.c) */
HieraExpression *hiera_description_ranks(HieraScriptReader *reader, HieraSpan span);
/* Read the description of a clause. @return the place behind it (description.c) */
size_t hiera_description_read(HieraScriptReader *reader, HieraClause *clause, size_t at);
/* Read an action as spans, without compiling them (action.c). */
void hiera_action_read(HieraScriptReader *reader, HieraAction *action, HieraSpan span);
/* Find all names of a script (names.c). */
void hiera_names_find(HieraScriptReader *reader);
/* Find the types of what a clause sets. @return whether something new is known (types.c) */
bool hiera_types_learn(HieraScriptReader *reader, unsigned clause);
/* Names of which nothing will ever tell the type are an error. (types.c) */
void hiera_types_check(HieraScriptReader *reader);
/* What is known now stays, because it is compiled into expressions. (types.c) */
void hiera_types_fix(HieraProbeScript *script);
/* In words: "in line 3", or what stands there if the script has no lines. (types.c) */
void hiera_types_describe_first(const HieraProbeScript *script, const HieraScriptName *name, char *to, size_t room);
/* Compile all clauses that can be compiled now; when a script is read, an error in any clause is one of the script.
 * (compile_script.c) */
void hiera_script_compile(HieraScriptReader *reader);
/* Compile the expressions of a clause, or of a variant of it, that is not ready. Types that are not known yet are no
 * error while probes of the program are not declared: then it stays as it is. (compile_script.c) */
void hiera_script_compile_clause(HieraScriptReader *reader, unsigned number, HieraClause *clause);
/* May there be a probe of the program that is not declared and that a clause asks for? (declare.c) */
bool hiera_script_waits(const HieraProbeScript *script);
void hiera_script_free_users(HieraProbeScript *script);
/* The declared probe of this name; NULL: there is none. (declare.c) */
const HieraUserProbe *hiera_script_find_user(const HieraProbeScript *script, const char *name);
/* Compile a part of the text as an expression of a clause. (bind.c)
 *
 * @param waits_for  becomes a name whose type is not known yet, or HIERA_OF_PROGRAM: then
 *                   the expression must not be evaluated. NULL: such a type is an error
 * @return NULL if it is wrong */
HieraExpression *hiera_script_bind(HieraScriptReader *reader, unsigned clause, HieraSpan span, HieraValueType wanted,
                                   unsigned *waits_for);
/* Check the types of `name[keys] += value`. (bind.c) */
void hiera_script_check_change(HieraScriptReader *reader, unsigned clause, const HieraAction *action,
                               unsigned *waits_for);
/* The name that an action sets. @return its index; HIERA_NO_TARGET if it is unknown */
unsigned hiera_names_index(const HieraProbeScript *script, const char *name, size_t length, unsigned clause);

/* Functions of expressions (functions.c). Their context is a HieraFiring. */
enum { HIERA_SCRIPT_NEEDS_STACK = 1 }; /* of a function: it asks for the variable STACK */
extern const HieraExpressionFunction hiera_script_functions[];
extern const size_t hiera_script_n_functions;

#endif
