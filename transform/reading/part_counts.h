/* Progress of a rank with other ranks: its messages with each rank, and its collectives on each communicator. If the
 * counts of all ranks agree, no message is on its way and no collective has begun. */
#pragma once

#include <glib.h>

typedef enum {
    PART_COUNT_SENT,  /* messages sent, by world rank of the receiver */
    PART_COUNT_GOT,   /* messages received, by world rank of the sender */
    PART_COUNT_CALLS, /* collectives, by communicator */
    PART_COUNT_SORTS
} PartCountSort;

typedef struct {
    GHashTable *by_sort[PART_COUNT_SORTS]; /* key → count */
} PartCounts;

void part_counts_init(PartCounts *counts);
void part_counts_clear(PartCounts *counts);
void part_counts_empty(PartCounts *counts);
gsize part_counts_find(const PartCounts *counts, PartCountSort sort, guint32 key);
/* Add one to a count. */
void part_counts_add(PartCounts *counts, PartCountSort sort, guint32 key);
/* Require at least this count. */
void part_counts_need(PartCounts *needs, PartCountSort sort, guint32 key, gsize count);
/* Whether all required counts are reached. */
gboolean part_counts_suffice(const PartCounts *counts, const PartCounts *needs);
gboolean part_counts_are_empty(const PartCounts *counts);
