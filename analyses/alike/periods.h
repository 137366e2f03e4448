/** Repeats in a sequence: where the same elements follow each other again and again.
 *
 * The periods that are tried are the distances between equal elements: those few that account for most of the time. */
#pragma once

#include <glib.h>

/** The elements `first` to first + length · repeats − 1 are `repeats` times the same `length` elements. */
typedef struct {
    guint first, length, repeats;
    guint end; /* up to here, exclusive, the elements go on like this; behind the last repeat less than `length` */
} HieraRepeats;

/** A sequence. */
typedef struct {
    const guint64 *symbols; /* n; equal elements have equal symbols */
    const gint64 *edges_ns; /* n + 1: where each element begins, and where the last one ends */
    guint n;
} HieraSequence;

enum { HIERA_REPEATS_LEAST = 3 };

/** Find repeats, at least HIERA_REPEATS_LEAST, from the left. Where several periods fit, it is the shortest of those
 * that go on for at least nine tenths of the longest time. O(n).
 *
 * @return an array of HieraRepeats that do not overlap, to be freed with g_array_unref */
GArray *hiera_repeats_find(const HieraSequence *sequence);
