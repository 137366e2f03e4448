/* Accesses to windows: data that leave and arrive without an operation of the other rank, and operations that wait for
 * them. Notices between ranks about a window are messages inside the simulation. */
#include "simulation.h"

/* Tags of notices to peers: "the window is exposed", "the accesses have ended". Negative, unlike tags of collectives.
 */
enum { IS_OPEN = -2, HAS_ENDED = -3 };

gboolean access_is_sane(Simulation *of, guint32 rank, gboolean may_be_all)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    if (operation->peer < 0 ? !may_be_all || operation->peer != HIERA_SIM_ANY
                            : (guint32)operation->peer >= of->machine->n_ranks)
        simulation_fail(of, rank, "its peer is %d", operation->peer);
    else if (operation->bytes < 0 || operation->group > G_MAXINT32)
        simulation_fail(of, rank, "it has a negative number of bytes, or a window above 2^31");
    return !of->error;
}

/* --- executing put and get --- */

static guint32 make_access(Simulation *of, guint32 rank)
{
    Rank *origin = &of->ranks[rank];
    if (!origin->accesses)
        origin->accesses = g_array_new(FALSE, FALSE, sizeof(Access));
    const Access access = {origin->operation.group, (guint32)origin->operation.peer, request_make(of, rank, 0)};
    g_array_append_val(origin->accesses, access);
    return access.request;
}

/* Make the message of a put or get. @param complete  request that is complete when the message has arrived */
static guint32 make_message(Simulation *of, guint32 source, guint32 dest, guint32 complete)
{
    guint32 place = message_new(&of->messages);
    Message *message = &of->messages.at[place];
    message->source = source;
    message->dest = dest;
    message->receive = complete;
    message->send = NONE;
    message->arrival_ps = UNKNOWN;
    return place;
}

gboolean access_execute_put(Simulation *of, guint32 rank)
{
    Rank *origin = &of->ranks[rank];
    const HieraSimOperation *operation = &origin->operation;
    if (!access_is_sane(of, rank, FALSE))
        return FALSE;
    guint32 left = operation->request > 0 ? request_make(of, rank, operation->request) : NONE;
    guint32 target = (guint32)operation->peer, place = make_message(of, rank, target, make_access(of, rank));
    of->messages.at[place].send = left;
    of->messages.at[place].bytes = operation->bytes;
    of->messages.at[place].acknowledged = TRUE;
    origin->now_ps += network_between(of, rank, target)->send_overhead_ps;
    message_clear_to_send(of, place, origin->now_ps);
    return TRUE;
}

/* Execute a get: a message without data (word) asks the target's adapter, and the data come as a message. */
gboolean access_execute_get(Simulation *of, guint32 rank)
{
    Rank *origin = &of->ranks[rank];
    const HieraSimOperation *operation = &origin->operation;
    if (!access_is_sane(of, rank, FALSE))
        return FALSE;
    guint32 target = (guint32)operation->peer;
    guint32 complete = operation->request > 0 ? request_make(of, rank, operation->request) : make_access(of, rank);
    guint32 place = make_message(of, target, rank, complete);
    of->messages.at[place].bytes = operation->bytes;
    origin->now_ps += network_between(of, rank, target)->send_overhead_ps;
    simulation_put(of, network_send_word(of, rank, target), EVENT_FETCH, place);
    return TRUE;
}

/* --- executing flush and fence, which wait for accesses --- */

/* Add the requests that a rank has to wait for: its accesses to the peer of its operation, or to all ranks of the
 * window. */
static void add_accesses(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    GArray *accesses = of->ranks[rank].accesses;
    for (guint i = accesses ? accesses->len : 0; i-- > 0;) {
        const Access *access = &g_array_index(accesses, Access, i);
        if (access->window != operation->group || (operation->peer >= 0 && access->target != (guint32)operation->peer))
            continue;
        wait_add(of, rank, access->request);
        g_array_remove_index_fast(accesses, i);
    }
}

gboolean access_flush_then(Simulation *of, guint32 rank, Resume then)
{
    of->ranks[rank].resume = then;
    add_accesses(of, rank);
    if (!wait_begin(of, rank, HIERA_SIM_ALL))
        return FALSE;
    of->ranks[rank].resume = NULL;
    return then(of, rank);
}

gboolean access_execute_flush(Simulation *of, guint32 rank)
{
    if (!access_is_sane(of, rank, TRUE))
        return FALSE;
    add_accesses(of, rank);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

static gboolean fence(Simulation *of, guint32 rank)
{
    of->ranks[rank].resume = NULL;
    return collective_execute(of, rank);
}

gboolean access_execute_fence(Simulation *of, guint32 rank)
{
    HieraSimOperation *operation = &of->ranks[rank].operation;
    operation->peer = HIERA_SIM_ANY;
    operation->collective = HIERA_SIM_BARRIER;
    operation->request = 0;
    return access_is_sane(of, rank, TRUE) && access_flush_then(of, rank, fence);
}

/* --- executing post, start, complete and wait --- */

static gboolean are_peers(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    for (guint32 i = 0; i < operation->n_peers; i++) {
        if (operation->peers[i] >= of->machine->n_ranks)
            simulation_fail(of, rank, "its peer is %u", operation->peers[i]);
    }
    return !of->error;
}

/* Send a notice about the window to all peers of the rank's operation. @param what  IS_OPEN or HAS_ENDED */
static gboolean tell_peers(Simulation *of, guint32 rank, gint32 what)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    for (guint32 i = 0; i < operation->n_peers; i++) {
        const Envelope envelope = {
            .peer = operation->peers[i], .group = operation->group | INTERNAL, .tag = what, .mode = HIERA_SIM_READY};
        message_send(of, rank, &envelope);
    }
    return TRUE;
}

/* Wait until a notice has come from each peer of the rank's operation. @param what  IS_OPEN or HAS_ENDED */
static gboolean hear_peers(Simulation *of, guint32 rank, gint32 what)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    for (guint32 i = 0; i < operation->n_peers; i++) {
        const Envelope envelope = {.peer = operation->peers[i], .group = operation->group | INTERNAL, .tag = what};
        wait_add(of, rank, message_receive(of, rank, &envelope));
    }
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

static gboolean end_accesses(Simulation *of, guint32 rank)
{
    return tell_peers(of, rank, HAS_ENDED);
}

gboolean access_execute_post(Simulation *of, guint32 rank)
{
    return are_peers(of, rank) && tell_peers(of, rank, IS_OPEN);
}

gboolean access_execute_start(Simulation *of, guint32 rank)
{
    return are_peers(of, rank) && hear_peers(of, rank, IS_OPEN);
}

gboolean access_execute_complete(Simulation *of, guint32 rank)
{
    of->ranks[rank].operation.peer = HIERA_SIM_ANY;
    return are_peers(of, rank) && access_flush_then(of, rank, end_accesses);
}

gboolean access_execute_exposed(Simulation *of, guint32 rank)
{
    return are_peers(of, rank) && hear_peers(of, rank, HAS_ENDED);
}
