/* See call_meter.h. The caller has the collector's lock (base/lock.h). */
#include "call_meter.h"

#include "assertions/meter/meter_sums.h"
#include "call_asked.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/types.h"

#include <mpi.h>

enum { PEER_SPECIAL = -2 };

/* --- peer, communicator and bytes of a call, from its record --- */

static inline int64_t rank_of(int32_t value)
{
    if (value >= 0)
        return value;
    return value == MPI_PROC_NULL ? HIERA_METER_PEER_NULL : PEER_SPECIAL;
}

static inline int64_t peer_of(const HieraMpiRecord *record, HieraPlacedArgument argument)
{
    return hiera_asked_has(record, argument) ? rank_of((int32_t)hiera_asked_value(record, argument))
                                             : HIERA_METER_NO_PEER;
}

__attribute__((noinline)) static uint32_t find_comm(const HieraMeter *meter, HieraSeenComm *seen, uint32_t comm)
{
    const HieraComm *facts = hiera_comm_facts(comm);
    uint32_t number = hiera_meter_comm(meter, facts->id);
    if (facts->version != 0) /* 0: the facts are not known yet, and the name may still change */
        *seen = (HieraSeenComm){comm, number};
    return number;
}

static inline uint32_t comm_of(const HieraMeter *meter, HieraCallMeter *known, const HieraMpiRecord *record,
                               HieraPlacedArgument argument)
{
    if (!hiera_asked_has(record, argument))
        return 0;
    uint32_t comm = hiera_asked_value(record, argument);
    HieraSeenComm *seen = &known->comms[comm % HIERA_SEEN_COMMS];
    return HIERA_LIKELY(comm != 0 && seen->comm == comm) ? seen->number : find_comm(meter, seen, comm);
}

static int64_t type_bytes(HieraCallMeter *known, uint32_t type)
{
    if (HIERA_LIKELY(type != 0 && known->type == type))
        return known->type_bytes;
    int64_t bytes = hiera_type_facts(type)->size;
    if (bytes >= 0) {
        known->type = type;
        known->type_bytes = bytes;
    }
    return bytes;
}

/* Return how many bytes a receive is posted for; HIERA_METER_NO_BYTES: not known, or the call is not a receive. */
static int64_t posted_bytes(HieraCallMeter *known, const HieraAsked *asked, const HieraMpiRecord *record)
{
    int64_t count;
    if (!hiera_asked_has(record, asked->count) || !hiera_asked_has(record, asked->type))
        return HIERA_METER_NO_BYTES;
    if (asked->is_wide)
        memcpy(&count, (const char *)record + asked->count.offset, sizeof count);
    else
        count = (int32_t)hiera_asked_value(record, asked->count);
    if (hiera_asked_has(record, asked->partitions))
        count *= (int32_t)hiera_asked_value(record, asked->partitions);
    int64_t bytes = type_bytes(known, hiera_asked_value(record, asked->type));
    if (count == 0)
        return 0;
    return bytes < 0 || count < 0 ? HIERA_METER_NO_BYTES : count * bytes;
}

/* --- calls that are reported to the meter one by one --- */

/* Report to the meter the requests in a tail of the record. */
static void pass_tail(HieraMeter *meter, const HieraMpiCall *call, const HieraTail *tail)
{
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    if (tail->argument == HIERA_TAIL_COMPLETION) {
        const HieraCompleted *completed = (const HieraCompleted *)(const void *)(tail + 1);
        for (uint32_t i = 0; i < tail->stored; i++) {
            bool receives = completed[i].size != HIERA_NO_STATUS;
            hiera_meter_request(meter, completed[i].number,
                                receives ? rank_of(completed[i].source) : HIERA_METER_NO_PEER,
                                receives ? completed[i].size : HIERA_METER_NO_BYTES);
        }
    } else if (argument && argument->kind == HIERA_ARGUMENT_NUMBER) {
        const uint32_t *numbers = (const uint32_t *)(const void *)(tail + 1);
        for (uint32_t i = 0; i < tail->stored; i++)
            hiera_meter_request(meter, numbers[i], HIERA_METER_NO_PEER, HIERA_METER_NO_BYTES);
    }
}

