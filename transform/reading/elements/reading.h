/* The result of reading one trace file: a processor, and the states of the sinks. */
#pragma once

#include "hiera_load.h"

typedef struct {
    HieraProcessor processor;
    gboolean usable;  /* whether the trace has a rank, so that the sinks have states */
    gpointer *states; /* state of each sink, by index of the sink; NULL if not `usable` */
} HieraReading;
