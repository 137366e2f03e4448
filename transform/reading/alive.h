/* Checks whether the process that writes a trace is still running. */
#ifndef HIERA_ALIVE_H
#define HIERA_ALIVE_H

#include <glib.h>

/* Is this the name of this host? */
gboolean hiera_alive_is_here(const char *host);

/* Return TRUE if the process that wrote a trace is still running. It has to have the process id `pid` on this host,
 * and to have started before the last write to the trace: a later process can have the same id. Return FALSE if it
 * cannot be known (another host, no /proc).
 *
 * @param host  name of the host, from the trace
 * @param path  of the trace */
gboolean hiera_alive_check(const char *host, gint64 pid, const char *path);

#endif
