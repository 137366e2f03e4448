/* Sites of a meter: the counters and rules that concern operations of one name. See meter.h. */
#include "meter_parts.h"
#include <string.h>

uint32_t hiera_meter_comm(const HieraMeter *meter, const char *id)
{
    const HieraCounter *counters = meter->rules->counters;
    for (size_t i = 0; id && i < meter->n_counters; i++) {
        if (counters[i].comm && strcmp(counters[i].comm, id) == 0)
            return (uint32_t)i + 1; /* number of a communicator: index + 1 of the first counter restricted to it */
    }
    return 0;
}

static void list(HieraMeter *meter, uint16_t *n, size_t item)
{
    if (*n == UINT16_MAX || !hiera_meter_room(meter, &meter->lists, sizeof(uint32_t), 1)) {
        meter->lost = true;
        return;
    }
    ((uint32_t *)meter->lists.items)[meter->lists.n++] = (uint32_t)item;
    ++*n;
}

/* List the counters of a site: first those of times, then of calls, then the others. */
static void list_counters(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    uint16_t *const n[] = {&site->n_times, &site->n_calls, &site->n_others};
    site->counters = (uint32_t)meter->lists.n;
    for (unsigned part = 0; part < 3; part++) {
        for (size_t i = 0; i < meter->n_counters; i++) {
            unsigned amount = meter->counters[i].amount;
            unsigned of = amount == HIERA_AMOUNT_TIME ? 0 : amount == HIERA_AMOUNT_CALLS ? 1 : 2;
            if (of == part && hiera_counter_counts(&meter->rules->counters[i], site->is_mpi, method_class, operation))
                list(meter, n[part], i);
        }
    }
}

static void list_rules(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    const HieraRules *rules = meter->rules;
    site->rules = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_about(&rules->rules[i], site->is_mpi, method_class, operation))
            list(meter, &site->n_rules, i);
    }
    site->insides = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_inside(&rules->rules[i], method_class, operation))
            list(meter, &site->n_insides, i);
    }
}

static bool is_plain(const HieraMeter *meter, const HieraMeterSite *site)
{
    const uint32_t *counters = hiera_meter_list(meter, site->counters);
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls + site->n_others; i++) {
        if (meter->counters[counters[i]].comm != 0 || meter->counters[counters[i]].has_peer)
            return false;
    }
    return true;
}

/* --- parts: the calls of a site with one communicator and one peer, as far as counters distinguish these --- */

static size_t find_peer(const HieraMeter *meter, int64_t peer)
{
    const int64_t *peers = meter->peers.items;
    size_t from = 0, n = meter->peers.n;
    while (n > 0) {
        size_t half = n / 2;
        bool is_behind = peers[from + half] < peer;
        from = is_behind ? from + half + 1 : from;
        n = is_behind ? n - half - 1 : half;
    }
    return from;
}

/* Return index + 1 of the peer in `peers`; 0: no counter is restricted to this peer. */
static inline uint32_t asked_peer(const HieraMeter *meter, int64_t peer)
{
    size_t at = meter->peers.n > 0 ? find_peer(meter, peer) : 0;
    return at < meter->peers.n && ((const int64_t *)meter->peers.items)[at] == peer ? (uint32_t)at + 1 : 0;
}

void hiera_meter_forget_sites(HieraMeter *meter)
{
    hiera_meter_settle(meter);
    if (meter->parts.room > 0)
        memset(meter->parts.items, 0, meter->parts.room * sizeof(uint32_t));
    meter->parts.n = 0;
    meter->last_part.of = 0;
    if (meter->open.n > 0)
        return;
    meter->sites.n = meter->sums.n = 1;
    meter->lists.n = 0;
}

void hiera_meter_list_peers(HieraMeter *meter)
{
    meter->peers.n = 0;
    for (size_t i = 0; i < meter->n_counters; i++) {
        int64_t peer = meter->counters[i].peer;
        if (!meter->counters[i].has_peer || asked_peer(meter, peer) != 0)
            continue;
        if (!hiera_meter_room(meter, &meter->peers, sizeof peer, 1))
            return;
        int64_t *peers = meter->peers.items;
        size_t at = find_peer(meter, peer);
        memmove(peers + at + 1, peers + at, (meter->peers.n++ - at) * sizeof peer);
        peers[at] = peer;
    }
}