static void pass_tails(HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    if (record->head.bytes == call->bytes)
        return;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        pass_tail(meter, call, hiera_mpi_tail_contents(tail));
}

static void pass_requests(HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    for (uint32_t set = hiera_call_present(call->sets.requests, record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)record + hiera_call_next(call, &set)->offset, sizeof number);
        hiera_meter_request(meter, number, HIERA_METER_NO_PEER, HIERA_METER_NO_BYTES);
    }
    pass_tails(meter, record, call);
}

/* Describe a call to the meter as a trace would. @param finish_ns  HIERA_METER_NO_END: the call has no end */
static HieraMetered metered_of(const HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked,
                               const HieraMpiRecord *record, int64_t start_ns, int64_t finish_ns)
{
    const HieraMpiCall *call = &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
    bool ended = finish_ns != HIERA_METER_NO_END;
    return (HieraMetered){.comm = comm_of(meter, known, record, asked->comm),
                          .calls = 1,
                          .time_ns = ended ? finish_ns - start_ns : 0,
                          .has_end = ended,
                          .begins = hiera_call_present(call->sets.requests, record) != 0,
                          .peer = peer_of(record, asked->peer),
                          .source = peer_of(record, asked->source),
                          .bytes = ended ? record->sent : HIERA_METER_NO_BYTES,
                          .rbytes = ended ? record->received : HIERA_METER_NO_BYTES,
                          .posted = posted_bytes(known, asked, record)};
}

/* Report a call to the meter, and leave it open there. Returns the time at which it ends, in ns. */
static int64_t pass_open(HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked,
                         const HieraMpiRecord *record, uint64_t finish)
{
    int64_t start_ns = (int64_t)hiera_clock_ns(record->head.start);
    int64_t finish_ns = finish != 0 ? (int64_t)hiera_clock_ns(finish) : HIERA_METER_NO_END;
    const HieraMetered metered = metered_of(meter, known, asked, record, start_ns, finish_ns);
    hiera_meter_open(meter, asked->site, start_ns, 0, true);
    hiera_meter_count(meter, &metered);
    if (finish != 0)
        pass_requests(meter, record, &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS]);
    return finish_ns;
}

static void pass_all(HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked, const HieraMpiRecord *record,
                     uint64_t finish)
{
    hiera_meter_close(meter, pass_open(meter, known, asked, record, finish));
}

static void pass_flat(HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked, const HieraMpiRecord *record,
                      uint64_t finish)
{
    const HieraMetered metered = metered_of(meter, known, asked, record, (int64_t)hiera_clock_ns(record->head.start),
                                            (int64_t)hiera_clock_ns(finish));
    hiera_meter_flat(meter, asked->site, &metered);
    pass_requests(meter, record, &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS]);
}

/* Report a call by itself, because the meter needs more of it than sums. */
__attribute__((noinline)) static void pass_more(HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked,
                                                const HieraMpiRecord *record, uint64_t finish)
{
    if (finish == 0 || asked->need == HIERA_METER_ALL)
        pass_all(meter, known, asked, record, finish);
    else
        pass_flat(meter, known, asked, record, finish);
}

/* --- calls of which the meter needs only sums --- */

/* Return the tail with the requests that a call has completed; NULL: none. A record has at most one. */
static inline const HieraTail *find_completed(const HieraAsked *asked, const HieraMpiRecord *record)
{
    if (record->head.bytes == asked->bytes)
        return NULL;
    const HieraTail *tail = (const HieraTail *)(const void *)((const char *)record + asked->bytes);
    while (HIERA_UNLIKELY(tail && tail->argument != HIERA_TAIL_COMPLETION))
        tail = hiera_mpi_next_tail(record, tail);
    return tail ? hiera_mpi_tail_contents(tail) : NULL;
}

/* Add the bytes of the receives that a call has completed, if the meter needs only these. */
__attribute__((noinline)) static void pass_received(const HieraAsked *asked, const HieraMpiRecord *record,
                                                    HieraMeterSums *sums)
{
    const HieraTail *tail = find_completed(asked, record);
    if (!tail)
        return;
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(tail + 1);
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (completed[i].size >= 0 && completed[i].number != 0)
            hiera_meter_receive(sums, rank_of(completed[i].source), completed[i].size);
    }
}

