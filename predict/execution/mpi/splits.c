/* Makes new communicators, windows and files: all members of a group meet, and each says to which new group it goes.
 * See world.h. */
#include "handlers.h"
#include <string.h>

/* --- what a member's call contributes --- */

static gint64 lowest_member(const HieraGroupOfRanks *group)
{
    guint32 lowest = G_MAXUINT32;
    for (guint i = 0; i < group->ranks->len; i++)
        lowest = MIN(lowest, g_array_index(group->ranks, guint32, i));
    return lowest;
}

static void say_color(HieraWorld *world, guint32 rank, gint64 *color, gint64 *key)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean of_type = call->function->detail == HIERA_SPLIT_KEY;
    HieraKnown said = hiera_mpi_integer(world, rank, of_type ? HIERA_P_SPLIT_TYPE : HIERA_P_COLOR),
               order = hiera_mpi_integer(world, rank, HIERA_P_KEY);
    if (!said.known && !of_type)
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its color is not known; 0 is assumed", call->name);
    *color = said.known && (!of_type || (gint64)said.bits == HIERA_MPI_UNDEFINED) ? (gint64)said.bits : 0;
    *key = order.known ? (gint64)order.bits : 0;
}

static void say_window(HieraWorld *world, guint32 rank, HieraWindowPart *part)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraKnown base = hiera_mpi_pointer(world, rank, HIERA_P_BASE), size = hiera_mpi_integer(world, rank, HIERA_P_SIZE),
               unit = hiera_mpi_integer(world, rank, HIERA_P_DISP_UNIT);
    if (hiera_mpi_has(call, HIERA_P_BASEPTR)) {
        base = (HieraKnown){TRUE, hiera_known_memory_allocate(hiera_world_memory(world, rank),
                                                              size.known ? MIN(size.bits, (guint64)1 << 40) : 1 << 20)};
        hiera_mpi_write(world, rank, HIERA_P_BASEPTR, TRUE, base.bits);
    } else if (!hiera_mpi_has(call, HIERA_P_BASE)) { /* dynamic window: its displacements are addresses */
        base = (HieraKnown){TRUE, 0};
        unit = (HieraKnown){TRUE, 1};
    }
    part->base = base.bits;
    part->unit = unit.bits;
    part->known = base.known && unit.known;
}

/* --- edges of graphs, from arguments --- */

static void add_edge(GArray *edges, gint64 from, gint64 to)
{
    const gint32 edge[2] = {(gint32)from, (gint32)to};
    g_array_append_vals(edges, edge, 2);
}

/* Read the edges of a graph from MPI_Graph_create's arguments, node by node. @return FALSE: not all are known */
static gboolean read_graph(HieraWorld *world, guint32 rank, GArray *edges)
{
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_NNODES);
    guint64 at = 0;
    for (guint64 node = 0; n.known && node < MIN(n.bits, world->n); node++) {
        HieraKnown end = hiera_mpi_element(world, rank, HIERA_P_INDEX, node);
        for (; end.known && at < MIN(end.bits, 1 << 24); at++) {
            HieraKnown to = hiera_mpi_element(world, rank, HIERA_P_EDGES, at);
            if (!to.known)
                return FALSE;
            add_edge(edges, (gint64)node, (gint64)to.bits);
        }
        n.known = end.known;
    }
    return n.known;
}

static gboolean read_edges(HieraWorld *world, guint32 rank, GArray *edges)
{
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_N);
    guint64 at = 0;
    for (guint64 i = 0; n.known && i < MIN(n.bits, 1 << 20); i++) {
        HieraKnown from = hiera_mpi_element(world, rank, HIERA_P_NODES, i),
                   degree = hiera_mpi_element(world, rank, HIERA_P_DEGREES, i);
        if (!from.known || !degree.known || degree.bits > 1 << 20)
            return FALSE;
        for (guint64 end = at + degree.bits; at < end; at++) {
            HieraKnown to = hiera_mpi_element(world, rank, HIERA_P_DESTINATIONS, at);
            if (!to.known)
                return FALSE;
            add_edge(edges, (gint64)from.bits, (gint64)to.bits);
        }
    }
    return n.known;
}

/* Read the calling member's own neighbours, which only this member passes. @return FALSE: not all are known */
static gboolean read_list(HieraWorld *world, guint32 rank, HieraMpiName count, HieraMpiName list, GArray *members)
{
    HieraKnown n = hiera_mpi_integer(world, rank, count);
    for (guint64 i = 0; n.known && i < MIN(n.bits, 1 << 20); i++) {
        HieraKnown member = hiera_mpi_element(world, rank, list, i);
        gint32 number = (gint32)member.bits;
        n.known = member.known;
        g_array_append_val(members, number);
    }
    return n.known;
}