static uint32_t add(HieraMeter *meter, const HieraMeterSite *site)
{
    if (!hiera_meter_room_for_site(meter))
        return 0;
    meter->sums.n++;
    ((HieraMeterSite *)meter->sites.items)[meter->sites.n] = *site;
    return (uint32_t)meter->sites.n++;
}

/* The slot of a part, or the empty slot where it would be. The table always has an empty slot. */
static uint32_t *place_of(const HieraMeter *meter, uint32_t of, uint32_t comm, uint32_t peer)
{
    uint32_t *places = meter->parts.items;
    size_t mask = meter->parts.room - 1;
    size_t at = (of * UINT32_C(0x9e3779b1) ^ comm * UINT32_C(0x85ebca6b) ^ peer * UINT32_C(0xc2b2ae35)) >> 8 & mask;
    for (;; at = (at + 1) & mask) {
        const HieraMeterSite *site = hiera_meter_peek_site(meter, places[at]);
        if (places[at] == 0 || (site->of == of && site->comm == comm && site->peer == peer))
            return &places[at];
    }
}

static void put_place(HieraMeter *meter, uint32_t number)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    *place_of(meter, site->of, site->comm, site->peer) = number;
    meter->parts.n++;
}

/* Enlarge the hash table of parts if needed: at least a quarter of the slots stays empty. False: memory is short. */
static bool make_place(HieraMeter *meter)
{
    HieraMeterArray old = meter->parts;
    size_t room = old.room ? 2 * old.room : 16;
    if (4 * old.n < 3 * old.room)
        return true;
    uint32_t *places = meter->memory.grow(NULL, 0, room * sizeof *places);
    if (!places)
        return false;
    meter->parts = (HieraMeterArray){places, 0, room};
    for (size_t i = 0; i < old.room; i++) {
        if (((const uint32_t *)old.items)[i] != 0)
            put_place(meter, ((const uint32_t *)old.items)[i]);
    }
    meter->memory.release(old.items, old.room * sizeof *places);
    return true;
}

/* List in `part` those counters of the site `of` that count calls with the communicator and peer of `call`. */
static void list_some(HieraMeter *meter, const HieraMeterSite *of, HieraMeterSite *part, const HieraMeteredCall *call)
{
    const uint16_t ends[] = {of->n_times, (uint16_t)(of->n_times + of->n_calls),
                             (uint16_t)(of->n_times + of->n_calls + of->n_others)};
    uint16_t *const n[] = {&part->n_times, &part->n_calls, &part->n_others};
    part->counters = (uint32_t)meter->lists.n;
    for (unsigned i = 0, kind = 0; i < ends[2]; i++) {
        uint32_t counter = hiera_meter_list(meter, of->counters)[i];
        while (i >= ends[kind])
            kind++;
        if (hiera_meter_counts(&meter->counters[counter], call))
            list(meter, n[kind], counter);
    }
}

static uint32_t make_part(HieraMeter *meter, uint32_t number, uint32_t comm, int64_t peer)
{
    const HieraMeterSite of = *hiera_meter_peek_site(meter, number);
    HieraMeterSite part = {
        .is_mpi = of.is_mpi, .plain = true, .of = number, .comm = comm, .peer = asked_peer(meter, peer)};
    list_some(meter, &of, &part, &(HieraMeteredCall){.comm = comm, .peer = peer, .has_peer = part.peer != 0});
    uint32_t made = make_place(meter) ? add(meter, &part) : 0;
    if (made != 0)
        put_place(meter, made);
    meter->lost = meter->lost || made == 0;
    return made;
}

__attribute__((noinline)) static uint32_t find_part(HieraMeter *meter, uint32_t number, uint32_t comm, int64_t peer)
{
    if (hiera_meter_peek_site(meter, number)->plain)
        return number;
    uint32_t known = meter->parts.n > 0 ? *place_of(meter, number, comm, asked_peer(meter, peer)) : 0;
    uint32_t part = known != 0 ? known : make_part(meter, number, comm, peer);
    meter->last_part.of = part != 0 ? number : 0;
    meter->last_part.comm = comm;
    meter->last_part.peer = peer;
    meter->last_part.part = part;
    return part;
}

