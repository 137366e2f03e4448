/* The names and functions of --where. To add one: a row in a table of where_names.c, and a line in docs/expressions.md.
 */
#pragma once

#include "expressions/expression.h"
#include "where_walk.h"

/* What an expression needs besides the operation and its callers. WHERE_ASKS_FILES: names of files, which are not yet
 * the short ones while traces are read. WHERE_ASKS_COUNTERS: what was counted, which is known when an operation ends.
 * WHERE_ASKS_ATTRIBUTES: attributes under their own names, which runs in parts do not keep. */
enum {
    WHERE_NEEDS_PARTNERS = 1,
    WHERE_NEEDS_WAITS = 2,
    WHERE_ASKS_FILES = 4,
    WHERE_ASKS_COUNTERS = 8,
    WHERE_ASKS_ATTRIBUTES = 16
};

/* Its context is a WhereWalk. */
extern const HieraExpressionHost where_host;
