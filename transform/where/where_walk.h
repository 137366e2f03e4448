/* A walk through the operations of one processor, in document order, that keeps the callers of each operation. --where
 * uses it while traces are read, and for a trace in memory. Memory grows only with the nesting depth. */
#pragma once

#include "hiera_match.h"

/* Values for expressions that are known only if the trace is in memory. */
typedef struct {
    const HieraTrace *trace;
    guint32 *partner;   /* by row: the row's first partner, or HIERA_NONE; NULL: partners are not needed */
    gint64 *waiting_ns; /* by row: ns waited in the operation and in all that it called; NULL: not needed */
    GString *path;      /* buffer for the value of the expression's name `partner.path` */
} WhereMemory;

/* Value of an attribute that the expression asks for; `known`: the trace has one. */
typedef struct {
    gboolean known;
    HieraAttributeValue value;
} WhereAttribute;

typedef struct {
    HieraCatalog *catalog;
    const HieraProcessor *processor;
    const WhereMemory *memory; /* NULL: the trace is being read, and is not in memory */
    GArray *steps;             /* stack of Step: the callers, outermost first, then the operation itself */
    GString *path;             /* names of the first `n_named` elements of `steps`, separated by " > " */
    guint n_named;
    guint32 comm; /* cache: the communicator asked for last; its id is `comm_id` */
    const char *comm_id;
    guint32 row;            /* row of the current operation; only with `memory` */
    guint32 parent;         /* row of the current operation's parent; only with `memory` */
    GArray *attributes;     /* WhereAttribute by depth, then by column: attributes of `steps` */
    WhereAttribute *coming; /* by column: attributes of the processor, and of the operation that comes next */
    gboolean unsure;        /* whether a value was asked for that is known only when the whole trace is read */
} WhereWalk;

/* Begin a walk through a processor's operations. @param memory  NULL while the traces are read */
void where_walk_init(WhereWalk *walk, HieraCatalog *catalog, const HieraProcessor *processor,
                     const WhereMemory *memory);
void where_walk_clear(WhereWalk *walk);
/* Store an attribute value of the processor, or of the operation that comes next. */
void where_walk_see(WhereWalk *walk, const HieraAttributeValue *value);
/* Return an attribute of the caller at this depth or, at the operation's depth, of the operation; NULL if it was not
 * recorded. */
const HieraAttributeValue *where_walk_peek_attribute(const WhereWalk *walk, guint depth, guint column);
/* Make `operation` the current operation of the walk. */
void where_walk_step(WhereWalk *walk, const HieraOperation *operation);
/* Return the current operation of the walk; return its parent, NULL at depth 0. */
const HieraOperation *where_walk_peek(const WhereWalk *walk);
const HieraOperation *where_walk_peek_parent(const WhereWalk *walk);
/* Return the current operation's caller at a depth; NULL if `depth` is not less than the operation's depth. */
const HieraOperation *where_walk_peek_caller(const WhereWalk *walk, guint depth);
/* Return a path like "step > TopologyGrid::bcast > broadcast", the operation last, without its last `n_less` steps;
 * valid until the next step. @param length  becomes the length of the path, which has no terminating NUL */
const char *where_walk_path(WhereWalk *walk, guint n_less, gsize *length);
/* Return the id that a communicator has in the traces. */
const char *where_walk_communicator(WhereWalk *walk, guint32 comm);
/* Return the operation of a row; its finish_ns is the end of its trace if the trace has no end of it. */
HieraOperation where_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row);
/* Append the name of a call site's operation to a path: "Class::method", or "method" without class. */
void where_append_name(GString *path, const HieraSite *site);
