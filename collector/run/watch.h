/* hiera-run --watch: a line on standard error at intervals, on what the job does. A process of its own looks at the
 * ranks of this computer from outside (hiera-recover --look). */
#pragma once

#include <sys/types.h>

/* Start it; `seconds` as the user has written it. Call after hiera_left_begin(). */
pid_t hiera_watch_begin(const char *seconds);
void hiera_watch_end(pid_t watch);
