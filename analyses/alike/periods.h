/** Repeats in a sequence: where the same elements follow each other again and again.
 *
 * The periods that are tried are distances between equal elements: the few that account for most of the time. */
#pragma once

#include <glib.h>

/** `repeats` equal groups of `length` elements follow each other, from the element `first` on. */
typedef struct {
    guint first, length, repeats;
    guint end; /* index of the first element that does not continue the pattern */
} HieraRepeats;

/** A sequence of n elements. */
typedef struct {
    const guint64 *symbols; /* n symbols; equal elements have equal symbols */
    const gint64 *edges_ns; /* n + 1 times: when each element begins, and when the last one ends */
    guint n;
} HieraSequence;

enum { HIERA_REPEATS_LEAST = 3 };

/** Find repeats, at least HIERA_REPEATS_LEAST of the same elements, from the left. If several periods fit, the shortest
 * of those is taken whose repeats last at least nine tenths of the longest time. O(n).
 *
 * @return an array of HieraRepeats that do not overlap, to be freed with g_array_unref */
GArray *hiera_repeats_find(const HieraSequence *sequence);
