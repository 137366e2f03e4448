/* Counters as metrics of OTF2: counter values at the end of an operation. */
#pragma once

#include "otf2_writer.h"

/* Write the counter values of an operation that ends. */
void hiera_otf2_write_counted(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, OTF2_EvtWriter *events, guint64 time,
                              guint32 row);
