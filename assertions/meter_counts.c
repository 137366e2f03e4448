/* What a meter counts. See meter.h. */
#include "meter_parts.h"
#include <string.h>

static void raise(HieraMeter *meter, const uint32_t *counters, unsigned n, const HieraMeteredCall *call)
{
    for (unsigned i = 0; i < n; i++) {
        const HieraMeterCounter *counter = &meter->counters[counters[i]];
        if (hiera_meter_counts(counter, call))
            meter->totals[counters[i]] = hiera_meter_plus(meter->totals[counters[i]], call->amounts[counter->amount]);
    }
}

/* --- plain sites: calls are summed up, and counters raised when somebody looks --- */

static inline HieraMeterSite *site_at(HieraMeter *meter, uint32_t number)
{
    return &((HieraMeterSite *)meter->sites.items)[number];
}

static inline void sum(HieraMeterSite *site, unsigned amount, int64_t by)
{
    site->sums[amount] = hiera_meter_plus(site->sums[amount], by);
}

static inline void sum_calls(HieraMeter *meter, HieraMeterSite *site, int64_t calls, int64_t time_ns)
{
    sum(site, HIERA_AMOUNT_TIME, time_ns);
    sum(site, HIERA_AMOUNT_CALLS, calls);
    if (site->is_unsettled)
        return;
    site->is_unsettled = true;
    site->next_unsettled = meter->unsettled;
    meter->unsettled = (uint32_t)(site - site_at(meter, 0));
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

/* --- calls --- */

static const uint32_t *others_of(const HieraMeter *meter, const HieraMeterSite *site)
{
    return hiera_meter_list(meter, site->counters + site->n_times + site->n_calls);
}

void hiera_meter_count_message(HieraMeter *meter, uint32_t comm, int64_t peer, bool sends, int64_t bytes)
{
    HieraMeterSite *site = site_at(meter, meter->site);
    bool is_message = sends ? peer >= 0 : peer != HIERA_METER_PEER_NULL;
    int64_t moved = peer == HIERA_METER_PEER_NULL ? 0 : hiera_meter_known_bytes(bytes);
    if (site->plain) {
        sum(site, HIERA_AMOUNT_MESSAGES, sends && is_message);
        sum(site, HIERA_AMOUNT_TRANSFERS, is_message);
        sum(site, HIERA_AMOUNT_TRANSFERRED, is_message ? moved : 0);
        sum(site, sends ? HIERA_AMOUNT_SENT : HIERA_AMOUNT_RECEIVED, moved);
        return;
    }
    HieraMeteredCall call = {.comm = comm, .peer = peer, .has_peer = peer != HIERA_METER_NO_PEER};
    call.amounts[HIERA_AMOUNT_MESSAGES] = sends && is_message;
    call.amounts[HIERA_AMOUNT_TRANSFERS] = is_message;
    call.amounts[HIERA_AMOUNT_TRANSFERRED] = is_message ? moved : 0;
    call.amounts[sends ? HIERA_AMOUNT_SENT : HIERA_AMOUNT_RECEIVED] = moved;
    raise(meter, others_of(meter, site), site->n_others, &call);
}

/* Bytes of a call that is no message: of a collective, say. */
static void count_bytes(HieraMeter *meter, HieraMeterSite *site, const HieraMetered *metered)
{
    const HieraMeteredCall call = {.comm = metered->comm,
                                   .peer = metered->peer,
                                   .has_peer = metered->peer != HIERA_METER_NO_PEER,
                                   .amounts[HIERA_AMOUNT_SENT] = hiera_meter_known_bytes(metered->bytes),
                                   .amounts[HIERA_AMOUNT_RECEIVED] = hiera_meter_known_bytes(metered->rbytes)};
    if (site->plain)
        hiera_meter_bytes(meter, metered->bytes, metered->rbytes);
    else
        raise(meter, others_of(meter, site), site->n_others, &call);
}

static void count_transfers(HieraMeter *meter, HieraMeterSite *site, const HieraMetered *metered)
{
    switch (site->role) {
    case HIERA_ROLE_SENDS:
        hiera_meter_count_message(meter, metered->comm, metered->peer, true, metered->bytes);
        break;
    case HIERA_ROLE_RECEIVES:
        if (!metered->begins)
            hiera_meter_count_message(meter, metered->comm, metered->source, false, metered->bytes);
        break;
    case HIERA_ROLE_SENDS_RECEIVES:
        hiera_meter_count_message(meter, metered->comm, metered->peer, true, metered->bytes);
        if (!metered->begins)
            hiera_meter_count_message(meter, metered->comm, metered->source, false, metered->rbytes);
        break;
    case HIERA_ROLE_STARTS:
    case HIERA_ROLE_COMPLETES:
    case HIERA_ROLE_FREES:
        break;
    default:
        count_bytes(meter, site, metered);
    }
}

/* Counters of times and of numbers of calls. */
static inline void count_calls(HieraMeter *meter, HieraMeterSite *site, const HieraMetered *metered)
{
    if (site->plain) {
        sum_calls(meter, site, metered->calls, metered->time_ns);
        return;
    }
    int64_t peer = site->role == HIERA_ROLE_RECEIVES ? metered->source : metered->peer;
    raise(meter, hiera_meter_list(meter, site->counters), site->n_times + site->n_calls,
          &(HieraMeteredCall){.comm = metered->comm,
                              .peer = peer,
                              .has_peer = peer != HIERA_METER_NO_PEER,
                              .amounts[HIERA_AMOUNT_CALLS] = metered->calls,
                              .amounts[HIERA_AMOUNT_TIME] = metered->time_ns});
}

static inline void count(HieraMeter *meter, const HieraMetered *metered)
{
    HieraMeterSite *site = site_at(meter, meter->site);
    if (!meter->counts || meter->site == 0)
        return;
    meter->metered.begins = metered->begins;
    if (metered->begins)
        meter->metered = *metered;
    meter->open_call = meter->open_call || (site->is_mpi && !metered->has_end);
    count_calls(meter, site, metered);
    if (site->n_others > 0 && site->is_mpi)
        count_transfers(meter, site, metered);
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

void hiera_meter_sum(HieraMeter *meter, uint32_t number, int64_t time_ns)
{
    meter->site = number;
    meter->counts = number != 0;
    if (number != 0)
        sum_calls(meter, site_at(meter, number), 1, time_ns);
}

void hiera_meter_message(HieraMeter *meter, int64_t peer, bool sends, int64_t bytes)
{
    hiera_meter_count_message(meter, 0, peer, sends, bytes);
}

void hiera_meter_bytes(HieraMeter *meter, int64_t bytes, int64_t rbytes)
{
    HieraMeterSite *site = site_at(meter, meter->site);
    sum(site, HIERA_AMOUNT_SENT, hiera_meter_known_bytes(bytes));
    sum(site, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(rbytes));
}
