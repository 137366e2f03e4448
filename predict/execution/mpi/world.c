/* Feeds the simulator with the operations of all processes, as these reach MPI calls. See world.h. */
#include "world.h"
#include "text/hash.h"
#include <string.h>

static void free_parcel(gpointer freed)
{
    HieraParcel *parcel = freed;
    hiera_bytes_free(parcel->bytes);
    g_free(parcel);
}

/* Free a type of world->types; NULL: its layout is not known, there is nothing to free. */
static void free_type(gpointer type)
{
    if (type)
        hiera_mpi_type_free(type);
}

static gboolean uses_openmpi(const HieraExecution *execution)
{
    const GPtrArray *objects = execution->modules.program->objects;
    for (guint i = 0; i < objects->len; i++) {
        GHashTableIter iterator;
        gpointer name;
        g_hash_table_iter_init(&iterator, ((const HieraObject *)objects->pdata[i])->imports);
        while (g_hash_table_iter_next(&iterator, NULL, &name))
            if (g_str_has_prefix(name, "ompi_"))
                return TRUE;
    }
    return FALSE;
}

void hiera_world_init(HieraWorld *world, const HieraExecution *execution, const HieraWalkOptions *options,
                      const HieraWorldFollower *follower)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    *world = (HieraWorld){.execution = execution, .options = options, .n = options->n_processes, .follower = follower};
    world->is_openmpi = uses_openmpi(execution);
    world->facts = hiera_loop_facts_new(execution);
    world->processes = g_new0(HieraProcess *, world->n);
    world->calls = g_new0(HieraCurrentCall, world->n);
    world->groups = g_ptr_array_new_with_free_func(hiera_world_group_free);
    world->lists = hiera_world_lists_new();
    world->free_types = g_array_new(FALSE, FALSE, sizeof(guint));
    world->functions.by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    world->functions.by_called = g_hash_table_new(g_str_hash, g_str_equal);
    world->types = g_ptr_array_new_with_free_func(free_type);
    world->predefined = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, hiera_mpi_type_free);
    world->leaders = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    world->messages = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, free_parcel);
    world->receives = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, free_parcel);
    world->gatherings = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, hiera_gathering_free);
    world->tags = g_hash_table_new(NULL, NULL);
    world->notes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint32 i = 0; i < world->n; i++) {
        HieraCurrentCall *call = &world->calls[i];
        world->processes[i] = hiera_process_new(execution, options, world->facts, i);
        if (follower)
            hiera_process_keep_moves(world->processes[i]);
        call->queue = g_array_new(FALSE, FALSE, sizeof(HieraSimOperation));
        call->tokens = g_array_new(FALSE, FALSE, sizeof(guint64));
        call->requests = g_array_new(FALSE, FALSE, sizeof(guint64));
        call->handles = g_array_new(FALSE, FALSE, sizeof(guint64));
        call->probed = g_array_new(FALSE, FALSE, sizeof(HieraProbedMessage));
        call->freed_types = g_ptr_array_new_with_free_func(free_type);
        call->places = g_array_new(FALSE, FALSE, sizeof(guint64));
        call->completed = g_array_new(FALSE, FALSE, sizeof(guint64));
        call->over = g_array_new(FALSE, FALSE, sizeof(HieraCompletedRequest));
        call->open = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, hiera_mpi_request_free);
        call->turns = g_array_new(FALSE, FALSE, sizeof(guint64));
        g_array_append_val(ranks, i);
    }
    hiera_world_add_group(world, (const guint32 *)ranks->data, ranks->len);
    for (guint32 i = 0; i < world->n; i++)
        hiera_world_add_group(world, &i, 1);
}

void hiera_world_clear(HieraWorld *world)
{
    for (guint32 i = 0; i < world->n; i++) {
        HieraCurrentCall *call = &world->calls[i];
        hiera_process_free(world->processes[i]);
        hiera_share_free(call->share);
        g_array_unref(call->queue);
        g_array_unref(call->tokens);
        g_array_unref(call->handles);
        g_array_unref(call->probed);
        g_ptr_array_unref(call->freed_types);
        g_array_unref(call->requests);
        g_array_unref(call->places);
        g_array_unref(call->completed);
        g_array_unref(call->over);
        g_array_unref(call->turns);
        g_hash_table_unref(call->open);
    }
    g_free(world->processes);
    g_free(world->calls);
    g_ptr_array_unref(world->groups);
    g_hash_table_unref(world->lists);
    g_array_unref(world->free_types);
    g_ptr_array_unref(world->types);
    g_hash_table_unref(world->predefined);
    g_hash_table_unref(world->leaders);
    g_hash_table_unref(world->functions.by_called);
    g_hash_table_unref(world->functions.by_name);
    g_hash_table_unref(world->messages);
    g_hash_table_unref(world->receives);
    g_hash_table_unref(world->gatherings);
    g_hash_table_unref(world->tags);
    g_hash_table_unref(world->notes);
    hiera_loop_facts_free(world->execution, world->facts);
}

