/* Saved aggregations: the words of their format, which save.c describes, and their reader. */
#pragma once

#include "probes/aggregate.h"
#include "probes/keyed.h"

#define HIERA_SAVED_HEAD "hieraProbe 1" /* begin of saved bytes, with the version of the format */

extern const char hiera_saved_letters[];      /* letters for the types of keys, by HieraValueType */
extern const char *const hiera_saved_types[]; /* words for the types of aggregated values, by HieraValueType */

/* Callbacks of hiera_saved_read(). Everything is read twice: first with `adds` false, to check it; then to add it.
 *
 * They return false if the data is wrong, or there is no memory. */
typedef struct HieraSavedSink {
    HieraProbeStore *store;
    void *user;
    /* Receives which global_print() a rank has reached: its number in the script, and the name of its aggregation. */
    bool (*take_global)(void *user, unsigned number, const char *name, bool adds);
    /* Receives the head of an aggregation of a rank: name, function, type, number of keys and bounds. */
    bool (*take_head)(void *user, int64_t rank, const HieraScriptName *head, bool adds);
    /* Receives a row of the aggregation of the last head; not called when data is only checked. */
    bool (*take_row)(void *user, const HieraValue *keys, const void *cell);
} HieraSavedSink;

bool hiera_saved_read(const HieraSavedSink *sink, const char *bytes, size_t length);
