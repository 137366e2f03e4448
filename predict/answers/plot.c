#include "plot.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440, LEFT = 84, RIGHT = 70, TOP = 44, BOTTOM = 56, LABEL_ROOM = 64, STEPS_LEAST = 4 };
#define NUMBER_BYTES 32

/* A unit in which an axis is labelled: "ms", "GB/s". */
typedef struct {
    gdouble size;
    const char *name;
} Unit;

static const Unit times[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}};
static const Unit bandwidths[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};

typedef struct {
    gdouble low, high, step; /* values at both ends, and distance of the marks; seconds or bytes per second */
    Unit unit;
    gboolean is_log;
    gdouble from, to; /* where `low` and `high` are in the picture: SVG coordinates */
} Axis;

/* Return the largest unit that is not larger than `most`, the largest value to be shown. */
static Unit find_unit(const Unit *units, guint n, gdouble most)
{
    guint at = 0;
    while (at + 1 < n && units[at + 1].size <= most * (1 + 1e-9))
        at++;
    return units[at];
}

/* Return the distance of an axis' marks: 1, 2 or 5 times a power of 10, for 4 to 10 of them. low < high. */
static gdouble find_step(gdouble low, gdouble high)
{
    gdouble power = pow(10, floor(log10((high - low) / STEPS_LEAST)));
    gdouble most = (high - low) / STEPS_LEAST / power * (1 + 1e-9);
    return power * (most >= 5 ? 5 : most >= 2 ? 2 : 1);
}

static gdouble place(const Axis *axis, gdouble value)
{
    gdouble part = axis->is_log ? log(value / axis->low) / log(axis->high / axis->low)
                                : (value - axis->low) / (axis->high - axis->low);
    return axis->from + part * (axis->to - axis->from);
}

static const char *number(char *text, gdouble value)
{
    return g_ascii_formatd(text, NUMBER_BYTES, "%.6g", fabs(value) < 1e-12 ? 0 : value);
}

/* Format an SVG coordinate: two digits behind the point are enough. */
static const char *coordinate(char *text, gdouble value)
{
    return g_ascii_formatd(text, NUMBER_BYTES, "%.2f", value);
}

/* --- drawing the axes --- */

static const PlotPoint *point_of(const Plot *plot, guint index)
{
    return &g_array_index(plot->points, PlotPoint, index);
}

static Axis make_x(const Plot *plot)
{
    Axis axis = {.low = point_of(plot, 0)->x,
                 .high = point_of(plot, plot->points->len - 1)->x,
                 .is_log = plot->is_log,
                 .from = LEFT,
                 .to = WIDTH - RIGHT};
    axis.step = find_step(axis.low, axis.high);
    axis.unit = plot->is_time ? find_unit(times, G_N_ELEMENTS(times), axis.high)
                              : find_unit(bandwidths, G_N_ELEMENTS(bandwidths), axis.high);
    return axis;
}

/* Make the y axis. It begins at 0 if the least value is below half of the greatest, else at the mark below the least.
 */
static Axis make_y(const Plot *plot)
{
    gdouble least = point_of(plot, 0)->y, most = least;
    for (guint i = 1; i < plot->points->len; i++) {
        least = MIN(least, point_of(plot, i)->y);
        most = MAX(most, point_of(plot, i)->y);
    }
    Axis axis = {.from = HEIGHT - BOTTOM, .to = TOP};
    if (most - least < 1e-6 * most) /* the curve is flat: show it in the middle of the axis */
        least = 0, most = most > 0 ? 2 * most : 1;
    gdouble low = least < most / 2 ? 0 : least;
    axis.step = find_step(low, most);
    axis.low = floor(low / axis.step + 1e-9) * axis.step;
    axis.high = ceil(most / axis.step - 1e-9) * axis.step;
    axis.unit = find_unit(times, G_N_ELEMENTS(times), most);
    return axis;
}

static void add_line(GString *svg, const char *class, gdouble x1, gdouble y1, gdouble x2, gdouble y2)
{
    char texts[4][NUMBER_BYTES];
    g_string_append_printf(svg, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n", class,
                           coordinate(texts[0], x1), coordinate(texts[1], y1), coordinate(texts[2], x2),
                           coordinate(texts[3], y2));
}

static void add_text(GString *svg, const char *anchor, gdouble x, gdouble y, const char *text)
{
    char texts[2][NUMBER_BYTES];
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append_printf(svg, "<text text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", anchor,
                           coordinate(texts[0], x), coordinate(texts[1], y), escaped);
}

static void add_x_tick(GString *svg, const Axis *x, gdouble value)
{
    char text[NUMBER_BYTES];
    gdouble at = place(x, value);
    add_line(svg, "grid", at, TOP, at, HEIGHT - BOTTOM);
    add_text(svg, "middle", at, HEIGHT - BOTTOM + 18, number(text, value / x->unit.size));
}

static void add_x(GString *svg, const Plot *plot, const Axis *x)
{
    g_autofree char *label = g_strdup_printf("%s [%s]", plot->name, x->unit.name);
    if (x->is_log) {
        static const guint steps[] = {1, 2, 5};
        for (gdouble power = pow(10, floor(log10(x->low))); power <= x->high; power *= 10) {
            for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
                gdouble value = power * steps[i];
                if (value >= x->low * (1 - 1e-9) && value <= x->high * (1 + 1e-9))
                    add_x_tick(svg, x, value);
            }
        }
    } else {
        for (gdouble i = ceil(x->low / x->step - 1e-9); i * x->step <= x->high * (1 + 1e-9); i++)
            add_x_tick(svg, x, i * x->step);
    }
    add_text(svg, "middle", (x->from + x->to) / 2, HEIGHT - 14, label);
}

