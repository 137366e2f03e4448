/* The names and functions of --where. To add one: a row in a table of where_names.c, and a line in docs/expressions.md.
 */
#ifndef HIERA_CLI_WHERE_NAMES_H
#define HIERA_CLI_WHERE_NAMES_H

#include "expressions/expression.h"
#include "hiera_match.h"

enum { WHERE_NEEDS_PARTNERS = 1, WHERE_NEEDS_WAITS = 2 };

/* The operation about which names are asked. */
typedef struct {
    const HieraTrace *trace;
    guint32 row;
    guint32 processor;  /* of the row */
    guint32 *partner;   /* by row: its first partner, or HIERA_NONE; NULL if partners are not needed */
    gint64 *waiting_ns; /* by row: waits inside; NULL if waits are not needed */
    GString *paths[3];  /* room for the texts of `path`, `parent.path` and `partner.path` */
} WhereRow;

extern const HieraExpressionHost where_host;

#endif
