/* Fits lines to measured times of messages by size; a few outliers do not move them.
 *
 * A line has the least sum of relative deviations (least absolute deviations; the best line goes through two of the
 * points, so all pairs are tried). Where one line is not enough, sizes are divided into pieces so that the sum over all
 * pieces plus a cost for each further piece is least (dynamic programming over the cuts). */
#pragma once

#include <glib.h>

typedef struct {
    gint64 bytes;
    gdouble seconds; /* measured time, greater than 0 */
} TimedSize;

/* A line through consecutive sizes: time = seconds + bytes * per_byte. */
typedef struct {
    guint first, n;
    gdouble seconds, per_byte; /* offset and slope of the line, neither negative */
} SizePiece;

/* @param n              at least 1
 * @param least_seconds  smallest value of the line for 0 bytes
 * @param line           receives the best line; `first` is 0
 * @return  the sum of |line / measured - 1| */
gdouble size_fit_line(const TimedSize *times, guint n, gdouble least_seconds, SizePiece *line);

/* @param times  by rising size
 * @param worth  least reduction of the sum of deviations by a further piece
 * @param most   greatest number of pieces
 * @return SizePiece, by rising size, each with at least 3 sizes if there are enough; to be freed with g_array_unref */
GArray *size_fit_pieces(const TimedSize *times, guint n, gdouble least_seconds, gdouble worth, guint most);
