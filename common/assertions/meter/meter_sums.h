/* Sums over the calls of a site; inline, because a collector adds to them in each MPI call. See meter.h.
 *
 * Counters are updated from the sums only when they are read. A pointer to sums is valid until hiera_meter_site() or
 * hiera_meter_part() is called. */
#pragma once

#include "meter.h"

typedef struct HieraMeterSums {
    int64_t amounts[HIERA_N_AMOUNTS]; /* by HIERA_AMOUNT_…: not yet added to the totals of the site's counters */
    uint32_t next;                    /* next site in the list of sites with pending sums; 0: end */
    bool is_listed;
} HieraMeterSums;

/* The fields of a meter that inline functions use; first member of HieraMeter. */
typedef struct HieraMeterTally {
    HieraMeterSums *sums; /* by site: its pending sums; those of site 0 are ignored */
    uint32_t listed;      /* first site in the list of sites with pending sums; 0: none */
    bool stray_posts;     /* whether a receive was posted with a buffer of unknown size */
} HieraMeterTally;

static inline HieraMeterTally *hiera_meter_tally(HieraMeter *meter)
{
    return (HieraMeterTally *)(void *)meter;
}

/* Return the sums of a site or part for changing; puts the site into the list of sites with pending sums. */
static inline HieraMeterSums *hiera_meter_sums(HieraMeter *meter, uint32_t part)
{
    HieraMeterTally *tally = hiera_meter_tally(meter);
    HieraMeterSums *sums = &tally->sums[part];
    if (__builtin_expect(!sums->is_listed, 0)) {
        sums->is_listed = true;
        sums->next = tally->listed;
        tally->listed = part;
    }
    return sums;
}

/* a + b, limited to the range of int64_t. */
static inline int64_t hiera_meter_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_expect(__builtin_add_overflow(a, b, &sum), 0) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

static inline void hiera_meter_raise(HieraMeterSums *sums, unsigned amount, int64_t by)
{
    sums->amounts[amount] = hiera_meter_plus(sums->amounts[amount], by);
}

/* Return a number of bytes; an unknown number counts as 0. */
static inline int64_t hiera_meter_known_bytes(int64_t bytes)
{
    return bytes > 0 ? bytes : 0;
}

/* Add a number of calls and their duration to the sums of a site. */
static inline void hiera_meter_sum(HieraMeterSums *sums, int64_t calls, int64_t time_ns)
{
    hiera_meter_raise(sums, HIERA_AMOUNT_TIME, time_ns);
    hiera_meter_raise(sums, HIERA_AMOUNT_CALLS, calls);
}

/* Add a message that a call has sent to the sums of the call's site. */
static inline void hiera_meter_send(HieraMeterSums *sums, int64_t peer, int64_t bytes)
{
    int64_t moved = peer == HIERA_METER_PEER_NULL ? 0 : hiera_meter_known_bytes(bytes);
    hiera_meter_raise(sums, HIERA_AMOUNT_SENT, moved);
    if (peer < 0)
        return;
    hiera_meter_raise(sums, HIERA_AMOUNT_MESSAGES, 1);
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERS, 1);
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERRED, moved);
}

/* Add a message that a call has received to the sums of the call's site. */
static inline void hiera_meter_receive(HieraMeterSums *sums, int64_t peer, int64_t bytes)
{
    if (peer != HIERA_METER_PEER_NULL)
        hiera_meter_raise(sums, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(bytes));
}

/* Add a posted receive of up to `bytes` bytes to the sums of the call's site. */
static inline void hiera_meter_post(HieraMeter *meter, HieraMeterSums *sums, int64_t peer, int64_t bytes)
{
    if (peer == HIERA_METER_PEER_NULL)
        return;
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERS, 1);
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERRED, hiera_meter_known_bytes(bytes));
    if (__builtin_expect(bytes == HIERA_METER_NO_BYTES, 0))
        hiera_meter_tally(meter)->stray_posts = true;
}

/* Add the bytes of a call that sends no messages to the sums of the call's site. */
static inline void hiera_meter_bytes(HieraMeterSums *sums, int64_t bytes, int64_t rbytes)
{
    hiera_meter_raise(sums, HIERA_AMOUNT_SENT, hiera_meter_known_bytes(bytes));
    hiera_meter_raise(sums, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(rbytes));
}