static HieraMemberEdges *new_neighbours(guint n)
{
    HieraMemberEdges *neighbours = g_new0(HieraMemberEdges, n);
    for (guint i = 0; i < n; i++) {
        neighbours[i].in = g_array_new(FALSE, FALSE, sizeof(gint32));
        neighbours[i].out = g_array_new(FALSE, FALSE, sizeof(gint32));
    }
    return neighbours;
}

/* Set the neighbours of all members by the edges that were passed. @param only_first  all members passed the same */
static void link_members(HieraGroupOfRanks *group, const HieraGathering *gathering, gboolean only_first)
{
    guint n = group->ranks->len;
    group->neighbours = new_neighbours(n);
    for (guint i = 0; i < (only_first ? 1 : gathering->n); i++) {
        for (guint k = 0; gathering->edges[i] && k + 1 < gathering->edges[i]->len; k += 2) {
            gint32 from = g_array_index(gathering->edges[i], gint32, k),
                   to = g_array_index(gathering->edges[i], gint32, k + 1);
            if (from < 0 || to < 0 || (guint)from >= n || (guint)to >= n)
                continue;
            g_array_append_val(group->neighbours[from].out, to);
            g_array_append_val(group->neighbours[to].in, from);
        }
    }
}

/* --- calls that make groups --- */

/* Return the group whose members all make the call. */
static guint find_meeting(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    if (call->function->detail == HIERA_SPLIT_MEMBERS) {
        /* Each member has a group object of its own with these ranks: all use the first object that has them. */
        const GArray *ranks = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP))->ranks;
        for (guint i = 0; i < world->groups->len; i++) {
            const HieraGroupOfRanks *other = hiera_world_group(world, i);
            if (!other->is_inter && !other->window && other->ranks->len == ranks->len &&
                memcmp(other->ranks->data, ranks->data, ranks->len * sizeof(guint32)) == 0)
                return i;
        }
    }
    return group->is_inter ? group->both : call->group;
}

static void say(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraGathering *gathering = share->gathering;
    gint64 *color = &gathering->color[share->member], *key = &gathering->key[share->member];
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(gint32));
    gboolean known = TRUE;
    const HieraGroupOfRanks *group;
    HieraKnown high;
    gathering->edges[share->member] = edges;
    *key = share->member;
    switch ((HieraSplit)call->function->detail) {
    case HIERA_SPLIT_COLOR:
    case HIERA_SPLIT_KEY:
        say_color(world, rank, color, key);
        break;
    case HIERA_SPLIT_GROUP:
        group = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP));
        *color = hiera_group_member(group, rank) == HIERA_NO_VERTEX ? -1 : lowest_member(group);
        *key = hiera_group_member(group, rank);
        break;
    case HIERA_SPLIT_MERGE:
        group = hiera_world_group(world, call->group);
        high = hiera_mpi_integer(world, rank, HIERA_P_HIGH);
        /* Order of both sides of an intercommunicator: by `high`; if both pass the same, the side with the lower rank
         * comes first. */
        *key = (gint64)hiera_group_member(group, rank) + (high.known && high.bits ? (gint64)1 << 40 : 0) +
               (group->is_inter && lowest_member(group) > lowest_member(hiera_world_group(world, group->remote))
                    ? (gint64)1 << 36
                    : 0);
        break;
    case HIERA_SPLIT_GRID:
        *color = hiera_mpi_grid_members(world, rank) > 0 && (gint32)share->member >= hiera_mpi_grid_members(world, rank)
                     ? -1
                     : 0;
        break;
    case HIERA_SPLIT_SUBGRID:
        hiera_mpi_find_subgrid(world, rank, color, key);
        break;
    case HIERA_SPLIT_GRAPH:
        known = read_graph(world, rank, edges);
        break;
    case HIERA_SPLIT_EDGES:
        known = read_edges(world, rank, edges);
        break;
    case HIERA_SPLIT_WINDOW:
        say_window(world, rank, &gathering->window[share->member]);
        break;
    default:
        break;
    }
    if (!known)
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its edges are not known", call->name);
}

