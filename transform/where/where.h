/* --where: an expression (docs/expressions.md) over an operation, its callers and its partner. */
#pragma once

#include "hiera_measure.h"
#include "where_walk.h"

typedef struct Where Where;

/* Compile an expression.
 * @param option  the option that has the expression, for error messages: "--where"
 * @return NULL with an error that has a caret under the wrong place */
Where *where_compile(const char *option, const char *text, GError **error);
void where_free(Where *where);
/* Whether the expression needs partners or waiting times, for which operations must be matched. */
gboolean where_needs_match(const Where *where);
/* Whether the expression asks for names of source files. */
gboolean where_asks_files(const Where *where);
/* Whether the expression asks for counters: then the traces have to be in memory. */
gboolean where_asks_counters(const Where *where);
/* Whether the expression asks for attributes by their names in the grammar: then a run cannot be read in parts. */
gboolean where_asks_attributes(const Where *where);
/* Whether the expression holds for the operation that the walk has reached. If the walk has no `memory`, the
 * expression must not need a match, and the result counts only if the walk is not `unsure`. */
gboolean where_holds(const Where *where, WhereWalk *walk);
/* Whether this process cannot evaluate the expression for ranks of other processes; scopes then need `share.rows`. */
gboolean where_is_of_own(const Where *where);
/* Set the error "no operation fulfils the expression", and name what was not recorded in the traces. Return FALSE.
 * @param findings  from reading the traces */
gboolean where_found_nothing(const HieraFindings *findings, GError **error);
/* Evaluate the expression for all operations. If there are several processes, all have to call it.
 * @param match  may be NULL if the expression does not need it
 * @param scope  says which processors belong to this process; NULL: there is one process
 * @return  by row, 1 if the expression holds; to be freed with g_free */
guint8 *where_choose(const Where *where, const HieraTrace *trace, const HieraMatch *match, const HieraScope *scope);
/* Evaluate the expression for the computation directly in each operation: 1 if it holds for the operation itself, or
 * for an imagined operation of level "" with the name `compute` that the operation calls and that takes as long. The
 * elements behind the operations are for the processors, by index: for computation outside of all operations.
 * @return  n_operations + n_processors elements, to be freed with g_free */
guint8 *where_choose_computing(const Where *where, const HieraTrace *trace, const HieraMatch *match);
