/* Requests of a process. See meter.h.
 *
 * Receives and persistent requests are remembered from the call that makes them, since the call that completes or
 * starts them has neither communicator nor direction. Threads are reported one after another, and one may complete what
 * another has posted: so they share the requests, and a completion may be reported before its post. Then the status has
 * the bytes, but the communicator is not known. */
#include "meter_parts.h"

/* Entry of the table of requests; number 0: an empty slot. */
typedef struct Posted {
    int64_t number;
    int64_t peer, bytes;
    uint32_t comm;
    uint8_t role; /* HieraCallRole; of a persistent request, the role of each start; COMPLETES: completed, but not
                     posted yet */
    bool persistent;
} Posted;

struct HieraMeterRequests {
    HieraMeterMemory memory;
    Posted *places; /* hash table of requests, by request number */
    size_t n, room;
    size_t n_early; /* number of receives whose completion was reported before the call that posts them */
    size_t n_away;  /* number of entries that a collision has moved away from the first slot of their number */
};

enum { MOST_EARLY = 1 << 16 }; /* most n_early, as the calls that posted these receives may never be reported */

HieraMeterRequests *hiera_meter_requests_new(const HieraMeterMemory *memory)
{
    const HieraMeterMemory *of = memory ? memory : &hiera_meter_malloced;
    HieraMeterRequests *requests = of->grow(NULL, 0, sizeof *requests);
    if (requests)
        requests->memory = *of;
    return requests;
}

void hiera_meter_requests_free(HieraMeterRequests *requests)
{
    if (!requests)
        return;
    requests->memory.release(requests->places, requests->room * sizeof *requests->places);
    requests->memory.release(requests, sizeof *requests);
}

/* The first slot of a number. Numbers ascend, so open requests have neighbouring slots and seldom collide. */
static size_t first_place(const HieraMeterRequests *requests, int64_t number)
{
    return (size_t)number & (requests->room - 1);
}

static bool is_away(const HieraMeterRequests *requests, const Posted *place)
{
    return first_place(requests, place->number) != (size_t)(place - requests->places);
}

/* The slot of a request, or the empty slot where it would be. The table always has an empty slot. */
static inline Posted *place_of(const HieraMeterRequests *requests, int64_t number)
{
    size_t at = first_place(requests, number);
    while (requests->places[at].number != 0 && requests->places[at].number != number)
        at = (at + 1) & (requests->room - 1);
    return &requests->places[at];
}

static inline Posted *find(const HieraMeterRequests *requests, int64_t number)
{
    Posted *posted = requests->room > 0 ? place_of(requests, number) : NULL;
    return posted && posted->number != 0 ? posted : NULL;
}

static void put(HieraMeterRequests *requests, const Posted *posted)
{
    Posted *place = place_of(requests, posted->number);
    bool is_new = place->number == 0;
    *place = *posted;
    requests->n_away += is_new && is_away(requests, place);
}

/* Whether one more entry fits: a quarter of the slots stays empty. */
static bool has_room(const HieraMeterRequests *requests)
{
    return 4 * requests->n < 3 * requests->room;
}

static bool make_room(HieraMeterRequests *requests)
{
    size_t old_room = requests->room;
    Posted *old = requests->places;
    if (has_room(requests))
        return true;
    size_t room = old_room ? 2 * old_room : 256;
    Posted *places = requests->memory.grow(NULL, 0, room * sizeof *places);
    if (!places)
        return false;
    requests->places = places;
    requests->room = room;
    requests->n_away = 0;
    for (size_t i = 0; i < old_room; i++) {
        if (old[i].number != 0)
            put(requests, &old[i]);
    }
    requests->memory.release(old, old_room * sizeof *old);
    return true;
}

__attribute__((noinline)) static void remember(HieraMeter *meter, const Posted *posted)
{
    HieraMeterRequests *requests = meter->requests;
    if (!make_room(requests)) {
        meter->lost = true;
        return;
    }
    requests->n += place_of(requests, posted->number)->number == 0;
    put(requests, posted);
}

