/* A walk through the operations of one processor, in document order, that knows the callers of each: what --where asks
 * about an operation while it is read, and afterwards of a trace in memory. Memory grows with the depth alone. */
#pragma once

#include "hiera_match.h"

/* What only a trace in memory can tell. */
typedef struct {
    const HieraTrace *trace;
    guint32 *partner;   /* by row: its first partner, or HIERA_NONE; NULL if partners are not needed */
    gint64 *waiting_ns; /* by row: waits inside; NULL if waits are not needed */
    GString *path;      /* room for the text of `partner.path` */
} WhereMemory;

/* An attribute that the expression asks for. */
typedef struct {
    gboolean known;
    HieraAttributeValue value;
} WhereAttribute;

typedef struct {
    HieraCatalog *catalog;
    const HieraProcessor *processor;
    const WhereMemory *memory; /* NULL while the traces are read */
    GArray *steps;             /* Step: the callers, the outermost first, then the operation itself */
    GString *path;             /* names of the first `n_named` steps */
    guint n_named;
    guint32 comm; /* the communicator asked for last, */
    const char *comm_id;
    guint32 row;            /* of the operation; only with `memory` */
    guint32 parent;         /* row of the operation around it; likewise */
    GArray *attributes;     /* WhereAttribute: by column, those of the first step, then those of the next one, … */
    WhereAttribute *coming; /* by column: those of the operation that follows, and those of the processor */
    gboolean unsure;        /* something was asked that is not known before all is read */
} WhereWalk;

/* Begin with a processor. @param memory  NULL while the traces are read */
void where_walk_init(WhereWalk *walk, HieraCatalog *catalog, const HieraProcessor *processor,
                     const WhereMemory *memory);
void where_walk_clear(WhereWalk *walk);
/* Take an attribute of the operation that follows, or of the processor. */
void where_walk_see(WhereWalk *walk, const HieraAttributeValue *value);
/* The attribute of a caller or, at its depth, of the operation, which was seen; NULL: there is none. */
const HieraAttributeValue *where_walk_peek_attribute(const WhereWalk *walk, guint depth, guint column);
/* Go to the next operation. */
void where_walk_step(WhereWalk *walk, const HieraOperation *operation);
/* The operation that the walk has reached; the one around it, NULL at depth 0. */
const HieraOperation *where_walk_peek(const WhereWalk *walk);
const HieraOperation *where_walk_peek_parent(const WhereWalk *walk);
/* The caller at a depth; NULL if the depth is that of the operation or more. */
const HieraOperation *where_walk_peek_caller(const WhereWalk *walk, guint depth);
/* Return "step > TopologyGrid::bcast > broadcast", the operation last, without its last `n_less` steps; valid until the
 * next step. @param length  becomes that of the text, which is not terminated */
const char *where_walk_path(WhereWalk *walk, guint n_less, gsize *length);
/* Return the id of a communicator in the trace. */
const char *where_walk_communicator(WhereWalk *walk, guint32 comm);
/* Return the operation of a row. One without an end lasts until the end of its trace. */
HieraOperation where_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row);
/* Append the name of a site to a path: "Class::method". */
void where_append_name(GString *path, const HieraSite *site);
