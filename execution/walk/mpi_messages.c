/* Messages: sends, receives, and requests. See world.h. */
#include "world.h"

guint64 hiera_mpi_new_token(const HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    return (guint64)world->processes[rank]->at << 32 | ++call->serial;
}

void hiera_mpi_append(HieraMpiCall *call, HieraSimOperation operation)
{
    g_array_append_val(call->queue, operation);
}

static gint32 any_source(const HieraWorld *world)
{
    return world->is_openmpi ? -1 : -2;
}

gint32 hiera_mpi_no_process(const HieraWorld *world)
{
    return world->is_openmpi ? -2 : -1;
}

/* The rank of a partner. A partner that is not known: rank 0 takes the others in turn, they take rank 0.
 * @return FALSE: MPI_PROC_NULL */
static gboolean find_peer(HieraWorld *world, guint32 rank, gint8 place, gboolean receives, gint32 *peer)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    HieraKnown value = hiera_mpi_integer(world, rank, place);
    gint32 number = (gint32)value.bits, n = (gint32)group->ranks->len;
    guint member = hiera_group_member(group, rank);
    if (!value.known || number >= n) {
        guint64 turn = world->processes[rank]->counters[world->processes[rank]->at] - 1;
        hiera_world_note(world,
                         "%s: its partner is not known; rank 0 is taken to talk to the others in turn, and they to it",
                         call->name);
        if (n < 2)
            return FALSE;
        number = member == 0 ? 1 + (gint32)(turn % (guint64)(n - 1)) : 0;
    } else if (number == hiera_mpi_no_process(world)) {
        return FALSE;
    } else if (receives && number == any_source(world)) {
        *peer = HIERA_SIM_ANY;
        return TRUE;
    }
    *peer = number < 0 ? 0 : (gint32)g_array_index(group->ranks, guint32, number);
    return TRUE;
}

static gint32 find_tag(HieraWorld *world, guint32 rank, gint8 place, gboolean receives)
{
    HieraKnown tag = hiera_mpi_integer(world, rank, place);
    gint32 number = (gint32)tag.bits;
    if (tag.known && number >= 0)
        return number;
    return receives ? HIERA_SIM_ANY : 0;
}

/* @return -1 if it is not known */
gint64 hiera_mpi_find_bytes(HieraWorld *world, guint32 rank, gint8 count, gint8 type)
{
    HieraKnown n = hiera_mpi_integer(world, rank, count), handle = hiera_mpi_handle(world, rank, type);
    gint64 size = type >= 0 && handle.known ? hiera_mpi_type_size(world, handle.bits) : -1;
    if (count < 0 || type < 0 || !n.known || size < 0 || (gint64)n.bits < 0)
        return -1;
    return (gint64)n.bits * size;
}

gint64 hiera_mpi_bytes_or_default(HieraWorld *world, gint64 bytes)
{
    return bytes >= 0 ? bytes : world->options->message_bytes;
}

/* Keep what is in a message until it is received. */
void hiera_mpi_keep_message(HieraWorld *world, guint32 rank, guint64 token, HieraKnown from, gint64 bytes, gint32 tag)
{
    HieraParcel *parcel = g_new0(HieraParcel, 1);
    guint64 key = hiera_parcel_key(rank, token);
    if (from.known)
        parcel->bytes = hiera_memory_copy(world->processes[rank]->state.memory, from.bits, (guint64)bytes);
    parcel->n = (guint64)bytes;
    parcel->source = (gint32)rank;
    parcel->tag = tag;
    g_hash_table_insert(world->messages, g_memdup2(&key, sizeof key), parcel);
    world->calls[rank].n_sent++;
    world->calls[rank].bytes_sent += (guint64)bytes;
}

void hiera_mpi_keep_receive(HieraWorld *world, guint32 rank, guint64 token, HieraKnown to, gint64 bytes)
{
    HieraParcel *parcel = g_new0(HieraParcel, 1);
    guint64 key = hiera_parcel_key(rank, token);
    parcel->address = to.known ? to.bits : 0;
    parcel->n = bytes >= 0 ? (guint64)bytes : (guint64)world->options->message_bytes;
    parcel->source = -1;
    g_hash_table_insert(world->receives, g_memdup2(&key, sizeof key), parcel);
}

static HieraSimOperation make_send(HieraWorld *world, guint32 rank, const HieraMpiFunction *function, gint32 peer)
{
    return (HieraSimOperation){
        .kind = HIERA_SIM_SEND,
        .mode = function->kind == HIERA_MPI_SEND ? function->detail : HIERA_SIM_STANDARD,
        .peer = peer,
        .tag = find_tag(world, rank, function->tag, FALSE),
        .group = world->calls[rank].group,
        .bytes = hiera_mpi_bytes_or_default(world, hiera_mpi_find_bytes(world, rank, function->count, function->type)),
        .token = hiera_mpi_new_token(world, rank)};
}

