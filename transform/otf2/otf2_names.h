/* Names of attributes and properties for data that OTF2 cannot express otherwise. The export writes them, the
 * import reads them. */
#pragma once

#include <glib.h>

/* Prefix of OTF2 attributes that stand for attributes of a trace's element, as in "hiera:level" (docs/format.md). */
#define HIERA_OTF2_PREFIX "hiera:"
/* Further OTF2 attributes. They begin with @, which no attribute in XML does. */
#define HIERA_OTF2_OPEN   "@open"   /* in an Enter: the trace has no end of the operation */
#define HIERA_OTF2_START  "@start"  /* in an Enter: start of the operation in ns, if it differs from the Enter's time */
#define HIERA_OTF2_FINISH "@finish" /* in a Leave: end of the operation in ns, if it differs from the Leave's time */
/* Parameter for elements that are no operations: the text of its event is the name of the element. */
#define HIERA_OTF2_NOTE HIERA_OTF2_PREFIX "element"

/* Return the C function of an operation of the level mpi: "send" → "MPI_Send". Free it with g_free. */
char *hiera_otf2_function(const char *operation);
/* Return the operation of a function of MPI: "MPI_Send" or "mpi_send_" → "send"; NULL if it is none. Free it with
 * g_free. */
char *hiera_otf2_operation(const char *function);
/* Return a time as traces write it: seconds with nine digits. Free it with g_free. */
char *hiera_otf2_seconds(gint64 ns);
