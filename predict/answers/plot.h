/* Draws a curve as an SVG without scripts or embedded fonts: axes with units, marks with their values as tooltips. */
#pragma once

#include <glib.h>

typedef struct {
    gdouble x, y; /* y: time of the run in seconds */
    gboolean marked;
    gint64 slope; /* slope (dy/dx) of the curve from this point to the next one; used only if the plot has slopes */
} PlotPoint;

typedef struct {
    const char *name;     /* name of the parameter on the x axis */
    gboolean is_time;     /* x is in seconds; FALSE: in bytes per second */
    gboolean is_log;      /* the x axis is logarithmic; then all x are greater than 0 */
    gboolean has_slopes;  /* slopes are written on lines that are long enough, and in the tooltips of marks */
    const GArray *points; /* PlotPoint, by rising x, at least 2; changes of y are relative to the first point */
} Plot;

/* Return the SVG document; to be freed with g_free. */
char *plot_draw(const Plot *plot);
