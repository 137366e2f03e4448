/* Things that are drawn over the lanes (messages, collectives) by level of detail: each tile of a level has those that take
 * longest and stand in no coarser level, and says how many there are. */
#ifndef HIERA_LONGEST_H
#define HIERA_LONGEST_H

#include "tiles.h"

/* A thing. Times from the begin of the run. */
typedef struct {
    gint64 begin_ns, duration_ns;
    guint32 index; /* for the caller */
} HieraThing;

/* What the thing before had, in the same tile; numbers are written as differences to it. */
typedef struct {
    guint32 row;
    gint64 begin_ns;
} HieraThingBefore;

/* Append a thing, and set `before` to it. */
typedef void (*HieraThingAdd)(GByteArray *block, const HieraThing *thing, HieraThingBefore *before, gconstpointer user);

/* Write the blocks KIND-LEVEL-TILE: how many things begin in the tile, how many follow, and these.
 * @param things   HieraThing; they are sorted
 * @param details  of hiera_tiles_write() */
void hiera_longest_write(GArray *things, const GArray *details, const char *kind, HieraThingAdd add, gconstpointer user,
                         FILE *stream);

#endif
