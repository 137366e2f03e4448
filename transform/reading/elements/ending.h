/* Finds the MPI call in which a program ended: one without a finish time, in a trace with a `hieraEnd`. */
#pragma once

#include "reading/context/read_context.h"

/* Keep an operation without a finish time: if it is an MPI call, the program may have ended in it. The last one of
 * the main thread counts; if there is none, the first one of other threads.
 *
 * @param attributes  the n attributes of the call, with those of its declaration */
void hiera_ending_note_call(HieraReadContext *context, const HieraXmlAttribute *attributes, guint n,
                            const HieraOperation *operation);

/* Add a finding that names the call in which the program ended, if known. For traces that have a `hieraEnd`. */
void hiera_ending_report(HieraReadContext *context);
