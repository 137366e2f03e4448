/* The expression language: compile a text once, evaluate it often. docs/expressions.md describes the language.
 *
 * A host (an option of hiera-transform, a list of assertions) gives its names and functions in tables. Compiling
 * checks all names and types, so that an evaluation cannot fail: where there is no answer its result is missing.
 *
 * Compiling allocates memory and may be slow. Evaluating allocates nothing, takes no lock, needs at most 8 KiB of stack
 * besides what the host's functions take, and ends after a time proportional to the length of the expression (and, for
 * `=~` and `in`, of the texts). Any number of threads may evaluate the same expression at the same time. */
#ifndef HIERA_EXPRESSION_H
#define HIERA_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HieraValueType {
    HIERA_VALUE_MISSING, /* there is no value: of a HieraValue only, never the type of a name */
    HIERA_VALUE_INTEGER,
    HIERA_VALUE_NUMBER,
    HIERA_VALUE_DURATION,
    HIERA_VALUE_TEXT,
    HIERA_VALUE_TRUTH,
    HIERA_VALUE_ANY,        /* any of the types above: of a parameter or of the demanded result only */
    HIERA_VALUE_EXPRESSION, /* of the only parameter of a bound function: see HieraExpressionAsked.deferred */
} HieraValueType;

typedef struct HieraValue {
    HieraValueType type;
    uint32_t length; /* of the text, in bytes */
    union {
        int64_t integer;
        double number;
        int64_t duration_ns;
        const char *text; /* not terminated; borrowed */
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

/* The text is not copied. It has to stay until the evaluation ends; if it is the result, as long as the caller of
 * hiera_expression_evaluate() uses it. */
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
    unsigned id;    /* passed to get() */
    unsigned needs; /* flags of the host's own: see hiera_expression_needs() */
    /* Return the value, or a missing one. A value of another type than `type` counts as missing, but an integer is
     * accepted as a number. If expressions are evaluated in several threads, it is called by them all. NULL: bind()
     * answers for the name. */
    HieraValue (*get)(unsigned id, void *context);
} HieraExpressionName;

enum { HIERA_EXPRESSION_PARAMETERS = 4, HIERA_EXPRESSION_KEYS = 8 }; /* at most, of a function; of a variable */

/* A function that expressions may call: `inside("app", "time step")`. */
typedef struct HieraExpressionFunction {
    const char *name;
    HieraValueType result;
    unsigned n_parameters;
    HieraValueType parameters[HIERA_EXPRESSION_PARAMETERS]; /* a NUMBER takes integers too, converted */
    unsigned id, needs;                                     /* as those of a name */
    /* Return the result, as get() does. The arguments have the types of the parameters. If one of them is missing, the
     * function is not called and the result is missing.
     * NULL: the host's bind() answers for the call when it is compiled. Then all arguments are literals, as in
     * `iterations("step")`, there may be fewer than parameters, and `result` and `id` are not used. */
    HieraValue (*call)(unsigned id, const HieraValue *arguments, void *context);
} HieraExpressionFunction;

typedef struct HieraExpression HieraExpression;

/* What an expression asks for by a word of its own: `$n`, `${limit}`, `&bytes`, `:seen[&target]`, a name that is not in
 * the table, or a call of a bound function. */
typedef struct HieraExpressionAsked {
    const char *name; /* not terminated; with its signs: `$n`, `${limit}`, `&bytes` */
    size_t length;
    const HieraValueType *keys; /* n_keys of them: the types of what stands in brackets behind the name */
    unsigned n_keys;
    const HieraExpressionFunction *function; /* NULL: it is no call */
    const HieraValue *arguments; /* n_arguments of them, of the types of the parameters; texts are borrowed */
    unsigned n_arguments;
    /* The argument of a function whose parameter is an EXPRESSION: a number that the host evaluates when and as often
     * as it likes, as in `max(time)` over something that only the host knows. bind() owns it from now on. Else NULL. */
    HieraExpression *deferred;
    const struct HieraExpressionFunction
        *inside; /* the innermost such function in whose argument this stands, or NULL */
} HieraExpressionAsked;

enum { HIERA_EXPRESSION_MESSAGE = 256, HIERA_EXPRESSION_LONGEST = 65535 };

/* What expressions may refer to. The tables have to outlive the expressions compiled with them. */
typedef struct HieraExpressionHost {
    const HieraExpressionName *names;
    size_t n_names;
    const HieraExpressionFunction *functions;
    size_t n_functions;
    /* The language of performance assertions. Durations are plain numbers: a name of type DURATION, and a literal such
     * as `5ms`, is an INTEGER of nanoseconds. Division by zero and NaN follow IEEE 754 instead of giving a missing
     * value, and `%` is fmod(). */
    bool plain;
    /* Evaluate with the default floating-point environment and restore the caller's afterwards: neither traps nor
     * status flags nor rounding of the program and of the evaluation affect each other. The host's functions are called
     * in the default environment too; on x86-64 that of the x87 unit is the program's, except in expressions with
     * `%`. For expressions that run inside the traced program; takes a few ns, with `%` some 200. */
    bool guards_floats;
    /* Each of these characters, before a name where an operand stands, is a part of the name: with "&:#" `&bytes`,
     * `:seen` and `#all` are names, though `a & b` is still `a and b`. Such a name may have keys: `:seen[&target,
     * "x"]`. All are asked of bind(). NULL: there are no such names. */
    const char *signs;
    /* Called while an expression is compiled, for what stands in no table. NULL: nothing else may be asked, and `$` is
     * no sign of the language.
     *
     * @param id       becomes the number that get_bound() gets
     * @param type     becomes the type of the value. ANY: it is not known yet; then all is checked that does not depend
     *                 on it, and the expression must not be evaluated
     * @param message  what is wrong with it; if it stays empty, the name is unknown
     * @return  false if there is no such thing */
    bool (*bind)(void *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                 char message[HIERA_EXPRESSION_MESSAGE]);
    void *binder;
    HieraValue (*get_bound)(unsigned id, void *context); /* as `get` of a name */
    /* The same for a name with keys, of the types that bind() was told. If one of them is missing, it is not called and
     * the value is missing. */
    HieraValue (*get_keyed)(unsigned id, const HieraValue *keys, unsigned n_keys, void *context);
    /* Return room for a text that an evaluation makes: `+` joins texts. It has to stay as long as other texts of the
     * context do. NULL, as a result: there is no room, and the text is missing. NULL, as a function: texts cannot be
     * joined. */
    char *(*text_room)(size_t length, void *context);
} HieraExpressionHost;

/* What is wrong with an expression. */
typedef struct HieraExpressionError {
    size_t at;                              /* offset of the first wrong byte in the text */
    size_t length;                          /* number of wrong bytes; 0 at the end of the text */
    char message[HIERA_EXPRESSION_MESSAGE]; /* one line, without position */
} HieraExpressionError;

/* Compile an expression.
 *
 * @param text    `length` bytes, at most HIERA_EXPRESSION_LONGEST; not needed any more afterwards
 * @param wanted  the type that the result has to have; HIERA_VALUE_ANY if any will do. Where a NUMBER is wanted, an
 *                integer is converted
 * @param error   filled in if the expression is wrong; must not be NULL
 * @return  NULL if the expression is wrong or memory is short. Free with hiera_expression_free(). */
HieraExpression *hiera_expression_compile(const char *text, size_t length, const HieraExpressionHost *host,
                                          HieraValueType wanted, HieraExpressionError *error);
/* `expression` may be NULL. */
void hiera_expression_free(HieraExpression *expression);

/* Evaluate an expression.
 *
 * @param context  passed to the functions of the host
 * @return  a value of type hiera_expression_type(), or a missing one. A text belongs to the expression or to the host
 */
HieraValue hiera_expression_evaluate(const HieraExpression *expression, void *context);
/* Evaluate an expression of type TRUTH. Returns false if the result is missing. */
bool hiera_expression_holds(const HieraExpression *expression, void *context);

/* The comparison that was evaluated last: of a false `a < b and c < d` the one that is false. */
typedef struct HieraExpressionSides {
    const char *operator_; /* as it is spelled, "<"; NULL: there was none */
    HieraValue left, right;
    bool times; /* they are nanoseconds, also where durations are plain numbers */
} HieraExpressionSides;
/* Evaluate an expression of type TRUTH, as hiera_expression_holds() does, and tell what decided. */
bool hiera_expression_explain(const HieraExpression *expression, void *context, HieraExpressionSides *sides);

/* Return the type of the result. */
HieraValueType hiera_expression_type(const HieraExpression *expression);
/* Return the flags `needs` of all names and functions in the expression, combined by bitwise or. */
unsigned hiera_expression_needs(const HieraExpression *expression);

/* Write the compiled expression as a tree: `a + 2 * b` is `(+ a (* 2 b))`. Shows precedence in tests.
 *
 * @param to  `room` bytes
 * @return  false, and an empty text, if there is no room for it or it nests too deeply */
bool hiera_expression_print_tree(const HieraExpression *expression, char *to, size_t room);

/* Return the name of a type as messages use it, with its article: "a duration". */
const char *hiera_value_type_name(HieraValueType type);

/* Where an expression stands, for messages. */
typedef struct HieraExpressionPlace {
    const char *source; /* name of the file, or the option that gave the expression */
    unsigned line;      /* of the first byte of the expression, from 1; 0: the source has no lines */
    unsigned column;    /* of the first byte of the expression, from 1 */
} HieraExpressionPlace;

enum { HIERA_EXPRESSION_REPORT = 1024 }; /* bytes that hold the text of any error if the source's name is < 200 bytes */

/* Write an error as three lines: `rules.txt:3:9: what is wrong`, the line of the expression, and a caret under the
 * wrong part. Of a long line only the part around the error is shown. Without lines in the source, `--where: column 9:
 * …`.
 *
 * @param text  the text that was compiled
 * @param to    `room` bytes; the lines are cut to fit and always terminated; no newline at the end */
void hiera_expression_report(const HieraExpressionError *error, const char *text, size_t length,
                             const HieraExpressionPlace *place, char *to, size_t room);

#endif
