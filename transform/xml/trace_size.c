#include "trace_size.h"
#include "container.h"
#include "live_copies.h"
#include <glib/gstdio.h>

gint64 hiera_trace_size(const char *path, gboolean *compressed)
{
    g_autofree char *copy = hiera_live_copies_find(path);
    GStatBuf status;
    guint32 rank;
    gboolean is_packed = g_str_has_suffix(path, ".gz") || g_str_has_suffix(path, ".zst");
    gint64 bytes = 0;
    if (g_stat(copy ? copy : path, &status) == 0) {
        bytes = S_ISREG(status.st_mode) ? (gint64)status.st_size : -1;
    } else {
        g_autofree char *container = hiera_container_find(path, &rank);
        if (container)
            bytes = hiera_container_trace_bytes(container, rank, &is_packed);
    }
    if (compressed)
        *compressed = is_packed;
    return bytes;
}
