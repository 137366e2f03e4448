/* hiera-recover: completes the traces of ranks that were killed (--recover), or copies of those that run (--live). */
#pragma once

#include <glib.h>

/* Replace this process by the program hiera-recover. @return the exit status if it cannot be started */
int recover_run(const char *folder);

/* Let hiera-recover complete copies of a job's traces in the folder `copies`. *lines becomes what it prints; to be
 * freed.
 * @return FALSE with an error */
gboolean recover_copies(const char *copies, const char *folder, char **lines, GError **error);
