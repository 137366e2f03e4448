/* Checks whether the process that writes a trace is still running. */
#ifndef HIERA_ALIVE_H
#define HIERA_ALIVE_H

#include <glib.h>

/* Is this the name of this host? */
gboolean hiera_alive_is_here(const char *host);

/* Return TRUE if the process that wrote a trace is still running. Its number says so only if it counts here: other
 * containers, and this computer after its next start, have other processes with that number. Of a process of another
 * container the lock on its trace tells. Return FALSE if it cannot be known.
 *
 * @param process  which process it is, from the trace: "BOOT/SPACE/START", or empty
 * @param path     of the trace */
gboolean hiera_alive_check(const char *process, gint64 pid, const char *path);

#endif
