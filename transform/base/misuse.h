/* Errors in the user's command line: hiera-transform exits with 2, after a message that says how to correct it. */
#pragma once

#include <glib.h>

/* Set an error of code HIERA_GRAPH_ERROR_USE. @return always FALSE, so that a caller can `return misuse(…)` */
gboolean misuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
