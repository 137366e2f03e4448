/* The attributes of the root element → what is known of a rank before its operations are read. */
#ifndef HIERA_PROCESSOR_H
#define HIERA_PROCESSOR_H

#include "arguments.h"
#include "clock.h"

/* Fill in everything that the attributes tell, and the correction of the times that follow. @return false if there is
 * no usable rank */
gboolean hiera_processor_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                              HieraProcessor *processor, HieraClock *clock);

#endif
