/* A curve as an SVG, without scripts or fonts of its own: axes with units, marks with their values as tooltips. */
#ifndef HIERA_PREDICT_PLOT_H
#define HIERA_PREDICT_PLOT_H

#include <glib.h>

typedef struct {
    gdouble x, y; /* y in seconds */
    gboolean marked;
    gint64 slope; /* of the line behind it: how often x is in y; only if the plot has slopes */
} PlotPoint;

typedef struct {
    const char *name;     /* of x */
    gboolean is_time;     /* x is in seconds; else in bytes a second */
    gboolean is_log;      /* axis of x; then all x are more than 0 */
    gboolean has_slopes;  /* marks have theirs, and lines from mark to mark that are long enough their own */
    const GArray *points; /* PlotPoint, by rising x, at least 2; the change is relative to the first one */
} Plot;

/* Return the whole document; to be freed with g_free. */
char *plot_draw(const Plot *plot);

#endif
