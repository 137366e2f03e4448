/* The assertions of a source: pragmas, what they are about, and what is wrong with them. */
#ifndef HIERA_CC_PRAGMAS_H
#define HIERA_CC_PRAGMAS_H

#include "unit.h"

/* A `$name` of an assertion. */
typedef struct HieraVariable {
    const char *name;
    bool is_comm;          /* its number of processes is asked for */
    bool is_copied;        /* it is a constant, of which a copy is made, since it has no address */
    HieraSourceSpan probe; /* in the text in which variables are tried: its use, and its address */
    HieraSourceSpan address;
} HieraVariable;

typedef struct HieraPragma {
    HieraSourceSpan span; /* the whole directive */
    HieraSourceSpan word; /* `perfAssertion`, or `hiera assert` */
    char *text;           /* the expectation, in one line */
    size_t *places;       /* of each of its bytes, and of its end, in the source */
    bool is_original;     /* perfAssertion: what is wrong with it is no error */
    bool is_dropped;      /* something is wrong with it */
    bool is_found;        /* `statement` is known */
    HieraSourceSpan statement;
    HieraSourceSpan function; /* in which it stands */
    HieraVariable *variables;
    size_t n_variables;
} HieraPragma;

/* What is wrong with an assertion. */
typedef struct HieraMistake {
    HieraSourceSpan place;
    bool is_error; /* the source cannot be compiled */
    const char *message;
} HieraMistake;

typedef struct HieraPragmas {
    const HieraSource *source;
    HieraPragma *at;
    size_t n;
    bool lenient; /* a mistake in `hiera assert` is no error either */
    HieraMistake *mistakes;
    size_t n_mistakes;
} HieraPragmas;

/* Find the assertions in the directives of a source. */
void hiera_pragmas_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Note what is wrong with an assertion, and drop it. */
void hiera_pragmas_refuse(HieraPragmas *pragmas, HieraPragma *pragma, HieraSourceSpan place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Print all that is wrong, in the order of the source, and return how many errors that is. */
unsigned hiera_pragmas_tell(const HieraPragmas *pragmas);

/* Check the expectations, and find their variables. (expectations.c) */
void hiera_pragmas_check(HieraPragmas *pragmas);

/* Find what each assertion is about. (statements.c) */
void hiera_statements_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Refuse what would not measure what the author thinks of: jumps into a region, functions that may not have one.
 * (jumps.c) */
void hiera_jumps_check(HieraPragmas *pragmas, const HieraTranslationUnit *unit, HieraPragma *pragma, CXCursor function,
                       CXCursor body);

/* Find out how the variables can be read. (variables.c)
 *
 * @param before    errors that libclang has found in the source
 * @return  false if libclang cannot parse the source with variables; a message says so */
bool hiera_variables_check(HieraPragmas *pragmas, const HieraClangError *before, size_t n, const char *const *arguments,
                           int n_arguments);

/* How many are not dropped. */
size_t hiera_pragmas_count(const HieraPragmas *pragmas);

#endif
