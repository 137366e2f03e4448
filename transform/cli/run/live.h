/* --live: read the traces of a job that still runs, with what is still in the buffers of its ranks. */
#pragma once

#include "cli/options/options.h"

/* Let hiera-recover complete copies of the traces of ranks that run on this computer, and read these copies in place of
 * the traces. @return FALSE with an error */
gboolean live_begin(const Options *options, GError **error);

/* Remove the copies. */
void live_end(void);
