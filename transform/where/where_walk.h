/* A walk through the operations of one processor, in document order, that keeps the callers of each operation. --where
 * uses it while traces are read, and for a trace in memory. Memory grows only with the nesting depth. */
#pragma once

#include "hiera_match.h"

/* Values that are known only with the trace in memory. */
typedef struct {
    const HieraTrace *trace;
    guint32 *partner;   /* by row: first partner, or HIERA_NONE; NULL if partners are not needed */
    gint64 *waiting_ns; /* by row: waiting time inside; NULL if waits are not needed */
    GString *path;      /* buffer for the text of `partner.path` */
} WhereMemory;

/* Value of an attribute that the expression asks for. */
typedef struct {
    gboolean known;
    HieraAttributeValue value;
} WhereAttribute;

typedef struct {
    HieraCatalog *catalog;
    const HieraProcessor *processor;
    const WhereMemory *memory; /* NULL while the traces are read */
    GArray *steps;             /* Step: the callers, outermost first, then the operation itself */
    GString *path;             /* names of the first `n_named` steps */
    guint n_named;
    guint32 comm; /* last communicator asked for; `comm_id`: its id */
    const char *comm_id;
    guint32 row;            /* row of the operation; only with `memory` */
    guint32 parent;         /* row of its parent; only with `memory` */
    GArray *attributes;     /* WhereAttribute: one block of all columns per step */
    WhereAttribute *coming; /* by column: attributes of the next operation and of the processor */
    gboolean unsure;        /* a value was asked for that is known only after the whole trace */
} WhereWalk;

/* Begin with a processor. @param memory  NULL while the traces are read */
void where_walk_init(WhereWalk *walk, HieraCatalog *catalog, const HieraProcessor *processor,
                     const WhereMemory *memory);
void where_walk_clear(WhereWalk *walk);
/* Store an attribute of the next operation, or of the processor. */
void where_walk_see(WhereWalk *walk, const HieraAttributeValue *value);
/* Return an attribute of the caller at this depth or, at the operation's depth, of the operation; NULL if it was not
 * recorded. */
const HieraAttributeValue *where_walk_peek_attribute(const WhereWalk *walk, guint depth, guint column);
/* Go to the next operation. */
void where_walk_step(WhereWalk *walk, const HieraOperation *operation);
/* Return the operation that the walk has reached, or its parent (NULL at depth 0). */
const HieraOperation *where_walk_peek(const WhereWalk *walk);
const HieraOperation *where_walk_peek_parent(const WhereWalk *walk);
/* Return the caller at a depth; NULL if the depth is not smaller than that of the operation. */
const HieraOperation *where_walk_peek_caller(const WhereWalk *walk, guint depth);
/* Return a path like "step > TopologyGrid::bcast > broadcast", the operation last, without its last `n_less` steps;
 * valid until the next step. @param length  becomes the length of the path, which has no terminating NUL */
const char *where_walk_path(WhereWalk *walk, guint n_less, gsize *length);
/* Return the id that a communicator has in the trace. */
const char *where_walk_communicator(WhereWalk *walk, guint32 comm);
/* Return the operation of a row. An operation without a recorded end lasts until the end of its trace. */
HieraOperation where_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row);
/* Append the name of a site to a path: "Class::method". */
void where_append_name(GString *path, const HieraSite *site);
