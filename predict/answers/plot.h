/* Draws a curve as an SVG without scripts or embedded fonts: axes with units, marks with their values as tooltips. */
#pragma once

#include <glib.h>

typedef struct {
    gdouble x, y; /* y in seconds */
    gboolean marked;
    gint64 slope; /* slope of the line that follows (dy/dx); only if the plot has slopes */
} PlotPoint;

typedef struct {
    const char *name;     /* name of x */
    gboolean is_time;     /* x is in seconds; otherwise in bytes per second */
    gboolean is_log;      /* x axis is logarithmic; then all x are greater than 0 */
    gboolean has_slopes;  /* slopes are shown, at marks and on lines that are long enough */
    const GArray *points; /* PlotPoint, by rising x, at least 2; changes are relative to the first one */
} Plot;

/* Return the SVG document; to be freed with g_free. */
char *plot_draw(const Plot *plot);
