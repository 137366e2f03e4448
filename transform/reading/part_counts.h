/* Progress of a rank with other ranks: its messages with each rank, and its collectives on each communicator. If the
 * counts of all ranks agree, no message is on its way and no collective has begun. */
#pragma once

#include <glib.h>

typedef enum {
    PART_COUNT_SENT,  /* messages that the rank has sent, by world rank of the receiver */
    PART_COUNT_GOT,   /* messages that the rank has received, by world rank of the sender */
    PART_COUNT_CALLS, /* collectives that the rank has made, by communicator */
    PART_COUNT_SORTS
} PartCountSort;

typedef struct {
    GHashTable *by_sort[PART_COUNT_SORTS]; /* for each PartCountSort: key (world rank or communicator) → count */
} PartCounts;

void part_counts_init(PartCounts *counts);
void part_counts_clear(PartCounts *counts);
void part_counts_empty(PartCounts *counts);
gsize part_counts_find(const PartCounts *counts, PartCountSort sort, guint32 key);
/* Add one to the count of a key. */
void part_counts_add(PartCounts *counts, PartCountSort sort, guint32 key);
/* Raise the required count of a key to at least `count`. */
void part_counts_need(PartCounts *needs, PartCountSort sort, guint32 key, gsize count);
/* Whether `counts` have reached all required counts `needs`. */
gboolean part_counts_suffice(const PartCounts *counts, const PartCounts *needs);
gboolean part_counts_are_empty(const PartCounts *counts);
