/* Requests: making, starting, waiting for and freeing them. See world.h. */
#include "handlers.h"

void hiera_mpi_request_free(gpointer freed)
{
    HieraOpenRequest *request = freed;
    g_array_unref(request->parts);
    hiera_share_free(request->share);
    g_free(request);
}

HieraOpenRequest *hiera_mpi_open_request(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraOpenRequest *request = g_new0(HieraOpenRequest, 1);
    guint64 handle = ++call->next_request;
    request->parts = g_array_new(FALSE, FALSE, sizeof(HieraRequestPart));
    request->persistent = call->function->start == HIERA_MPI_PERSISTENT;
    request->is_active = !request->persistent;
    g_hash_table_insert(call->open, g_memdup2(&handle, sizeof handle), request);
    call->opened = handle;
    hiera_mpi_write(world, rank, HIERA_P_REQUEST, TRUE, handle);
    return request;
}

static void start_part(HieraWorld *world, guint32 rank, HieraRequestPart *part)
{
    part->operation.token = hiera_mpi_new_token(world, rank);
    if (part->operation.kind == HIERA_SIM_RECEIVE)
        hiera_mpi_keep_receive(world, rank, part->group, part->operation.token, &part->data);
    if (part->operation.kind != HIERA_SIM_SEND) {
        hiera_mpi_append(&world->calls[rank], part->operation);
        return;
    }
    hiera_mpi_keep_message(world, rank, &part->operation, &part->data);
    hiera_mpi_append_send(world, rank, part->operation);
}

void hiera_mpi_add_part(HieraWorld *world, guint32 rank, HieraOpenRequest *request, HieraSimOperation operation,
                        const HieraMpiData *data)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraRequestPart part = {operation, *data, call->group};
    part.operation.request = ++call->next_request;
    if (!request || !request->persistent)
        start_part(world, rank, &part);
    if (request) {
        g_array_append_val(request->parts, part);
        return;
    }
    g_array_append_val(call->requests, part.operation.request);
    if (operation.kind == HIERA_SIM_RECEIVE)
        g_array_append_val(call->tokens, part.operation.token);
}

/* --- finding the requests that a call names --- */

static void take_request(HieraWorld *world, guint32 rank, guint64 handle, guint64 place, gboolean active)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraOpenRequest *request = g_hash_table_lookup(call->open, &handle);
    if (!request || request->is_active != active)
        return;
    g_array_append_val(call->handles, handle);
    g_array_append_val(call->places, place);
}

static void take_all(HieraWorld *world, guint32 rank, gboolean active)
{
    HieraCurrentCall *call = &world->calls[rank];
    GHashTableIter iterator;
    gpointer key;
    hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its requests are not known; all that are open are taken",
                     call->name);
    g_array_set_size(call->handles, 0);
    g_array_set_size(call->places, 0);
    g_hash_table_iter_init(&iterator, call->open);
    while (g_hash_table_iter_next(&iterator, &key, NULL))
        take_request(world, rank, *(guint64 *)key, 0, active);
}

static void find_requests(HieraWorld *world, guint32 rank, gboolean active)
{
    HieraCurrentCall *call = &world->calls[rank];
    gboolean several = hiera_mpi_has(call, HIERA_P_REQUESTS);
    HieraKnown n = {TRUE, 1}, at = hiera_mpi_pointer(world, rank, several ? HIERA_P_REQUESTS : HIERA_P_REQUEST);
    guint width = hiera_mpi_handle_width(world, call);
    if (several)
        n = hiera_mpi_integer(world, rank, hiera_mpi_has(call, HIERA_P_COUNT) ? HIERA_P_COUNT : HIERA_P_INCOUNT);
    for (guint64 i = 0; at.known && n.known && i < MIN(n.bits, 1 << 20); i++) {
        HieraKnown handle = several ? hiera_mpi_element(world, rank, HIERA_P_REQUESTS, i)
                                    : hiera_mpi_handle(world, rank, HIERA_P_REQUEST);
        if (handle.known)
            take_request(world, rank, handle.bits, at.bits + i * width, active);
        at.known &= handle.known;
    }
    if (!at.known || !n.known)
        take_all(world, rank, active);
}

