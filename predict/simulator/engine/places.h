/* A table from pairs of numbers to places of open.h: from what makes a message and a receive belong together to those
 * that have no partner yet, in their order; from a rank and a number to its request. */
#ifndef HIERA_PLACES_H
#define HIERA_PLACES_H

#include <glib.h>

typedef struct {
    guint64 a, b;
} PlaceKey;

typedef struct {
    PlaceKey key;
    guint32 first, last; /* of a queue; its links are in what is queued */
    gboolean receives;   /* the queue is one of receives, not of messages */
    gboolean used;
} Place;

typedef struct {
    Place *table;
    guint32 n, mask; /* mask + 1 entries, or none */
} Places;

/* Return what has a key, NULL if nothing has. Valid until the next change. */
Place *places_find(const Places *places, PlaceKey key);
/* Add a key that is not there. Valid until the next change. */
Place *places_add(Places *places, PlaceKey key);
void places_remove(Places *places, Place *place);
void places_clear(Places *places);

#endif
