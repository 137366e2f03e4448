/* HieraProcessor records as bytes. */
#pragma once

#include "pack.h"

void hiera_processor_pack(const HieraProcessor *processor, HieraPacker *to);
/* @param catalog  receives the processor's texts, and its HieraBefore */
void hiera_processor_unpack(HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from);
