/* --where: an expression (docs/expressions.md) over the attributes of an operation, its callers and its partner. */
#pragma once

#include "hiera_measure.h"
#include "where_walk.h"

typedef struct Where Where;

/* Compile an expression.
 * @param option  where it stands, for errors: "--where"
 * @return NULL with an error that has a caret under what is wrong */
Where *where_compile(const char *option, const char *text, GError **error);
void where_free(Where *where);
/* True if the expression needs partners or waits. */
gboolean where_needs_match(const Where *where);
/* True if the expression asks for names of files. */
gboolean where_asks_files(const Where *where);
/* True if the expression asks for counters: then the traces have to be in memory. */
gboolean where_asks_counters(const Where *where);
/* True if the expression asks for attributes by their own names: then a run cannot be read in parts. */
gboolean where_asks_attributes(const Where *where);
/* Whether the expression holds for the operation that the walk has reached. Without `memory` in the walk, the
 * expression must not need a match, and the answer counts only if the walk is not `unsure`. */
gboolean where_holds(const Where *where, WhereWalk *walk);
/* True if an operation of which another process has the rank cannot be decided here: then scopes need `rows`. */
gboolean where_is_of_own(const Where *where);
/* Set the error that no operation fulfils an expression, with what the traces do not have at all. Return FALSE.
 * @param findings  of reading them */
gboolean where_found_nothing(const HieraFindings *findings, GError **error);
/* Evaluate the expression for all operations. Several processes all call it.
 * @param match  may be NULL if the expression does not need it
 * @param scope  its own processors; NULL: there is one process
 * @return  by row, 1 if it holds; to be freed with g_free */
guint8 *where_choose(const Where *where, const HieraTrace *trace, const HieraMatch *match, const HieraScope *scope);
/* Evaluate the expression for what is computed directly in each operation: 1 if it holds for the operation itself, or
 * for an operation of level "" that would be called `compute`, and that is called by it and takes as long. Behind the
 * operations follow the processors, by index: for what is computed outside of all operations.
 * @return  n_operations + n_processors elements, to be freed with g_free */
guint8 *where_choose_computing(const Where *where, const HieraTrace *trace, const HieraMatch *match);
