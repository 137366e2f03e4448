/* See call_meter.h. Called with the lock held. */
#include "call_meter.h"

#include "assertions/meter.h"
#include "mpi/call/peer_arguments.h"
#include "mpi/handle/comms.h"

#include <mpi.h>

enum { PEER_SPECIAL = -2 };

/* What a meter asks for of a function. */
typedef struct Asked {
    uint32_t site; /* its number in the meter + 1; 0: not known yet */
    uint16_t need; /* HieraMeterNeed */
    bool times;    /* durations matter */
    HieraPeerArguments places;
} Asked;

size_t hiera_call_meter_bytes(void)
{
    return hiera_mpi_call_count * sizeof(Asked);
}

static void ask(HieraMeter *meter, Asked *asked, const HieraMpiCall *call)
{
    uint32_t site = hiera_meter_site(meter, true, "", call->operation);
    *asked = (Asked){.site = 1 + site,
                     .need = (uint16_t)hiera_meter_need(meter, site, call->sets.requests != 0),
                     .times = hiera_meter_needs_times(meter, site),
                     .places = hiera_peer_arguments(call)};
    if (!hiera_meter_has_comms(meter))
        asked->places.comm = HIERA_NO_ARGUMENT;
}

static inline int64_t rank_of(int32_t value)
{
    return value >= 0 ? value : value == MPI_PROC_NULL ? HIERA_METER_PEER_NULL : PEER_SPECIAL;
}

static inline int64_t peer_of(const HieraMpiRecord *record, const HieraMpiCall *call, uint16_t argument)
{
    return hiera_peer_has(record, argument) ? rank_of((int32_t)hiera_peer_value(record, call, argument)) : HIERA_METER_NO_PEER;
}

static inline uint32_t comm_of(const HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call,
                               uint16_t argument)
{
    bool has = hiera_peer_has(record, argument);
    return has ? hiera_meter_comm(meter, hiera_comm_facts(hiera_peer_value(record, call, argument))->id) : 0;
}

/* Tell the requests that a tail has. */
static void tell_tail(HieraMeter *meter, const HieraMpiCall *call, const HieraTail *tail)
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

static void tell_tails(HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    if (record->head.bytes == call->bytes)
        return;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        tell_tail(meter, call, hiera_mpi_tail_contents(tail));
}

static void tell_requests(HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    for (uint32_t set = hiera_call_present(call->sets.requests, record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)record + hiera_call_next(call, &set)->offset, sizeof number);
        hiera_meter_request(meter, number, HIERA_METER_NO_PEER, HIERA_METER_NO_BYTES);
    }
    tell_tails(meter, record, call);
}

/* What a trace has of a call. @param finish_ns  HIERA_METER_NO_END: it has no end */
static inline HieraMetered metered_of(const HieraMeter *meter, const Asked *asked, const HieraMpiRecord *record, int64_t start_ns,
                               int64_t finish_ns)
{
    const HieraMpiCall *call = &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
    bool ended = finish_ns != HIERA_METER_NO_END;
    return (HieraMetered){.comm = comm_of(meter, record, call, asked->places.comm),
                          .calls = 1,
                          .time_ns = ended ? finish_ns - start_ns : 0,
                          .has_end = ended,
                          .begins = hiera_call_present(call->sets.requests, record) != 0,
                          .peer = peer_of(record, call, asked->places.peer),
                          .source = peer_of(record, call, asked->places.source),
                          .bytes = ended ? record->sent : HIERA_METER_NO_BYTES,
                          .rbytes = ended ? record->received : HIERA_METER_NO_BYTES};
}

static void tell_all(HieraMeter *meter, const Asked *asked, const HieraMpiRecord *record, uint64_t finish)
{
    int64_t start_ns = (int64_t)hiera_clock_ns(record->head.start);
    int64_t finish_ns = finish != 0 ? (int64_t)hiera_clock_ns(finish) : HIERA_METER_NO_END;
    const HieraMetered metered = metered_of(meter, asked, record, start_ns, finish_ns);
    hiera_meter_open(meter, asked->site - 1, start_ns, 0, true);
    hiera_meter_count(meter, &metered);
    if (finish != 0)
        tell_requests(meter, record, &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS]);
    hiera_meter_close(meter, finish_ns);
}

static void tell_flat(HieraMeter *meter, const Asked *asked, const HieraMpiRecord *record, uint64_t finish)
{
    const HieraMetered metered = metered_of(meter, asked, record, (int64_t)hiera_clock_ns(record->head.start),
                                            (int64_t)hiera_clock_ns(finish));
    hiera_meter_flat(meter, asked->site - 1, &metered);
    tell_requests(meter, record, &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS]);
}

static void tell_completed(HieraMeter *meter, const HieraTail *tail)
{
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(tail + 1);
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (completed[i].size >= 0 && completed[i].number != 0)
            hiera_meter_message(meter, rank_of(completed[i].source), false, completed[i].size);
    }
}

/* The receives that a call has completed. */
static void tell_received(HieraMeter *meter, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    const HieraTail *tail = (const HieraTail *)(const void *)((const char *)record + call->bytes);
    if (record->head.bytes == call->bytes)
        return;
    for (; tail; tail = hiera_mpi_next_tail(record, tail)) {
        if (tail->argument == HIERA_TAIL_COMPLETION)
            tell_completed(meter, hiera_mpi_tail_contents(tail));
    }
}

/* The common case: sums are enough. */
static void tell_sums(HieraMeter *meter, const Asked *asked, const HieraMpiRecord *record, uint64_t finish)
{
    const HieraMpiCall *call = &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
    uint64_t time_ns = asked->times ? hiera_clock_ns(finish) - hiera_clock_ns(record->head.start) : 0;
    hiera_meter_sum(meter, asked->site - 1, (int64_t)time_ns);
    switch (asked->need) {
    case HIERA_METER_SENDS:
        hiera_meter_message(meter, peer_of(record, call, asked->places.peer), true, record->sent);
        break;
    case HIERA_METER_RECEIVES:
        hiera_meter_message(meter, peer_of(record, call, asked->places.source), false, record->sent);
        break;
    case HIERA_METER_MOVES:
        hiera_meter_bytes(meter, record->sent, record->received);
        break;
    case HIERA_METER_REQUESTS:
        tell_received(meter, record, call);
        break;
    default:
        break;
    }
}

void hiera_call_meter(HieraMeter *meter, void *memory, const HieraRecord *head)
{
    const HieraMpiRecord *record = (const HieraMpiRecord *)(const void *)head;
    unsigned number = head->call - HIERA_RECORD_CALLS;
    Asked *asked = (Asked *)memory + number;
    uint64_t finish = __atomic_load_n(&head->finish, __ATOMIC_ACQUIRE);
    if (HIERA_UNLIKELY(asked->site == 0))
        ask(meter, asked, &hiera_mpi_calls[number]);
    if (finish == 0 || asked->need == HIERA_METER_ALL)
        tell_all(meter, asked, record, finish);
    else if (asked->need == HIERA_METER_FLAT)
        tell_flat(meter, asked, record, finish);
    else if (asked->need != HIERA_METER_NOTHING)
        tell_sums(meter, asked, record, finish);
}