/* Draw the y axis: times at the left side, their changes from the first point at the right, in percent. */
static void add_y(GString *svg, const Plot *plot, const Axis *y)
{
    char text[NUMBER_BYTES];
    gdouble first = point_of(plot, 0)->y;
    g_autofree char *label = g_strdup_printf("predicted time [%s]", y->unit.name);
    for (gdouble i = round(y->low / y->step); i * y->step <= y->high * (1 + 1e-9); i++) {
        gdouble at = place(y, i * y->step);
        add_line(svg, "grid", LEFT, at, WIDTH - RIGHT, at);
        add_text(svg, "end", LEFT - 8, at + 4, number(text, i * y->step / y->unit.size));
    }
    add_text(svg, "start", 12, TOP - 18, label);
    if (first <= 0)
        return;
    gdouble low = 100 * (y->low / first - 1), high = 100 * (y->high / first - 1), step = find_step(low, high);
    for (gdouble i = ceil(low / step - 1e-9); i * step <= high + 1e-9; i++) {
        gdouble at = place(y, first * (1 + i * step / 100));
        g_autofree char *change = g_strdup_printf("%s%s %%", i > 0 ? "+" : "", number(text, i * step));
        add_line(svg, "tick", WIDTH - RIGHT, at, WIDTH - RIGHT + 5, at);
        add_text(svg, "start", WIDTH - RIGHT + 8, at + 4, change);
    }
}

/* --- drawing the curve --- */

static void add_curve(GString *svg, const Plot *plot, const Axis *x, const Axis *y)
{
    char texts[2][NUMBER_BYTES];
    g_string_append(svg, "<polyline class=\"curve\" points=\"");
    for (guint i = 0; i < plot->points->len; i++)
        g_string_append_printf(svg, "%s%s,%s", i > 0 ? " " : "", coordinate(texts[0], place(x, point_of(plot, i)->x)),
                               coordinate(texts[1], place(y, point_of(plot, i)->y)));
    g_string_append(svg, "\"/>\n");
}

static void add_mark(GString *svg, const Plot *plot, const PlotPoint *point, const Axis *x, const Axis *y)
{
    char texts[5][NUMBER_BYTES];
    gdouble first = point_of(plot, 0)->y, change = first > 0 ? 100 * (point->y / first - 1) : 0;
    g_string_append_printf(svg, "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\"><title>%s %s %s: %s %s (%s%s %%)",
                           coordinate(texts[0], place(x, point->x)), coordinate(texts[1], place(y, point->y)),
                           plot->name, number(texts[2], point->x / x->unit.size), x->unit.name,
                           number(texts[3], point->y / y->unit.size), y->unit.name, change > 0 ? "+" : "",
                           number(texts[4], round(change * 100) / 100));
    if (plot->has_slopes)
        g_string_append_printf(svg, ", %" G_GINT64_FORMAT " on the path", point->slope);
    g_string_append(svg, "</title></circle>\n");
}

/* Write the slope of the curve between two marked points above the middle of the line that connects them. */
static void add_slope(GString *svg, const PlotPoint *from, const PlotPoint *to, const Axis *x, const Axis *y)
{
    gdouble x1 = place(x, from->x), x2 = place(x, to->x), middle = (place(y, from->y) + place(y, to->y)) / 2;
    g_autofree char *text = g_strdup_printf("×%.0f", (to->y - from->y) / (to->x - from->x));
    if (x2 - x1 >= LABEL_ROOM)
        add_text(svg, "end", (x1 + x2) / 2 - 4, middle - 8, text);
}

static void add_marks(GString *svg, const Plot *plot, const Axis *x, const Axis *y)
{
    const PlotPoint *last = NULL;
    for (guint i = 0; i < plot->points->len; i++) {
        const PlotPoint *point = point_of(plot, i);
        if (!point->marked)
            continue;
        if (last && plot->has_slopes)
            add_slope(svg, last, point, x, y);
        add_mark(svg, plot, point, x, y);
        last = point;
    }
}

char *plot_draw(const Plot *plot)
{
    const Axis x = make_x(plot), y = make_y(plot);
    GString *svg = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    g_string_append_printf(svg,
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
                           "font-family=\"sans-serif\" font-size=\"12\">\n"
                           "<title>How the predicted time depends on: %s</title>\n"
                           "<style>svg{background:#fff}text{fill:#222}.grid{stroke:#ddd}.tick{stroke:#222}"
                           ".curve{fill:none;stroke:#1f5fa8;stroke-width:2}circle{fill:#1f5fa8;stroke:#fff}</style>\n",
                           WIDTH, HEIGHT, plot->name);
    add_x(svg, plot, &x);
    add_y(svg, plot, &y);
    add_curve(svg, plot, &x, &y);
    add_marks(svg, plot, &x, &y);
    g_string_append(svg, "</svg>\n");
    return g_string_free(svg, FALSE);
}
