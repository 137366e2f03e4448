/* The names and functions of --where. To add one: a row in a table of where_names.c, and a line in docs/expressions.md.
 */
#pragma once

#include "expressions/expression.h"
#include "where_walk.h"

/* Values that an expression needs besides the operation and its callers. WHERE_ASKS_FILES: file names; while traces
 * are read they are not yet shortened. WHERE_ASKS_COUNTERS: counter values, which are known when an operation ends.
 * WHERE_ASKS_ATTRIBUTES: attributes under their own names, which are not kept when a run is read in parts. */
enum {
    WHERE_NEEDS_PARTNERS = 1,
    WHERE_NEEDS_WAITS = 2,
    WHERE_ASKS_FILES = 4,
    WHERE_ASKS_COUNTERS = 8,
    WHERE_ASKS_ATTRIBUTES = 16
};

/* Names and functions of --where expressions; `context` of its callbacks is a WhereWalk. */
extern const HieraExpressionHost where_host;
