/* The assertions of a source: their pragmas, statements and mistakes. */
#pragma once

#include "unit.h"

/* A `$name` of an assertion. */
typedef struct HieraVariable {
    const char *name;
    bool is_comm;          /* true if the assertion asks for its number of processes */
    bool is_copied;        /* true for a constant: it has no address, so a copy is made */
    HieraSourceSpan probe; /* places of its use and of its address-of expression, in the text of the second parse */
    HieraSourceSpan address;
} HieraVariable;

typedef struct HieraPragma {
    HieraSourceSpan span; /* the whole directive */
    HieraSourceSpan word; /* `perfAssertion`, or `hiera assert` */
    char *text;           /* the expectation, on one line */
    size_t *places;       /* offset in the source of each byte of `text`, and of its end */
    bool is_original;     /* `perfAssertion`: mistakes are only warnings */
    bool is_dropped;      /* it has a mistake */
    bool is_found;        /* `statement` is known */
    HieraSourceSpan statement;
    HieraSourceSpan function; /* function that contains the assertion */
    HieraVariable *variables;
    size_t n_variables;
} HieraPragma;

/* A mistake in an assertion. */
typedef struct HieraMistake {
    HieraSourceSpan place;
    bool is_error; /* true if the source must not be compiled */
    const char *message;
} HieraMistake;

typedef struct HieraPragmas {
    const HieraSource *source;
    HieraPragma *at;
    size_t n;
    bool lenient; /* true if mistakes in `hiera assert` are only warnings, too */
    HieraMistake *mistakes;
    size_t n_mistakes;
} HieraPragmas;

/* Find the assertions in the directives of a source. */
void hiera_pragmas_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Record a mistake in an assertion, and drop the assertion. */
void hiera_pragmas_refuse(HieraPragmas *pragmas, HieraPragma *pragma, HieraSourceSpan place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Print all mistakes, in the order of the source, and return the number of errors. */
unsigned hiera_pragmas_tell(const HieraPragmas *pragmas);

/* Check the expectations, and collect their variables. (expectations.c) */
void hiera_pragmas_check(HieraPragmas *pragmas);

/* Find the statement of each assertion. (statements.c) */
void hiera_statements_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Refuse regions whose measurement would mislead: jumps lead into the region, or its function may not contain one.
 * (jumps.c) */
void hiera_jumps_check(HieraPragmas *pragmas, const HieraTranslationUnit *unit, HieraPragma *pragma, CXCursor function,
                       CXCursor body);

/* Find out how the variables can be read. (variables.c)
 *
 * @param before    errors that libclang has found in the source
 * @return  false if libclang cannot parse the source with variables; a message says so */
bool hiera_variables_check(HieraPragmas *pragmas, const HieraClangError *before, size_t n, const char *const *arguments,
                           int n_arguments);

/* Number of assertions that are not dropped. */
size_t hiera_pragmas_count(const HieraPragmas *pragmas);
