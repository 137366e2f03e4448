/* The attributes of a call → its operation. Hides which of them name it and when it was. */
#ifndef HIERA_OPERATION_H
#define HIERA_OPERATION_H

#include "read_context.h"

/* All of an operation but its place in the trace, its times and its requests. */
void hiera_operation_read(HieraReadContext *context, HieraElement element, const HieraAttributes *attributes,
                          HieraOperation *operation);
/* Its times, by start_time and finish_time. */
void hiera_operation_read_times(HieraReadContext *context, const HieraAttributes *attributes,
                                HieraOperation *operation);
/* Likewise, by t and d. */
void hiera_operation_read_span(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);

#endif