void hiera_mpi_begin_split(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraContribution *share = hiera_share_new(find_meeting(world, rank));
    share->what = HIERA_SIM_BARRIER;
    hiera_gathering_enter(world, rank, share);
    if (!share->gathering) { /* the caller is not a member of the group */
        hiera_share_free(share);
        return;
    }
    say(world, rank, share);
    /* If a request makes the communicator, its handle is set at once, but it is used only after the request is
     * complete. */
    call->n_collectives++;
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_COLLECTIVE,
                                               .collective = HIERA_SIM_BARRIER,
                                               .group = share->group,
                                               .token = hiera_mpi_new_token(world, rank)});
    call->share = share;
}

/* Set the properties of the new group, besides its members: grid, graph or window. */
static void describe(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraGroupOfRanks *made = hiera_world_group(world, call->made);
    guint member = hiera_group_member(made, rank);
    switch ((HieraSplit)call->function->detail) {
    case HIERA_SPLIT_GRID:
        hiera_mpi_describe_grid(world, rank);
        break;
    case HIERA_SPLIT_SUBGRID:
        hiera_mpi_describe_subgrid(world, rank);
        break;
    case HIERA_SPLIT_GRAPH:
    case HIERA_SPLIT_EDGES:
        if (!made->neighbours)
            link_members(made, share->gathering, call->function->detail == HIERA_SPLIT_GRAPH);
        break;
    case HIERA_SPLIT_ADJACENT:
        if (!made->neighbours)
            made->neighbours = new_neighbours(made->ranks->len);
        if (!read_list(world, rank, HIERA_P_INDEGREE, HIERA_P_NEIGHBORS_IN, made->neighbours[member].in) ||
            !read_list(world, rank, HIERA_P_OUTDEGREE, HIERA_P_NEIGHBORS_OUT, made->neighbours[member].out))
            hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its edges are not known", call->name);
        break;
    case HIERA_SPLIT_WINDOW:
        if (made->window)
            break;
        made->window = g_new0(HieraWindowPart, made->ranks->len);
        for (guint i = 0; i < made->ranks->len; i++) {
            made->window[i] = share->gathering->window[i];
            made->window[i].exposed = g_array_new(FALSE, FALSE, sizeof(guint32));
            made->window[i].accessed = g_array_new(FALSE, FALSE, sizeof(guint32));
        }
        break;
    default:
        break;
    }
}

/* For MPI_Comm_dup of an intercommunicator: copy both its sides. @return the copy of the caller's side */
static guint copy_inter(HieraWorld *world, const HieraCurrentCall *call, guint made)
{
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraGroupOfRanks *both = hiera_world_group(world, made);
    if (!group->is_inter || call->function->detail != HIERA_SPLIT_DUPLICATE)
        return made;
    if (!both->is_inter) { /* not done yet: `made` has the ranks of both sides; add the two sides, once for all members
                            */
        const guint sides[2] = {call->group, group->remote};
        guint copies[2];
        for (guint i = 0; i < 2; i++) {
            const GArray *ranks = hiera_world_group(world, sides[i])->ranks;
            copies[i] = hiera_world_add_group(world, (const guint32 *)(void *)ranks->data, ranks->len);
        }
        for (guint i = 0; i < 2; i++) {
            HieraGroupOfRanks *side = hiera_world_group(world, copies[i]);
            side->is_inter = TRUE;
            side->remote = copies[1 - i];
            side->both = made;
        }
        both->is_inter = TRUE;
        both->remote = copies[0];
        both->both = copies[1];
    }
    return hiera_group_member(hiera_world_group(world, both->remote), g_array_index(group->ranks, guint32, 0)) !=
                   HIERA_NO_VERTEX
               ? both->remote
               : both->both;
}

void hiera_mpi_end_split(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    static const HieraMpiName names[] = {HIERA_P_NEWCOMM, HIERA_P_WIN, HIERA_P_FH};
    if (!call->share)
        return;
    call->made = hiera_gathering_group(world, call->share);
    if (call->made != HIERA_NO_VERTEX) {
        call->made = copy_inter(world, call, call->made);
        describe(world, rank, call->share);
    }
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        hiera_mpi_write(world, rank, names[i], TRUE,
                        call->made == HIERA_NO_VERTEX ? hiera_mpi_no_communicator(world, rank)
                                                      : hiera_mpi_group_handle(call->made));
    hiera_mpi_end_collective(world, rank);
    if (call->function->start == HIERA_MPI_MAKES_REQUEST)
        hiera_mpi_open_request(world,
                               rank); /* the new group exists already, so the request is complete from the beginning */
}

