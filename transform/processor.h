/* The attributes of the root element → what is known of a rank before its operations are read. */
#ifndef HIERA_PROCESSOR_H
#define HIERA_PROCESSOR_H

#include "arguments.h"

/* Fill in everything that the attributes tell. @return false if there is no usable rank */
gboolean hiera_processor_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                              HieraProcessor *processor);

#endif