__attribute__((noinline)) static void pass_completed(HieraMeter *meter, const HieraAsked *asked,
                                                     const HieraMpiRecord *record)
{
    const HieraTail *tail = find_completed(asked, record);
    if (!tail)
        return;
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(tail + 1);
    for (uint32_t i = 0; i < tail->stored; i++) {
        bool receives = completed[i].size != HIERA_NO_STATUS;
        hiera_meter_complete(meter, asked->site, completed[i].number,
                             receives ? rank_of(completed[i].source) : HIERA_METER_NO_PEER,
                             receives ? completed[i].size : HIERA_METER_NO_BYTES);
    }
}

/* Tell the meter which request a posted receive has, and on which communicator. */
__attribute__((noinline)) static void remember(HieraMeter *meter, HieraCallMeter *known, const HieraAsked *asked,
                                               const HieraMpiRecord *record)
{
    if (hiera_asked_has(record, asked->request))
        hiera_meter_remember(meter, hiera_asked_value(record, asked->request),
                             comm_of(meter, known, record, asked->comm));
}

static inline int64_t simple_bytes(const HieraCallMeter *known, const HieraAsked *asked, const HieraMpiRecord *record)
{
    int32_t count = (int32_t)hiera_asked_value(record, asked->count);
    return count >= 0 ? count * known->type_bytes : HIERA_METER_NO_BYTES;
}

__attribute__((always_inline)) static inline void pass_post(HieraMeter *meter, HieraCallMeter *known,
                                                            const HieraAsked *asked, const HieraMpiRecord *record,
                                                            HieraMeterSums *sums, int64_t peer, bool is_common)
{
    if (asked->posts)
        hiera_meter_post(meter, sums, peer,
                         is_common ? simple_bytes(known, asked, record) : posted_bytes(known, asked, record));
}

/* Add a call to `sums`, all values except calls and times. */
__attribute__((always_inline)) static inline void add_up(HieraMeter *meter, HieraCallMeter *known,
                                                         const HieraAsked *asked, const HieraMpiRecord *record,
                                                         HieraMeterSums *sums, int64_t peer, bool is_common)
{
    switch (asked->need) {
    case HIERA_METER_SENDS:
        hiera_meter_send(sums, peer, record->sent);
        break;
    case HIERA_METER_RECEIVES:
        hiera_meter_receive(sums, peer, record->sent);
        pass_post(meter, known, asked, record, sums, peer, is_common);
        break;
    case HIERA_METER_POSTS:
        pass_post(meter, known, asked, record, sums, peer, is_common);
        if (asked->remembers)
            remember(meter, known, asked, record);
        break;
    case HIERA_METER_MOVES:
        hiera_meter_bytes(sums, record->sent, record->received);
        break;
    case HIERA_METER_REQUESTS:
        if (asked->plain && !asked->remembers)
            pass_received(asked, record, sums);
        else
            pass_completed(meter, asked, record);
        break;
    default:
        break;
    }
}

/* Return the number of the meter's sums for the call's communicator and peer, and keep it for the next call. */
static uint32_t part_of(HieraMeter *meter, HieraCallMeter *known, HieraAsked *asked, const HieraMpiRecord *record,
                        int64_t peer)
{
    uint32_t comm = hiera_asked_has(record, asked->comm) ? hiera_asked_value(record, asked->comm) : 0;
    uint32_t number = comm_of(meter, known, record, asked->comm);
    bool is_known = comm == 0 || known->comms[comm % HIERA_SEEN_COMMS].comm == comm;
    uint32_t part = hiera_meter_part(meter, asked->site, number, peer);
    asked->last_comm = comm;
    asked->last_who = peer;
    asked->last_part = is_known ? part : 0;
    return part;
}

static void pass_sums(HieraMeter *meter, HieraCallMeter *known, HieraAsked *asked, const HieraMpiRecord *record,
                      uint64_t finish)
{
    int64_t peer = asked->who_matters ? peer_of(record, asked->who) : HIERA_METER_NO_PEER;
    uint32_t part = asked->plain ? asked->site : part_of(meter, known, asked, record, peer);
    HieraMeterSums *sums = hiera_meter_sums(meter, part);
    hiera_meter_sum(sums, 1, asked->times ? hiera_clock_span_ns(record->head.start, finish) : 0);
    add_up(meter, known, asked, record, sums, peer, false);
}

