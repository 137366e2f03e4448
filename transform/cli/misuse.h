/* A command that makes no sense: it ends with status 2, and a message that says what would make sense. */
#ifndef HIERA_MISUSE_H
#define HIERA_MISUSE_H

#include <glib.h>

/* @return FALSE, always, so that it can be returned */
gboolean misuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
