/* A trace that begins late: reads its elements about the time before (trace/before.h). */
#pragma once

#include "reading/context/read_context.h"

/* State of a section between `hieraBefore` and `hieraSince`. */
typedef struct {
    gboolean carries; /* operations were made before the trace begins */
    GArray *places;   /* gint64: positions of the calls that follow; ... */
    guint next;       /* ... and index of the next one */
} HieraCarrying;

/* Set the begin of the trace, if the root element says that it begins late. */
void hiera_before_begin(HieraReadContext *context, const HieraAttributes *attributes);

/* Read a `hieraBefore`, of the main thread or another one; and a `hieraChannel`. */
void hiera_before_read(HieraReadContext *context, const HieraAttributes *attributes, gboolean is_main,
                       HieraCarrying *carrying);
void hiera_before_read_channel(HieraReadContext *context, const HieraAttributes *attributes);

/* Mark an operation that was made before the trace begins: its time before that is cut off. */
void hiera_before_carry(HieraReadContext *context, HieraCarrying *carrying, HieraOperation *operation);

/* Finish when the whole trace is read. */
void hiera_before_end(HieraReadContext *context);

/* Report where the traces of a run begin. */
void hiera_before_report(const GArray *processors, const char *name, HieraFindings *findings);
