/* What OTF2 has no word for stands in its attributes and properties under these names. The export writes them, the
 * import reads them. */
#ifndef HIERA_OTF2_NAMES_H
#define HIERA_OTF2_NAMES_H

#include <glib.h>

/* An attribute of an element of a trace (docs/format.md), like "hiera:level". */
#define HIERA_OTF2_PREFIX "hiera:"
/* No XML attribute has an @ in its name, so these are never one of them. */
#define HIERA_OTF2_OPEN   "@open"   /* of an Enter: the trace has no end of the operation */
#define HIERA_OTF2_START  "@start"  /* of an Enter: its time in ns, where OTF2, whose times never fall, has another */
#define HIERA_OTF2_FINISH "@finish" /* of a Leave: the same */
/* The parameter whose events stand for elements that are no operations; the text is the name of the element. */
#define HIERA_OTF2_NOTE HIERA_OTF2_PREFIX "element"

/* Return the name of an operation of the level mpi in C: "send" → "MPI_Send". Free it with g_free. */
char *hiera_otf2_function(const char *operation);
/* Return the operation of a function of MPI: "MPI_Send" or "mpi_send_" → "send"; NULL if it is none. Free it with
 * g_free. */
char *hiera_otf2_operation(const char *function);
/* Return a time as traces have it, in seconds with nine digits. Free it with g_free. */
char *hiera_otf2_seconds(gint64 ns);

#endif
