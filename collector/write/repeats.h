/* Repeated calls become sums (HIERA_FOLD=statistics). For each record of a buffer it is decided once, before the other
 * records are written, whether it becomes part of a sum, since a flush that fails is repeated. The functions are in
 * profile/repeats.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct HieraTraceFile;

typedef struct HieraRepeatsOps {
    /* Decide which records from `begin` to `end` become parts of sums, and add these. */
    void (*decide)(struct HieraTraceFile *stream, const char *begin, const char *end);

    /* Write the sums that end before the record `at`. Returns the first record from `at` on that is not part of sums.
     */
    const char *(*pass)(struct HieraTraceFile *stream, const char *at);

    /* Whether decide() has made the record at `at` part of a sum. */
    bool (*is_sum)(const struct HieraTraceFile *stream, const char *at);

    /* Write the declarations needed by sums that are not written yet, so that put_rest() has none to write. */
    void (*declare)(struct HieraTraceFile *stream);

    /* Write, into the tail, the sums that may still grow. */
    void (*put_rest)(struct HieraTraceFile *stream);

    /* Return the number of operations in all sums of this file. */
    uint64_t (*count)(const struct HieraTraceFile *stream);

    /* Free the state `repeats` of a file that is closed. */
    void (*end)(struct HieraTraceFile *stream);
} HieraRepeatsOps;
