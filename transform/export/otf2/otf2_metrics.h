/* Counters as metrics of OTF2, with a value at the end of each operation that has one. */
#pragma once

#include "otf2_writer.h"

/* Write the counter values of an operation at its end. @param row  row of the operation */
void hiera_otf2_write_counted(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, OTF2_EvtWriter *events, guint64 time,
                              guint32 row);
