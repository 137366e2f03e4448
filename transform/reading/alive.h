/* Tells whether the process that wrote a trace is still running. */
#pragma once

#include <glib.h>

/* Whether `host` is the name of this host. */
gboolean hiera_alive_is_here(const char *host);

/* Return TRUE if the process that wrote a trace is still running. Its process id is meaningful only here: in other
 * containers, and after a restart of this computer, other processes have that id. For a process of another
 * container, the lock on its trace is tested. Return FALSE if it cannot be known.
 *
 * @param process  identity of the process, from the trace: "BOOT/SPACE/START", or empty
 * @param path     path of the trace */
gboolean hiera_alive_check(const char *process, gint64 pid, const char *path);
