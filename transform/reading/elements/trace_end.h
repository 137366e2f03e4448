/* Reports errors at the end of a trace file, and sets when its processor ended. */
#pragma once

#include "reading/context/read_context.h"
#include "xml/xml.h"

/* Note the time of an operation with which the main thread communicates: MPI_Finalize cannot be earlier. */
void hiera_trace_end_note(HieraReadContext *context, const HieraOperation *operation);

/* Report how the file ended, unless it was complete.
 * @param usable  some of its content can be used */
void hiera_trace_end_report(const HieraReadContext *context, const HieraXml *xml, const HieraInputFile *source,
                            HieraXmlEnd end, gboolean usable);

/* Set the processor's number of operations and whether its trace is cut short, and then finalize_ns. */
void hiera_trace_end_settle(const HieraReadContext *context, HieraXmlEnd end, guint64 n_operations);
