/* The attributes of a call → an operation. Hides which attributes name the call site, and which have the times. */
#pragma once

#include "reading/context/read_context.h"

/* Read an operation, without its place in the trace, its times and its requests. */
void hiera_operation_read(HieraReadContext *context, HieraElement element, const HieraAttributes *attributes,
                          HieraOperation *operation);
/* Read the times of a call in full encoding: start_time and finish_time. A missing or empty finish time becomes
 * HIERA_TIME_OPEN. */
void hiera_operation_read_times(HieraReadContext *context, const HieraAttributes *attributes,
                                HieraOperation *operation);
/* Read the times of a call in compact encoding: t (start) and d (duration), in ns. Without a duration, the finish
 * time becomes HIERA_TIME_OPEN. */
void hiera_operation_read_span(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);
