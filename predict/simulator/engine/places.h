/* A hash table from pairs of numbers to indices in the arrays of open.h: from the key that a message and its receive
 * share to the messages or receives without a partner, in order; from a rank and a request number to the request. */
#pragma once

#include <glib.h>

typedef struct {
    guint64 a, b;
} PlaceKey;

typedef struct {
    PlaceKey key;
    guint32 first, last; /* first and last index of a queue of open.h, linked by `next`; of a request by number: its
                            index is `first` */
    gboolean receives;   /* whether the queue has receives; FALSE: messages */
    gboolean used;
} Place;

typedef struct {
    Place *table;
    guint32 n, mask; /* number of used entries; mask + 1: size of the table, a power of 2 */
} Places;

/* Return the entry of a key; NULL: there is none. Valid until an entry is added or removed. */
Place *places_find(const Places *places, PlaceKey key);
/* Add an entry for a new key. Valid until another entry is added or removed. */
Place *places_add(Places *places, PlaceKey key);
void places_remove(Places *places, Place *place);
void places_clear(Places *places);
