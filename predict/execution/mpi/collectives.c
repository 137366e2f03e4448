/* Collective calls: which data a member sends and receives, by the arguments of its call. See world.h. */
#include "handlers.h"
#include <string.h>

/* The parameters that describe the data sent, or received, in a collective. */
typedef struct {
    HieraMpiName buffer, count, counts, places, type, types;
} Names;

static const Names sent = {HIERA_P_SENDBUF, HIERA_P_SCOUNT, HIERA_P_SCOUNTS,
                           HIERA_P_SDISPLS, HIERA_P_STYPE,  HIERA_P_STYPES};
static const Names received = {HIERA_P_RECVBUF, HIERA_P_RCOUNT, HIERA_P_RCOUNTS,
                               HIERA_P_RDISPLS, HIERA_P_RTYPE,  HIERA_P_RTYPES};

HieraMpiData hiera_mpi_part(HieraWorld *world, guint32 rank, gboolean sends, guint64 i)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const Names *names = sends ? &sent : &received;
    HieraMpiName places = hiera_mpi_has(call, names->places) ? names->places : HIERA_P_DISPLS;
    HieraKnown address = hiera_mpi_pointer(world, rank, names->buffer), count, handle, place = {TRUE, 0};
    gboolean own_types = hiera_mpi_has(call, names->types);
    handle = own_types                          ? hiera_mpi_element(world, rank, names->types, i)
             : hiera_mpi_has(call, names->type) ? hiera_mpi_handle(world, rank, names->type)
                                                : hiera_mpi_handle(world, rank, HIERA_P_TYPE);
    const HieraMpiType *type = handle.known ? hiera_mpi_type(world, rank, handle.bits) : NULL;
    guint64 extent = type ? (guint64)type->extent : 0;
    if (hiera_mpi_has(call, names->counts)) {
        count = hiera_mpi_element(world, rank, names->counts, i);
        if (hiera_mpi_has(call, places))
            place = hiera_mpi_element(world, rank, places, i);
        place.bits *= own_types ? 1 : extent;
    } else {
        count = hiera_mpi_integer(world, rank, names->count);
        place = (HieraKnown){count.known && type, i * count.bits * extent};
    }
    address.known &= place.known;
    address.bits += place.bits;
    return hiera_mpi_data_of(world, address, count, type);
}

static void add_parts(HieraWorld *world, guint32 rank, GArray *to, gboolean sends, guint n)
{
    for (guint i = 0; i < n; i++) {
        const HieraMpiData data = hiera_mpi_part(world, rank, sends, i);
        g_array_append_val(to, data);
    }
}

static gint64 bytes_of(const GArray *data, guint i)
{
    return i < data->len ? g_array_index(data, HieraMpiData, i).bytes : 0;
}

/* --- what members send and receive --- */

static void fill_broadcast(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    const HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_BUFFER, HIERA_P_COUNT, HIERA_P_TYPE);
    g_array_append_val(share->member == share->root ? share->pieces : share->slots, data);
    share->bytes = data.bytes;
}

static void fill_reduction(HieraWorld *world, guint32 rank, HieraContribution *share, gboolean gets)
{
    HieraMpiData to = hiera_mpi_data(world, rank, HIERA_P_RECVBUF, HIERA_P_COUNT, HIERA_P_TYPE), from = to;
    HieraKnown address = hiera_mpi_pointer(world, rank, HIERA_P_SENDBUF);
    if (!hiera_mpi_is_in_place(world, rank, address))
        from.address = address;
    g_array_append_val(share->pieces, from);
    if (gets)
        g_array_append_val(share->slots, to);
    share->bytes = from.bytes;
}

/* Describe MPI_Reduce_scatter: the vector to be reduced has the results of all members, one after another. */
static void fill_reduce_scatter(HieraWorld *world, guint32 rank, HieraContribution *share, guint n)
{
    HieraKnown address = hiera_mpi_pointer(world, rank, HIERA_P_SENDBUF),
               to = hiera_mpi_pointer(world, rank, HIERA_P_RECVBUF);
    if (hiera_mpi_is_in_place(world, rank, address))
        address = to;
    for (guint i = 0; i < n; i++) {
        HieraMpiData piece = hiera_mpi_part(world, rank, FALSE, i);
        piece.address = address;
        g_array_append_val(share->pieces, piece);
        address.bits += piece.type ? piece.count * (guint64)piece.type->extent : 0;
        address.known &= piece.type != NULL;
    }
    HieraMpiData slot = g_array_index(share->pieces, HieraMpiData, share->member);
    slot.address = to;
    g_array_append_val(share->slots, slot);
    share->bytes = slot.bytes;
}

static void fill_scatter(HieraWorld *world, guint32 rank, HieraContribution *share, guint n)
{
    gboolean is_root = share->member == share->root,
             in_place = hiera_mpi_is_in_place(world, rank, hiera_mpi_pointer(world, rank, HIERA_P_RECVBUF));
    if (is_root)
        add_parts(world, rank, share->pieces, TRUE, n);
    if (!is_root || !in_place)
        add_parts(world, rank, share->slots, FALSE, 1);
    share->bytes = is_root && in_place ? bytes_of(share->pieces, share->member) : bytes_of(share->slots, 0);
}