uint32_t hiera_meter_part(HieraMeter *meter, uint32_t number, uint32_t comm, int64_t peer)
{
    uint32_t last = hiera_meter_last_part(meter, number, comm, peer);
    return last != 0 ? last : find_part(meter, number, comm, peer);
}

bool hiera_meter_is_plain(const HieraMeter *meter, uint32_t site)
{
    return hiera_meter_peek_site(meter, site)->plain;
}

/* --- what must be reported about the calls of a site --- */

/* Whether a counter of the site adds up this amount, other than times and calls. */
static bool has_amount(const HieraMeter *meter, const HieraMeterSite *site, unsigned amount)
{
    const uint32_t *others = hiera_meter_list(meter, site->counters + site->n_times + site->n_calls);
    for (unsigned i = 0; i < site->n_others; i++) {
        if (meter->counters[others[i]].amount == amount)
            return true;
    }
    return false;
}

static HieraMeterNeed sum_or_nothing(const HieraMeterSite *site)
{
    return site->n_times + site->n_calls > 0 ? HIERA_METER_SUM : HIERA_METER_NOTHING;
}

HieraMeterNeed hiera_meter_need(const HieraMeter *meter, uint32_t number, bool begins)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    bool persistent =
        site->starts != HIERA_ROLE_OTHER || site->role == HIERA_ROLE_STARTS || site->role == HIERA_ROLE_FREES;
    if (site->n_rules > 0 || site->n_insides > 0)
        return HIERA_METER_ALL;
    /* Persistent requests are always reported, as a rule added later may count the messages of their starts. */
    if (persistent)
        return HIERA_METER_FLAT;
    if (site->role == HIERA_ROLE_COMPLETES)
        return meter->remembers || has_amount(meter, site, HIERA_AMOUNT_RECEIVED) ? HIERA_METER_REQUESTS
                                                                                  : sum_or_nothing(site);
    bool remembers = begins && meter->remembers;
    if (begins && site->role == HIERA_ROLE_RECEIVES && (remembers || hiera_meter_needs_posts(meter, number)))
        return HIERA_METER_POSTS;
    if (site->n_others == 0 && !(remembers && site->role == HIERA_ROLE_SENDS_RECEIVES))
        return sum_or_nothing(site);
    if (begins && site->role == HIERA_ROLE_RECEIVES)
        return HIERA_METER_SUM;
    if (site->role == HIERA_ROLE_SENDS)
        return HIERA_METER_SENDS;
    if (site->role == HIERA_ROLE_RECEIVES)
        return HIERA_METER_RECEIVES;
    if (site->role == HIERA_ROLE_OTHER)
        return HIERA_METER_MOVES;
    return HIERA_METER_FLAT;
}

bool hiera_meter_needs_posts(const HieraMeter *meter, uint32_t number)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    return has_amount(meter, site, HIERA_AMOUNT_TRANSFERS) || has_amount(meter, site, HIERA_AMOUNT_TRANSFERRED);
}

bool hiera_meter_needs_times(const HieraMeter *meter, uint32_t site)
{
    return hiera_meter_peek_site(meter, site)->n_times > 0;
}

bool hiera_meter_has_comms(const HieraMeter *meter)
{
    return meter->has_comms;
}

bool hiera_meter_remembers(const HieraMeter *meter)
{
    return meter->remembers;
}

uint32_t hiera_meter_site(HieraMeter *meter, bool is_mpi, const char *method_class, const char *operation)
{
    HieraMeterSite site = {.is_mpi = is_mpi};
    HieraCallRole starts = HIERA_ROLE_OTHER;
    if (is_mpi)
        site.role = (uint8_t)hiera_call_role(operation, &starts);
    site.starts = (uint8_t)starts;
    list_counters(meter, &site, method_class, operation);
    list_rules(meter, &site, method_class, operation);
    site.plain = is_plain(meter, &site);
    bool concerns = site.n_rules + site.n_insides + site.n_times + site.n_calls + site.n_others > 0;
    return is_mpi || concerns ? add(meter, &site) : 0;
}

uint32_t hiera_meter_site_of_rule(HieraMeter *meter, unsigned rule)
{
    HieraMeterSite site = {.rules = (uint32_t)meter->lists.n};
    list(meter, &site.n_rules, rule);
    return add(meter, &site);
}
