/* What calls of a site add up to: inline, because a collector does this for each MPI call. See meter.h.
 *
 * Counters are raised by the sums when somebody looks at them. Sums of a site are valid until another site or part is
 * asked for. */
#ifndef HIERA_METER_SUMS_H
#define HIERA_METER_SUMS_H

#include "meter.h"

typedef struct HieraMeterSums {
    int64_t amounts[HIERA_N_AMOUNTS]; /* what the counters of the site still have to be raised by */
    uint32_t next;                    /* site in the list of those that have sums; 0: none */
    bool is_listed;
} HieraMeterSums;

/* The begin of a meter. */
typedef struct HieraMeterTally {
    HieraMeterSums *sums; /* by site; nothing counts those of site 0 */
    uint32_t listed;      /* the first site that has sums; 0: none */
    bool stray_posts;     /* receives for nobody knows how many bytes */
} HieraMeterTally;

static inline HieraMeterTally *hiera_meter_tally(HieraMeter *meter)
{
    return (HieraMeterTally *)(void *)meter;
}

/* The sums of a site or part, which are about to change. */
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

/* a + b, or the nearest number there is. */
static inline int64_t hiera_meter_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_expect(__builtin_add_overflow(a, b, &sum), 0) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

static inline void hiera_meter_raise(HieraMeterSums *sums, unsigned amount, int64_t by)
{
    sums->amounts[amount] = hiera_meter_plus(sums->amounts[amount], by);
}

/* Bytes that are not known are none. */
static inline int64_t hiera_meter_known_bytes(int64_t bytes)
{
    return bytes > 0 ? bytes : 0;
}

/* How long a call took, or several. */
static inline void hiera_meter_sum(HieraMeterSums *sums, int64_t calls, int64_t time_ns)
{
    hiera_meter_raise(sums, HIERA_AMOUNT_TIME, time_ns);
    hiera_meter_raise(sums, HIERA_AMOUNT_CALLS, calls);
}

/* A message that a call has sent. */
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

/* A message that a call has received. */
static inline void hiera_meter_receive(HieraMeterSums *sums, int64_t peer, int64_t bytes)
{
    if (peer != HIERA_METER_PEER_NULL)
        hiera_meter_raise(sums, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(bytes));
}

/* A message that a call may receive, for so many bytes. */
static inline void hiera_meter_post(HieraMeter *meter, HieraMeterSums *sums, int64_t peer, int64_t bytes)
{
    if (peer == HIERA_METER_PEER_NULL)
        return;
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERS, 1);
    hiera_meter_raise(sums, HIERA_AMOUNT_TRANSFERRED, hiera_meter_known_bytes(bytes));
    if (__builtin_expect(bytes == HIERA_METER_NO_BYTES, 0))
        hiera_meter_tally(meter)->stray_posts = true;
}

/* The bytes of a call that sends no messages. */
static inline void hiera_meter_bytes(HieraMeterSums *sums, int64_t bytes, int64_t rbytes)
{
    hiera_meter_raise(sums, HIERA_AMOUNT_SENT, hiera_meter_known_bytes(bytes));
    hiera_meter_raise(sums, HIERA_AMOUNT_RECEIVED, hiera_meter_known_bytes(rbytes));
}

#endif
