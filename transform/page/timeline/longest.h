/* Things that are drawn over the lanes (messages, collectives) by level of detail: each tile of a level has those that
 * take longest and stand in no coarser level, and says how many there are. */
#ifndef HIERA_LONGEST_H
#define HIERA_LONGEST_H

#include "levels.h"
#include <stdio.h>

/* A thing. Times from the begin of the run. */
typedef struct {
    gint64 begin_ns, duration_ns;
    guint32 row, other; /* of those that take equally long, the first of one process that has all comes first */
    guint64 index;      /* for the caller */
} HieraThing;

/* A thing with all that is written of it. */
enum { HIERA_THING_NUMBERS = 9 };
typedef struct {
    HieraThing thing;
    gint64 numbers[HIERA_THING_NUMBERS];
} HieraDrawn;

/* What the thing before had, in the same tile; numbers are written as differences to it. */
typedef struct {
    guint32 row;
    gint64 begin_ns;
} HieraThingBefore;

/* What a kind of thing is. */
typedef struct {
    /* Find what is written of it. */
    void (*describe)(const HieraScene *scene, const HieraThing *thing, gint64 *numbers);
    /* Append that, and set `before` to it. */
    void (*add)(GByteArray *block, const gint64 *numbers, HieraThingBefore *before);
} HieraThingKind;

/* Things, each in the tile of a level or in none. */
typedef struct HieraLongest HieraLongest;

/* Of several processes all call it, each with own things; the one that leads has all.
 * @param things     HieraThing; they are sorted, and owned by the result
 * @param details    of hiera_levels_plan(), as many as are shown; must outlive the result
 * @param on_demand  the last level has all things that are left, however many
 * @param kind       it and the scene must outlive the result */
HieraLongest *hiera_longest_new(GArray *things, const GArray *details, gboolean on_demand, const HieraThingKind *kind,
                                const HieraScene *scene);
void hiera_longest_free(HieraLongest *longest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLongest, hiera_longest_free)

/* Make a tile: how many things begin in it, how many follow, and these. O(these). To be freed with g_byte_array_unref.
 */
GByteArray *hiera_longest_tile(const HieraLongest *longest, guint level, guint32 tile);

/* Write all tiles, as blocks KIND-LEVEL-TILE. */
void hiera_longest_write(const HieraLongest *longest, const char *kind, FILE *stream);

#endif
