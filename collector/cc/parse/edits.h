/* Change the text of a source without changing its lines. */
#ifndef HIERA_CC_EDITS_H
#define HIERA_CC_EDITS_H

#include "pragmas.h"

typedef struct HieraEdits {
    char *text; /* the changed source */
    size_t length;
    size_t *begins; /* by assertion: where what stands for it begins in that text, behind its brace */
} HieraEdits;

/* Put each assertion that is not dropped into braces around its statement.
 *
 * @param inside  the text that stands for the assertion, a declaration or statement without newlines; its memory is
 *                not freed */
HieraEdits hiera_edits_make(const HieraPragmas *pragmas, char *(*inside)(const HieraPragmas *, size_t));

/* The declaration that measures the region of an assertion, in the words of hiera.h. */
char *hiera_edits_declare(const HieraPragmas *pragmas, size_t i);

/* A text as a literal of C. */
char *hiera_edits_quote(const char *text);

#endif
