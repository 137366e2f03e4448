/* What was read of a file, as bytes. States of sinks that cannot be packed go as operations: in the process that reads,
 * a builder keeps them; in the other one they are told to these sinks. */
#ifndef HIERA_PACKED_READING_H
#define HIERA_PACKED_READING_H

#include "reader.h"

/* The sinks of a process that reads for another one. */
typedef struct {
    HieraSink *sinks; /* those that pack, and then the builder's, if there are others */
    guint n;
    HieraBuilder *builder; /* NULL: all sinks pack */
} HieraPackingSinks;

void hiera_packing_sinks_init(HieraPackingSinks *packing, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog);
void hiera_packing_sinks_clear(HieraPackingSinks *packing);

/* Pack a reading, and end its sinks. @param reading  NULL is allowed */
void hiera_reading_pack(const HieraReading *reading, const HieraPackingSinks *packing, HieraPacker *to);
/* @param sinks     those of which hiera_packing_sinks_init() was told
 * @param findings  takes why a reading cannot be used that has more operations than a trace holds
 * @return free it with hiera_reading_free(); or NULL */
HieraReading *hiera_reading_unpack(const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                                   HieraFindings *findings, HieraUnpacker *from);

#endif
