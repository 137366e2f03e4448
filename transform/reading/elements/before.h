/* A trace that begins later: reads what it says of the time before (trace/before.h). */
#ifndef HIERA_READ_BEFORE_H
#define HIERA_READ_BEFORE_H

#include "reading/context/read_context.h"

/* State of a section between `hieraBefore` and `hieraSince`. */
typedef struct {
    gboolean carries; /* operations were made before the trace begins */
    GArray *places;   /* gint64, of the calls to come; ... */
    guint next;       /* ... and the next one */
} HieraCarrying;

/* The trace begins at a time of its own, if the root element says so. */
void hiera_before_begin(HieraReadContext *context, const HieraAttributes *attributes);

/* Read a `hieraBefore`, of the main thread or another one; and a `hieraChannel`. */
void hiera_before_read(HieraReadContext *context, const HieraAttributes *attributes, gboolean is_main,
                       HieraCarrying *carrying);
void hiera_before_read_channel(HieraReadContext *context, const HieraAttributes *attributes);

/* An operation that was made before the trace begins: its time before that is left out. */
void hiera_before_carry(HieraReadContext *context, HieraCarrying *carrying, HieraOperation *operation);

/* All of the trace is read. */
void hiera_before_end(HieraReadContext *context);

/* Say where the traces of a run begin. */
void hiera_before_report(const GArray *processors, const char *name, HieraFindings *findings);

#endif