HieraOpenRequest *hiera_mpi_open_request(HieraWorld *world, guint32 rank, guint64 *number)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraOpenRequest *request = g_new0(HieraOpenRequest, 1);
    *number = ++call->next_request;
    g_hash_table_insert(call->open, g_memdup2(number, sizeof *number), request);
    request->is_active = TRUE;
    return request;
}

void hiera_mpi_begin_send(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    HieraKnown from = hiera_mpi_pointer(world, rank, function->buffer);
    gint32 peer = 0;
    guint64 number;
    gboolean is_real = find_peer(world, rank, function->peer, FALSE, &peer);
    HieraSimOperation operation = make_send(world, rank, function, peer);
    if (function->request >= 0) {
        HieraOpenRequest *request = hiera_mpi_open_request(world, rank, &number);
        hiera_mpi_write(world, rank, function->request, hiera_mpi_handle_width(world, call), TRUE, number);
        operation.request = number;
        request->persistent = function->persistent;
        request->operation = operation;
        request->address = from.known ? from.bits : 0;
        request->n = (guint64)operation.bytes;
        request->is_active = is_real && !function->persistent;
    }
    if (!is_real || function->persistent)
        return;
    hiera_mpi_keep_message(world, rank, operation.token, from, operation.bytes, operation.tag);
    hiera_mpi_append(call, operation);
}

static HieraSimOperation make_receive(HieraWorld *world, guint32 rank, gint8 tag, gint32 peer)
{
    return (HieraSimOperation){.kind = HIERA_SIM_RECEIVE,
                               .peer = peer,
                               .tag = find_tag(world, rank, tag, TRUE),
                               .group = world->calls[rank].group,
                               .token = hiera_mpi_new_token(world, rank)};
}

void hiera_mpi_begin_receive(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    HieraKnown to = hiera_mpi_pointer(world, rank, function->buffer);
    gint64 bytes = hiera_mpi_find_bytes(world, rank, function->count, function->type);
    gint32 peer = 0;
    guint64 number;
    gboolean is_real = find_peer(world, rank, function->peer, TRUE, &peer);
    HieraSimOperation operation = make_receive(world, rank, function->tag, peer);
    if (function->request >= 0) {
        HieraOpenRequest *request = hiera_mpi_open_request(world, rank, &number);
        hiera_mpi_write(world, rank, function->request, hiera_mpi_handle_width(world, call), TRUE, number);
        operation.request = number;
        request->receive = operation.token;
        request->persistent = function->persistent;
        request->operation = operation;
        request->address = to.known ? to.bits : 0;
        request->n = bytes >= 0 ? (guint64)bytes : (guint64)world->options->message_bytes;
        request->is_active = is_real && !function->persistent;
    }
    if (!is_real || function->persistent)
        return;
    hiera_mpi_keep_receive(world, rank, operation.token, to, bytes);
    call->receive = function->request < 0 ? operation.token : 0;
    hiera_mpi_append(call, operation);
}

/* A receive that is posted, a send, and a wait for both. */
void hiera_mpi_begin_exchange(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    gint32 source = 0, dest = 0;
    gboolean receives = find_peer(world, rank, function->source, TRUE, &source),
             sends = find_peer(world, rank, function->peer, FALSE, &dest);
    if (receives) {
        HieraSimOperation operation = make_receive(world, rank, function->source_tag, source);
        operation.request = ++call->next_request;
        g_array_append_val(call->requests, operation.request);
        hiera_mpi_keep_receive(world, rank, operation.token, hiera_mpi_pointer(world, rank, function->to),
                               hiera_mpi_find_bytes(world, rank, function->to_count, function->to_type));
        call->receive = operation.token;
        hiera_mpi_append(call, operation);
    }
    if (sends) {
        HieraSimOperation operation = make_send(world, rank, function, dest);
        operation.request = ++call->next_request;
        g_array_append_val(call->requests, operation.request);
        hiera_mpi_keep_message(world, rank, operation.token, hiera_mpi_pointer(world, rank, function->buffer),
                               operation.bytes, operation.tag);
        hiera_mpi_append(call, operation);
    }
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_WAIT,
                                               .requests = (const guint64 *)call->requests->data,
                                               .n_requests = call->requests->len,
                                               .token = hiera_mpi_new_token(world, rank)});
}
