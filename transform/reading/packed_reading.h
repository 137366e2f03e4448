/* The result of reading a file, as bytes. For sinks whose states cannot be packed, operations are sent instead: in the
 * process that reads, a builder keeps them; in the other one they are passed to these sinks. */
#pragma once

#include "reader.h"

/* The sinks of a process that reads files for another process. */
typedef struct {
    HieraSink *sinks; /* sinks that can pack their states; for all others, the builder's sink at the end */
    guint n;
    HieraBuilder *builder; /* keeps the operations for sinks that cannot pack; NULL: all can */
} HieraPackingSinks;

void hiera_packing_sinks_init(HieraPackingSinks *packing, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog);
void hiera_packing_sinks_clear(HieraPackingSinks *packing);

/* Pack the result of reading a file, and call `end` of its sinks. @param reading  NULL is allowed */
void hiera_reading_pack(const HieraReading *reading, const HieraPackingSinks *packing, HieraPacker *to);
/* Unpack the result of reading a file.
 *
 * @param sinks     the sinks given to hiera_packing_sinks_init()
 * @param findings  takes the reason if there are more operations than a trace can hold
 * @return free it with hiera_reading_free(); or NULL */
HieraReading *hiera_reading_unpack(const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                                   HieraFindings *findings, HieraUnpacker *from);
