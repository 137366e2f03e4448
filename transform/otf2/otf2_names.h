/* Names of attributes and properties for data that OTF2 cannot express otherwise. The export writes them, the
 * import reads them. */
#pragma once

#include <glib.h>

/* An attribute of an element of a trace (docs/format.md), like "hiera:level". */
#define HIERA_OTF2_PREFIX "hiera:"
/* No XML attribute has an @ in its name, so these are never one of them. */
#define HIERA_OTF2_OPEN   "@open"   /* in an Enter: the trace has no end of the operation */
#define HIERA_OTF2_START  "@start"  /* in an Enter: its time in ns if OTF2's time, which never decreases, differs */
#define HIERA_OTF2_FINISH "@finish" /* in a Leave: the same */
/* Parameter whose events represent elements that are no operations; the text is the name of the element. */
#define HIERA_OTF2_NOTE HIERA_OTF2_PREFIX "element"

/* Return the name of an operation of the level mpi in C: "send" → "MPI_Send". Free it with g_free. */
char *hiera_otf2_function(const char *operation);
/* Return the operation of a function of MPI: "MPI_Send" or "mpi_send_" → "send"; NULL if it is none. Free it with
 * g_free. */
char *hiera_otf2_operation(const char *function);
/* Return a time as traces have it, in seconds with nine digits. Free it with g_free. */
char *hiera_otf2_seconds(gint64 ns);
