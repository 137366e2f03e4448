/* See request_deltas.h. Distances of request numbers have the order of the record's arguments and tails. */
#include "request_deltas.h"

#include "call_format.h"
#include "dtd/names.h"

static void add(HieraDistances *distances, uint32_t number, uint32_t last)
{
    int64_t distance = number == 0 ? 0 : (int64_t)number - last;
    if (distance > HIERA_REQUEST_FARTHEST || distance < -HIERA_REQUEST_FARTHEST || distances->n == HIERA_DISTANCES_MAX)
        distances->near = false;
    if (!distances->near)
        return;
    if (number == 0)
        distance = HIERA_NO_DISTANCE;
    if (distances->n % HIERA_DISTANCES_PER_WORD == 0)
        distances->words[distances->n / HIERA_DISTANCES_PER_WORD] = 0;
    distances->each[distances->n++] = (int16_t)distance;
}

/* Where the request numbers in a tail are. */
typedef struct {
    const char *first; /* address of the first request number; NULL: the tail has no requests */
    size_t step;       /* bytes from one request number to the next */
    uint32_t n;
} Requests;

static Requests requests_of(const HieraTail *tail, const HieraMpiCall *call)
{
    const char *elements = (const char *)(tail + 1);
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    if (argument)
        return (Requests){argument->kind == HIERA_ARGUMENT_NUMBER ? elements : NULL, sizeof(uint32_t), tail->stored};
    if (tail->argument == HIERA_TAIL_BUFFERS)
        return (Requests){NULL, 0, 0};
    if (tail->argument == HIERA_TAIL_PENDING)
        return (Requests){elements, sizeof(uint32_t), 2 * tail->stored};
    return (Requests){elements + offsetof(HieraCompleted, number), sizeof(HieraCompleted), tail->stored};
}

static void add_tail(HieraDistances *distances, const HieraTail *tail, const HieraMpiCall *call, uint32_t last)
{
    Requests requests = requests_of(tail, call);
    distances->listed += requests.first ? (uint64_t)tail->total : 0;
    for (uint32_t i = 0; requests.first && i < requests.n && distances->near; i++) {
        uint32_t number;
        memcpy(&number, requests.first + i * requests.step, sizeof number);
        add(distances, number, last);
    }
}

void hiera_distances_measure(HieraDistances *distances, const HieraMpiRecord *record, const HieraMpiCall *call,
                             uint32_t last)
{
    distances->near = true;
    distances->n = 0;
    distances->listed = 0;
    for (uint32_t set = hiera_call_present(call->sets.started, record); set;)
        add(distances, hiera_request_at(record, hiera_call_next(call, &set)->offset), last);
    last = hiera_distances_last(record, call, last);
    for (uint32_t set = hiera_call_present(call->sets.requests & ~call->sets.started, record); set;)
        add(distances, hiera_request_at(record, hiera_call_next(call, &set)->offset), last);
    if (record->head.bytes == call->bytes)
        return;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        add_tail(distances, hiera_mpi_tail_contents(tail), call, last);
}

static uint32_t add_places(uint16_t *places, uint32_t room, uint32_t n, const HieraMpiCall *call, uint32_t set)
{
    for (; set; n++) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        if (n < room)
            places[n] = argument->offset;
    }
    return n;
}

uint32_t hiera_distances_places(uint16_t *places, uint32_t room, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    uint32_t n = add_places(places, room, 0, call, hiera_call_present(call->sets.started, record));
    n = add_places(places, room, n, call, hiera_call_present(call->sets.requests & ~call->sets.started, record));
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        Requests requests = requests_of(tail, call);
        for (uint32_t i = 0; requests.first && i < requests.n && n <= room; i++, n++)
            if (n < room)
                places[n] = (uint16_t)(requests.first + i * requests.step - (const char *)record);
    }
    return n;
}

void hiera_distances_add(HieraKey *key, const HieraDistances *distances)
{
    if (!distances->near || (distances->n == 0 && distances->listed == 0))
        return;
    hiera_key_add(key, distances->n | distances->listed << 16);
    for (uint32_t i = 0; i < distances->n; i += HIERA_DISTANCES_PER_WORD)
        hiera_key_add(key, distances->words[i / HIERA_DISTANCES_PER_WORD]);
}

static void put_one(HieraText *text, int16_t distance)
{
    if (distance == HIERA_NO_DISTANCE) {
        hiera_text_char(text, '0');
        return;
    }
    hiera_text_char(text, distance > 0 ? '+' : '-');
    hiera_text_unsigned(text, (uint64_t)(distance > 0 ? distance : -distance));
}

/* Write one attribute, a list of n distances. Returns the address after the n distances. */
static const int16_t *put_some(HieraText *text, const char *begin, size_t length, const int16_t *distances, uint32_t n)
{
    hiera_text_short(text, begin, length);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            hiera_text_char(text, ' ');
        put_one(text, distances[i]);
    }
    return distances + n;
}

/* Write the attribute `pending` with n distances, two per range: its first and last request. Return as put_some(). */
static const int16_t *put_pending(HieraText *text, const int16_t *distances, uint32_t n)
{
    HIERA_TEXT_LITERAL(text, HIERA_PENDING_BEGIN);
    for (uint32_t i = 0; i < n; i += 2) {
        if (i > 0)
            hiera_text_char(text, ' ');
        put_one(text, distances[i]);
        if (distances[i + 1] == distances[i])
            continue;
        HIERA_TEXT_LITERAL(text, HIERA_REQUESTS_TO);
        put_one(text, distances[i + 1]);
    }
    return distances + n;
}

static const int16_t *put_tail(HieraText *text, const int16_t *distances, const HieraTail *tail,
                               const HieraMpiCall *call)
{
    static const char completed[] = " requests=\"";
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    uint32_t n = requests_of(tail, call).n;
    if (tail->argument == HIERA_TAIL_PENDING)
        return put_pending(text, distances, n);
    return put_some(text, argument ? argument->begin : completed,
                    argument ? argument->begin_length : sizeof completed - 1, distances, n);
}

static const int16_t *put_arguments(HieraText *text, const int16_t *at, const HieraMpiCall *call, uint32_t set)
{
    while (set) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        at = put_some(text, argument->begin, argument->begin_length, at, 1);
        hiera_text_char(text, '"');
    }
    return at;
}

void hiera_distances_put(HieraText *text, const HieraDistances *distances, const HieraMpiRecord *record,
                         const HieraMpiCall *call)
{
    const int16_t *at = distances->each;
    at = put_arguments(text, at, call, hiera_call_present(call->sets.started, record));
    at = put_arguments(text, at, call, hiera_call_present(call->sets.requests & ~call->sets.started, record));
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        if (!requests_of(contents, call).first)
            continue;
        at = put_tail(text, at, contents, call);
        hiera_format_list_end(text, contents);
    }
}
