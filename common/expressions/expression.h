/* The expression language: compile a text once, evaluate it often. docs/expressions.md describes the language.
 *
 * A host (an option of hiera-transform, a list of assertions) provides its names and functions in tables. Compilation
 * checks all names and types, so that an evaluation cannot fail: where there is no answer, its result is missing.
 *
 * Compilation allocates memory and may be slow. Evaluation allocates nothing, takes no lock, needs at most 8 KiB of
 * stack besides that of the host's functions, and takes time proportional to the length of the expression (and, for
 * `=~` and `in`, of the texts). Any number of threads may evaluate the same expression at the same time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HieraValueType {
    HIERA_VALUE_MISSING, /* no value; a HieraValue may have this type, a name may not */
    HIERA_VALUE_INTEGER,
    HIERA_VALUE_NUMBER,
    HIERA_VALUE_DURATION,
    HIERA_VALUE_TEXT,
    HIERA_VALUE_TRUTH,
    HIERA_VALUE_ANY,        /* any of the types above; for parameters and for the wanted result */
    HIERA_VALUE_EXPRESSION, /* type of a parameter that gets an expression unevaluated: HieraExpressionAsked.deferred */
} HieraValueType;

typedef struct HieraValue {
    HieraValueType type;
    uint32_t length; /* TEXT: length in bytes */
    union {
        int64_t integer;
        double number;
        int64_t duration_ns;
        const char *text; /* TEXT: without a terminating NUL, not owned by the value */
        bool truth;
    };
} HieraValue;

static inline HieraValue hiera_value_missing(void)
{
    return (HieraValue){.type = HIERA_VALUE_MISSING};
}

static inline HieraValue hiera_value_integer(int64_t integer)
{
    return (HieraValue){.type = HIERA_VALUE_INTEGER, .integer = integer};
}

static inline HieraValue hiera_value_number(double number)
{
    return (HieraValue){.type = HIERA_VALUE_NUMBER, .number = number};
}

static inline HieraValue hiera_value_duration(int64_t ns)
{
    return (HieraValue){.type = HIERA_VALUE_DURATION, .duration_ns = ns};
}

/* Make a value of a text without copying it. The text must stay valid until the evaluation ends; if it is the result,
 * as long as the caller of hiera_expression_evaluate() uses it. */
static inline HieraValue hiera_value_text(const char *text, size_t length)
{
    return (HieraValue){
        .type = HIERA_VALUE_TEXT, .length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX, .text = text};
}

static inline HieraValue hiera_value_truth(bool truth)
{
    return (HieraValue){.type = HIERA_VALUE_TRUTH, .truth = truth};
}

/* A name that expressions may use. */
typedef struct HieraExpressionName {
    const char *name; /* letters, digits, `_`; parts may be joined by dots: `partner.rank` */
    HieraValueType type;
    unsigned id;    /* argument for get() */
    unsigned needs; /* flags of the host, which hiera_expression_needs() combines */
    /* Return the value, or a missing one. A value of another type than `type` counts as missing, but an integer is
     * accepted as a number. It is called in every thread that evaluates an expression. NULL: the name is given to
     * bind(). */
    HieraValue (*get)(unsigned id, void *context);
} HieraExpressionName;

enum { HIERA_EXPRESSION_PARAMETERS = 4, HIERA_EXPRESSION_KEYS = 8 }; /* most parameters; most keys in `name[…]` */

/* A function that expressions may call: `inside("app", "time step")`. */
typedef struct HieraExpressionFunction {
    const char *name;
    HieraValueType result;
    unsigned n_parameters;
    HieraValueType parameters[HIERA_EXPRESSION_PARAMETERS]; /* types of arguments; NUMBER accepts integers */
    unsigned id, needs;                                     /* as in HieraExpressionName */
    /* Return the result, as get() does. The arguments have the types of the parameters. If one of them is missing, the
     * function is not called and the result is missing. NULL: the call is given to the host's bind() during
     * compilation. Then all arguments are literals, as in `iterations("step")`, there may be fewer than parameters, and
     * `result` and `id` are not used. */
    HieraValue (*call)(unsigned id, const HieraValue *arguments, void *context);
} HieraExpressionFunction;

typedef struct HieraExpression HieraExpression;

/* A word of an expression that only the host can explain: `$n`, `${limit}`, `&bytes`, `:seen[&target]`, a name that is
 * not in the table, or a call of a bound function. */
typedef struct HieraExpressionAsked {
    const char *name; /* the word with its signs, `$n`, `${limit}`, `&bytes`; not terminated */
    size_t length;
    const HieraValueType *keys; /* types of the n_keys keys in brackets behind the name */
    unsigned n_keys;
    const HieraExpressionFunction *function; /* the called function; NULL: not a call */
    const HieraValue *arguments; /* n_arguments values with the types of the parameters; texts are not owned */
    unsigned n_arguments;
    /* The argument of a function with a parameter of type EXPRESSION: a numeric expression that the host evaluates when
     * and as often as it likes, as in `max(time)` over objects that only the host knows. bind() becomes its owner. Else
     * NULL. */
    HieraExpression *deferred;
    const struct HieraExpressionFunction *inside; /* innermost function with `name` in its `deferred`; NULL: none */
} HieraExpressionAsked;

enum { HIERA_EXPRESSION_MESSAGE = 256, HIERA_EXPRESSION_LONGEST = 65535 };

