/* Reads the elements in which a trace that begins late describes the time before (trace/before.h). */
#pragma once

#include "reading/context/read_context.h"

/* State of reading the section from `hieraBefore` to `hieraSince`: calls that were made before the trace begins. */
typedef struct {
    gboolean carries; /* whether the calls that are read were made before the trace begins */
    GArray *places;   /* gint64: HieraCarried.place of the carried calls (made before the trace), in their order */
    guint next;       /* index in `places` of the next carried call */
} HieraCarrying;

/* Make a HieraBefore for the processor, if the root element says that the trace begins late. */
void hiera_before_begin(HieraReadContext *context, const HieraAttributes *attributes);

/* Read a `hieraBefore` (`is_main`: of the main thread); read a `hieraChannel`. */
void hiera_before_read(HieraReadContext *context, const HieraAttributes *attributes, gboolean is_main,
                       HieraCarrying *carrying);
void hiera_before_read_channel(HieraReadContext *context, const HieraAttributes *attributes);

/* Note an operation that was made before the trace begins, and cut off its time before that. */
void hiera_before_carry(HieraReadContext *context, HieraCarrying *carrying, HieraOperation *operation);

/* Complete the processor's HieraBefore, when the whole trace has been read. */
void hiera_before_end(HieraReadContext *context);

/* Report at which times the traces of a run begin, if some begin late. */
void hiera_before_report(const GArray *processors, const char *name, HieraFindings *findings);
