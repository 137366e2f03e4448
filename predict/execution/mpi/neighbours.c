/* Neighbourhood collectives (grids and graphs): messages between each two neighbours. See world.h. */
#include "handlers.h"
#include <string.h>

/* The other end of an edge, and the tag of its messages, which distinguishes several edges between the same two
 * members. */
typedef struct {
    gint32 member, tag;
} Edge;

/* List a member's edges in a grid. What is sent to one side of a member arrives from the opposite side of its
 * neighbour. */
static void list_grid(const HieraGroupOfRanks *group, guint member, gboolean sends, GArray *edges)
{
    for (gint32 i = 0; i < 2 * group->n_dimensions; i++) {
        const Edge edge = {hiera_mpi_grid_neighbour(group, member, i / 2, i % 2 == 0 ? -1 : 1), sends ? i ^ 1 : i};
        g_array_append_val(edges, edge);
    }
}

static void list_graph(const HieraMemberEdges *neighbours, gboolean sends, GArray *edges)
{
    const GArray *members = sends ? neighbours->out : neighbours->in;
    for (guint i = 0; i < members->len; i++) {
        const Edge edge = {g_array_index(members, gint32, i), 0};
        g_array_append_val(edges, edge);
    }
}

static GArray *list_edges(const HieraGroupOfRanks *group, guint member, gboolean sends)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    if (group->n_dimensions > 0)
        list_grid(group, member, sends, edges);
    else if (group->neighbours)
        list_graph(&group->neighbours[member], sends, edges);
    return edges;
}

GArray *hiera_mpi_neighbours(const HieraGroupOfRanks *group, guint member, gboolean sends)
{
    g_autoptr(GArray) edges = list_edges(group, member, sends);
    GArray *members = g_array_new(FALSE, FALSE, sizeof(gint32));
    for (guint i = 0; i < edges->len; i++)
        g_array_append_val(members, g_array_index(edges, Edge, i).member);
    return members;
}

/* Append the sends, or the receives, of the caller's messages with its neighbours. */
static void add_messages(HieraWorld *world, guint32 rank, HieraOpenRequest *request, gboolean sends)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    g_autoptr(GArray) edges = list_edges(group, hiera_group_member(group, rank), sends);
    gboolean same = sends && strstr(call->function->name, "allgather");
    if (group->n_dimensions == 0 && !group->neighbours)
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its neighbours are not known", call->name);
    for (guint i = 0; i < edges->len; i++) {
        const Edge *edge = &g_array_index(edges, Edge, i);
        if (edge->member < 0 || (guint)edge->member >= group->ranks->len)
            continue;
        const HieraMpiData data = hiera_mpi_part(world, rank, sends, same ? 0 : i);
        const HieraSimOperation operation = {.kind = sends ? HIERA_SIM_SEND : HIERA_SIM_RECEIVE,
                                             .peer = (gint32)g_array_index(group->ranks, guint32, edge->member),
                                             .tag = edge->tag,
                                             .group = HIERA_NEIGHBOURS + call->group,
                                             .bytes = data.bytes};
        hiera_mpi_add_part(world, rank, request, operation, &data);
    }
}

void hiera_mpi_begin_neighbours(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    if (hiera_group_member(hiera_world_group(world, call->group), rank) == HIERA_NO_VERTEX)
        return;
    add_messages(world, rank, request, FALSE);
    add_messages(world, rank, request, TRUE);
    if (!request)
        hiera_mpi_append_wait(world, rank, HIERA_SIM_ALL);
}

/* --- calls that return neighbours --- */

static void write_members(HieraWorld *world, guint32 rank, HieraMpiName name, const GArray *members)
{
    for (guint i = 0; i < members->len; i++)
        hiera_mpi_write_element(world, rank, name, i, TRUE, (guint64)(guint32)g_array_index(members, gint32, i));
}

void hiera_mpi_tell_neighbours(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown of = {TRUE, hiera_group_member(group, rank)};
    gboolean is_grid = group->n_dimensions > 0;
    if (hiera_mpi_has(call, HIERA_P_RANK))
        of = hiera_mpi_integer(world, rank, HIERA_P_RANK);
    hiera_mpi_write(world, rank, HIERA_P_TOPOLOGY, is_grid || !group->neighbours,
                    is_grid ? (world->is_openmpi ? 1 : 2) : (guint64)(gint64)HIERA_MPI_UNDEFINED);
    if (!group->neighbours || !of.known || of.bits >= group->ranks->len)
        return;
    const HieraMemberEdges *neighbours = &group->neighbours[of.bits];
    hiera_mpi_write(world, rank, HIERA_P_NNEIGHBORS, TRUE, neighbours->out->len);
    hiera_mpi_write(world, rank, HIERA_P_INDEGREE, TRUE, neighbours->in->len);
    hiera_mpi_write(world, rank, HIERA_P_OUTDEGREE, TRUE, neighbours->out->len);
    write_members(world, rank, HIERA_P_NEIGHBORS, neighbours->out);
    write_members(world, rank, HIERA_P_NEIGHBORS_IN, neighbours->in);
    write_members(world, rank, HIERA_P_NEIGHBORS_OUT, neighbours->out);
}
