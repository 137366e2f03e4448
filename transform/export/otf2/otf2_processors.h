/* Data of processors in an archive besides events: properties, threads, and the mappings of location numbers. */
#pragma once

#include "otf2_writer.h"

/* A thread. */
typedef struct {
    guint32 thread;
    OTF2_LocationRef location;
    HieraOtf2Name *id; /* id as in the trace; NULL for the main thread */
    guint64 n_events;
    HieraOtf2Numbers *numbers; /* NULL: in another process */
} HieraOtf2Location;

typedef struct {
    GPtrArray *fresh;      /* HieraOtf2Name: names that its process first used here, in this order */
    GPtrArray *properties; /* HieraOtf2Name: pairs of a property's name and text */
    GPtrArray *locations;  /* HieraOtf2Location */
    HieraOtf2Reserve reserve;
} HieraOtf2Processor;

/* @param index  in the trace, which has `n_processors` */
HieraOtf2Processor *hiera_otf2_processor_new(guint32 index, guint32 n_processors);
/* NULL is allowed. */
void hiera_otf2_processor_free(gpointer processor);
/* Add the next thread to a processor, which owns it. @param id  NULL: none */
HieraOtf2Location *hiera_otf2_processor_add(HieraOtf2Processor *processor, guint32 rank, guint32 thread,
                                            HieraOtf2Name *id);

/* Write this data, when all events are written. All processes call it: each sends the data of its own processors;
 * process 0 numbers all names in the order of processors, and sends each process the numbers of its names.
 *
 * @param processors  HieraOtf2Processor, by index in the trace; NULL for those of other processes */
void hiera_otf2_write_processors(HieraOtf2Writer *writer, const GPtrArray *processors);
