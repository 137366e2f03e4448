/* Cartesian topologies. The size of a grid is known from the arguments of the call that made it. */
#include "grids.h"
#include <string.h>

enum { RANKS_MAX = 1 << 20 };

/* Return the grid of a communicator; its size stays unknown if not all members of the communicator are in the grid. */
static HieraGrid read_grid(const HieraMatch *match, guint32 comm)
{
    HieraGrid grid = {.comm = comm}, none = {.comm = comm};
    gint64 n = 1;
    for (gint64 size; (size = hiera_match_dimension(match, comm, grid.n_dimensions)) > 0;) {
        if (grid.n_dimensions == HIERA_GRID_DIMENSIONS_MAX || size > RANKS_MAX / n)
            return none;
        grid.size[grid.n_dimensions++] = size;
        n *= size;
    }
    gboolean whole = grid.n_dimensions > 0 && hiera_match_member(match, comm, n - 1) >= 0 &&
                     hiera_match_member(match, comm, n) == HIERA_ABSENT;
    return whole ? grid : none;
}

/* --- calls that make or cut grids --- */

static void add_call(const HieraTrace *trace, guint32 row, guint32 processor, GArray *calls)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    gboolean makes = site->mpi && strcmp(site->operation, "cart_create") == 0;
    if (!makes && !(site->mpi && strcmp(site->operation, "cart_sub") == 0))
        return;
    HieraGridCall call = {processor, makes ? HIERA_NONE : trace->comm[row], hiera_trace_peek_sparse(trace, row)->other};
    if (call.comm != HIERA_NONE && (makes || call.of != HIERA_NONE))
        g_array_append_val(calls, call);
}

static gint compare_processors(gconstpointer left, gconstpointer right)
{
    const HieraGridCall *a = left, *b = right;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

GArray *hiera_grid_calls_find(const HieraTrace *trace, const HieraScope *scope)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(HieraGridCall));
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; hiera_scope_is_own(scope, i) && row < of->first + of->n_operations; row++)
            add_call(trace, (guint32)row, i, calls);
    }
    hiera_scope_gather_array(scope, trace, calls);
    g_array_sort(calls, compare_processors); /* a stable sort: calls of one processor stay in their order */
    return calls;
}

/* --- grids that the calls made --- */

GArray *hiera_grids_find(const HieraMatch *match, const GArray *calls)
{
    GArray *grids = g_array_new(FALSE, FALSE, sizeof(HieraGrid));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < calls->len; i++) {
        const HieraGridCall *call = &g_array_index(calls, HieraGridCall, i);
        if (call->of != HIERA_NONE || !g_hash_table_add(seen, GUINT_TO_POINTER(call->comm)))
            continue;
        const HieraGrid grid = read_grid(match, call->comm);
        g_array_append_val(grids, grid);
    }
    return grids;
}
