/* Find the size of a trace before it is read. */
#pragma once

#include <glib.h>

/* Return the size of a trace in bytes, also of one in a container; 0 if there is none, -1 if it is not known (a pipe).
 * *compressed: whether it has to be decompressed; may be NULL. */
gint64 hiera_trace_size(const char *path, gboolean *compressed);
