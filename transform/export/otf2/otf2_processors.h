/* What an archive has of processors besides events: properties, threads, and what numbers of locations mean. */
#ifndef HIERA_OTF2_PROCESSORS_H
#define HIERA_OTF2_PROCESSORS_H

#include "otf2_writer.h"

/* A thread. */
typedef struct {
    guint32 thread;
    OTF2_LocationRef location;
    HieraOtf2Name *id; /* as the trace has it; NULL of the main thread */
    guint64 n_events;
    HieraOtf2Numbers *numbers; /* NULL: another process has them */
} HieraOtf2Location;

typedef struct {
    GPtrArray *fresh;      /* HieraOtf2Name: what its process has named here first, in this order */
    GPtrArray *properties; /* HieraOtf2Name: of each its name and its text */
    GPtrArray *locations;  /* HieraOtf2Location */
    HieraOtf2Reserve reserve;
} HieraOtf2Processor;

/* @param index  in the trace, which has so many */
HieraOtf2Processor *hiera_otf2_processor_new(guint32 index, guint32 n_processors);
/* NULL is allowed. */
void hiera_otf2_processor_free(gpointer processor);
/* Return the next thread of a processor, which owns it. @param id  NULL: none */
HieraOtf2Location *hiera_otf2_processor_add(HieraOtf2Processor *processor, guint32 rank, guint32 thread,
                                            HieraOtf2Name *id);

/* Write all that, when the events of all are there. Several processes all call it: each tells of its own processors;
 * the one that leads numbers all names in the order of processors, and tells each what numbers its names have.
 *
 * @param processors  HieraOtf2Processor, by index in the trace; NULL of those of other processes */
void hiera_otf2_write_processors(HieraOtf2Writer *writer, const GPtrArray *processors);

#endif
