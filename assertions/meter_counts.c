/* What a meter counts. See meter.h.
 *
 * Calls are summed up by site, and counters raised when somebody looks. A site of which counters tell calls apart by their
 * communicators and peers has parts, each with sums of its own. */
#include "meter_parts.h"
#include <string.h>

static inline HieraMeterSite *site_at(HieraMeter *meter, uint32_t number)
{
    return &((HieraMeterSite *)meter->sites.items)[number];
}

static inline void sum(HieraMeterSite *site, unsigned amount, int64_t by)
{
    site->sums[amount] = hiera_meter_plus(site->sums[amount], by);
}

/* A site whose sums are about to change. */
static inline HieraMeterSite *touch(HieraMeter *meter, uint32_t number)
{
    HieraMeterSite *site = site_at(meter, number);
    if (__builtin_expect(!site->is_unsettled, 0)) {
        site->is_unsettled = true;
        site->next_unsettled = meter->unsettled;
        meter->unsettled = number;
    }
    return site;
}

static void settle(HieraMeter *meter, HieraMeterSite *site)
{
    const uint32_t *counters = hiera_meter_list(meter, site->counters);
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls + site->n_others; i++) {
        int64_t *total = &meter->totals[counters[i]];
        *total = hiera_meter_plus(*total, site->sums[meter->counters[counters[i]].amount]);
    }
    memset(site->sums, 0, sizeof site->sums);
    site->is_unsettled = false;
}

void hiera_meter_settle_sites(HieraMeter *meter)
{
    while (meter->unsettled != 0) {
        HieraMeterSite *site = site_at(meter, meter->unsettled);
        meter->unsettled = site->next_unsettled;
        settle(meter, site);
    }
}

/* --- sums --- */

static inline void sum_calls(HieraMeter *meter, uint32_t part, int64_t calls, int64_t time_ns)
{
    HieraMeterSite *site = touch(meter, part);
    sum(site, HIERA_AMOUNT_TIME, time_ns);
    sum(site, HIERA_AMOUNT_CALLS, calls);
}

void hiera_meter_sum(HieraMeter *meter, uint32_t part, int64_t time_ns)
{
    if (part != 0)
        sum_calls(meter, part, 1, time_ns);
}

void hiera_meter_send(HieraMeter *meter, uint32_t part, int64_t peer, int64_t bytes)
{
    HieraMeterSite *site = touch(meter, part);
    int64_t moved = peer == HIERA_METER_PEER_NULL ? 0 : hiera_meter_known_bytes(bytes);
    sum(site, HIERA_AMOUNT_SENT, moved);
    if (peer < 0)
        return;
    sum(site, HIERA_AMOUNT_MESSAGES, 1);
    sum(site, HIERA_AMOUNT_TRANSFERS, 1);
    sum(site, HIERA_AMOUNT_TRANSFERRED, moved);
}

void hiera_meter_receive(HieraMeter *meter, uint32_t part, int64_t peer, int64_t bytes)
{
    if (peer != HIERA_METER_PEER_NULL)
        sum(touch(meter, part), HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(bytes));
}

void hiera_meter_post(HieraMeter *meter, uint32_t part, int64_t peer, int64_t bytes)
{
    HieraMeterSite *site = touch(meter, part);
    if (peer == HIERA_METER_PEER_NULL)
        return;
    sum(site, HIERA_AMOUNT_TRANSFERS, 1);
    sum(site, HIERA_AMOUNT_TRANSFERRED, hiera_meter_known_bytes(bytes));
    meter->stray_posts = meter->stray_posts || bytes == HIERA_METER_NO_BYTES;
}

void hiera_meter_bytes(HieraMeter *meter, uint32_t part, int64_t bytes, int64_t rbytes)
{
    HieraMeterSite *site = touch(meter, part);
    sum(site, HIERA_AMOUNT_SENT, hiera_meter_known_bytes(bytes));
    sum(site, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(rbytes));
}

/* --- calls --- */

static uint32_t part_of(HieraMeter *meter, const HieraMetered *metered, int64_t peer)
{
    return hiera_meter_part(meter, meter->site, metered->comm, peer);
}

static void count_receive(HieraMeter *meter, const HieraMetered *metered, int64_t bytes)
{
    uint32_t part = part_of(meter, metered, metered->source);
    hiera_meter_post(meter, part, metered->source, metered->posted);
    if (!metered->begins)
        hiera_meter_receive(meter, part, metered->source, bytes);
}

static void count_transfers(HieraMeter *meter, const HieraMetered *metered)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, meter->site);
    if (site->starts != HIERA_ROLE_OTHER)
        return; /* each start of the request counts */
    switch (site->role) {
    case HIERA_ROLE_SENDS:
        hiera_meter_send(meter, part_of(meter, metered, metered->peer), metered->peer, metered->bytes);
        break;
    case HIERA_ROLE_RECEIVES:
        count_receive(meter, metered, metered->bytes);
        break;
    case HIERA_ROLE_SENDS_RECEIVES:
        hiera_meter_send(meter, part_of(meter, metered, metered->peer), metered->peer, metered->bytes);
        count_receive(meter, metered, metered->rbytes);
        break;
    case HIERA_ROLE_STARTS:
    case HIERA_ROLE_COMPLETES:
    case HIERA_ROLE_FREES:
        break;
    default:
        hiera_meter_bytes(meter, part_of(meter, metered, metered->peer), metered->bytes, metered->rbytes);
    }
}

static inline void count(HieraMeter *meter, const HieraMetered *metered)
{
    if (!meter->counts || meter->site == 0)
        return;
    const HieraMeterSite *site = hiera_meter_peek_site(meter, meter->site);
    bool is_mpi = site->is_mpi, has_others = site->n_others > 0;
    int64_t peer = site->role == HIERA_ROLE_RECEIVES ? metered->source : metered->peer;
    meter->metered.begins = metered->begins;
    if (metered->begins)
        meter->metered = *metered;
    meter->open_call = meter->open_call || (is_mpi && !metered->has_end);
    sum_calls(meter, part_of(meter, metered, peer), metered->calls, metered->time_ns);
    if (has_others && is_mpi)
        count_transfers(meter, metered);
}

void hiera_meter_count(HieraMeter *meter, const HieraMetered *metered)
{
    count(meter, metered);
}

void hiera_meter_flat(HieraMeter *meter, uint32_t site, const HieraMetered *metered)
{
    meter->site = site;
    meter->counts = meter->unkept == 0 && meter->n_mpi == 0;
    count(meter, metered);
}
