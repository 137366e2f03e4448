/* See run_size.h. The size in bytes stands for the number of operations. */
#include "run_size.h"
#include "xml/trace_size.h"

#define SMALL_BYTES ((guint64)1 << 29)
enum { COMPRESSION = 16 }; /* estimate: bytes of a trace per byte of its compressed file */

gboolean run_is_small(const HieraRunPaths *run)
{
    guint64 n_bytes = 0;
    for (guint i = 0; i < run->paths->len && n_bytes <= SMALL_BYTES; i++) {
        const char *path = g_ptr_array_index(run->paths, i);
        gboolean compressed;
        gint64 bytes = hiera_trace_size(path, &compressed);
        /* a pipe (negative size) counts as too large, because the amount of its data is not known */
        n_bytes += bytes >= 0 ? (guint64)bytes * (compressed ? COMPRESSION : 1) : SMALL_BYTES + 1;
    }
    return n_bytes <= SMALL_BYTES;
}
