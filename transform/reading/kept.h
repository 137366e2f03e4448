/* Finds out whether a killed process left its last records in a buffer, from which its trace can be completed. */
#pragma once

#include <glib.h>

/* Search the buffer with the last records of a killed process, on this computer and in the folder of the trace. With
 * it, hiera-recover can complete the trace.
 *
 * @param host  name of the host, from the trace
 * @param path  path of the trace */
gboolean hiera_kept_find(const char *host, gint64 pid, const char *path);
