/* The result of reading one trace file; see reader.h. */
#ifndef HIERA_READING_H
#define HIERA_READING_H

#include "hiera_load.h"

typedef struct {
    HieraProcessor processor;
    gboolean usable;  /* the trace has a rank, and the sinks have states */
    gpointer *states; /* one state for each sink; NULL if not usable */
} HieraReading;

#endif
