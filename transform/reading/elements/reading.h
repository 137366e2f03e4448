/* The result of reading one trace file; see reader.h. */
#pragma once

#include "hiera_load.h"

typedef struct {
    HieraProcessor processor;
    gboolean usable;  /* the trace has a rank, and the sinks have states */
    gpointer *states; /* one state for each sink; NULL if not usable */
} HieraReading;
