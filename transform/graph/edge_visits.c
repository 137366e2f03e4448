#include "edge_visits.h"

/* `last` is by depth: row + 1 of the last operation at this depth. It is the previous sibling if it belongs to this
 * processor and has the same parent and thread. */
void hiera_edges_visit_tree(const HieraTrace *trace, guint32 processor, GArray *last, HieraTreeVisit visit,
                            gpointer user)
{
    const HieraProcessor *of = &trace->processors[processor];
    for (guint64 i = of->first; i < of->first + of->n_operations; i++) {
        guint32 row = (guint32)i, depth = trace->depth[row], parent = trace->parent[row];
        visit(HIERA_EDGE_CHILD, parent, row, user);
        if (depth >= last->len)
            g_array_set_size(last, depth + 1);
        guint32 after_last = g_array_index(last, guint32, depth);
        if (after_last > of->first && trace->parent[after_last - 1] == parent &&
            trace->thread[after_last - 1] == trace->thread[row])
            visit(HIERA_EDGE_NEXT, after_last - 1, row, user);
        g_array_index(last, guint32, depth) = row + 1;
    }
}

gboolean hiera_collective_has_vertex(const HieraCollective *collective)
{
    gboolean all = collective->kind == HIERA_KIND_ALL_TO_ALL || collective->kind == HIERA_KIND_GROUP;
    return all && collective->n > 2;
}

static void visit_rooted(const HieraCollective *collective, const guint32 *members, HieraEdgeVisit visit, gpointer user)
{
    for (guint32 i = 0; collective->root != HIERA_NONE && i < collective->n; i++) {
        if (members[i] == collective->root)
            continue;
        if (collective->kind == HIERA_KIND_ONE_TO_ALL)
            visit(collective->root, members[i], user);
        else
            visit(members[i], collective->root, user);
    }
}

static void visit_all_to_all(const HieraCollective *collective, const guint32 *members, HieraEdgeVisit visit,
                             gpointer user)
{
    for (guint32 i = 0; hiera_collective_has_vertex(collective) && i < collective->n; i++) {
        visit(members[i], HIERA_NONE, user);
        visit(HIERA_NONE, members[i], user);
    }
    if (collective->n == 2) {
        visit(members[0], members[1], user);
        visit(members[1], members[0], user);
    }
}

/* What visit_neighbor() needs for the edges of a neighbourhood collective. */
typedef struct {
    const guint32 *members;
    HieraEdgeVisit visit;
    gpointer user;
} Neighbors;

static void visit_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Neighbors *neighbors = data;
    neighbors->visit(neighbors->members[from], neighbors->members[to], neighbors->user);
}

void hiera_edges_visit_collective(const HieraMatch *match, guint32 number, HieraEdgeVisit visit, gpointer user)
{
    guint n;
    const HieraCollective *collective = &hiera_match_peek_collectives(match, &n)[number];
    const guint32 *members = hiera_match_peek_members(match, number, &n);
    Neighbors neighbors = {members, visit, user};
    switch (collective->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        visit_rooted(collective, members, visit, user);
        break;
    case HIERA_KIND_PREFIX: /* each member depends on the one before; members are sorted by rank */
        for (guint32 i = 1; i < n; i++)
            visit(members[i - 1], members[i], user);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        visit_all_to_all(collective, members, visit, user);
        break;
    case HIERA_KIND_NEIGHBOR:
        hiera_match_visit_neighbors(match, number, visit_neighbor, &neighbors);
        break;
    default: /* in collectives of other kinds, no member depends on another one */
        break;
    }
}
