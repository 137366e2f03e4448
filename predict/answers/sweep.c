#include "sweep.h"
#include "hiera_measure.h"
#include "plot.h"
#include "run/simulation.h"
#include <math.h>
#include <string.h>

enum { POINTS_MOST = 400, SAMPLES = 17, DEPTH_MOST = 40 };

/* A point of the curve: parameter, time of the run, and slopes to the left and right of the point. */
typedef struct {
    gint64 x, time, left, right;
} Point;

typedef struct {
    const RecordedRun *run;
    const SweepRequest *request;
    GArray *points; /* Point: points of the curve so far */
    gboolean convex, complete;
} Sweep;

static gboolean simulate(const Sweep *sweep, gdouble x, gint64 *time, GError **error)
{
    const NetworkSweep *of = &sweep->request->sweep;
    MachineOptions machine = *sweep->request->machine;
    g_auto(RunSimulation) simulation = {0};
    network_sweep_set(of, x, &machine.between);
    if (!machine.has_inside)
        network_sweep_set(of, x, &machine.inside);
    gboolean good = simulation_run(&simulation, sweep->run, &machine, sweep->request->speeds, NULL, error);
    *time = simulation.result.end_ps;
    return good;
}

static gboolean add_point(Sweep *sweep, gint64 x, gboolean slopes, Point *point, GError **error)
{
    gint64 before, after;
    *point = (Point){.x = x};
    if (!simulate(sweep, (gdouble)x, &point->time, error))
        return FALSE;
    before = after = point->time;
    if (slopes && ((x > 0 && !simulate(sweep, (gdouble)(x - 1), &before, error)) ||
                   !simulate(sweep, (gdouble)(x + 1), &after, error)))
        return FALSE;
    point->right = after - point->time;
    point->left = x > 0 ? point->time - before : point->right;
    g_array_append_val(sweep->points, *point);
    return TRUE;
}

/* Return the x at which the line that continues the curve right of `a` meets the one left of `b`. */
static gint64 meeting(const Point *a, const Point *b)
{
    gdouble distance = (gdouble)(b->x - a->x);
    gdouble offset = ((gdouble)(b->time - a->time) - (gdouble)b->left * distance) / (gdouble)(a->right - b->left);
    return a->x + (gint64)llround(CLAMP(offset, 1, distance - 1));
}

/* Find the curve's breakpoints between two points by simulating where their tangents meet, recursively. */
static gboolean refine(Sweep *sweep, const Point *a, const Point *b, guint depth, GError **error)
{
    Point middle;
    if (a->right > b->left)
        sweep->convex = FALSE;
    if (a->right >= b->left || b->x - a->x <= 2)
        return TRUE;
    if (sweep->points->len >= POINTS_MOST || depth == DEPTH_MOST) {
        sweep->complete = FALSE;
        return TRUE;
    }
    if (!add_point(sweep, meeting(a, b), TRUE, &middle, error))
        return FALSE;
    gint64 on_line = a->time + a->right * (middle.x - a->x);
    /* The new point lies on both tangents, up to rounding of its x: it is the only breakpoint between `a` and `b`. */
    if (middle.time - on_line <= b->left - a->right)
        return TRUE;
    return refine(sweep, a, &middle, depth + 1, error) && refine(sweep, &middle, b, depth + 1, error);
}

