/* Lines through measured times of messages, by their sizes: few times that are far off do not move them.
 *
 * A line is the one with the least sum of relative deviations (least absolute deviations; the best line goes through
 * two of the points, so all pairs are tried). Where one line does not do, sizes are cut into pieces so that the sum
 * over all pieces, and what a further piece has to be worth, is least (dynamic programming over the cuts). */
#ifndef HIERA_PREDICT_SIZE_FIT_H
#define HIERA_PREDICT_SIZE_FIT_H

#include <glib.h>

typedef struct {
    gint64 bytes;
    gdouble seconds; /* more than 0 */
} TimedSize;

/* A line for some of the sizes that follow each other: seconds + bytes * per_byte. */
typedef struct {
    guint first, n;
    gdouble seconds, per_byte; /* neither is negative */
} SizePiece;

/* @param n              at least 1
 * @param least_seconds  the line has at least as much for 0 bytes
 * @param line           becomes the best line; `first` is 0
 * @return  the sum of |line / measured - 1| */
gdouble size_fit_line(const TimedSize *times, guint n, gdouble least_seconds, SizePiece *line);

/* @param times  by rising size
 * @param worth  what a further piece has to make the sum of deviations less by
 * @param most   pieces
 * @return SizePiece, by rising size, each with at least 3 sizes as far as there are so many; to be freed with
 *         g_array_unref */
GArray *size_fit_pieces(const TimedSize *times, guint n, gdouble least_seconds, gdouble worth, guint most);

#endif
