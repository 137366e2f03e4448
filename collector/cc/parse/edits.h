/* Edits the text of a source without changing its line numbers. */
#pragma once

#include "pragmas.h"

typedef struct HieraEdits {
    char *text; /* the edited source */
    size_t length;
    size_t *begins; /* [i]: offset in `text` of what replaces assertion i, without its first bytes `{ ` */
} HieraEdits;

/* Put braces around the statement of each assertion that is not dropped.
 *
 * @param inside  returns the text that replaces the assertion: a declaration or statement without newlines; it is not
 * freed */
HieraEdits hiera_edits_make(const HieraPragmas *pragmas, char *(*inside)(const HieraPragmas *, size_t));

/* Return the declaration that replaces assertion i: `HIERA_ASSERT("…", …);`, perhaps behind copies of constants. */
char *hiera_edits_declare(const HieraPragmas *pragmas, size_t i);

/* Return the text as a C string literal, with quotes and escapes. */
char *hiera_edits_quote(const char *text);
