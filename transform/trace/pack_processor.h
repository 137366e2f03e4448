/* HieraProcessor records as bytes. */
#ifndef HIERA_PACK_PROCESSOR_H
#define HIERA_PACK_PROCESSOR_H

#include "pack.h"

void hiera_processor_pack(const HieraProcessor *processor, HieraPacker *to);
/* @param catalog  receives the processor's texts, and its HieraBefore */
void hiera_processor_unpack(HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from);

#endif
