/* Sends and receives, and statuses. See world.h. */
#include "handlers.h"

guint64 hiera_mpi_new_token(const HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    return (guint64)world->processes[rank]->at << 32 | ++call->serial;
}

void hiera_mpi_append(HieraCurrentCall *call, HieraSimOperation operation)
{
    g_array_append_val(call->queue, operation);
}

/* Append a random delay, with which a rank waits until it may use the network (--machine access=). */
static void append_access(HieraWorld *world, guint32 rank, guint64 token)
{
    const guint64 seeds[] = {world->options->seed, rank + 1, token};
    HieraRandom random = hiera_random_new(seeds, G_N_ELEMENTS(seeds));
    gdouble ps = hiera_random_exponential(&random, world->options->access_ps);
    hiera_mpi_append(&world->calls[rank],
                     (HieraSimOperation){.kind = HIERA_SIM_DELAY,
                                         .duration_ps = (gint64)MIN(ps, (gdouble)HIERA_SIM_LONGEST_PS),
                                         .token = hiera_mpi_new_token(world, rank)});
}

void hiera_mpi_append_send(HieraWorld *world, guint32 rank, HieraSimOperation operation)
{
    if (world->options->access_ps > 0)
        append_access(world, rank, operation.token);
    hiera_mpi_append(&world->calls[rank], operation);
}

void hiera_mpi_append_wait(HieraWorld *world, guint32 rank, HieraSimUntil until)
{
    HieraCurrentCall *call = &world->calls[rank];
    if (call->requests->len > 0)
        hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_WAIT,
                                                   .until = until,
                                                   .requests = (const guint64 *)(void *)call->requests->data,
                                                   .n_requests = call->requests->len,
                                                   .token = hiera_mpi_new_token(world, rank)});
}

gboolean hiera_mpi_find_peer(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean receives, gint32 *peer)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *own = hiera_world_group(world, call->group),
                            *group = own->is_inter ? hiera_world_group(world, own->remote) : own;
    HieraKnown value = hiera_mpi_integer(world, rank, name);
    gint32 number = (gint32)value.bits, n = (gint32)group->ranks->len;
    guint member = hiera_group_member(own, rank);
    if (!value.known || number >= n) {
        guint64 turn = world->processes[rank]->counters[world->processes[rank]->at] - 1;
        hiera_world_note(world, HIERA_NOTE_ASSUMED,
                         "%s: its partner is not known; rank 0 is taken to talk to the others in turn, and they to it",
                         call->name);
        if (n < 2)
            return FALSE;
        number = member == 0 ? 1 + (gint32)(turn % (guint64)(n - 1)) : 0;
    } else if (number == hiera_mpi_no_process(world)) {
        return FALSE;
    } else if (receives && number == hiera_mpi_any_source(world)) {
        hiera_world_note(world, HIERA_NOTE_TIME, "%s from any source: which message comes first is a matter of time",
                         call->name);
        *peer = HIERA_SIM_ANY;
        return TRUE;
    }
    *peer = number < 0 ? 0 : (gint32)g_array_index(group->ranks, guint32, number);
    return TRUE;
}

/* Return the tag of a message. A send with an unknown tag gets the last one that any rank used at the same call. */
gint32 hiera_mpi_find_tag(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean receives)
{
    HieraKnown tag = hiera_mpi_integer(world, rank, name);
    gpointer place = GUINT_TO_POINTER(world->processes[rank]->at);
    if (receives)
        return tag.known && (gint32)tag.bits >= 0 ? (gint32)tag.bits : HIERA_SIM_ANY;
    if (!tag.known || (gint32)tag.bits < 0)
        return GPOINTER_TO_INT(g_hash_table_lookup(world->tags, place));
    g_hash_table_insert(world->tags, place, GINT_TO_POINTER((gint32)tag.bits));
    return (gint32)tag.bits;
}

guint hiera_mpi_group_of_messages(const HieraWorld *world, guint group)
{
    const HieraGroupOfRanks *of = hiera_world_group(world, group);
    return of->is_inter ? of->both
                        : group; /* messages of an intercommunicator: both sides use the number of the group of both */
}

