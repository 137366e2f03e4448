/* --where: an expression (docs/expressions.md) over the attributes of an operation, its callers and its partner. */
#ifndef HIERA_CLI_WHERE_H
#define HIERA_CLI_WHERE_H

#include "hiera_match.h"

typedef struct Where Where;

/* Compile an expression. @return NULL with an error that has a caret under what is wrong */
Where *where_compile(const char *text, GError **error);
void where_free(Where *where);
/* True if the expression needs partners or waits. */
gboolean where_needs_match(const Where *where);
/* Evaluate the expression for all operations.
 * @param match  may be NULL if the expression does not need it
 * @return  by row, 1 if it holds; to be freed with g_free */
guint8 *where_choose(const Where *where, const HieraTrace *trace, const HieraMatch *match);

#endif
