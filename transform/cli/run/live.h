/* --live: read the traces of a job that still runs, with what is still in the buffers of its ranks. */
#pragma once

#include "cli/options/options.h"
#include "hiera_trace.h"

/* Let hiera-recover complete copies of the traces of ranks that run on this computer, and read these copies in place of
 * the traces. @return FALSE with an error */
gboolean live_begin(const Options *options, GError **error);

/* Remove the copies. */
void live_end(void);

/* Return after how many seconds a page of the traces should be made anew: so many that reading takes a small part of
 * the time; 0: no rank runs any more, or --live was not asked for. */
guint live_renew_s(const HieraTrace *trace);

/* --serve: do the work in a new process for each page. @return the exit status; -1 with an error */
int live_serve(const Options *options, int (*work)(const Options *options), GError **error);