static void fill_gather(HieraWorld *world, guint32 rank, HieraContribution *share, guint n)
{
    gboolean gets = share->what == HIERA_SIM_ALLGATHER || share->member == share->root,
             in_place = hiera_mpi_is_in_place(world, rank, hiera_mpi_pointer(world, rank, HIERA_P_SENDBUF));
    if (gets)
        add_parts(world, rank, share->slots, FALSE, n);
    if (in_place && gets)
        g_array_append_val(share->pieces, g_array_index(share->slots, HieraMpiData, share->member));
    else
        add_parts(world, rank, share->pieces, TRUE, 1);
    share->bytes = bytes_of(share->pieces, 0);
}

static void fill_alltoall(HieraWorld *world, guint32 rank, HieraContribution *share, guint n)
{
    gboolean in_place = hiera_mpi_is_in_place(world, rank, hiera_mpi_pointer(world, rank, HIERA_P_SENDBUF));
    add_parts(world, rank, share->slots, FALSE, n);
    if (in_place)
        g_array_append_vals(share->pieces, share->slots->data, share->slots->len);
    else
        add_parts(world, rank, share->pieces, TRUE, n);
    gdouble all = 0;
    for (guint i = 0; i < n; i++)
        all += (gdouble)bytes_of(share->pieces, i);
    share->bytes = (gint64)(all / n);
}

static void fill(HieraWorld *world, guint32 rank, HieraContribution *share, guint n)
{
    HieraKnown type = hiera_mpi_handle(world, rank, HIERA_P_TYPE),
               operation = hiera_mpi_handle(world, rank, HIERA_P_OP);
    share->type = type.known ? type.bits : 0;
    share->operation = operation.known ? operation.bits : 0;
    switch (share->what) {
    case HIERA_SIM_BROADCAST:
        fill_broadcast(world, rank, share);
        break;
    case HIERA_SIM_REDUCE:
    case HIERA_SIM_ALLREDUCE:
    case HIERA_SIM_SCAN:
        fill_reduction(world, rank, share, share->what != HIERA_SIM_REDUCE || share->member == share->root);
        break;
    case HIERA_SIM_REDUCE_SCATTER:
        fill_reduce_scatter(world, rank, share, n);
        break;
    case HIERA_SIM_SCATTER:
        fill_scatter(world, rank, share, n);
        break;
    case HIERA_SIM_GATHER:
    case HIERA_SIM_ALLGATHER:
        fill_gather(world, rank, share, n);
        break;
    case HIERA_SIM_ALLTOALL:
        fill_alltoall(world, rank, share, n);
        break;
    default:
        share->moves = FALSE;
        break;
    }
}

/* --- beginning a collective --- */

/* Begin a collective, now or when its persistent request is started. Takes ownership of `share`. */
static void begin(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    HieraCurrentCall *call = &world->calls[rank];
    const GArray *ranks = hiera_world_group(world, share->group)->ranks;
    HieraSimOperation operation = {.kind = HIERA_SIM_COLLECTIVE,
                                   .collective = share->what,
                                   .peer = (gint32)g_array_index(ranks, guint32, share->root),
                                   .group = share->group,
                                   .bytes = share->bytes};
    if (call->function->start == HIERA_MPI_BLOCKS) {
        hiera_gathering_enter(world, rank, share);
        call->share = share;
        call->n_collectives++;
        operation.token = hiera_mpi_new_token(world, rank);
        hiera_mpi_append(call, operation);
        return;
    }
    HieraOpenRequest *request = hiera_mpi_open_request(world, rank);
    request->share = share;
    request->collective = operation;
    request->collective.request = ++call->next_request;
    if (!request->persistent)
        hiera_mpi_start_collective(world, rank, request);
}

void hiera_mpi_start_collective(HieraWorld *world, guint32 rank, HieraOpenRequest *request)
{
    hiera_gathering_enter(world, rank, request->share);
    world->calls[rank].n_collectives++;
    request->collective.token = hiera_mpi_new_token(world, rank);
    hiera_mpi_append(&world->calls[rank], request->collective);
}

static HieraContribution *new_share(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraContribution *share = hiera_share_new(group->is_inter ? group->both : call->group);
    group = hiera_world_group(world, share->group);
    share->member = hiera_group_member(group, rank);
    share->what = HIERA_SIM_BARRIER;
    if (share->member != HIERA_NO_VERTEX)
        return share;
    hiera_share_free(share); /* the process is no member: its communicator is not known */
    return NULL;
}

void hiera_mpi_begin_gathering(HieraWorld *world, guint32 rank)
{
    HieraContribution *share = new_share(world, rank);
    if (share)
        begin(world, rank, share);
}

void hiera_mpi_begin_collective(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraContribution *share = new_share(world, rank);
    if (!share)
        return;
    guint n = hiera_world_group(world, share->group)->ranks->len;
    HieraKnown root = hiera_mpi_integer(world, rank, HIERA_P_ROOT);
    if (!root.known && (share->what == HIERA_SIM_BROADCAST || share->what == HIERA_SIM_REDUCE ||
                        share->what == HIERA_SIM_GATHER || share->what == HIERA_SIM_SCATTER))
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its root is not known; 0 is assumed", world->calls[rank].name);
    share->what = call->function->detail;
    share->root = root.known && root.bits < n ? (guint)root.bits : 0;
    share->exclusive = strstr(call->function->name, "exscan") != NULL;
    share->moves = !hiera_world_group(world, call->group)->is_inter;
    fill(world, rank, share, n);
    begin(world, rank, share);
}

void hiera_mpi_end_collective(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    if (!call->share)
        return;
    hiera_gathering_leave(world, rank, call->share);
    hiera_share_free(call->share);
    call->share = NULL;
}