/* Empty a slot, and move back following entries that a search would no longer find behind the empty slot. */
static void close_gap(HieraMeterRequests *requests, Posted *place)
{
    size_t mask = requests->room - 1, hole = (size_t)(place - requests->places), at = hole;
    while (requests->n_away > 0) {
        at = (at + 1) & mask;
        if (requests->places[at].number == 0)
            break;
        if (((at - first_place(requests, requests->places[at].number)) & mask) < ((at - hole) & mask))
            continue;
        requests->places[hole] = requests->places[at];
        requests->n_away -= !is_away(requests, &requests->places[hole]);
        hole = at;
    }
    requests->places[hole].number = 0;
}

/* Remove a request from the table. */
static inline void forget(HieraMeterRequests *requests, Posted *place)
{
    requests->n--;
    if (requests->n_away > 0) {
        requests->n_away -= is_away(requests, place);
        close_gap(requests, place);
    } else {
        place->number = 0;
    }
}

static bool receives(HieraCallRole role)
{
    return role == HIERA_ROLE_RECEIVES || role == HIERA_ROLE_SENDS_RECEIVES;
}

/* Remove a receive whose completion was reported before the call that posts it. @return  whether there was one */
static bool take_early(HieraMeterRequests *requests, int64_t number)
{
    Posted *early = requests->n_early > 0 ? find(requests, number) : NULL;
    if (!early || early->role != HIERA_ROLE_COMPLETES)
        return false;
    requests->n_early--;
    forget(requests, early);
    return true;
}

__attribute__((noinline)) static void remember_receive(HieraMeter *meter, int64_t number, uint32_t comm)
{
    HieraMeterRequests *requests = meter->requests;
    if (meter->remembers && number > 0 && !(requests->n_early > 0 && take_early(requests, number)))
        remember(meter, &(Posted){.number = number, .comm = comm, .role = HIERA_ROLE_RECEIVES});
}

/* The first slot of a request's number; NULL if requests are not stored, or there is no table. */
static inline Posted *likely_place(const HieraMeter *meter, int64_t number)
{
    const HieraMeterRequests *requests = meter->requests;
    return meter->remembers && requests->room > 0 ? &requests->places[first_place(requests, number)] : NULL;
}

void hiera_meter_remember(HieraMeter *meter, int64_t number, uint32_t comm)
{
    HieraMeterRequests *requests = meter->requests;
    Posted *place = likely_place(meter, number);
    if (__builtin_expect(!place || place->number != 0 || number <= 0 || requests->n_early > 0 || !has_room(requests),
                         0)) {
        remember_receive(meter, number, comm);
        return;
    }
    *place = (Posted){.number = number, .comm = comm, .role = HIERA_ROLE_RECEIVES};
    requests->n++;
}

static void post(HieraMeter *meter, const HieraMeterSite *site, int64_t number)
{
    const HieraMetered *metered = &meter->metered;
    bool gets = site->starts == HIERA_ROLE_RECEIVES;
    if (site->starts == HIERA_ROLE_OTHER) {
        if (receives((HieraCallRole)site->role))
            hiera_meter_remember(meter, number, metered->comm);
        return;
    }
    take_early(meter->requests, number);
    remember(meter, &(Posted){number, gets ? metered->source : metered->peer, gets ? metered->posted : metered->bytes,
                              metered->comm, site->starts, true});
}

static inline void receive(HieraMeter *meter, uint32_t site, uint32_t comm, int64_t source, int64_t bytes)
{
    hiera_meter_receive(hiera_meter_sums(meter, hiera_meter_part(meter, site, comm, source)), source, bytes);
}

/* Count a completed receive for which the call that posted it has not been reported yet. */
static void complete_early(HieraMeter *meter, uint32_t site, int64_t number, int64_t source, int64_t bytes)
{
    if (bytes == HIERA_METER_NO_BYTES)
        return;
    meter->stray_receives = true;
    receive(meter, site, 0, source, bytes);
    if (meter->requests->n_early == MOST_EARLY || find(meter->requests, number))
        return;
    meter->requests->n_early++;
    remember(meter, &(Posted){.number = number, .role = HIERA_ROLE_COMPLETES});
}

