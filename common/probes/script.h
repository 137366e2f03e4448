/* A parsed script: clauses, variables and aggregations. */
#pragma once

#include "spin_lock.h"
#include "words.h"

/* A range of the script's text. */
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

/* A variable of a script, or an aggregation (`@name`). */
typedef struct HieraScriptName {
    char *name;          /* name with its sign */
    HieraSpan first;     /* the first action that sets the name */
    unsigned clause;     /* index of the clause of a variable `&name`; for other names: HIERA_NO_CLAUSE */
    unsigned n_keys;     /* number of keys; 0: not a dictionary */
    HieraValueType type; /* type of its values, or of the aggregated values; MISSING: not known yet */
    HieraAggregator function;
    double lower, upper, step; /* arguments of lquantize() */
    bool fixed;                /* whether the type is final, because expressions that use it are compiled */
    unsigned next_own;         /* next variable `&name` of the same clause; HIERA_NO_TARGET: none */
} HieraScriptName;
enum { HIERA_NO_CLAUSE = UINT32_MAX };

typedef enum HieraActionKind {
    HIERA_ACTION_SET,          /* names[target][keys] = values[0], or += values[0] and the like */
    HIERA_ACTION_AGGREGATE,    /* names[target][keys] = function(values[0]) */
    HIERA_ACTION_PRINT,        /* prints values */
    HIERA_ACTION_PRINT_TOTALS, /* prints names[target] of this rank */
    HIERA_ACTION_GLOBAL_PRINT, /* prints names[target] of the ranks for which `ranks` holds */
    HIERA_ACTION_PRINT_NOW,    /* as GLOBAL_PRINT, but before the end */
    HIERA_ACTION_LOCK,         /* takes the lock with these keys */
    HIERA_ACTION_UNLOCK,
} HieraActionKind;

typedef struct HieraAction {
    HieraActionKind kind;
    HieraSpan all;
    char operator_;      /* '+' for `+=`, and so on; 0 for `=` */
    char sign;           /* first character of `name`, if the action sets something; else 0 */
    HieraSpan name, set, /* what is set: `name` without keys, `set` with keys */
        key_spans[HIERA_EXPRESSION_KEYS], value_spans[HIERA_MOST_PRINTED];
    HieraAggregator function;
    bool of_job; /* whether the lock is between ranks, else between threads */
    unsigned target;
    unsigned n_keys, n_values;
    HieraExpression *keys[HIERA_EXPRESSION_KEYS], *values[HIERA_MOST_PRINTED];
    HieraExpression *ranks; /* of global_print(): ranks that are included; NULL: all */
    unsigned global;        /* index of a global_print() among those of END clauses */
} HieraAction;

typedef struct HieraClause {
    HieraProbeKind kind;
    unsigned events;   /* the clause's events: bit set, 1 << HieraProbeEventKind */
    bool lists_events; /* whether the description lists its events */
    char *pattern;     /* pattern for names of events; NULL: every name matches */
    const char *probe; /* USER: name of its probe; NULL: all probes that match; the clause has a variant for each */
    int64_t period_ns; /* period of a timer or reading; 0: not given */
    bool ready;        /* true if all expressions are compiled */
    bool off; /* whether the clause is switched off, because declaring a probe of the program has shown an error */
    unsigned waits_for; /* if not ready: index of a name whose type is not known; HIERA_NO_TARGET: none */
    HieraExpression *ranks, *predicate; /* ranks: NULL: all; predicate: NULL: always true */
    HieraSpan description, predicate_span;
    HieraAction *actions;
    unsigned n_actions;
    unsigned first_own;                  /* first variable `&name` of the clause; HIERA_NO_TARGET: none */
    struct HieraClause *variants, *next; /* list of copies, each for one probe; threads may read it meanwhile */
} HieraClause;

/* A declared probe of the program. */
typedef struct HieraUserProbe {
    char *name;
    unsigned n;
    char **names;
    HieraValueType *types;
} HieraUserProbe;

struct HieraProbeScript {
    char *source;
    bool lines;
    char *text;  /* the original text, for messages */
    char *plain; /* the text with comments replaced by blanks */
    size_t length;
    HieraClause *clauses;
    unsigned n_clauses;
    HieraScriptName *names;
    unsigned n_names;
    HieraUserProbe *users;
    unsigned n_users;
    HieraSpinLock lock; /* held while a probe of the program is declared */
    bool asks[HIERA_N_PROBE_VARIABLES];
    const HieraAction **globals; /* global_print() actions of END clauses, in their order */
    unsigned n_globals;
    bool has_remainder; /* whether some expression may contain a `%`: see expressions/floats.h */
};

/* Ids of variables in compiled expressions: first variables of events, then names of the script; variables of the
 * program's probes begin at HIERA_SCRIPT_USER_IDS. */
enum { HIERA_SCRIPT_USER_IDS = 1 << 30 };
static inline unsigned hiera_script_id_of_name(unsigned name)
{
    return HIERA_N_PROBE_VARIABLES + name;
}

/* Write a message about a range of the script. */
void hiera_script_report(const HieraProbeScript *script, const HieraExpressionError *error,
                         char report[HIERA_PROBE_REPORT]);

/* Number of the line at an offset, from 1; 0 if the script has no lines. */
unsigned hiera_script_line(const HieraProbeScript *script, size_t at);

