/* Change the text of a source without changing its lines. */
#pragma once

#include "pragmas.h"

typedef struct HieraEdits {
    char *text; /* the edited source */
    size_t length;
    size_t *begins; /* offsets in `text` of each assertion's replacement, behind its brace; indexed by assertion */
} HieraEdits;

/* Put braces around the statement of each assertion that is not dropped.
 *
 * @param inside  returns the text that replaces the assertion: a declaration or statement without newlines; it is not
 * freed */
HieraEdits hiera_edits_make(const HieraPragmas *pragmas, char *(*inside)(const HieraPragmas *, size_t));

/* The declaration that measures the region of an assertion, a call from hiera.h. */
char *hiera_edits_declare(const HieraPragmas *pragmas, size_t i);

/* A text as a C string literal. */
char *hiera_edits_quote(const char *text);
