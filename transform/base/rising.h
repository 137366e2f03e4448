/* Search in sorted arrays. */
#pragma once

#include <glib.h>

/* Return how many elements of an array that is sorted by `compare` are not above a key; compare(element, key). */
static inline guint hiera_rising_until(const GArray *array, gconstpointer key, GCompareFunc compare)
{
    gsize bytes = g_array_get_element_size((GArray *)array);
    guint low = 0;
    for (guint high = array->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (compare(array->data + middle * bytes, key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