static gint compare_points(gconstpointer a, gconstpointer b)
{
    const Point *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

static gboolean find_curve(Sweep *sweep, GError **error)
{
    const NetworkSweep *of = &sweep->request->sweep;
    Point first, last;
    if (!add_point(sweep, (gint64)of->from, TRUE, &first, error) ||
        !add_point(sweep, (gint64)of->to, TRUE, &last, error) || !refine(sweep, &first, &last, 0, error))
        return FALSE;
    g_array_sort(sweep->points, compare_points);
    return TRUE;
}

/* Sample a curve that is not piecewise linear: x grows by equal factors, or by equal differences if it begins at 0. */
static gboolean sample_curve(Sweep *sweep, GError **error)
{
    const NetworkSweep *of = &sweep->request->sweep;
    for (guint i = 0; i < SAMPLES; i++) {
        gdouble part = (gdouble)i / (SAMPLES - 1);
        Point point = {.x = llround(of->from > 0 ? of->from * pow(of->to / of->from, part) : of->to * part)};
        if (!simulate(sweep, (gdouble)point.x, &point.time, error))
            return FALSE;
        g_array_append_val(sweep->points, point);
    }
    return TRUE;
}

/* --- the table of points --- */

static gint64 change_of(const Sweep *sweep, gint64 time)
{
    gint64 first = g_array_index(sweep->points, Point, 0).time;
    return first > 0 ? (gint64)llround(10000.0 * (gdouble)(time - first) / (gdouble)first) : 0;
}

/* Remove points at which the slope does not change, except the first and the last one. */
static void drop_others(GArray *points)
{
    guint kept = 1;
    for (guint i = 1; i < points->len; i++) {
        const Point *point = &g_array_index(points, Point, i);
        if (i + 1 == points->len || point->left != point->right)
            g_array_index(points, Point, kept++) = *point;
    }
    g_array_set_size(points, kept);
}

/* Mark the points between two marked ones that are needed so that the lines from mark to mark are within `near` of all
 * points (Douglas and Peucker, 1973). */
static void mark(const GArray *points, guint first, guint last, gdouble near, guint8 *marked)
{
    const Point *a = &g_array_index(points, Point, first), *b = &g_array_index(points, Point, last);
    guint farthest = first;
    gdouble most = near;
    for (guint i = first + 1; i < last; i++) {
        const Point *point = &g_array_index(points, Point, i);
        gdouble part = (gdouble)(point->x - a->x) / (gdouble)(b->x - a->x);
        gdouble off = fabs((gdouble)a->time + part * (gdouble)(b->time - a->time) - (gdouble)point->time);
        farthest = off > most ? i : farthest;
        most = MAX(off, most);
    }
    if (farthest == first)
        return;
    marked[farthest] = 1;
    mark(points, first, farthest, near, marked);
    mark(points, farthest, last, near, marked);
}

/* Choose the points to be shown: all, or those that draw the curve to within a thousandth of the run's time. */
static guint8 *choose_points(const Sweep *sweep, gboolean all)
{
    const GArray *points = sweep->points;
    guint8 *marked = g_malloc0(points->len);
    marked[0] = marked[points->len - 1] = 1;
    if (all)
        memset(marked, 1, points->len);
    else
        mark(points, 0, points->len - 1, (gdouble)g_array_index(points, Point, 0).time / 1000, marked);
    return marked;
}

static HieraTable *make_curve(const Sweep *sweep, gboolean exact)
{
    static HieraColumn columns[] = {{NULL, HIERA_CELL_SECONDS, HIERA_ROLE_KEY},
                                    {"predicted", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                    {"change", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
                                    {"on_path", HIERA_CELL_INTEGER, HIERA_ROLE_ANSWER}};
    const NetworkSweep *of = &sweep->request->sweep;
    g_autofree guint8 *marked = choose_points(sweep, !exact || sweep->request->all);
    columns[0].name = of->name;
    columns[0].type = of->is_time ? HIERA_CELL_SECONDS : HIERA_CELL_RATE;
    HieraTable *table = hiera_table_new("sweep", columns, exact ? 4 : 3);
    gint64 unit = of->is_time ? HIERA_PS_PER_NS : 1;
    for (guint i = 0; i < sweep->points->len; i++) {
        const Point *point = &g_array_index(sweep->points, Point, i);
        if (!marked[i])
            continue;
        const HieraCell cells[] = {{.number = point->x / unit},
                                   {.number = point->time / HIERA_PS_PER_NS},
                                   {.number = change_of(sweep, point->time)},
                                   {.number = point->right}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* Return the parameter's value at which the run takes `time`, between two points of the curve; -1: there is none. */
static gint64 find_time(const Sweep *sweep, gdouble time)
{
    for (guint i = 0; i + 1 < sweep->points->len; i++) {
        const Point *a = &g_array_index(sweep->points, Point, i), *b = a + 1;
        if ((gdouble)a->time <= time && time <= (gdouble)b->time && b->time > a->time)
            return a->x +
                   (gint64)llround((time - (gdouble)a->time) / (gdouble)(b->time - a->time) * (gdouble)(b->x - a->x));
    }
    return -1;
}

static HieraTable *make_tolerance(const Sweep *sweep)
{
    static const guint percents[] = {1, 2, 5, 10, 20, 50, 100};
    static HieraColumn columns[] = {{"change", HIERA_CELL_PERCENT, HIERA_ROLE_KEY},
                                    {NULL, HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER}};
    columns[1].name = sweep->request->sweep.name;
    HieraTable *table = hiera_table_new("tolerance", columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < G_N_ELEMENTS(percents); i++) {
        gdouble first = (gdouble)g_array_index(sweep->points, Point, 0).time;
        gint64 x = find_time(sweep, first * (1 + percents[i] / 100.0));
        const HieraCell cells[] = {{.number = percents[i] * 100}, {.number = x / HIERA_PS_PER_NS}};
        if (x >= 0)
            hiera_table_add(table, cells);
    }
    return table;
}

/* --- drawing the curve --- */

static gboolean write_plot(const Sweep *sweep, gboolean exact, GError **error)
{
    const NetworkSweep *of = &sweep->request->sweep;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(PlotPoint));
    g_autofree guint8 *marked = choose_points(sweep, !exact);
    g_autoptr(GError) failed = NULL;
    for (guint i = 0; i < sweep->points->len; i++) {
        const Point *point = &g_array_index(sweep->points, Point, i);
        const PlotPoint shown = {(gdouble)point->x * (of->is_time ? 1e-12 : 1), (gdouble)point->time * 1e-12, marked[i],
                                 point->right};
        g_array_append_val(points, shown);
    }
    const Plot plot = {of->name, of->is_time, !exact && of->from > 0, exact, points};
    g_autofree char *text = plot_draw(&plot);
    if (g_file_set_contents(sweep->request->plot, text, -1, &failed))
        return TRUE;
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, failed->message);
    return FALSE;
}

GPtrArray *sweep_make_tables(const RecordedRun *run, const SweepRequest *request, const char **note, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(Point));
    Sweep sweep = {.run = run, .request = request, .points = points, .convex = TRUE, .complete = TRUE};
    gboolean exact =
        request->sweep.is_time && request->machine->links == 0 && request->machine->cores == 0 && !run->rematch;
    if (!(exact ? find_curve(&sweep, error) : sample_curve(&sweep, error)))
        return NULL;
    if (exact)
        drop_others(points);
    if (request->plot && !write_plot(&sweep, exact, error))
        return NULL;
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    g_ptr_array_add(tables, make_curve(&sweep, exact));
    if (exact)
        g_ptr_array_add(tables, make_tolerance(&sweep));
    *note = !sweep.complete ? "the curve has more breakpoints than are shown"
            : !sweep.convex ? "the curve is not convex here, so that there may be breakpoints that are not shown"
            : !exact        ? "the curve is sampled: it has no breakpoints that could be found"
                            : NULL;
    return tables;
}