/* --- calls that make intercommunicators --- */

/* Make both sides of an intercommunicator, as groups that refer to each other. */
static void make_sides(HieraWorld *world, HieraLeader *leaders[2])
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint sides[2];
    for (guint i = 0; i < 2; i++) {
        const GArray *ranks = hiera_world_group(world, leaders[i]->group)->ranks;
        g_array_append_vals(all, ranks->data, ranks->len);
        sides[i] = hiera_world_add_group(world, (const guint32 *)(void *)ranks->data, ranks->len);
    }
    guint both = hiera_world_add_group(world, (const guint32 *)(void *)all->data, all->len);
    for (guint i = 0; i < 2; i++) {
        HieraGroupOfRanks *side = hiera_world_group(world, sides[i]);
        side->is_inter = TRUE;
        side->remote = sides[1 - i];
        side->both = both;
        leaders[i]->made = sides[i];
    }
}

static guint64 side_key(guint group, guint64 turn)
{
    return (guint64)group << 32 | (turn & 0xffffffff);
}

/* Record that the leader of one side has made the call. When both leaders have, make both sides. */
static void meet(HieraWorld *world, guint32 rank, guint group, guint64 turn, guint32 other)
{
    guint64 key = side_key(group, turn);
    HieraLeader *own = g_new0(HieraLeader, 1);
    GHashTableIter iterator;
    gpointer value;
    *own = (HieraLeader){group, rank, other, 0};
    g_hash_table_iter_init(&iterator, world->leaders);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        HieraLeader *found = value;
        if (found->rank == other && found->other == rank && found->made == 0)
            make_sides(world, (HieraLeader *[]){own, found});
    }
    g_hash_table_insert(world->leaders, g_memdup2(&key, sizeof key), own);
}

/* Begin a call that makes an intercommunicator: both leaders wait for each other, other members for their own leader.
 */
void hiera_mpi_begin_leaders(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    gboolean by_groups = hiera_mpi_has(call, HIERA_P_LOCAL_GROUP);
    guint local = hiera_mpi_group(world, rank, by_groups ? HIERA_P_LOCAL_GROUP : HIERA_P_LOCAL_COMM),
          peers = hiera_mpi_group(world, rank, by_groups ? HIERA_P_REMOTE_GROUP : HIERA_P_PEER_COMM);
    const GArray *side = hiera_world_group(world, local)->ranks, *others = hiera_world_group(world, peers)->ranks;
    HieraKnown leader = hiera_mpi_integer(world, rank, HIERA_P_LOCAL_LEADER),
               remote = hiera_mpi_integer(world, rank, HIERA_P_REMOTE_LEADER);
    call->side = G_MAXUINT64;
    if (!leader.known || leader.bits >= side->len ||
        hiera_group_member(hiera_world_group(world, local), rank) == HIERA_NO_VERTEX) {
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its leaders are not known", call->name);
        return;
    }
    guint32 own = g_array_index(side, guint32, leader.bits);
    guint64 turn = hiera_world_turn(call, local);
    call->side = side_key(local, turn);
    if (own == rank && remote.known && remote.bits < others->len) {
        gint32 other = (gint32)g_array_index(others, guint32, remote.bits);
        const HieraSimOperation receive = {.kind = HIERA_SIM_RECEIVE, .peer = other, .group = HIERA_LEADERS},
                                send = {.kind = HIERA_SIM_SEND, .peer = other, .group = HIERA_LEADERS};
        const HieraMpiData none = {.bytes = 0};
        meet(world, rank, local, turn, (guint32)other);
        hiera_mpi_add_part(world, rank, NULL, receive, &none);
        hiera_mpi_add_part(world, rank, NULL, send, &none);
        hiera_mpi_append_wait(world, rank, HIERA_SIM_ALL);
    }
    call->n_collectives++;
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_COLLECTIVE,
                                               .collective = HIERA_SIM_BROADCAST,
                                               .peer = (gint32)own,
                                               .group = local,
                                               .token = hiera_mpi_new_token(world, rank)});
}

void hiera_mpi_end_leaders(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraLeader *leader = g_hash_table_lookup(world->leaders, &call->side);
    hiera_mpi_end_receives(world, rank);
    hiera_mpi_write(world, rank, HIERA_P_NEWCOMM, TRUE,
                    leader && leader->made > 0 ? hiera_mpi_group_handle(leader->made)
                                               : hiera_mpi_no_communicator(world, rank));
}
