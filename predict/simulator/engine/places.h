/* A hash table from pairs of numbers to places of open.h: from the key of a message and its receive to those without a
 * partner, in order; from a rank and a request number to the request. */
#pragma once

#include <glib.h>

typedef struct {
    guint64 a, b;
} PlaceKey;

typedef struct {
    PlaceKey key;
    guint32 first, last; /* ends of a queue, whose links are in its elements */
    gboolean receives;   /* the queue has receives, not messages */
    gboolean used;
} Place;

typedef struct {
    Place *table;
    guint32 n, mask; /* mask + 1 entries, or none */
} Places;

/* Return the entry of a key, NULL if there is none. Valid until the next change. */
Place *places_find(const Places *places, PlaceKey key);
/* Add an entry for a new key. Valid until the next change. */
Place *places_add(Places *places, PlaceKey key);
void places_remove(Places *places, Place *place);
void places_clear(Places *places);
