/* Reads the attributes of the root element into a HieraProcessor, before any operation is read. */
#pragma once

#include "reading/context/arguments.h"
#include "reading/context/clock.h"

/* Read the attributes of the root element.
 *
 * @param processor  receives the values of the attributes, with times on the job's time axis
 * @param clock      receives the correction for the times of the trace
 * @return  FALSE if there is no valid rank */
gboolean hiera_processor_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                              HieraProcessor *processor, HieraClock *clock);
