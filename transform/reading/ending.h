/* The call in which a program ended: an MPI call without an end, in a trace that says how the process ended. */
#ifndef HIERA_ENDING_H
#define HIERA_ENDING_H

#include "read_context.h"

/* A call of MPI was read that has no end: it may be the one, and its requests what it waited for. `attributes`: those
 * of its element. */
void hiera_ending_note_call(HieraReadContext *context, const HieraXmlAttribute *attributes, guint n,
                            const HieraOperation *operation);

/* The trace says that the process ended: name the call, if there is one. */
void hiera_ending_report(HieraReadContext *context);

#endif
