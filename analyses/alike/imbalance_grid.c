/* How differently the ranks of a Cartesian topology spend their time, by position: by rank with its coordinates, and by
 * plane, which are all ranks with the same coordinate on one axis, or on several axes if MPI_Cart_sub cut the grid so.
 *
 * Coordinates follow from the rank in the communicator, by MPI's row-major order: the last coordinate runs fastest. */
#include "grid_cuts.h"
#include "imbalance.h"
#include "values/shares.h"
#include <string.h>

static const HieraColumn plane_columns[] = {
    {"grid", HIERA_CELL_TEXT, HIERA_ROLE_KEY},          {"plane", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"io", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},      {"apart", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, {"explains", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};
static const HieraColumn coordinate_columns[] = {
    {"grid", HIERA_CELL_TEXT, HIERA_ROLE_KEY},          {"coordinates", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},  {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"io", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},      {"apart", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

#define LONGEST_NS ((gint64)1 << 53) /* longest time of a rank for which sums of squares do not overflow */

/* A rank that belongs to a grid, and is in the scope. */
typedef struct {
    const HieraRankDoing *doing;
    gint64 rank; /* rank in the grid's communicator */
} Member;

typedef struct {
    const HieraTrace *trace;
    guint32 comm;
    const char *name;
    guint n_dimensions;
    const gint64 *size;
    const GArray *cuts; /* HieraGridCut of all grids, not of this one alone */
    GArray *members;    /* Member, by rank in the grid's communicator */
    gint64 sum_ns;      /* sum of the members' useful times; HIERA_TOO_LARGE if a time exceeds LONGEST_NS */
    HieraTable *table;
} Grid;

static gint64 useful_of(const Member *member)
{
    return member->doing->does_ns[HIERA_DOES_COMPUTE];
}

static gint64 coordinate_of(const Grid *grid, gint64 rank, guint dimension)
{
    for (guint i = grid->n_dimensions - 1; i > dimension; i--)
        rank /= grid->size[i];
    return rank % grid->size[dimension];
}

/* Append the coordinate on one axis to a text, like "x = 3". */
static void append_coordinate(GString *text, guint dimension, gint64 coordinate)
{
    static const char letters[] = "xyz";
    if (dimension < strlen(letters))
        g_string_append_printf(text, "%c = %" G_GINT64_FORMAT, letters[dimension], coordinate);
    else
        g_string_append_printf(text, "axis %u = %" G_GINT64_FORMAT, dimension + 1, coordinate);
}

/* Fill the cells from `useful` on. @param sums  sums over `n` ranks, whose means are shown */
static void fill_times(const Grid *grid, HieraCell *cells, const HieraRankDoing *sums, gint64 n)
{
    gint64 useful_ns = sums->does_ns[HIERA_DOES_COMPUTE] / n, mean_ns = grid->sum_ns / grid->members->len;
    cells[0].number = useful_ns;
    cells[1].number = sums->does_ns[HIERA_DOES_COMMUNICATE] / n;
    cells[2].number = sums->waiting_ns / n;
    cells[3].number = sums->does_ns[HIERA_DOES_IO] / n;
    cells[4].number = grid->sum_ns == HIERA_TOO_LARGE ? HIERA_TOO_LARGE : hiera_minus(useful_ns, mean_ns);
    cells[5].number = grid->sum_ns == HIERA_TOO_LARGE ? HIERA_TOO_LARGE : hiera_ratio(useful_ns, mean_ns);
}

/* --- a row for each rank --- */

static void add_ranks(const Grid *grid)
{
    for (guint i = 0; i < grid->members->len; i++) {
        const Member *member = &g_array_index(grid->members, Member, i);
        g_autoptr(GString) text = g_string_new(NULL);
        for (guint k = 0; k < grid->n_dimensions; k++) {
            g_string_append(text, k == 0 ? "" : ", ");
            append_coordinate(text, k, coordinate_of(grid, member->rank, k));
        }
        HieraCell cells[G_N_ELEMENTS(coordinate_columns)] = {
            {.text = grid->name},
            {.text = hiera_table_keep(grid->table, text->str)},
            {.number = grid->trace->processors[member->doing->processor].rank}};
        fill_times(grid, cells + 3, member->doing, 1);
        hiera_table_add(grid->table, cells);
    }
}

/* --- planes of a grid, and a row for each --- */

typedef struct {
    HieraRankDoing sums;
    gint64 n;
    GArray *shares; /* HieraShare: ranks of the plane in the scope; NULL: none */
} Plane;

/* All planes of a grid on which the same axes have one coordinate. */
typedef struct {
    guint32 axes;     /* the axes on which each plane has one coordinate, axis i as bit i */
    GArray *planes;   /* Plane, by coordinate; with several axes, the last coordinate runs fastest */
    gint64 explained; /* share of the variance of useful time between the planes, in 0.01 % */
} Planes;

static void plane_clear(gpointer plane)
{
    g_clear_pointer(&((Plane *)plane)->shares, g_array_unref);
}

static guint count_planes(const Grid *grid, guint32 axes)
{
    guint n = 1;
    for (guint i = 0; i < grid->n_dimensions; i++)
        n *= axes & 1u << i ? (guint)grid->size[i] : 1;
    return n;
}

/* Return the index of the plane with a rank, among the planes with one coordinate on `axes`. */
static guint find_plane(const Grid *grid, guint32 axes, gint64 rank)
{
    guint plane = 0;
    for (guint i = 0; i < grid->n_dimensions; i++) {
        if (axes & 1u << i)
            plane = plane * (guint)grid->size[i] + (guint)coordinate_of(grid, rank, i);
    }
    return plane;
}

/* Return the planes (array of Plane) with one coordinate on `axes`; to be freed with g_array_unref. */
static GArray *find_planes(const Grid *grid, guint32 axes)
{
    GArray *planes = g_array_new(FALSE, TRUE, sizeof(Plane));
    g_array_set_clear_func(planes, plane_clear);
    g_array_set_size(planes, count_planes(grid, axes));
    for (guint i = 0; i < grid->members->len; i++) {
        const Member *member = &g_array_index(grid->members, Member, i);
        Plane *plane = &g_array_index(planes, Plane, find_plane(grid, axes, member->rank));
        for (guint k = 0; k < HIERA_N_DOINGS; k++)
            plane->sums.does_ns[k] = hiera_plus(plane->sums.does_ns[k], member->doing->does_ns[k]);
        plane->sums.waiting_ns = hiera_plus(plane->sums.waiting_ns, member->doing->waiting_ns);
        if (plane->n++ == 0)
            plane->shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
        HieraShare share = {member->doing->processor, 1};
        g_array_append_val(plane->shares, share);
    }
    return planes;
}

/* Return the part of the variance of the useful time that is between the planes: Σ n (mean of plane − mean)² / Σ (t −
 * mean)², in hundredths of a percent. */
static gint64 find_explained(const Grid *grid, const GArray *planes)
{
    __int128 squares = 0, between = 0, sum = grid->sum_ns;
    if (grid->sum_ns == HIERA_TOO_LARGE || grid->members->len == 0)
        return HIERA_TOO_LARGE;
    for (guint i = 0; i < grid->members->len; i++) {
        gint64 time_ns = useful_of(&g_array_index(grid->members, Member, i));
        squares += (__int128)time_ns * time_ns;
    }
    for (guint i = 0; i < planes->len; i++) {
        const Plane *plane = &g_array_index(planes, Plane, i);
        __int128 of_plane = plane->sums.does_ns[HIERA_DOES_COMPUTE];
        between += plane->n > 0 ? of_plane * of_plane / plane->n : 0;
    }
    __int128 middle = sum * sum / grid->members->len;
    if (squares <= middle)
        return 0;
    return (gint64)(10000 * (double)MAX(between - middle, 0) / (double)(squares - middle) + 0.5);
}

/* Append the coordinates of a plane to a text, like "x = 0, z = 2". */
static void append_plane(const Grid *grid, guint32 axes, guint plane, GString *text)
{
    for (guint i = 0; i < grid->n_dimensions; i++) {
        if (!(axes & 1u << i))
            continue;
        axes &= ~(1u << i);
        g_string_append(text, text->len > 0 ? ", " : "");
        append_coordinate(text, i, plane / count_planes(grid, axes) % grid->size[i]);
    }
}

static void add_plane(const Grid *grid, const Planes *of, guint number)
{
    Plane *plane = &g_array_index(of->planes, Plane, number);
    g_autoptr(GString) name = g_string_new(NULL);
    append_plane(grid, of->axes, number, name);
    hiera_shares_settle(plane->shares);
    HieraCell cells[G_N_ELEMENTS(plane_columns)] = {
        {.text = grid->name},
        {.text = hiera_table_keep(grid->table, name->str)},
        {.text = hiera_shares_name_ranks(plane->shares, grid->trace, 0, grid->table)}};
    fill_times(grid, cells + 3, &plane->sums, plane->n);
    cells[9].number = of->explained;
    hiera_table_add(grid->table, cells);
}

/* Sort planes: with one fixed axis before several; then those that explain more of the variance first. */
static gint compare_planes(gconstpointer left, gconstpointer right)
{
    const Planes *a = left, *b = right;
    gboolean several_a = (a->axes & (a->axes - 1)) != 0, several_b = (b->axes & (b->axes - 1)) != 0;
    if (several_a != several_b)
        return several_a ? 1 : -1;
    if (a->explained != b->explained)
        return a->explained < b->explained ? 1 : -1;
    return (a->axes > b->axes) - (a->axes < b->axes);
}

static void append_planes(const Grid *grid, GArray *all, guint32 axes)
{
    Planes planes = {.axes = axes, .planes = find_planes(grid, axes)};
    planes.explained = find_explained(grid, planes.planes);
    g_array_append_val(all, planes);
}

static void add_planes(const Grid *grid)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Planes));
    for (guint i = 0; i < grid->n_dimensions; i++)
        append_planes(grid, all, 1u << i);
    for (guint i = 0; i < grid->cuts->len; i++) {
        const HieraGridCut *cut = &g_array_index(grid->cuts, HieraGridCut, i);
        if (cut->comm == grid->comm)
            append_planes(grid, all, cut->axes);
    }
    g_array_sort(all, compare_planes);
    for (guint i = 0; i < all->len; i++) {
        Planes *of = &g_array_index(all, Planes, i);
        for (guint plane = 0; plane < of->planes->len; plane++) {
            if (g_array_index(of->planes, Plane, plane).n > 0)
                add_plane(grid, of, plane);
        }
        g_array_unref(of->planes);
    }
}

/* --- all grids of a trace --- */

/* Return size and name of a grid, "4 x 2 NAME"; NAME: the communicator's name in the program, else its id. */
static const char *name_grid(const Grid *grid, const HieraMatch *match, guint32 comm)
{
    const char *name = hiera_match_comm_name(match, comm);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < grid->n_dimensions; i++)
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : " x ", grid->size[i]);
    g_string_append_printf(text, " %s", *name ? name : hiera_match_comm_id(match, comm));
    return hiera_table_keep(grid->table, text->str);
}

