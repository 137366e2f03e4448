/* Counting of calls in a meter. See meter.h.
 *
 * Calls are summed by site, and counters are updated when they are read. If counters distinguish calls of a site by
 * communicator and peer, the site has parts, each with its own sums. */
#include "meter_parts.h"
#include <string.h>

void hiera_meter_settle_sites(HieraMeter *meter)
{
    HieraMeterTally *tally = &meter->tally;
    while (tally->listed != 0) {
        const HieraMeterSite *site = hiera_meter_peek_site(meter, tally->listed);
        const uint32_t *counters = hiera_meter_list(meter, site->counters);
        HieraMeterSums *sums = &tally->sums[tally->listed];
        for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls + site->n_others; i++) {
            int64_t *total = &meter->totals[counters[i]];
            *total = hiera_meter_plus(*total, sums->amounts[meter->counters[counters[i]].amount]);
        }
        tally->listed = sums->next;
        memset(sums, 0, sizeof *sums);
    }
}

/* --- counting the calls of a site --- */

static HieraMeterSums *sums_of(HieraMeter *meter, const HieraMetered *metered, int64_t peer)
{
    return hiera_meter_sums(meter, hiera_meter_part(meter, meter->site, metered->comm, peer));
}

static void count_receive(HieraMeter *meter, const HieraMetered *metered, int64_t bytes)
{
    HieraMeterSums *sums = sums_of(meter, metered, metered->source);
    hiera_meter_post(meter, sums, metered->source, metered->posted);
    if (!metered->begins)
        hiera_meter_receive(sums, metered->source, bytes);
}

static void count_transfers(HieraMeter *meter, const HieraMetered *metered)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, meter->site);
    if (site->starts != HIERA_ROLE_OTHER)
        return; /* nothing is added here, because messages of a persistent request are counted at each start */
    switch (site->role) {
    case HIERA_ROLE_SENDS:
        hiera_meter_send(sums_of(meter, metered, metered->peer), metered->peer, metered->bytes);
        break;
    case HIERA_ROLE_RECEIVES:
        count_receive(meter, metered, metered->bytes);
        break;
    case HIERA_ROLE_SENDS_RECEIVES:
        hiera_meter_send(sums_of(meter, metered, metered->peer), metered->peer, metered->bytes);
        count_receive(meter, metered, metered->rbytes);
        break;
    case HIERA_ROLE_STARTS:
    case HIERA_ROLE_COMPLETES:
    case HIERA_ROLE_FREES:
        break;
    default:
        hiera_meter_bytes(sums_of(meter, metered, metered->peer), metered->bytes, metered->rbytes);
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
    hiera_meter_sum(sums_of(meter, metered, peer), metered->calls, metered->time_ns);
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