/* Count the message of a completed request: `bytes` is known only if it is a receive that was not cancelled. */
__attribute__((noinline)) static void complete(HieraMeter *meter, uint32_t site, int64_t number, int64_t source,
                                               int64_t bytes)
{
    if (site == 0 || number <= 0)
        return;
    if (!meter->remembers) {
        if (bytes != HIERA_METER_NO_BYTES)
            receive(meter, site, 0, source, bytes);
        return;
    }
    Posted *posted = find(meter->requests, number);
    if (!posted || posted->role == HIERA_ROLE_COMPLETES) {
        complete_early(meter, site, number, source, bytes);
        return;
    }
    if (receives((HieraCallRole)posted->role) && bytes != HIERA_METER_NO_BYTES)
        receive(meter, site, posted->comm, source, bytes);
    if (!posted->persistent)
        forget(meter->requests, posted);
}

/* Whether the slot has the request `number`, a receive that is not persistent, and no entry is in a later slot. */
static inline bool is_usual(const HieraMeterRequests *requests, const Posted *place, int64_t number)
{
    return place && place->number == number && place->role == HIERA_ROLE_RECEIVES && !place->persistent &&
           requests->n_away == 0;
}

/* Handles common cases inline: a send, which is not stored, and a receive from the same peer as the one before. */
void hiera_meter_complete(HieraMeter *meter, uint32_t site, int64_t number, int64_t source, int64_t bytes)
{
    HieraMeterRequests *requests = meter->requests;
    Posted *place = likely_place(meter, number);
    if (bytes == HIERA_METER_NO_BYTES && (!meter->remembers || (place && place->number == 0)))
        return;
    bool is_known =
        number > 0 && bytes != HIERA_METER_NO_BYTES && (!meter->remembers || is_usual(requests, place, number));
    uint32_t part = is_known ? hiera_meter_last_part(meter, site, place ? place->comm : 0, source) : 0;
    if (part == 0) {
        complete(meter, site, number, source, bytes);
        return;
    }
    if (place) {
        requests->n--;
        place->number = 0;
    }
    hiera_meter_receive(hiera_meter_sums(meter, part), source, bytes);
}

static void start(HieraMeter *meter, int64_t number)
{
    const Posted *posted = find(meter->requests, number);
    meter->stray_starts = meter->stray_starts || !posted || posted->role == HIERA_ROLE_COMPLETES;
    if (!posted)
        return;
    HieraMeterSums *sums = hiera_meter_sums(meter, hiera_meter_part(meter, meter->site, posted->comm, posted->peer));
    if (posted->role == HIERA_ROLE_SENDS)
        hiera_meter_send(sums, posted->peer, posted->bytes);
    else if (posted->role == HIERA_ROLE_RECEIVES)
        hiera_meter_post(meter, sums, posted->peer, posted->bytes);
}

/* Remove a freed request, because no call will complete or start it; the size of a receive stays unknown. */
static void free_request(HieraMeterRequests *requests, int64_t number)
{
    Posted *posted = find(requests, number);
    if (posted && posted->role != HIERA_ROLE_COMPLETES)
        forget(requests, posted);
}

void hiera_meter_request(HieraMeter *meter, int64_t number, int64_t source, int64_t bytes)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, meter->site);
    /* Persistent requests are always stored, because a rule added later may count the messages of their starts. */
    bool wanted = meter->wants_requests || site->starts != HIERA_ROLE_OTHER;
    if (!meter->counts || !wanted || number <= 0)
        return;
    if (site->role == HIERA_ROLE_STARTS)
        start(meter, number);
    else if (site->role == HIERA_ROLE_COMPLETES)
        hiera_meter_complete(meter, meter->site, number, source, bytes);
    else if (site->role == HIERA_ROLE_FREES)
        free_request(meter->requests, number);
    else if (meter->metered.begins)
        post(meter, site, number);
}
