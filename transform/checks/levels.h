/* Time and bytes of each level of the hierarchy: of a run as a whole, or part after part. */
#pragma once

#include "checks.h"

/* One level. */
typedef struct {
    const char *name;
    gint64 operations;
    gint64 inclusive, exclusive;    /* nanoseconds; inclusive counts nested operations of the level once */
    gint64 bytes, bytes_by_parents; /* sent by MPI calls inside the level: by document order, by parents */
    guint32 depth, thread;          /* of the level's outermost open operation; depth HIERA_NONE: none */
    guint64 first;                  /* hiera_check_number() of its first operation */
} HieraLevel;

typedef struct HieraLevels HieraLevels;

/* @param scope  only its own processors count */
HieraLevels *hiera_levels_new(const HieraScope *scope);
void hiera_levels_free(HieraLevels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLevels, hiera_levels_free)

/* Data about one operation during the walk. */
typedef struct {
    guint32 row;
    gint64 *children; /* by row: time of the operations that it called, also in earlier parts, in nanoseconds */
    guint32 before; /* earlier operation of the same caller and thread that ended last; HIERA_NONE: none in this part */
    gint64 before_finish; /* end of that operation, also in an earlier part; G_MININT64: there is none */
} HieraLevelsRow;
typedef void (*HieraLevelsVisit)(const HieraLevelsRow *at, const HieraCheck *check);

/* Add the operations of a trace. @param visits  n callbacks; each is called for all operations before the next callback
 */
void hiera_levels_add(HieraLevels *levels, const HieraCheck *check, const HieraLevelsVisit *visits, guint n);
/* Whether no level was left out, and no sum is too large: then the order of adding does not matter.
 *  */
gboolean hiera_levels_are_exact(const HieraLevels *levels);
/* Return the levels of all processes, in the order of their first operations: HieraLevel. Empty in processes other than
 * 0. To be freed with g_array_unref. @param trace  the trace that was added last */
GArray *hiera_levels_gather(const HieraLevels *levels, const HieraTrace *trace);

/* In check_hierarchy.c: add the operations of a trace, check them and all levels; */
void hiera_check_hierarchy_add(const HieraCheck *check, HieraLevels *levels);
/* In check_hierarchy.c: make the table. @param trace  the trace that was added last */
HieraTable *hiera_check_make_hierarchy_of(const HieraLevels *levels, const HieraTrace *trace);
