/* Time and bytes of each level of the hierarchy. A run is added as a whole, or part after part. */
#pragma once

#include "checks.h"

/* Sums over the operations of one level (mpi, oops, …). */
typedef struct {
    const char *name;
    gint64 operations;
    gint64 inclusive, exclusive;    /* ns inside the level's operations; exclusive: without
                                       the operations that they call */
    gint64 bytes, bytes_by_parents; /* bytes that MPI calls inside the level sent: found by document order, and by the
                                       column `parent` */
    guint32 depth, thread;          /* those of the level's outermost open operation; depth HIERA_NONE: none is open */
    guint64 first;                  /* hiera_check_number() of the level's first operation */
} HieraLevel;

typedef struct HieraLevels HieraLevels;

/* Begin with no levels. @param scope  only operations of the scope's own processors are added */
HieraLevels *hiera_levels_new(const HieraScope *scope);
void hiera_levels_free(HieraLevels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLevels, hiera_levels_free)

/* What a callback gets to know of one operation. */
typedef struct {
    guint32 row;
    gint64 *children; /* by row: time in ns of the operations that it called, also in earlier parts of the run */
    guint32 before;   /* row of the operation that ended last among earlier ones of this caller and thread; HIERA_NONE:
                         none in this part */
    gint64 before_finish; /* end of `before`, also if it is in an earlier part; G_MININT64: there is none */
} HieraLevelsRow;
typedef void (*HieraLevelsVisit)(const HieraLevelsRow *at, const HieraCheck *check);

/* Add the operations of a trace. @param visits  n callbacks, each called for all operations before the next one */
void hiera_levels_add(HieraLevels *levels, const HieraCheck *check, const HieraLevelsVisit *visits, guint n);
/* Whether no level was left out, and no sum is too large: then the order of adding does not matter. */
gboolean hiera_levels_are_exact(const HieraLevels *levels);
/* Return the levels of all processes, in the order of their first operations: HieraLevel. Empty in processes other than
 * 0. To be freed with g_array_unref. @param trace  the trace that was added last */
GArray *hiera_levels_gather(const HieraLevels *levels, const HieraTrace *trace);

/* In check_hierarchy.c: add the operations of a trace to `levels`, and check both. */
void hiera_check_hierarchy_add(const HieraCheck *check, HieraLevels *levels);
/* In check_hierarchy.c: make the table. @param trace  the trace that was added last */
HieraTable *hiera_check_make_hierarchy_of(const HieraLevels *levels, const HieraTrace *trace);
