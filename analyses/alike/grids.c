/* The size of a grid is known from the arguments of the call that made it. */
#include "grids.h"
#include <string.h>

enum { RANKS_MAX = 1 << 20 };

/* Read the size of a grid; none if it is not one of all members of the communicator. */
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

GArray *hiera_grids_find(const HieraMatch *match)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    GArray *grids = g_array_new(FALSE, FALSE, sizeof(HieraGrid));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (!site->mpi || strcmp(site->operation, "cart_create") != 0)
            continue;
        guint32 comm = hiera_trace_peek_sparse(trace, row)->other;
        if (comm == HIERA_NONE || !g_hash_table_add(seen, GUINT_TO_POINTER(comm)))
            continue;
        const HieraGrid grid = read_grid(match, comm);
        g_array_append_val(grids, grid);
    }
    return grids;
}