/* Names and functions for expressions. The tables must outlive the expressions compiled with them. */
typedef struct HieraExpressionHost {
    const HieraExpressionName *names;
    size_t n_names;
    const HieraExpressionFunction *functions;
    size_t n_functions;
    /* The language of performance assertions: durations are plain numbers. A name of type DURATION, and a literal such
     * as `5ms`, is an INTEGER of nanoseconds. Division by zero and NaN follow IEEE 754 instead of giving a missing
     * value, and `%` is fmod(). */
    bool plain;
    /* Evaluate with the default floating-point environment and restore the caller's afterwards: traps, status flags and
     * rounding of the program and of the evaluation do not affect each other. The host's functions are called in the
     * default environment, too; on x86-64 the x87 unit keeps the program's environment, except in expressions with `%`.
     * For expressions that run inside the traced program; takes a few ns, with `%` some 200. */
    bool guards_floats;
    /* Characters that may begin a name where an operand is expected: with "&:#" `&bytes`, `:seen` and `#all` are names,
     * though `a & b` is still `a and b`. Such a name may have keys: `:seen[&target, "x"]`. All of them are given to
     * bind(). NULL: there are no such names. */
    const char *signs;
    /* Called during compilation for words that are not in the tables. NULL: such words are errors, and `$` is not part
     * of the language.
     *
     * @param id       receives the number for get_bound()
     * @param type     receives the type of the value. ANY: not known yet; then everything that does not depend on it is
     * checked, and the expression must not be evaluated
     * @param message  receives the error; if it stays empty, the name is unknown
     * @return  false if the word has no meaning */
    bool (*bind)(void *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                 char message[HIERA_EXPRESSION_MESSAGE]);
    void *binder;
    HieraValue (*get_bound)(unsigned id, void *context); /* like HieraExpressionName.get, with the id from bind() */
    /* Return the value of a name with keys, whose types bind() has received; as get_bound(). If a key is missing,
     * this is not called, and the value is missing. */
    HieraValue (*get_keyed)(unsigned id, const HieraValue *keys, unsigned n_keys, void *context);
    /* Return memory for a text that an evaluation makes by `+`; the memory must stay valid as long as other texts of
     * the context. If it returns NULL, the text is missing. NULL as function: texts cannot be joined. */
    char *(*text_room)(size_t length, void *context);
} HieraExpressionHost;

/* An error in an expression. */
typedef struct HieraExpressionError {
    size_t at;                              /* offset of the first wrong byte in the text */
    size_t length;                          /* number of wrong bytes; 0 at the end of the text */
    char message[HIERA_EXPRESSION_MESSAGE]; /* what is wrong, on one line, without the position */
} HieraExpressionError;

/* Compile an expression.
 *
 * @param text    `length` bytes, at most HIERA_EXPRESSION_LONGEST; not needed after the call
 * @param wanted  type that the result must have; HIERA_VALUE_ANY for any type. For NUMBER, an integer is converted
 * @param error   filled in if the expression is wrong; must not be NULL
 * @return  NULL if the expression is wrong or memory is short. Free with hiera_expression_free(). */
HieraExpression *hiera_expression_compile(const char *text, size_t length, const HieraExpressionHost *host,
                                          HieraValueType wanted, HieraExpressionError *error);
/* Free an expression; NULL is allowed. */
void hiera_expression_free(HieraExpression *expression);

/* Evaluate an expression.
 *
 * @param context  passed to the functions of the host
 * @return  a value of type hiera_expression_type(), or a missing one. A text belongs to the expression or to the host
 */
HieraValue hiera_expression_evaluate(const HieraExpression *expression, void *context);
/* Evaluate an expression of type TRUTH. Returns false if the result is missing. */
bool hiera_expression_holds(const HieraExpression *expression, void *context);

/* The comparison that an evaluation made last: of a false `a < b and c < d`, the false one. */
typedef struct HieraExpressionSides {
    const char *operator_; /* operator as written, "<"; NULL: no comparison was evaluated */
    HieraValue left, right;
    bool times; /* whether both sides are times in ns, also if the host is `plain` */
} HieraExpressionSides;
/* Evaluate an expression of type TRUTH, as hiera_expression_holds() does; `sides` receives the deciding comparison. */
bool hiera_expression_explain(const HieraExpression *expression, void *context, HieraExpressionSides *sides);

/* Return the type of the expression's result. */
HieraValueType hiera_expression_type(const HieraExpression *expression);
/* Return the flags `needs` of all names and functions in the expression, combined by bitwise or. */
unsigned hiera_expression_needs(const HieraExpression *expression);

/* Return the name of a type as messages use it, with its article: "a duration". */
const char *hiera_value_type_name(HieraValueType type);

/* Where an expression stands in its source, for messages. */
typedef struct HieraExpressionPlace {
    const char *source; /* name of the file, or the option that gave the expression */
    unsigned line;      /* line of the first byte of the expression, from 1; 0: the source has no lines */
    unsigned column;    /* column of the first byte of the expression, from 1 */
} HieraExpressionPlace;

enum { HIERA_EXPRESSION_REPORT = 1024 }; /* bytes for any error report, if `source` has < 200 bytes */

/* Write an error as three lines: `rules.txt:3:9: what is wrong`, the line of the expression, and a caret under the
 * wrong part. Of a long line only the part around the error is shown. If the source has no lines, the first line is
 * `--where: column 9: …`.
 *
 * @param text  the text that was compiled
 * @param to    `room` bytes; the lines are cut to fit and always terminated; no newline at the end */
void hiera_expression_report(const HieraExpressionError *error, const char *text, size_t length,
                             const HieraExpressionPlace *place, char *to, size_t room);
