/* What the whole archive shares: regions (call sites), communicators, hosts and processes. */
#ifndef HIERA_OTF2_DEFINITIONS_H
#define HIERA_OTF2_DEFINITIONS_H

#include "otf2_writer.h"

/* Number communicators and windows, and write what events need: clock, regions, processes. The location group of a
 * processor has its index in the trace. */
void hiera_otf2_write_definitions(HieraOtf2Writer *writer);
/* Write communicators and windows, when all locations are there. */
void hiera_otf2_write_communicators(HieraOtf2Writer *writer);
/* Return the location of a thread of a rank. */
OTF2_LocationRef hiera_otf2_location(guint32 rank, guint32 thread);

#endif
