/* Packs and unpacks HieraProcessor records. */
#pragma once

#include "pack.h"

void hiera_processor_pack(const HieraProcessor *processor, HieraPacker *to);
/* @param catalog  gets the processor's texts and its HieraBefore, and owns them */
void hiera_processor_unpack(HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from);