/* The parser of a script. Only the first error is kept; its `at` is an offset in the script. */
typedef struct HieraScriptReader {
    HieraProbeScript *script;
    HieraExpressionError error;
    bool failed;
    unsigned *waits_for; /* argument `waits_for` for hiera_script_bind() */
    const char *probe;   /* the declared probe for which a clause is compiled; NULL: none */
} HieraScriptReader;

void hiera_reader_fail(HieraScriptReader *reader, HieraSpan where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hiera_reader_fail_memory(HieraScriptReader *reader);
/* Report the error of an expression whose text begins at offset `at` of the script. */
void hiera_reader_take_error(HieraScriptReader *reader, const HieraExpressionError *error, size_t at);

/* Extend an array of n items by a zeroed one. @return  the array; NULL, with an error, if memory is short */
void *hiera_reader_grow(HieraScriptReader *reader, void *items, size_t n, size_t size);
/* Copy a range of the text. @return  NULL, with an error, if memory is short */
char *hiera_reader_copy(HieraScriptReader *reader, HieraSpan span);

/* --- scanning the text (scan.c); functions return an offset --- */
size_t hiera_scan_blanks(const HieraProbeScript *script, size_t at);
size_t hiera_scan_word(const HieraProbeScript *script, size_t at); /* end of letters, digits and `_` */
/* The end of the quoted text that begins at `at`; the end of the script if the text is not terminated. */
size_t hiera_scan_text(const HieraProbeScript *script, size_t at);
/* The next of these characters outside of quotes; `end` if there is none. `,`, `)` and `]` are only found outside of
 * nested parentheses and brackets. */
size_t hiera_scan_to(const HieraProbeScript *script, size_t at, size_t end, const char *characters);
/* The range without blanks at both ends. */
HieraSpan hiera_scan_trim(const HieraProbeScript *script, size_t begin, size_t end);
/* Split a range at commas. @return  number of parts; room + 1 if there are more than `room` */
unsigned hiera_scan_split(const HieraProbeScript *script, size_t begin, size_t end, HieraSpan *parts, unsigned room);
static inline char hiera_scan_char(const HieraProbeScript *script, size_t at)
{
    return at < script->length ? script->plain[at] : '\0';
}

/* Compile a list of ranks. @return  an expression whose context is a rank; NULL if the list is wrong (description.c) */
HieraExpression *hiera_description_ranks(HieraScriptReader *reader, HieraSpan span);
/* Parse the description of a clause. @return  the offset behind the description (description.c) */
size_t hiera_description_read(HieraScriptReader *reader, HieraClause *clause, size_t at);
/* Parse an action into ranges of the text, without compiling them (action.c). */
void hiera_action_read(HieraScriptReader *reader, HieraAction *action, HieraSpan span);
/* Collect all names of a script (names.c). */
void hiera_names_find(HieraScriptReader *reader);
/* Infer types of the names that a clause sets. @return  whether a type is new (types.c) */
bool hiera_types_learn(HieraScriptReader *reader, unsigned clause);
/* Report an error for names whose type can never be found. (types.c) */
void hiera_types_check(HieraScriptReader *reader);
/* Mark the known types as fixed, because expressions are compiled with these types. (types.c) */
void hiera_types_fix(HieraProbeScript *script);
/* Describe in words where a name is first set: "in line 3", or the text there if the script has no lines. (types.c) */
void hiera_types_describe_first(const HieraProbeScript *script, const HieraScriptName *name, char *to, size_t room);
/* Compile all clauses that can be compiled now. While a script is parsed, an error in any clause is an error of the
 * script. (compile_script.c) */
void hiera_script_compile(HieraScriptReader *reader);
/* Compile the expressions of a clause, or of a variant, that is not ready. While probes of the program may still be
 * declared, unknown types are no error: then the clause stays as it is. (compile_script.c) */
void hiera_script_compile_clause(HieraScriptReader *reader, unsigned number, HieraClause *clause);
/* Whether a clause names a probe of the program that may still be declared. (declare.c) */
bool hiera_script_waits(const HieraProbeScript *script);
void hiera_script_free_users(HieraProbeScript *script);
/* The declared probe with this name; NULL if there is none. (declare.c) */
const HieraUserProbe *hiera_script_find_user(const HieraProbeScript *script, const char *name);
/* Compile a range of the text as an expression of a clause. (bind.c)
 *
 * @param waits_for  receives a name whose type is not known yet, or HIERA_OF_PROGRAM: then the expression must not be
 * evaluated. NULL: an unknown type is an error
 * @return  NULL if it is wrong */
HieraExpression *hiera_script_bind(HieraScriptReader *reader, unsigned clause, HieraSpan span, HieraValueType wanted,
                                   unsigned *waits_for);
/* Check the types of `name[keys] += value`. (bind.c) */
void hiera_script_check_change(HieraScriptReader *reader, unsigned clause, const HieraAction *action,
                               unsigned *waits_for);
/* Index of the name that an action sets; HIERA_NO_TARGET if it is unknown. */
unsigned hiera_names_index(const HieraProbeScript *script, const char *name, size_t length, unsigned clause);

/* Functions for expressions (functions.c). Their context is a HieraFiring. */
enum { HIERA_SCRIPT_NEEDS_STACK = 1 }; /* flag of a function: it uses the variable STACK */
extern const HieraExpressionFunction hiera_script_functions[];
extern const size_t hiera_script_n_functions;
