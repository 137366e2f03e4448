/* Traces of a job that still runs: copies of them, which hiera-recover has completed, are read in their place, and all
 * ranks only up to one time (--live). Set before traces are read; names of traces stay those of the originals. */
#pragma once

#include <glib.h>

/* Read the traces of `folder` from `copies`, where they are there: trace<rank>.xml, also of ranks in a container.
 *
 * @param until_ns  time up to which all ranks are known; later operations are left out */
void hiera_live_copies_set(const char *folder, const char *copies, gint64 until_ns);

/* Return the path of the copy of a trace; NULL: it has none. To be freed. */
char *hiera_live_copies_find(const char *path);

/* Whether copies are read. */
gboolean hiera_live_copies_are_read(void);

/* Return the time up to which traces are read; G_MAXINT64: they are read whole. */
gint64 hiera_live_copies_until(void);