void hiera_mpi_keep_message(HieraWorld *world, guint32 rank, const HieraSimOperation *operation,
                            const HieraMpiData *data)
{
    HieraParcel *parcel = g_new0(HieraParcel, 1);
    guint64 key = hiera_parcel_key(rank, operation->token);
    parcel->bytes = hiera_mpi_pack(world, rank, data);
    parcel->n = (guint64)MAX(data->bytes, 0);
    parcel->source = (gint32)rank;
    parcel->tag = operation->tag;
    parcel->dest = (guint32)operation->peer;
    parcel->group = operation->group;
    g_hash_table_insert(world->messages, g_memdup2(&key, sizeof key), parcel);
    world->calls[rank].n_sent++;
    world->calls[rank].bytes_sent += parcel->n;
}

void hiera_mpi_keep_receive(HieraWorld *world, guint32 rank, guint group, guint64 token, const HieraMpiData *data)
{
    HieraParcel *parcel = g_new0(HieraParcel, 1);
    guint64 key = hiera_parcel_key(rank, token);
    parcel->to = *data;
    parcel->n = (guint64)MAX(data->bytes, 0);
    parcel->source = -1;
    parcel->group = group;
    g_hash_table_insert(world->receives, g_memdup2(&key, sizeof key), parcel);
}

/* --- writing statuses --- */

guint64 hiera_mpi_status_at(HieraWorld *world, guint32 rank, guint64 i)
{
    gboolean several = hiera_mpi_has(&world->calls[rank], HIERA_P_STATUSES);
    HieraKnown at = hiera_mpi_pointer(world, rank, several ? HIERA_P_STATUSES : HIERA_P_STATUS);
    if (!at.known || at.bits < 4096 || hiera_known_memory_name_at(hiera_world_memory(world, rank), at.bits))
        return 0; /* the call wants no status (MPI_STATUS_IGNORE), or its address is not known */
    return at.bits + (several ? i * hiera_mpi_status_width(world) : 0);
}

/* Write an MPI_Status. @param at  address of the status; 0: the call wants none */
static void put_status(HieraWorld *world, guint32 rank, guint64 at, HieraKnown source, HieraKnown tag, HieraKnown n)
{
    HieraKnownMemory *memory = hiera_world_memory(world, rank);
    guint64 source_at = world->is_openmpi ? 0 : 8, size_at = world->is_openmpi ? 16 : 0;
    if (at == 0)
        return;
    hiera_known_memory_write(memory, at + source_at, 4, source.known, source.bits);
    hiera_known_memory_write(memory, at + source_at + 4, 4, tag.known, tag.bits);
    hiera_known_memory_write(memory, at + size_at, world->is_openmpi ? 8 : 4, n.known, n.bits);
}

void hiera_mpi_write_status_of_nobody(HieraWorld *world, guint32 rank, guint64 at)
{
    world->calls[rank].received.source = HIERA_RECEIVED_OF_NOBODY;
    put_status(world, rank, at, (HieraKnown){TRUE, (guint32)hiera_mpi_no_process(world)},
               (HieraKnown){TRUE, (guint32)HIERA_SIM_ANY}, (HieraKnown){TRUE, 0});
}

void hiera_mpi_write_status(HieraWorld *world, guint32 rank, guint64 at, const HieraParcel *received)
{
    gboolean known = received->source >= 0;
    const HieraGroupOfRanks *group = hiera_world_group(world, received->group);
    if (group->is_inter)
        group = hiera_world_group(world, group->remote);
    guint member = known ? hiera_group_member(group, (guint32)received->source) : HIERA_NO_VERTEX;
    world->calls[rank].received = (HieraReceived){(gint32)member, received->tag, received->n};
    put_status(world, rank, at, (HieraKnown){member != HIERA_NO_VERTEX, member},
               (HieraKnown){known, (guint32)received->tag}, (HieraKnown){known, received->n});
}

void hiera_mpi_end_receive(HieraWorld *world, guint32 rank, guint64 token, guint64 status)
{
    guint64 key = hiera_parcel_key(rank, token);
    const HieraParcel *received = g_hash_table_lookup(world->receives, &key);
    if (!received)
        return;
    world->calls[rank].n_received++;
    world->calls[rank].bytes_received += received->n;
    hiera_mpi_write_status(world, rank, status, received);
    g_hash_table_remove(world->receives, &key);
}

/* --- calls that send and receive --- */

static HieraSimOperation make_operation(HieraWorld *world, guint32 rank, gboolean sends, gint32 peer, HieraMpiName tag)
{
    const HieraCurrentCall *call = &world->calls[rank];
    return (HieraSimOperation){.kind = sends ? HIERA_SIM_SEND : HIERA_SIM_RECEIVE,
                               .peer = peer,
                               .tag = hiera_mpi_find_tag(world, rank, tag, !sends),
                               .group = hiera_mpi_group_of_messages(world, call->group)};
}

