/* Requests in compact spelling: by their distance from the one that was started last, `request="+1"`, `requests="-1
 * -0"`. A loop that starts and completes as many each time says the same each time. */
#ifndef HIERA_REQUEST_DELTAS_H
#define HIERA_REQUEST_DELTAS_H

#include "base/xml_text.h"
#include "mpi/call/call_record.h"
#include "write/call_dictionary.h"

enum { HIERA_DISTANCES_MAX = 256, HIERA_DISTANCES_PER_WORD = sizeof(uint64_t) / sizeof(int16_t) };

/* Of all requests that a record names: those of its arguments, then those of its tails. */
typedef struct HieraDistances {
    bool near; /* else one is too far off, or they are too many: all stand by number */
    uint32_t n;
    uint64_t listed; /* as many as the lists had before they were cut */
    union {
        int16_t each[HIERA_DISTANCES_MAX];
        uint64_t words[HIERA_DISTANCES_MAX / HIERA_DISTANCES_PER_WORD];
    };
} HieraDistances;

/* `last`: number of the request that was started last in this section of the trace, 0 if none was. */
void hiera_distances_measure(HieraDistances *distances, const HieraMpiRecord *record, const HieraMpiCall *call,
                             uint32_t last);

/* … behind this record. */
uint32_t hiera_distances_last(const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t last);

/* Add them to a key, as its last words. */
void hiera_distances_add(HieraKey *key, const HieraDistances *distances);

/* ` request="+1"`, ` requests="…"`. */
void hiera_distances_put(HieraText *text, const HieraDistances *distances, const HieraMpiRecord *record,
                         const HieraMpiCall *call);

#endif
