/** Durations and sizes of operations, all values kept by call site, 8 bytes each. */
#pragma once

#include "hiera_measure.h"
#include "value_sums.h"

typedef struct HieraSamples HieraSamples;

/** Which values are kept of each operation. */
typedef enum { HIERA_SAMPLE_DURATION, HIERA_SAMPLE_BYTES, HIERA_N_SAMPLES } HieraSampleKind;

/** Make an empty set of values, for one processor or for all; to be freed by hiera_samples_free. */
HieraSamples *hiera_samples_new(void);

/** HieraReadOps of a measure whose state of a processor is a HieraSamples. */
#define HIERA_SAMPLES_READ                                                                                             \
    {                                                                                                                  \
        .begin = hiera_samples_begin, .operation = hiera_samples_add, .summed = hiera_samples_add_summed,              \
        .pack = hiera_samples_pack_of, .unpack = hiera_samples_unpack_of                                               \
    }
gpointer hiera_samples_begin(const HieraScope *scope, const HieraProcessor *processor);
void hiera_samples_pack_of(gpointer samples, const HieraProcessor *processor, HieraPacker *to);
gpointer hiera_samples_unpack_of(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from);
void hiera_samples_free(HieraSamples *samples);

/** Add the duration of an operation, and its bytes if the trace says how many. An operation without an end lasts until
 * the end of its trace, which hiera_samples_merge() adds. */
void hiera_samples_add(gpointer samples, const HieraOperation *operation);

/** Add the sums of durations and sizes of an operation that stands for several calls. */
void hiera_samples_add_summed(gpointer samples, const HieraSummed *summed);

/** Add one value to a call site. @param site  HieraSite.id */
void hiera_samples_add_value(HieraSamples *samples, HieraSampleKind sample, guint32 site, gint64 value);

/** Move the values of one processor to those of all. @param one  freed. @param keep  FALSE: its values are dropped */
void hiera_samples_merge(HieraSamples *all, HieraSamples *one, const HieraProcessor *processor, gboolean keep);

/** Pack the values of one processor for another process; unpack them there. */
void hiera_samples_pack(const HieraSamples *samples, HieraPacker *to);
HieraSamples *hiera_samples_unpack(HieraUnpacker *from);

/** Which call sites are one group: those of equal level; of equal level and name; only one site. */
typedef enum { HIERA_GROUP_LEVEL, HIERA_GROUP_OPERATION, HIERA_GROUP_SITE } HieraGrouping;

/** Called with the values of a group, which it may reorder; there may be none.
 *
 * @param site  first call site of the group
 * @param sums  NULL; or, if some values of the group are known only as sums, the sums of all its values */
typedef void (*HieraSampleVisit)(const HieraSite *site, gint64 *const values[HIERA_N_SAMPLES],
                                 const gsize n[HIERA_N_SAMPLES], const HieraValueSums *const sums[HIERA_N_SAMPLES],
                                 gpointer user);

/** Limit of a table in which some values are known only as sums. */
#define HIERA_SAMPLES_SUMMED                                                                                           \
    "profiles have sums: quartiles are upper bounds, at most twice the value; sizes' min and max are bounds; there "   \
    "is "                                                                                                              \
    "no deviation"

/** Call `visit` for each group that has operations, in the order of hiera_site_compare. */
void hiera_samples_visit(const HieraSamples *samples, const HieraCatalog *catalog, HieraGrouping grouping,
                         HieraSampleVisit visit, gpointer user);

/** Return the name of a site's operation, of a method with its class, like "Grid::bcast". The table keeps the text. */
const char *hiera_site_name(const HieraSite *site, HieraTable *table);
