/* The assertions of a source: their pragmas, the statements they measure, and their mistakes. */
#pragma once

#include "unit.h"

/* A variable of the program, used as `$name` in an assertion. */
typedef struct HieraVariable {
    const char *name;
    bool is_comm;          /* the variable is a communicator, whose number of processes the assertion uses */
    bool is_copied;        /* the variable is a constant: it has no address, so the declaration makes a copy */
    HieraSourceSpan probe; /* spans of the statements `(void)(name);`, `(void)&(name);`, which test its uses */
    HieraSourceSpan address;
} HieraVariable;

typedef struct HieraPragma {
    HieraSourceSpan span; /* the whole directive in the source */
    HieraSourceSpan word; /* the words `perfAssertion` or `hiera assert` in the source */
    char *text;           /* the assertion's expression, on one line */
    size_t *places;       /* [i]: offset in the source of byte i of `text`; then of its end */
    bool is_original;     /* the assertion is written `perfAssertion`, so its mistakes are only warnings */
    bool is_dropped;      /* the assertion has a mistake and is ignored */
    bool is_found;        /* whether the statement that follows the pragma is found */
    HieraSourceSpan statement;
    HieraSourceSpan function; /* the function that contains the assertion */
    HieraVariable *variables;
    size_t n_variables;
} HieraPragma;

/* A mistake in an assertion, to be reported. */
typedef struct HieraMistake {
    HieraSourceSpan place;
    bool is_error; /* the mistake is an error, not a warning: the source must not be compiled */
    const char *message;
} HieraMistake;

typedef struct HieraPragmas {
    const HieraSource *source;
    HieraPragma *at;
    size_t n;
    bool lenient; /* -Wno-error=hiera: mistakes in `hiera assert` are only warnings, too */
    HieraMistake *mistakes;
    size_t n_mistakes;
} HieraPragmas;

/* Add an entry to `pragmas` for each directive of the source that is an assertion. */
void hiera_pragmas_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Record a mistake in an assertion, and drop the assertion. */
void hiera_pragmas_refuse(HieraPragmas *pragmas, HieraPragma *pragma, HieraSourceSpan place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Print all mistakes, in the order of the source. @return  number of errors, without warnings */
unsigned hiera_pragmas_tell(const HieraPragmas *pragmas);

/* Parse each assertion's expression, refuse wrong ones, and collect their `$name` variables. (expectations.c) */
void hiera_pragmas_check(HieraPragmas *pragmas);

/* Find the statement that each assertion measures, the one behind its pragma. (statements.c) */
void hiera_statements_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit);

/* Refuse regions whose measurement would mislead: jumps lead into the region, or its function may not contain one.
 * (jumps.c) */
void hiera_jumps_check(HieraPragmas *pragmas, const HieraTranslationUnit *unit, HieraPragma *pragma, CXCursor function,
                       CXCursor body);

/* Find out how the variables can be read. (variables.c)
 *
 * @param before    errors that libclang has found in the source
 * @return  false if libclang cannot parse the source with statements that use the variables */
bool hiera_variables_check(HieraPragmas *pragmas, const HieraClangError *before, size_t n, const char *const *arguments,
                           int n_arguments);

/* Number of assertions that are not dropped. */
size_t hiera_pragmas_count(const HieraPragmas *pragmas);
