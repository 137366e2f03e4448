/* Reads the attributes of a call into a HieraOperation. Hides which attributes have the call site and the times. */
#pragma once

#include "reading/context/read_context.h"

/* Read an operation without its index, parent and depth, its times and its requests. */
void hiera_operation_read(HieraReadContext *context, HieraElement element, const HieraAttributes *attributes,
                          HieraOperation *operation);
/* Read the times of a call in full encoding: start_time and finish_time. A missing or empty finish time becomes
 * HIERA_TIME_OPEN. */
void hiera_operation_read_times(HieraReadContext *context, const HieraAttributes *attributes,
                                HieraOperation *operation);
/* Read the times of a call in compact encoding: t (start) and d (duration), in ns. Without a duration, the finish
 * time becomes HIERA_TIME_OPEN. */
void hiera_operation_read_span(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);
