/* Errors in the command line: exit status 2, and a message that says how to correct it. */
#pragma once

#include <glib.h>

/* Set an error (HIERA_GRAPH_ERROR_USE). @return always FALSE, for `return misuse(…)` */
gboolean misuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
