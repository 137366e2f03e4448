/* Saved aggregations: their words, which save.c describes, and what reads them. */
#ifndef HIERA_PROBES_SAVED_H
#define HIERA_PROBES_SAVED_H

#include "probes/aggregate.h"
#include "probes/keyed.h"

#define HIERA_SAVED_HEAD "hieraProbe 1" /* with the version of the format */

extern const char hiera_saved_letters[];      /* by HieraValueType: of keys */
extern const char *const hiera_saved_types[]; /* by HieraValueType: of aggregated values */

/* Who takes what is read. All is read twice: first with `adds` false, to see whether it is right; then to add it.
 *
 * Functions return false if it is wrong, or if there is no memory. */
typedef struct HieraSavedSink {
    HieraProbeStore *store;
    void *user;
    /* A rank has reached the global_print() of this number and name. */
    bool (*take_global)(void *user, unsigned number, const char *name, bool adds);
    /* An aggregation of a rank begins: its name, function, type, number of keys and bounds. */
    bool (*take_head)(void *user, int64_t rank, const HieraScriptName *head, bool adds);
    /* A row of it; only to add it. */
    bool (*take_row)(void *user, const HieraValue *keys, const void *cell);
} HieraSavedSink;

bool hiera_saved_read(const HieraSavedSink *sink, const char *bytes, size_t length);

#endif
