/* The end of a trace: reports errors of the file, and sets when its processor ended. */
#pragma once

#include "reading/context/read_context.h"
#include "xml/xml.h"

/* Note an operation: the main thread cannot communicate after MPI_Finalize. */
void hiera_trace_end_note(HieraReadContext *context, const HieraOperation *operation);

/* Report how the file ended, unless it was complete.
 * @param usable  some of its content can be used */
void hiera_trace_end_report(const HieraReadContext *context, const HieraXml *xml, const HieraInputFile *source,
                            HieraXmlEnd end, gboolean usable);

/* Complete the processor: set the number of operations; whether the trace is cut short, and then its last time. */
void hiera_trace_end_settle(const HieraReadContext *context, HieraXmlEnd end, guint64 n_operations);