void hiera_mpi_begin_send(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE);
    HieraKnown partitions = hiera_mpi_integer(world, rank, HIERA_P_PARTITIONS);
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    gint32 peer = 0;
    gboolean is_real = hiera_mpi_find_peer(world, rank, HIERA_P_DEST, FALSE, &peer);
    if (hiera_mpi_has(call, HIERA_P_PARTITIONS) && request) {
        hiera_mpi_multiply(world, &data, partitions);
        request->n_partitions = partitions.known ? MAX(partitions.bits, 1) : 1;
    }
    if (!is_real)
        return;
    HieraSimOperation operation = make_operation(world, rank, TRUE, peer, HIERA_P_TAG);
    operation.mode = call->function->detail;
    operation.bytes = data.bytes;
    if (request) {
        hiera_mpi_add_part(world, rank, request, operation, &data);
        return;
    }
    operation.token = hiera_mpi_new_token(world, rank);
    hiera_mpi_keep_message(world, rank, &operation, &data);
    hiera_mpi_append_send(world, rank, operation);
}

void hiera_mpi_begin_receive(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE);
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    gint32 peer = 0;
    if (hiera_mpi_has(call, HIERA_P_PARTITIONS))
        hiera_mpi_multiply(world, &data, hiera_mpi_integer(world, rank, HIERA_P_PARTITIONS));
    if (!hiera_mpi_find_peer(world, rank, HIERA_P_REM, TRUE, &peer)) {
        if (request)
            request->of_nobody = TRUE;
        else
            hiera_mpi_write_status_of_nobody(world, rank, hiera_mpi_status_at(world, rank, 0));
        return;
    }
    HieraSimOperation operation = make_operation(world, rank, FALSE, peer, HIERA_P_TAG);
    guint64 probed =
        request && request->persistent ? 0 : hiera_mpi_take_probed(world, rank, operation.group, peer, operation.tag);
    if (probed > 0) {
        hiera_mpi_receive_probed(world, rank, request, probed, &data);
    } else if (request) {
        hiera_mpi_add_part(world, rank, request, operation, &data);
    } else {
        operation.token = hiera_mpi_new_token(world, rank);
        hiera_mpi_keep_receive(world, rank, call->group, operation.token, &data);
        g_array_append_val(call->tokens, operation.token);
        hiera_mpi_append(call, operation);
    }
}

/* Begin MPI_Sendrecv and similar calls: post a receive, send, and wait for both. */
void hiera_mpi_begin_exchange(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    gboolean replaces = hiera_mpi_has(call, HIERA_P_BUF);
    HieraMpiData from = replaces ? hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE)
                                 : hiera_mpi_data(world, rank, HIERA_P_SENDBUF, HIERA_P_SCOUNT, HIERA_P_STYPE),
                 to = replaces ? from : hiera_mpi_data(world, rank, HIERA_P_RECVBUF, HIERA_P_RCOUNT, HIERA_P_RTYPE);
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    gint32 source = 0, dest = 0;
    gboolean receives = hiera_mpi_find_peer(world, rank, HIERA_P_REM, TRUE, &source),
             sends = hiera_mpi_find_peer(world, rank, HIERA_P_DEST, FALSE, &dest);
    if (!receives && request)
        request->of_nobody = TRUE;
    else if (!receives)
        hiera_mpi_write_status_of_nobody(world, rank, hiera_mpi_status_at(world, rank, 0));
    if (receives)
        hiera_mpi_add_part(world, rank, request, make_operation(world, rank, FALSE, source, HIERA_P_RTAG), &to);
    if (sends) {
        HieraSimOperation operation = make_operation(world, rank, TRUE, dest, HIERA_P_STAG);
        operation.bytes = from.bytes;
        hiera_mpi_add_part(world, rank, request, operation, &from);
    }
    if (!request)
        hiera_mpi_append_wait(world, rank, HIERA_SIM_ALL);
}

void hiera_mpi_end_receives(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    for (guint i = 0; i < call->tokens->len; i++)
        hiera_mpi_end_receive(world, rank, g_array_index(call->tokens, guint64, i),
                              hiera_mpi_status_at(world, rank, 0));
}
