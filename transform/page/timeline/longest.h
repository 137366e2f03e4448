/* Items that are drawn over the lanes (messages, collectives) by level of detail: each tile of a level has the longest
 * that are in no coarser level, and the number of all. */
#pragma once

#include "levels.h"
#include <stdio.h>

/* A message or collective to draw. Times are from the begin of the run. */
typedef struct {
    gint64 begin_ns, duration_ns;
    guint32 row, other; /* order of equally long items: row, then `other`, as in a process that has all operations */
    guint64 index;      /* index of the message or collective */
} HieraPageItem;

/* A message or collective with the numbers that are written for it. */
enum { HIERA_PAGE_ITEM_NUMBERS = 9 };
typedef struct {
    HieraPageItem item;
    gint64 numbers[HIERA_PAGE_ITEM_NUMBERS];
} HieraDrawn;

/* The item written before in the same tile, as some numbers are written as differences to it. */
typedef struct {
    guint32 row;
    gint64 begin_ns;
} HieraPageItemBefore;

/* Callbacks for one kind of items: messages or collectives. */
typedef struct {
    /* Compute the HIERA_PAGE_ITEM_NUMBERS numbers that are written for an item. */
    void (*describe)(const HieraScene *scene, const HieraPageItem *item, gint64 *numbers);
    /* Append the numbers of an item to a tile's block, and set `before` to this item. */
    void (*add)(GByteArray *block, const gint64 *numbers, HieraPageItemBefore *before);
} HieraPageItemKind;

/* Messages or collectives, each in one tile of one level of detail, or in none. */
typedef struct HieraLongest HieraLongest;

/* With several processes, all must call it, each with its own items; process 0 gets all.
 * @param items      HieraPageItem; they are sorted, and owned by the result
 * @param details    levels that are shown, from hiera_levels_plan(); must outlive the result
 * @param on_demand  the last level takes all remaining items, however many
 * @param kind       must outlive the result, like the scene */
HieraLongest *hiera_longest_new(GArray *items, const GArray *details, gboolean on_demand, const HieraPageItemKind *kind,
                                const HieraScene *scene);
void hiera_longest_free(HieraLongest *longest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLongest, hiera_longest_free)

/* Make a tile: the number of items that begin in it, the number of items that follow, and these. O(these). To be
 * freed with g_byte_array_unref. */
GByteArray *hiera_longest_tile(const HieraLongest *longest, guint level, guint32 tile);

/* Write the tiles of all levels, each as a block of the page with the name KIND-LEVEL-TILE. */
void hiera_longest_write(const HieraLongest *longest, const char *kind, FILE *stream);