void hiera_world_note(HieraWorld *world, HieraNoteKind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_hash_table_insert(world->notes, g_strdup_vprintf(format, arguments), GINT_TO_POINTER(kind));
    va_end(arguments);
}

guint hiera_world_vertex(guint64 token)
{
    return (guint)(token >> 32);
}

/* Report the functions that a computation entered and left. The time of each is interpolated by its cycles. */
static void tell_moves(HieraWorld *world, guint32 rank, gdouble cycles, gint64 from_ps, gint64 to_ps)
{
    const HieraWorldFollower *follower = world->follower;
    GArray *moves = world->processes[rank]->moves;
    for (guint i = 0; moves && i < moves->len; i++) {
        const HieraMove *move = &g_array_index(moves, HieraMove, i);
        gint64 ps = from_ps + (cycles > 0 ? (gint64)((gdouble)(to_ps - from_ps) * MIN(move->cycles / cycles, 1)) : 0);
        if (move->graph == HIERA_NO_VERTEX)
            follower->leaves(follower->user, rank, ps);
        else
            follower->enters(follower->user, rank, move->graph, move->from, ps);
    }
    if (moves)
        g_array_set_size(moves, 0);
}

/* Turn the cycles of a process since its last operation into an operation. @return FALSE: there are none */
static gboolean take_computation(HieraWorld *world, guint32 rank, HieraSimOperation *operation)
{
    HieraProcess *process = world->processes[rank];
    gdouble ps = process->cycles * world->options->cycle_ps * world->options->factor;
    world->calls[rank].computed = process->cycles;
    process->cycles = 0;
    if (ps < 0.5) {
        tell_moves(world, rank, 0, world->calls[rank].now_ps, world->calls[rank].now_ps);
        return FALSE;
    }
    *operation = (HieraSimOperation){.kind = HIERA_SIM_COMPUTE,
                                     .duration_ps = ps < (gdouble)HIERA_SIM_LONGEST_PS ? (gint64)(ps + 0.5)
                                                                                       : HIERA_SIM_LONGEST_PS};
    return TRUE;
}

/* Report the begin of the rank's call to the follower, once its time is known (the computation before is done). */
static void tell_begin(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    if (call->is_open && !call->has_begun && world->follower)
        world->follower->begins(world->follower->user, rank, call->now_ps);
    call->has_begun = TRUE;
}

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    HieraWorld *world = context;
    HieraCurrentCall *call = &world->calls[rank];
    for (;;) {
        tell_begin(world, rank);
        if (call->at < call->queue->len) {
            *operation = g_array_index(call->queue, HieraSimOperation, call->at++);
            return TRUE;
        }
        g_array_set_size(call->queue, 0);
        call->at = 0;
        if (call->is_open)
            hiera_mpi_end(world, rank);
        if (world->processes[rank]->ended || world->gave_up)
            return take_computation(world, rank, operation);
        guint vertex = hiera_process_walk(world->processes[rank]);
        world->gave_up |= world->processes[rank]->stuck != NULL;
        gboolean computes = take_computation(world, rank, operation);
        if (vertex != HIERA_NO_VERTEX)
            hiera_mpi_begin(world, rank);
        if (computes)
            return TRUE;
    }
}

static void done(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    HieraWorld *world = context;
    HieraCurrentCall *call = &world->calls[rank];
    if (operation->kind == HIERA_SIM_COMPUTE)
        tell_moves(world, rank, call->computed, times->start_ps, times->end_ps);
    call->now_ps = times->end_ps;
    call->wait_ps += times->waiting_ps;
    g_array_append_vals(call->completed, times->completed, times->n_completed);
}

/* Return the key of an open message or receive: unique, since the token has a serial number of its rank. */
guint64 hiera_parcel_key(guint32 rank, guint64 token)
{
    return (token << 24) ^ rank;
}

static void matched(gpointer context, guint32 source, guint64 send_token, guint32 dest, guint64 receive_token)
{
    HieraWorld *world = context;
    guint64 sent = hiera_parcel_key(source, send_token), received = hiera_parcel_key(dest, receive_token);
    HieraParcel *message = g_hash_table_lookup(world->messages, &sent);
    HieraParcel *receive = g_hash_table_lookup(world->receives, &received);
    if (!message || !receive)
        return;
    if (receive->keeps)
        receive->bytes = g_steal_pointer(&message->bytes);
    else
        hiera_mpi_unpack(world, dest, &receive->to, message->bytes, 0, message->n);
    receive->source = message->source;
    receive->tag = message->tag;
    receive->n = message->n;
    g_hash_table_remove(world->messages, &sent);
}

static const guint32 *group(gpointer context, guint32 number, guint32 *n)
{
    const HieraGroupOfRanks *found = hiera_world_group(context, number);
    *n = found->ranks->len;
    return (const guint32 *)found->ranks->data;
}

HieraSimFeeder hiera_world_feeder(HieraWorld *world)
{
    return (HieraSimFeeder){
        .next = next, .done = done, .group = group, .context = world, .wildcards = TRUE, .matched = matched};
}
