/* Requests in the compact encoding: written as the difference to the request that was started last (the distance), as
 * in `request="+1"` or `requests="-1 -0"`. A loop that starts and completes the same number of requests in each
 * iteration then has the same text in each iteration. */
#pragma once

#include "base/xml_text.h"
#include "mpi/call/call_record.h"
#include "write/call_dictionary.h"

enum { HIERA_DISTANCES_MAX = 256, HIERA_DISTANCES_PER_WORD = sizeof(uint64_t) / sizeof(int16_t) };
enum { HIERA_NO_DISTANCE = INT16_MIN /* stands for "no request" (number 0), and is written as 0 */ };

/* The distances of all requests of a record: those of its arguments, then those of its tails. For requests tested
 * without success: the first and the last of each element. */
typedef struct HieraDistances {
    bool near; /* whether all distances are small, and few enough; else requests are written as numbers */
    uint32_t n;
    uint64_t listed; /* sum of the full lengths of the lists, which the setting `arrays` may have cut */
    union {
        int16_t each[HIERA_DISTANCES_MAX];
        uint64_t words[HIERA_DISTANCES_MAX / HIERA_DISTANCES_PER_WORD];
    };
} HieraDistances;

/* Compute the distances of a record's requests. `last`: number of the request that was started last in this section of
 * the trace, 0 if none was. */
void hiera_distances_measure(HieraDistances *distances, const HieraMpiRecord *record, const HieraMpiCall *call,
                             uint32_t last);

/* Get the offset in the record of each request, in the order of HieraDistances. Returns their number; more than `room`:
 * `places` has no room for all. */
uint32_t hiera_distances_places(uint16_t *places, uint32_t room, const HieraMpiRecord *record,
                                const HieraMpiCall *call);

static inline uint32_t hiera_request_at(const HieraMpiRecord *record, size_t offset)
{
    uint32_t number;
    memcpy(&number, (const char *)record + offset, sizeof number);
    return number;
}

/* Return the number of the request started last, after this record. `last`: the number before this record. */
static inline uint32_t hiera_distances_last(const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t last)
{
    for (uint32_t set = hiera_call_present(call->sets.started, record); set;)
        last = hiera_request_at(record, hiera_call_next(call, &set)->offset);
    return last;
}

/* Add the distances of a record to the end of its key. */
void hiera_distances_add(HieraKey *key, const HieraDistances *distances);

/* Write the requests of a record as distances: ` request="+1"`, ` requests="…"`. */
void hiera_distances_put(HieraText *text, const HieraDistances *distances, const HieraMpiRecord *record,
                         const HieraMpiCall *call);
