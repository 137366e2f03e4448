/* The size of a run; see run_size.h. */
#include "run_size.h"
#include <glib/gstdio.h>

#define SMALL_BYTES ((guint64)1 << 29)
enum { COMPRESSION = 16 }; /* how many times smaller compressed traces are, about */

gboolean run_is_small(const HieraRunPaths *run)
{
    guint64 n_bytes = 0;
    for (guint i = 0; i < run->paths->len && n_bytes <= SMALL_BYTES; i++) {
        const char *path = g_ptr_array_index(run->paths, i);
        gboolean compressed = g_str_has_suffix(path, ".gz") || g_str_has_suffix(path, ".zst");
        GStatBuf status;
        if (g_stat(path, &status) != 0)
            continue;
        /* Nobody knows how much comes out of a pipe. */
        n_bytes += S_ISREG(status.st_mode) ? (guint64)status.st_size * (compressed ? COMPRESSION : 1) : SMALL_BYTES + 1;
    }
    return n_bytes <= SMALL_BYTES;
}