/* Set the members of a grid that are in the scope. @param doings  HieraRankDoing, by processor */
static void gather_members(Grid *grid, const HieraMatch *match, guint32 comm, const GArray *doings)
{
    g_autofree guint32 *place = g_new0(guint32, (gsize)grid->trace->n_processors + 1);
    for (guint i = 0; i < doings->len; i++)
        place[g_array_index(doings, HieraRankDoing, i).processor] = i + 1;
    gint32 world;
    for (gint64 i = 0; (world = hiera_match_member(match, comm, i)) != HIERA_ABSENT; i++) {
        guint32 processor = world < 0 ? HIERA_NONE : hiera_trace_find_rank(grid->trace, world);
        if (processor == HIERA_NONE || place[processor] == 0)
            continue;
        Member member = {&g_array_index(doings, HieraRankDoing, place[processor] - 1), i};
        g_array_append_val(grid->members, member);
        gint64 useful_ns = useful_of(&member);
        grid->sum_ns = useful_ns > LONGEST_NS ? HIERA_TOO_LARGE : hiera_plus(grid->sum_ns, useful_ns);
    }
}

/* Add the rows of a grid. @param cuts  NULL: a row for each rank, else for each plane */
static void add_grid(const HieraMatch *match, const HieraGrid *of, const GArray *doings, const GArray *cuts,
                     HieraTable *table)
{
    Grid grid = {.trace = hiera_match_peek_trace(match), .comm = of->comm, .cuts = cuts, .table = table};
    if (of->n_dimensions == 0)
        return;
    grid.n_dimensions = of->n_dimensions;
    grid.size = of->size;
    grid.name = name_grid(&grid, match, of->comm);
    grid.members = g_array_new(FALSE, FALSE, sizeof(Member));
    gather_members(&grid, match, of->comm, doings);
    if (grid.members->len > 0)
        (cuts ? add_planes : add_ranks)(&grid);
    g_array_unref(grid.members);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, gboolean planes,
                     GError **error)
{
    HieraScope place = *scope;
    place.options.by = NULL;
    g_autoptr(GArray) calls = hiera_grid_calls_find(hiera_match_peek_trace(match), &place),
                      doings = hiera_rank_doings_find(match, &place);
    if (!hiera_scope_leads(scope))
        return TRUE;
    g_autoptr(GArray) grids = hiera_grids_find(match, calls);
    g_autoptr(GArray) cuts = planes ? hiera_grid_cuts_find(match, grids, calls) : NULL;
    for (guint i = 0; i < grids->len; i++)
        add_grid(match, &g_array_index(grids, HieraGrid, i), doings, cuts, table);
    hiera_imbalance_limit(hiera_match_peek_trace(match), scope, table);
    if (grids->len == 0)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "--by %s: the traces have no Cartesian topology (MPI_Cart_create)", scope->options.by);
    return grids->len > 0;
}

static gboolean find_planes_of_all(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    return find(match, scope, table, TRUE, error);
}

static gboolean find_ranks_of_all(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    return find(match, scope, table, FALSE, error);
}

const HieraMeasure hiera_imbalance_by_plane = {
    .name = "imbalance",
    .columns = plane_columns,
    .n_columns = G_N_ELEMENTS(plane_columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find_planes_of_all,
};

const HieraMeasure hiera_imbalance_by_coordinates = {
    .name = "imbalance",
    .columns = coordinate_columns,
    .n_columns = G_N_ELEMENTS(coordinate_columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find_ranks_of_all,
};
