/* Requests, and waits of ranks for them. A blocking operation makes a request, and waits for that request at once. */
#include "simulation.h"
#include <stdlib.h>

guint32 request_make(Simulation *of, guint32 rank, guint64 number)
{
    guint32 place = request_new(&of->requests);
    Request *request = &of->requests.at[place];
    request->number = number;
    request->rank = rank;
    request->peer = HIERA_SIM_ANY;
    request->posted_ps = request->begun_ps = of->ranks[rank].now_ps;
    request->done_ps = UNKNOWN;
    if (number == 0)
        return place;
    const PlaceKey key = {rank, number};
    if (places_find(&of->numbers, key))
        simulation_fail(of, rank, "its request %" G_GUINT64_FORMAT " is open already", number);
    else
        places_add(&of->numbers, key)->first = place;
    return place;
}

void wait_add(Simulation *of, guint32 rank, guint32 request)
{
    Rank *waiting = &of->ranks[rank];
    if (waiting->n_wait == waiting->wait_capacity) {
        waiting->wait_capacity = MAX(4, waiting->wait_capacity * 2);
        waiting->wait = g_renew(guint32, waiting->wait, waiting->wait_capacity);
    }
    waiting->wait[waiting->n_wait++] = request;
    waiting->n_unknown += of->requests.at[request].done_ps == UNKNOWN;
    of->requests.at[request].awaited = TRUE;
}

typedef struct {
    gint64 done_ps, cost_ps;
} Done;

static int compare_done(const void *a, const void *b)
{
    gint64 first = ((const Done *)a)->done_ps, second = ((const Done *)b)->done_ps;
    return (first > second) - (first < second);
}

/* Remove a complete request that the rank waited for; record its completion and cost in `sorted`. */
static void take(Simulation *of, Rank *rank, guint32 place)
{
    const Request *request = &of->requests.at[place];
    const Done done = {request->done_ps, request->cost_ps};
    g_array_append_val(of->sorted, done);
    rank->waiting_ps = MAX(rank->waiting_ps, request->begun_ps - rank->wait_ps);
    if (request->number > 0) {
        const PlaceKey key = {request->rank, request->number};
        places_remove(&of->numbers, places_find(&of->numbers, key));
    }
    request_free(&of->requests, place);
}

/* Return the time at which a rank has processed all requests that it took: one after the other, in the order of
 * completion. */
static gint64 find_end(Simulation *of, const Rank *rank)
{
    gint64 end_ps = rank->wait_ps;
    Done *done = (Done *)(void *)of->sorted->data;
    if (of->sorted->len > 1)
        qsort(done, of->sorted->len, sizeof *done, compare_done);
    for (guint i = 0; i < of->sorted->len; i++)
        end_ps = MAX(end_ps, done[i].done_ps) + done[i].cost_ps;
    return end_ps;
}

static gint64 take_all(Simulation *of, Rank *rank)
{
    for (guint32 i = 0; i < rank->n_wait; i++)
        take(of, rank, rank->wait[i]);
    return find_end(of, rank);
}

/* Return the index in rank->wait of the request that is complete first; of several, the first in the list. */
static guint32 find_first(const Simulation *of, const Rank *rank)
{
    guint32 first = 0;
    for (guint32 i = 1; i < rank->n_wait; i++) {
        if (of->requests.at[rank->wait[i]].done_ps < of->requests.at[rank->wait[first]].done_ps)
            first = i;
    }
    return first;
}

/* End a wait for one or some: take the complete requests, and leave the others open. @return when the rank continues */
static gint64 take_some(Simulation *of, Rank *rank, gint64 time_ps)
{
    guint32 first = find_first(of, rank);
    for (guint32 i = 0; i < rank->n_wait; i++) {
        Request *request = &of->requests.at[rank->wait[i]];
        request->awaited = FALSE;
        if (i == first || (rank->until == HIERA_SIM_SOME && request->done_ps <= time_ps)) {
            g_array_append_val(of->completed, request->number);
            take(of, rank, rank->wait[i]);
        }
    }
    return find_end(of, rank);
}

/* End a rank's wait, whose condition holds. @return the time at which the rank continues */
static gint64 end_wait(Simulation *of, guint32 rank, gint64 time_ps)
{
    Rank *waiting = &of->ranks[rank];
    gint64 before_ps = waiting->waiting_ps;
    waiting->waiting_ps = 0;
    g_array_set_size(of->sorted, 0);
    g_array_set_size(of->completed, 0);
    gint64 end_ps = waiting->until == HIERA_SIM_ALL ? take_all(of, waiting) : take_some(of, waiting, time_ps);
    waiting->waiting_ps = before_ps + MIN(waiting->waiting_ps, end_ps - waiting->wait_ps);
    waiting->n_wait = waiting->n_unknown = 0;
    return end_ps;
}

/* Return the earliest known completion among the requests for which a rank waits; UNKNOWN: none is known. */
static gint64 first_done_ps(const Simulation *of, const Rank *rank)
{
    return rank->n_wait > 0 ? of->requests.at[rank->wait[find_first(of, rank)]].done_ps : UNKNOWN;
}

gboolean wait_begin(Simulation *of, guint32 rank, HieraSimUntil until)
{
    Rank *waiting = &of->ranks[rank];
    waiting->until = until;
    waiting->wait_ps = waiting->now_ps;
    message_let_go_on(of, rank);
    gint64 first_ps = until == HIERA_SIM_ALL ? UNKNOWN : first_done_ps(of, waiting);
    if (waiting->n_wait == 0)
        return TRUE;
    if (until == HIERA_SIM_ALL ? waiting->n_unknown == 0 : first_ps <= waiting->now_ps) {
        waiting->now_ps = end_wait(of, rank, waiting->now_ps);
        return TRUE;
    }
    waiting->state = BLOCKED;
    if (first_ps != UNKNOWN)
        simulation_put(of, first_ps, EVENT_WAKE, rank);
    return FALSE;
}

void request_complete(Simulation *of, guint32 place, gint64 done_ps)
{
    Request *request = &of->requests.at[place];
    Rank *rank = &of->ranks[request->rank];
    guint32 waiting = request->rank;
    request->done_ps = done_ps;
    if (!request->awaited)
        return;
    rank->n_unknown--;
    if (rank->state != BLOCKED)
        return;
    if (rank->until != HIERA_SIM_ALL)
        simulation_put(of, MAX(done_ps, rank->wait_ps), EVENT_WAKE, waiting);
    else if (rank->n_unknown == 0)
        simulation_go_on(of, waiting, end_wait(of, waiting, done_ps));
}

/* The event is outdated if the wait is over, or if its first request is complete only later. */
void wait_wake(Simulation *of, guint32 rank, gint64 time_ps)
{
    Rank *waiting = &of->ranks[rank];
    if (waiting->state != BLOCKED || waiting->until == HIERA_SIM_ALL || first_done_ps(of, waiting) > time_ps)
        return;
    simulation_go_on(of, rank, end_wait(of, rank, time_ps));
}

gboolean wait_execute(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    for (guint32 i = 0; i < operation->n_requests; i++) {
        const PlaceKey key = {rank, operation->requests[i]};
        const Place *place = places_find(&of->numbers, key);
        if (!place || of->requests.at[place->first].awaited) {
            simulation_fail(of, rank, "its request %" G_GUINT64_FORMAT " is %s", operation->requests[i],
                            place ? "named twice" : "not open");
            return FALSE;
        }
        wait_add(of, rank, place->first);
    }
    return wait_begin(of, rank, operation->until);
}
