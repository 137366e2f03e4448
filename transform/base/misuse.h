/* Errors in the command line: exit status 2, and a message that says how to correct it. */
#ifndef HIERA_MISUSE_H
#define HIERA_MISUSE_H

#include <glib.h>

/* Set an error (HIERA_GRAPH_ERROR_USE). @return always FALSE, for `return misuse(…)` */
gboolean misuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
