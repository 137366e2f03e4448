/* Does the process still run that writes a trace? */
#ifndef HIERA_ALIVE_H
#define HIERA_ALIVE_H

#include <glib.h>

/* Whether a process of this host has that number and began before the trace was last written: another one that got the
 * number later began behind that. False where it cannot be known (another host, no /proc). */
gboolean hiera_alive_check(const char *host, gint64 pid, const char *path);

#endif
