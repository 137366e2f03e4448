/* Locks of windows: requested at the target, granted in the order of requests, and released. A lock object exists while
 * a rank holds it or waits for it. */
#include "simulation.h"

typedef struct {
    gint64 key; /* key of the hash table: window and target rank */
    guint32 n_shared;
    gboolean exclusive;
    guint32 holder; /* the rank that got the lock last */
    GQueue waiting; /* indices of the messages that request the lock, in order of arrival */
} Lock;

static void free_lock(gpointer data)
{
    Lock *lock = data;
    g_queue_clear(&lock->waiting);
    g_free(lock);
}

void locks_init(Simulation *of)
{
    of->locks = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_lock);
}

static Lock *find_lock(Simulation *of, const Message *message)
{
    gint64 key = (gint64)((guint64)message->group << 32 | message->dest);
    Lock *lock = g_hash_table_lookup(of->locks, &key);
    if (!lock) {
        lock = g_new0(Lock, 1);
        lock->key = key;
        g_queue_init(&lock->waiting);
        g_hash_table_insert(of->locks, &lock->key, lock);
    }
    return lock;
}

/* Send a message without data to the target of a rank's operation: EVENT_LOCK requests its lock, EVENT_UNLOCK releases
 * it. */
static void send_word(Simulation *of, guint32 rank, guint32 request, EventKind event)
{
    Rank *origin = &of->ranks[rank];
    guint32 place = message_new(&of->messages), target = (guint32)origin->operation.peer;
    Message *message = &of->messages.at[place];
    message->source = rank;
    message->dest = target;
    message->receive = request;
    message->group = origin->operation.group;
    message->tag = origin->operation.shared;
    message->begun_ps = origin->start_ps;
    origin->now_ps += network_between(of, rank, target)->send_overhead_ps;
    simulation_put(of, network_send_word(of, rank, target), event, place);
}

gboolean lock_execute(Simulation *of, guint32 rank)
{
    Rank *origin = &of->ranks[rank];
    if (!access_is_sane(of, rank, TRUE))
        return FALSE;
    if (origin->operation.peer == HIERA_SIM_ANY)
        return TRUE;
    guint32 request = request_make(of, rank, 0);
    of->requests.at[request].peer = origin->operation.peer;
    send_word(of, rank, request, EVENT_LOCK);
    wait_add(of, rank, request);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

static gboolean give_back(Simulation *of, guint32 rank)
{
    if (of->ranks[rank].operation.peer != HIERA_SIM_ANY)
        send_word(of, rank, NONE, EVENT_UNLOCK);
    return TRUE;
}

gboolean lock_execute_unlock(Simulation *of, guint32 rank)
{
    return access_is_sane(of, rank, TRUE) && access_flush_then(of, rank, give_back);
}

static gboolean is_free_for(const Lock *lock, const Message *message)
{
    return !lock->exclusive && (message->tag || lock->n_shared == 0);
}

static void grant(Simulation *of, Lock *lock, guint32 place, gint64 time_ps)
{
    const Message *message = &of->messages.at[place];
    const HieraNetwork *network = network_between(of, message->source, message->dest);
    guint32 request = message->receive;
    lock->holder = message->source;
    if (message->tag)
        lock->n_shared++;
    else
        lock->exclusive = TRUE;
    message_free(&of->messages, place);
    request_complete(of, request, time_ps + network->latency_ps);
}

void lock_ask(Simulation *of, guint32 place, gint64 time_ps)
{
    const Message *message = &of->messages.at[place];
    Lock *lock = find_lock(of, message);
    if (lock->waiting.length == 0 && is_free_for(lock, message)) {
        grant(of, lock, place, time_ps);
        return;
    }
    of->requests.at[message->receive].peer = (gint32)lock->holder;
    g_queue_push_tail(&lock->waiting, GUINT_TO_POINTER(place));
}

void lock_give_back(Simulation *of, guint32 place, gint64 time_ps)
{
    Lock *lock = find_lock(of, &of->messages.at[place]);
    gint64 begun_ps = of->messages.at[place].begun_ps;
    message_free(&of->messages, place);
    if (lock->exclusive)
        lock->exclusive = FALSE;
    else if (lock->n_shared > 0)
        lock->n_shared--;
    while (lock->waiting.length > 0) {
        guint32 next = GPOINTER_TO_UINT(g_queue_peek_head(&lock->waiting));
        if (!is_free_for(lock, &of->messages.at[next]))
            return;
        g_queue_pop_head(&lock->waiting);
        of->requests.at[of->messages.at[next].receive].begun_ps = begun_ps;
        grant(of, lock, next, time_ps);
    }
    if (!lock->exclusive && lock->n_shared == 0)
        g_hash_table_remove(of->locks, &lock->key);
}
