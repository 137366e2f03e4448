/* Requests: persistent ones that are started, and waits. See world.h. */
#include "world.h"

/* Find the requests whose handles a call is given. */
static void find_requests(HieraWorld *world, guint32 rank, gboolean active)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraProcess *process = world->processes[rank];
    HieraKnown at = hiera_mpi_pointer(world, rank, call->function->request), n = {TRUE, 1};
    guint width = hiera_mpi_handle_width(world, call);
    if (call->function->count >= 0)
        n = hiera_mpi_integer(world, rank, call->function->count);
    for (guint64 i = 0; at.known && n.known && i < n.bits && i < 1 << 20; i++) {
        guint64 number = 0, place = at.bits + i * width;
        gboolean known = hiera_memory_read(process->state.memory, place, width, &number);
        const HieraOpenRequest *request = known ? g_hash_table_lookup(call->open, &number) : NULL;
        if (request && request->is_active == active) {
            g_array_append_val(call->requests, number);
            g_array_append_val(call->places, place);
        }
        at.known &= known;
    }
    if (at.known && n.known)
        return;
    /* All that are open. */
    GHashTableIter iterator;
    gpointer key, value;
    hiera_world_note(world, "%s: its requests are not known; all that are open are taken", call->name);
    g_array_set_size(call->requests, 0);
    g_array_set_size(call->places, 0);
    g_hash_table_iter_init(&iterator, call->open);
    while (g_hash_table_iter_next(&iterator, &key, &value))
        if (((HieraOpenRequest *)value)->is_active == active)
            g_array_append_val(call->requests, *(guint64 *)key);
}

void hiera_mpi_begin_start(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    find_requests(world, rank, FALSE);
    for (guint i = 0; i < call->requests->len; i++) {
        guint64 number = g_array_index(call->requests, guint64, i);
        HieraOpenRequest *request = g_hash_table_lookup(call->open, &number);
        const HieraKnown address = {request->address != 0, request->address};
        if (!request->persistent)
            continue;
        request->is_active = TRUE;
        request->operation.token = hiera_mpi_new_token(world, rank);
        if (request->receive > 0) {
            request->receive = request->operation.token;
            hiera_mpi_keep_receive(world, rank, request->receive, address, (gint64)request->n);
        } else {
            hiera_mpi_keep_message(world, rank, request->operation.token, address, request->operation.bytes,
                                   request->operation.tag);
        }
        hiera_mpi_append(call, request->operation);
    }
}

void hiera_mpi_begin_wait(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    find_requests(world, rank, TRUE);
    if (call->requests->len == 0)
        return;
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_WAIT,
                                               .until = call->function->detail,
                                               .requests = (const guint64 *)call->requests->data,
                                               .n_requests = call->requests->len,
                                               .token = hiera_mpi_new_token(world, rank)});
}

static void write_status(HieraWorld *world, guint32 rank, guint64 at, const HieraParcel *received)
{
    HieraKnownMemory *memory = world->processes[rank]->state.memory;
    guint64 source = world->is_openmpi ? 0 : 8, size = world->is_openmpi ? 16 : 0;
    guint member = received->source < 0 ? HIERA_NO_VERTEX
                                        : hiera_group_member(hiera_world_group(world, world->calls[rank].group),
                                                             (guint32)received->source);
    if (at < 4096)
        return; /* MPI_STATUS_IGNORE */
    hiera_memory_write(memory, at + source, 4, member != HIERA_NO_VERTEX, member);
    hiera_memory_write(memory, at + source + 4, 4, received->source >= 0, (guint64)(guint32)received->tag);
    hiera_memory_write(memory, at + size, 8, received->source >= 0, received->n);
}

/* A receive is over: its status, and what was kept of it. */
void hiera_mpi_end_receive(HieraWorld *world, guint32 rank, guint64 token, HieraKnown status)
{
    guint64 key = hiera_parcel_key(rank, token);
    const HieraParcel *received = g_hash_table_lookup(world->receives, &key);
    if (!received)
        return;
    world->calls[rank].n_received++;
    world->calls[rank].bytes_received += received->n;
    if (status.known)
        write_status(world, rank, status.bits, received);
    g_hash_table_remove(world->receives, &key);
}

void hiera_mpi_end_wait(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    HieraKnownMemory *memory = world->processes[rank]->state.memory;
    HieraKnown first = hiera_mpi_pointer(world, rank, function->request);
    gboolean all = function->detail == HIERA_SIM_ALL;
    guint width = hiera_mpi_handle_width(world, call);
    GArray *done = all ? call->requests : call->completed;
    for (guint i = 0; i < done->len; i++) {
        guint64 number = g_array_index(done, guint64, i), place = 0;
        HieraOpenRequest *request = g_hash_table_lookup(call->open, &number);
        for (guint k = 0; k < call->places->len; k++)
            if (g_array_index(call->requests, guint64, k) == number)
                place = g_array_index(call->places, guint64, k);
        if (!request)
            continue;
        if (request->receive > 0)
            hiera_mpi_end_receive(world, rank, request->receive,
                                  function->status >= 0 ? hiera_mpi_pointer(world, rank, function->status)
                                                        : (HieraKnown){FALSE, 0});
        if (place > 0 && function->to >= 0) {
            HieraKnown to = hiera_mpi_pointer(world, rank, function->to);
            if (to.known)
                hiera_memory_write(memory, to.bits + 4 * i, 4, TRUE, (place - first.bits) / width);
        }
        request->is_active = FALSE;
        if (request->persistent)
            continue;
        if (place > 0)
            hiera_memory_write(memory, place, width, TRUE, hiera_mpi_no_request(world, rank));
        g_hash_table_remove(call->open, &number);
    }
    if (function->to_count >= 0)
        hiera_mpi_write(world, rank, function->to_count, 4, TRUE, done->len > 0 ? done->len : (guint64)(guint32)-32766);
    if (function->source >= 0)
        hiera_mpi_write(world, rank, function->source, 4, TRUE, 1);
}
