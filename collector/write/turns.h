/* Calls that come again and again become sums (HIERA_FOLD=statistics). What of a buffer does so is decided before the
 * rest is written, once for each record, since a flush that fails is repeated. profile/turns.h has what is behind these
 * functions. */
#ifndef HIERA_WRITE_TURNS_H
#define HIERA_WRITE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct HieraTraceFile;

typedef struct HieraTurnsOps {
    /* Decide which of these records become sums, and add them. */
    void (*decide)(struct HieraTraceFile *stream, const char *begin, const char *end);

    /* Write the sums that end before the record `at`. Returns the next record from `at` on that is none of them. */
    const char *(*pass)(struct HieraTraceFile *stream, const char *at);

    /* Is this record a part of sums? */
    bool (*is_sum)(const struct HieraTraceFile *stream, const char *at);

    /* Declare what the sums name that are not written yet, so that put_rest() declares nothing. */
    void (*declare)(struct HieraTraceFile *stream);

    /* In the tail: write the sums that may still grow. */
    void (*put_rest)(struct HieraTraceFile *stream);

    /* All operations in sums that belong to this file. */
    uint64_t (*count)(const struct HieraTraceFile *stream);

    /* The file is closed. */
    void (*end)(struct HieraTraceFile *stream);
} HieraTurnsOps;

#endif
