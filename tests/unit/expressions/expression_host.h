/* A host with names of every type, for the tests of the expression language. */
#ifndef HIERA_EXPRESSION_HOST_H
#define HIERA_EXPRESSION_HOST_H

#include "expressions/expression.h"

/* The values that a test can choose. */
typedef struct {
    int64_t rank;
    const char *text;
    unsigned n_asked; /* times that `rank` was asked for */
} Subject;

/* rank 3 (by default), bytes 1000, ratio 0.25, duration 5 ms, waiting 2 ms, operation "send", text "" (by default),
 * flag true, off false; missing are partner.rank, partner.bytes, gone (a truth), nobody (a text), never (a duration)
 * and wrong (its value has another type). Functions: inside(text, text), half(number), later(duration), answer(),
 * is_text(any). Of `needs`, bit 0 is that of partner.*, bit 1 that of inside(). */
extern const HieraExpressionHost expression_host;
/* The same one with `plain`, and with `guards_floats` too. */
extern const HieraExpressionHost expression_plain_host, expression_guarded_host;

/* Write the compiled expression as a tree: `a + 2 * b` is `(+ a (* 2 b))`.
 *
 * @param to  `room` bytes
 * @return  false, and an empty text, if there is no room for it or it nests too deeply */
bool print_tree(const HieraExpression *expression, char *to, size_t room);

/* Expectations; each fails with the text of the expression. */
void expect_tree(const char *text, const char *tree);
/* `expected` is "integer 7", "number 0.5", "duration 5000000", "text abc", "true", "false" or "missing". */
void expect_value(const HieraExpressionHost *host, const char *text, const char *expected);
/* `wanted` is demanded of the result; `expected` is the report with the source "--where". */
void expect_error(const char *text, HieraValueType wanted, const char *expected);

/* Compile or fail. */
HieraExpression *must_compile(const HieraExpressionHost *host, const char *text, HieraValueType wanted);

#endif
