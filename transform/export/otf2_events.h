/* The operations of one processor as events of OTF2, with all that the trace says about them. */
#ifndef HIERA_OTF2_EVENTS_H
#define HIERA_OTF2_EVENTS_H

#include "otf2_writer.h"

/* Write the events of a processor, then its locations.
 *
 * @param processor  index in the trace
 * @param error      its message begins with the path of the trace */
gboolean hiera_otf2_write_processor(HieraOtf2Writer *writer, guint32 processor, GError **error);

#endif
