/* Repeated calls become sums (HIERA_FOLD=statistics). For each record of a buffer it is decided once, before the other
 * records are written, whether it becomes part of a sum, since a flush that fails is repeated. The functions are in
 * profile/turns.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct HieraTraceFile;

typedef struct HieraTurnsOps {
    /* Decide which of these records become sums, and add those. */
    void (*decide)(struct HieraTraceFile *stream, const char *begin, const char *end);

    /* Write the sums that end before the record `at`. Returns the first record from `at` on that is not part of sums.
     */
    const char *(*pass)(struct HieraTraceFile *stream, const char *at);

    /* Whether this record is part of a sum. */
    bool (*is_sum)(const struct HieraTraceFile *stream, const char *at);

    /* Write the declarations that unwritten sums need, so that put_rest() declares nothing. */
    void (*declare)(struct HieraTraceFile *stream);

    /* In the tail: write the sums that may still grow. */
    void (*put_rest)(struct HieraTraceFile *stream);

    /* Return the number of all operations in sums of this file. */
    uint64_t (*count)(const struct HieraTraceFile *stream);

    /* The file is closed: free the state. */
    void (*end)(struct HieraTraceFile *stream);
} HieraTurnsOps;