static HieraOpenRequest *request_at(const HieraCurrentCall *call, guint i)
{
    return g_hash_table_lookup(call->open, &g_array_index(call->handles, guint64, i));
}

/* Add all simulator requests of a program's request to those that the call waits for. */
static void add_waits(HieraCurrentCall *call, const HieraOpenRequest *request)
{
    if (request->is_done)
        return;
    if (request->share)
        g_array_append_val(call->requests, request->collective.request);
    for (guint i = 0; i < request->parts->len && request->n_ready >= request->n_partitions; i++)
        g_array_append_val(call->requests, g_array_index(request->parts, HieraRequestPart, i).operation.request);
}

/* Last simulator request of a request, which stands for all in a wait for one of several requests; 0: nothing is left
 * to wait for. */
static guint64 last_wait(const HieraOpenRequest *request)
{
    if (request->is_done || request->n_ready < request->n_partitions)
        return 0;
    if (request->share)
        return request->collective.request;
    guint n = request->parts->len;
    return n > 0 ? g_array_index(request->parts, HieraRequestPart, n - 1).operation.request : 0;
}

/* --- starting persistent requests --- */

static void start_parts(HieraWorld *world, guint32 rank, HieraOpenRequest *request)
{
    for (guint i = 0; i < request->parts->len; i++)
        start_part(world, rank, &g_array_index(request->parts, HieraRequestPart, i));
}

void hiera_mpi_begin_start(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    find_requests(world, rank, FALSE);
    for (guint i = 0; i < call->handles->len; i++) {
        HieraOpenRequest *request = request_at(call, i);
        if (!request->persistent)
            continue;
        request->is_active = TRUE;
        request->is_done = FALSE;
        request->n_ready = 0;
        if (request->share)
            hiera_mpi_start_collective(world, rank, request);
        else if (request->n_partitions == 0)
            start_parts(world, rank, request);
    }
}

/* Mark partitions of a partitioned send as ready. The send begins when all of its partitions are ready. */
void hiera_mpi_begin_ready(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraKnown n = {TRUE, 1};
    if (hiera_mpi_has(call, HIERA_P_LENGTH))
        n = hiera_mpi_integer(world, rank, HIERA_P_LENGTH);
    if (hiera_mpi_has(call, HIERA_P_PARTITION_HIGH)) {
        HieraKnown low = hiera_mpi_integer(world, rank, HIERA_P_PARTITION_LOW);
        n = hiera_mpi_integer(world, rank, HIERA_P_PARTITION_HIGH);
        n = (HieraKnown){n.known && low.known, n.bits - low.bits + 1};
    }
    find_requests(world, rank, TRUE);
    if (call->handles->len == 0 || !n.known)
        return;
    HieraOpenRequest *request = request_at(call, 0);
    gboolean had_begun = request->n_ready >= request->n_partitions;
    request->n_ready += MIN(n.bits, request->n_partitions);
    if (!had_begun && request->n_ready >= request->n_partitions)
        start_parts(world, rank, request);
}

/* --- waits and tests --- */

void hiera_mpi_begin_wait(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraSimUntil until = call->function->detail;
    gboolean at_once = FALSE;
    find_requests(world, rank, TRUE);
    for (guint i = 0; i < call->handles->len; i++) {
        const HieraOpenRequest *request = request_at(call, i);
        guint64 last = last_wait(request);
        at_once |= last == 0;
        if (until == HIERA_SIM_ALL)
            add_waits(call, request);
        else if (last > 0)
            g_array_append_val(call->requests, last);
    }
    if (until != HIERA_SIM_ALL && at_once)
        g_array_set_size(call->requests, 0);
    hiera_mpi_append_wait(world, rank, until);
}

/* Whether the call, a wait or test, has completed this request. */
static gboolean is_over(const HieraCurrentCall *call, const HieraOpenRequest *request)
{
    guint64 last = last_wait(request);
    if (call->function->detail == HIERA_SIM_ALL || last == 0)
        return TRUE;
    for (guint i = 0; i < call->completed->len; i++)
        if (g_array_index(call->completed, guint64, i) == last)
            return TRUE;
    return FALSE;
}