/* --- all calls, and the short path for common ones --- */

__attribute__((noinline)) static void pass_call(HieraMeter *meter, HieraCallMeter *known, const HieraMpiRecord *record)
{
    HieraAsked *asked = hiera_asked_find(meter, known, record->head.call - HIERA_RECORD_CALLS);
    uint64_t finish = __atomic_load_n(&record->head.finish, __ATOMIC_ACQUIRE);
    if (!asked)
        return;
    if (finish == 0 || asked->need >= HIERA_METER_FLAT)
        pass_more(meter, known, asked, record, finish);
    else if (asked->need != HIERA_METER_NOTHING)
        pass_sums(meter, known, asked, record, finish);
}

/* Report a call in whose callbacks calls were made, or one of these inner calls, which are reported inside the outer
 * one so that no time counts twice. */
__attribute__((noinline)) static void pass_nested(HieraMeter *meter, HieraCallMeter *known,
                                                  const HieraMpiRecord *record)
{
    const HieraAsked *asked = hiera_asked_find(meter, known, record->head.call - HIERA_RECORD_CALLS);
    uint64_t finish = __atomic_load_n(&record->head.finish, __ATOMIC_ACQUIRE);
    if (!asked)
        return;
    int64_t finish_ns = pass_open(meter, known, asked, record, finish);
    if (!(record->flags & HIERA_MPI_HOLDS)) {
        hiera_meter_close(meter, finish_ns);
        return;
    }
    if (known->n_around < HIERA_CALLS_AROUND)
        known->around_finish[known->n_around] = finish_ns;
    known->n_around++;
}

void hiera_call_meter_leave(HieraMeter *meter, HieraCallMeter *known)
{
    if (known->n_around == 0)
        return;
    uint32_t last = --known->n_around;
    hiera_meter_close(meter, known->around_finish[last < HIERA_CALLS_AROUND ? last : HIERA_CALLS_AROUND - 1]);
}

/* Whether a call has all its arguments, has the same communicator and peer as the last call, and if it posts a receive,
 * a size that is known. */
static inline bool is_common(const HieraCallMeter *known, const HieraAsked *asked, const HieraMpiRecord *record,
                             int64_t peer)
{
    bool is_whole = (record->flags & HIERA_MPI_ABSENT) == 0;
    if (!is_whole || !hiera_clock_is_late(record->head.start, __atomic_load_n(&record->head.finish, __ATOMIC_ACQUIRE)))
        return false;
    if (asked->posts &&
        (!asked->is_simple || known->type != hiera_asked_value(record, asked->type) || known->type == 0))
        return false;
    if (asked->plain)
        return true;
    uint32_t comm = asked->comm.offset != 0 ? hiera_asked_value(record, asked->comm) : 0;
    return asked->last_part != 0 && asked->last_comm == comm && asked->last_who == peer;
}

/* Report a call. The path of common calls is short, and needs no stack frame: it calls functions only at its end. */
void hiera_call_meter(HieraMeter *meter, HieraCallMeter *known, const HieraRecord *head)
{
    const HieraMpiRecord *record = (const HieraMpiRecord *)(const void *)head;
    const HieraAsked *asked = hiera_asked_known(known, head->call - HIERA_RECORD_CALLS);
    if (HIERA_UNLIKELY(known->n_around > 0 || (record->flags & HIERA_MPI_HOLDS) != 0)) {
        pass_nested(meter, known, record);
        return;
    }
    if (asked->need == HIERA_METER_NOTHING && head->finish != 0)
        return;
    int64_t peer = asked->who_matters ? rank_of((int32_t)hiera_asked_value(record, asked->who)) : HIERA_METER_NO_PEER;
    if (HIERA_UNLIKELY(asked->need >= HIERA_METER_FLAT || !is_common(known, asked, record, peer))) {
        pass_call(meter, known, record);
        return;
    }
    HieraMeterSums *sums = hiera_meter_sums(meter, asked->plain ? asked->site : asked->last_part);
    hiera_meter_sum(sums, 1, asked->times ? hiera_clock_late_ns(head->start, head->finish) : 0);
    add_up(meter, known, asked, record, sums, peer, true);
}
