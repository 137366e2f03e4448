/* What an archive says of a processor besides events: properties, threads, and the mappings of location numbers. */
#pragma once

#include "otf2_writer.h"

/* A thread of a processor, which is a location of the archive. */
typedef struct {
    guint32 thread;
    OTF2_LocationRef location;
    HieraOtf2Name *id; /* the attribute `id` of the thread's element; NULL: the main thread */
    guint64 n_events;
    HieraOtf2Numbers *numbers; /* numbers of names in the location's events; NULL: another process has them */
} HieraOtf2Location;

typedef struct {
    GPtrArray *fresh;      /* HieraOtf2Name: names that no earlier processor of its process uses, in the order of use */
    GPtrArray *properties; /* HieraOtf2Name: name and text of each property, alternating */
    GPtrArray *locations;  /* HieraOtf2Location: the main thread, then further threads */
    HieraOtf2Reserve reserve;
} HieraOtf2Processor;

/* Make the data of a processor. @param index  of the processor in the trace, which has `n_processors` */
HieraOtf2Processor *hiera_otf2_processor_new(guint32 index, guint32 n_processors);
/* Free the data of a processor. NULL is allowed. */
void hiera_otf2_processor_free(gpointer processor);
/* Add a thread to a processor, which then owns it. @param id  attribute `id` of the thread's element; NULL: none */
HieraOtf2Location *hiera_otf2_processor_add(HieraOtf2Processor *processor, guint32 rank, guint32 thread,
                                            HieraOtf2Name *id);

/* Write this data, when all events are written. All processes call it: each sends the data of its own processors;
 * process 0 numbers all names in the order of processors, and sends each process the numbers of its names.
 *
 * @param processors  HieraOtf2Processor, by index in the trace; NULL for those of other processes */
void hiera_otf2_write_processors(HieraOtf2Writer *writer, const GPtrArray *processors);