/* Complete a request for a call. @param place  address of the request's handle; 0: not known */
static void finish(HieraWorld *world, guint32 rank, guint64 handle, guint64 place, guint64 status)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraOpenRequest *request = g_hash_table_lookup(call->open, &handle);
    gboolean is_collective = FALSE;
    call->received.source = HIERA_RECEIVED_NOTHING;
    if (request->of_nobody)
        hiera_mpi_write_status_of_nobody(world, rank, status);
    for (guint i = 0; i < request->parts->len; i++) {
        const HieraRequestPart *part = &g_array_index(request->parts, HieraRequestPart, i);
        is_collective |= part->operation.group >= HIERA_LEADERS;
        if (part->operation.kind == HIERA_SIM_RECEIVE)
            hiera_mpi_end_receive(world, rank, part->operation.token, status);
    }
    if (request->probed > 0)
        hiera_mpi_end_receive(world, rank, request->probed, status);
    if (request->share && request->share->gathering)
        hiera_gathering_leave(world, rank, request->share);
    const HieraCompletedRequest over = {handle, is_collective ? (HieraReceived){.source = HIERA_RECEIVED_NOTHING}
                                                              : call->received};
    g_array_append_val(call->over, over);
    request->is_active = FALSE;
    if (request->persistent)
        return;
    if (place > 0)
        hiera_known_memory_write(hiera_world_memory(world, rank), place, hiera_mpi_handle_width(world, call), TRUE,
                                 hiera_mpi_no_request(world, rank));
    g_hash_table_remove(call->open, &handle);
}

void hiera_mpi_end_wait(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    gboolean one = call->function->detail == HIERA_SIM_ONE, all = call->function->detail == HIERA_SIM_ALL;
    HieraKnown first =
        hiera_mpi_pointer(world, rank, hiera_mpi_has(call, HIERA_P_REQUESTS) ? HIERA_P_REQUESTS : HIERA_P_REQUEST);
    guint width = hiera_mpi_handle_width(world, call);
    guint64 n = 0;
    for (guint i = 0; i < call->handles->len && !(one && n > 0); i++) {
        guint64 place = g_array_index(call->places, guint64, i), at = place > 0 ? (place - first.bits) / width : 0;
        if (!is_over(call, request_at(call, i)))
            continue;
        finish(world, rank, g_array_index(call->handles, guint64, i), place,
               hiera_mpi_status_at(world, rank, all ? at : n));
        hiera_mpi_write_element(world, rank, one ? HIERA_P_INDEX : HIERA_P_INDICES, n, place > 0,
                                at + (call->fortran ? 1 : 0));
        n++;
    }
    if (n == 0)
        hiera_mpi_write(world, rank, HIERA_P_INDEX, TRUE, (guint64)(gint64)HIERA_MPI_UNDEFINED);
    hiera_mpi_write(world, rank, HIERA_P_OUTCOUNT, TRUE, n > 0 ? n : (guint64)(gint64)HIERA_MPI_UNDEFINED);
    hiera_mpi_write(world, rank, HIERA_P_FLAG, TRUE, 1);
}

/* Begin a test that leaves its request open (MPI_Parrived, …): the call waits for the request in the simulation. */
void hiera_mpi_begin_arrived(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    find_requests(world, rank, TRUE);
    for (guint i = 0; i < call->handles->len; i++) {
        HieraOpenRequest *request = request_at(call, i);
        add_waits(call, request);
        request->is_done = TRUE;
    }
    hiera_mpi_append_wait(world, rank, HIERA_SIM_ALL);
}

void hiera_mpi_end_arrived(HieraWorld *world, guint32 rank)
{
    hiera_mpi_write(world, rank, HIERA_P_FLAG, TRUE, 1);
}

/* Free a request of the program. If it is active, its operation continues, but no call waits for it any longer. */
void hiera_mpi_free_request(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraKnown handle = hiera_mpi_handle(world, rank, HIERA_P_REQUEST);
    if (handle.known)
        g_hash_table_remove(call->open, &handle.bits);
    hiera_mpi_write(world, rank, HIERA_P_REQUEST, TRUE, hiera_mpi_no_request(world, rank));
}
