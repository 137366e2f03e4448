/* How far a rank has come with others: its messages with each rank, and its collectives on each communicator. Where the
 * counts of all ranks agree, no message is on its way and no collective has begun. */
#ifndef HIERA_PART_COUNTS_H
#define HIERA_PART_COUNTS_H

#include <glib.h>

typedef enum {
    PART_COUNT_SENT,  /* by the world rank that receives */
    PART_COUNT_GOT,   /* by the world rank that has sent */
    PART_COUNT_CALLS, /* by communicator */
    PART_COUNT_SORTS
} PartCountSort;

typedef struct {
    GHashTable *by_sort[PART_COUNT_SORTS]; /* key → count */
} PartCounts;

void part_counts_init(PartCounts *counts);
void part_counts_clear(PartCounts *counts);
void part_counts_empty(PartCounts *counts);
gsize part_counts_find(const PartCounts *counts, PartCountSort sort, guint32 key);
/* Add one. */
void part_counts_add(PartCounts *counts, PartCountSort sort, guint32 key);
/* Ask for at least so many. */
void part_counts_need(PartCounts *needs, PartCountSort sort, guint32 key, gsize count);
/* Whether there are as many as are asked for. */
gboolean part_counts_suffice(const PartCounts *counts, const PartCounts *needs);
gboolean part_counts_are_empty(const PartCounts *counts);

#endif
