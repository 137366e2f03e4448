/* The operations of one processor as events of OTF2, with all that the trace says about them. */
#pragma once

#include "otf2_processors.h"

/* Write the events of a processor.
 *
 * @param processor  index in the trace
 * @param error      its message begins with the path of the trace
 * @return the remaining data, to be freed with hiera_otf2_processor_free(); NULL with an error */
HieraOtf2Processor *hiera_otf2_write_events(HieraOtf2Writer *writer, guint32 processor, GError **error);
