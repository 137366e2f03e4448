/* The axes that were cut follow from the members of the new communicator: on these axes they have the same coordinates
 * in the grid. */
#include "grid_cuts.h"
#include <string.h>

typedef struct {
    const HieraMatch *match;
    GHashTable *grids;  /* communicator → the HieraGrid that the communicator is, or is a part of */
    GHashTable *places; /* HieraGrid → GHashTable of its members: world rank + 1 → rank in the grid + 1 */
    GArray *found;
} Search;

/* Return the table of a grid's members, world rank + 1 → rank in the grid + 1; make it at the first call. */
static GHashTable *places_in(const Search *search, const HieraGrid *grid)
{
    GHashTable *places = g_hash_table_lookup(search->places, grid);
    gint32 world;
    if (places)
        return places;
    places = g_hash_table_new(NULL, NULL);
    for (gint64 i = 0; (world = hiera_match_member(search->match, grid->comm, i)) != HIERA_ABSENT; i++)
        g_hash_table_insert(places, GINT_TO_POINTER(world + 1), GSIZE_TO_POINTER((gsize)i + 1));
    g_hash_table_insert(search->places, (gpointer)grid, places);
    return places;
}

/* Return the axes (bit i: axis i) longer than 1 on which two ranks of a grid, `a` and `b`, have the same coordinate. */
static guint32 same_axes(const HieraGrid *grid, gsize a, gsize b)
{
    guint32 axes = 0;
    for (guint i = grid->n_dimensions; i-- > 0;) {
        gsize size = (gsize)grid->size[i];
        axes |= size > 1 && a % size == b % size ? 1u << i : 0;
        a /= size;
        b /= size;
    }
    return axes;
}

/* Return the axes (bit i: axis i) on which all members of `comm` have one coordinate; 0: some is not in the grid. */
static guint32 axes_of(const Search *search, const HieraGrid *grid, guint32 comm)
{
    GHashTable *places = places_in(search, grid);
    gsize first = 0;
    guint32 axes = G_MAXUINT32;
    gint32 world;
    for (gint64 i = 0; (world = hiera_match_member(search->match, comm, i)) != HIERA_ABSENT; i++) {
        gsize place = GPOINTER_TO_SIZE(g_hash_table_lookup(places, GINT_TO_POINTER(world + 1)));
        if (place == 0)
            return 0;
        first = i == 0 ? place : first;
        axes &= same_axes(grid, first - 1, place - 1);
    }
    return axes;
}

static gboolean is_new(const Search *search, const HieraGridCut *cut)
{
    for (guint i = 0; i < search->found->len; i++) {
        const HieraGridCut *other = &g_array_index(search->found, HieraGridCut, i);
        if (other->comm == cut->comm && other->axes == cut->axes)
            return FALSE;
    }
    return TRUE;
}

static void add_part(const Search *search, const HieraGrid *grid, guint32 comm)
{
    HieraGridCut cut = {grid->comm, axes_of(search, grid, comm)};
    gboolean several = (cut.axes & (cut.axes - 1)) != 0, all = cut.axes == same_axes(grid, 0, 0);
    if (several && !all && is_new(search, &cut))
        g_array_append_val(search->found, cut);
}

static void visit_calls(const Search *search, const GArray *calls)
{
    for (guint i = 0; i < calls->len; i++) {
        const HieraGridCall *call = &g_array_index(calls, HieraGridCall, i);
        HieraGrid *grid =
            call->of == HIERA_NONE ? NULL : g_hash_table_lookup(search->grids, GUINT_TO_POINTER(call->of));
        if (!grid || g_hash_table_contains(search->grids, GUINT_TO_POINTER(call->comm)))
            continue;
        g_hash_table_insert(search->grids, GUINT_TO_POINTER(call->comm), grid);
        add_part(search, grid, call->comm);
    }
}

GArray *hiera_grid_cuts_find(const HieraMatch *match, const GArray *grids, const GArray *calls)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HieraGridCut));
    g_autoptr(GHashTable) of = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) places = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
    for (guint i = 0; i < grids->len; i++) {
        HieraGrid *grid = &g_array_index(grids, HieraGrid, i);
        if (grid->n_dimensions > 0)
            g_hash_table_insert(of, GUINT_TO_POINTER(grid->comm), grid);
    }
    visit_calls(&(Search){match, of, places, found}, calls);
    return found;
}
