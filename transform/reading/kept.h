/* Has the killed process of a trace left what it recorded last? */
#ifndef HIERA_READING_KEPT_H
#define HIERA_READING_KEPT_H

#include <glib.h>

/* Look for it on this computer and in the folder of the trace. hiera-recover of the collector can complete the trace
 * then.
 *
 * @param host  name of the host, from the trace
 * @param path  of the trace */
gboolean hiera_kept_find(const char *host, gint64 pid, const char *path);

#endif
